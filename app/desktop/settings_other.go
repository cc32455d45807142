//go:build windows || darwin

package desktop

import "context"

// Unasked is Unknown: Fyne knows.
const Unasked = Unknown

// FollowSettings calls changed once, with nothing: Fyne follows light and dark here, and the rest is not asked yet.
func FollowSettings(_ context.Context, changed func(Settings)) { changed(Settings{}) }

// WindowScale is 0.
func WindowScale(context.Context) float64 { return 0 }
