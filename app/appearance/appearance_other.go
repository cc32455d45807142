//go:build !linux

package appearance

import "context"

// Follow does nothing: what other systems wish is not asked yet.
func Follow(context.Context, func(Wishes)) {}

// WindowScale is 0.
func WindowScale(context.Context) float64 { return 0 }
