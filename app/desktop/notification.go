package desktop

import (
	"context"
	"errors"
)

// ErrUnsupported says that this desktop has no way to show foreign text safely.
var ErrUnsupported = errors.New("no desktop notifications that are safe for foreign text")

// ErrNone says that nothing is running that shows notifications.
var ErrNone = errors.New("this desktop shows no notifications")

// Notification is a short message on the desktop. Both texts are shown as they are, whatever they contain.
type Notification struct {
	Title, Body string
	Icon        string // name or file of an image; "" for none
	Kind        string // it takes the place of the last one of its kind, if that is still there; "" of none
}

// Notify shows a notification and returns once it is shown. clicked, if not nil, is called when the user clicks it, until ctx
// ends, with the token by which a compositor of Wayland lets a window come to the front, "" if there is none. Errors: ErrUnsupported, ErrNone, those of the desktop.
func Notify(ctx context.Context, n Notification, clicked func(token string)) error {
	return notify(ctx, n, clicked)
}
