//go:build !linux

package notify

import "context"

func send(context.Context, Notification, func()) error { return ErrUnsupported }
