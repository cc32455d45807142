//go:build windows || darwin

package scheme

import "context"

// Watch does nothing: Fyne follows these systems.
func Watch(context.Context, func(Scheme)) {}
