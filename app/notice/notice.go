// Package notice puts a short message on the desktop, where the desktop has a way that is
// safe for the words of strangers.
package notice

import (
	"context"
	"errors"
)

// ErrNone says that this desktop has no such way.
var ErrNone = errors.New("no notifications that can say foreign words here")

// Notice is a message: both texts are plain, whatever is in them.
type Notice struct {
	Title, Body string
	Icon        string // name or file of a picture; "" for none
}

// Send shows a notice and returns once it is shown or cannot be. clicked, if not nil, is
// called when it is clicked, until ctx ends. Errors: ErrNone, those of the desktop.
func Send(ctx context.Context, n Notice, clicked func()) error { return send(ctx, n, clicked) }
