//go:build windows || darwin

package desktop

import "context"

func notify(context.Context, Notification, func(token string)) error { return ErrUnsupported }
