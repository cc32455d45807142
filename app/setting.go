package app

import "context"

// set stores a setting. Those of one window are stored in the order in which they were
// made: of two that are about the same, the last one counts.
func (w *window) set(key, value string, done func(error)) {
	before, stored := w.setting, make(chan struct{})
	w.setting = stored
	w.work(func(ctx context.Context) error {
		defer close(stored)
		if before != nil {
			<-before
		}
		return w.home.Store.Set(ctx, key, value)
	}, done)
}
