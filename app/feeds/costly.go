package feeds

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// Costly is what can be done about feeds that cost more fetches than they bring. All but Open can be undone.
type Costly struct{ Actions *Actions }

// Open shows the status of a feed.
func (c Costly) Open(feed int64) { c.Actions.OpenPage(c.Actions.Library.Feed(feed)) }

// Unsubscribe removes a feed.
func (c Costly) Unsubscribe(feed int64) { c.Actions.Unsubscribe(c.Actions.Library.Feed(feed)) }

// Pause stops the background fetches of a feed.
func (c Costly) Pause(feed int64) {
	if f := c.Actions.Library.Feed(feed); f != nil {
		c.Actions.Pause(true, *f)
	}
}

// Lower gives a feed a low weight.
func (c Costly) Lower(feed int64) {
	if f := c.Actions.Library.Feed(feed); f != nil && f.Weight > reader.WeightLow {
		c.change(*f, lang.L("{{.Feed}} has a low weight now", map[string]any{"Feed": f.Title}), func(f *reader.Feed) { f.Weight = reader.WeightLow })
	}
}

// change changes a feed and offers to undo it.
func (c Costly) change(before reader.Feed, what string, change func(f *reader.Feed)) {
	after, sh := before, c.Actions.Shell
	change(&after)
	update := func(f reader.Feed) func(ctx context.Context) error {
		return func(ctx context.Context) error { return sh.Home.Subscriptions.Update(ctx, f, nil) }
	}
	sh.Work(update(after), func(err error) {
		if err != nil {
			sh.Fail(err)
			return
		}
		sh.AddUndoRedo(what, update(before), update(after))
	})
}
