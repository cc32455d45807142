package app

import (
	"context"

	"fyne.io/fyne/v2"

	"kairos/app/language"
	"kairos/app/notify"
)

// notifier shows notifications on behalf of the window.
func (w *window) notifier() *notify.Notifier {
	return &notify.Notifier{
		Store: w.home.Store, Poller: w.home.Poller, Now: w.now, Printer: language.Printer(),
		InUse:   w.inUse,
		Clicked: func() { w.Do(func() { w.show("") }) },
		Fallback: func(title, body string) {
			w.Do(func() { w.app.SendNotification(fyne.NewNotification(title, body)) })
		},
	}
}

// inUse reports whether the window has the focus, or is about to close with ctx.
func (w *window) inUse(ctx context.Context) bool {
	focused := make(chan bool, 1)
	w.Do(func() { focused <- w.activity.focused() })
	select {
	case yes := <-focused:
		return yes
	case <-ctx.Done():
		return true
	}
}
