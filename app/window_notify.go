package app

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/notify"
	"kairos/app/session"
	"kairos/reader"
)

// notifier shows notifications on behalf of the window.
func (w *window) notifier() *notify.Notifier {
	return &notify.Notifier{
		Store: w.shell.Home.Store, Poller: w.shell.Home.Poller, Now: w.shell.Now, Printer: language.Printer(),
		InUse:   w.inUse,
		Clicked: func(article int64, token string) { w.shell.Do(func() { w.showNews(article, token) }) },
		Fallback: func(title, body string) {
			w.shell.Do(func() { w.shell.App.SendNotification(fyne.NewNotification(title, body)) })
		},
	}
}

// showNews brings the window to the front with what a notification was about: an article in its feed, or 0 for those of several
// feeds, which are those that are unread. token is the activation token of the click, or "".
func (w *window) showNews(article int64, token string) {
	w.show(home.Start{}, token)
	if w.search.Typed() != "" {
		w.search.End()
	}
	if article == 0 {
		w.sidebar.ChooseKey("unread")
		return
	}
	var feed reader.Feed
	w.shell.Work(func(ctx context.Context) error {
		rows, err := w.shell.Home.Store.Articles.Load(ctx, []int64{article})
		if err != nil || len(rows) == 0 {
			return err
		}
		feed, err = w.shell.Home.Store.Feeds.Get(ctx, rows[0].Feed)
		return err
	}, func(err error) {
		if err != nil || feed.ID == 0 { // gone meanwhile
			w.sidebar.ChooseKey("unread")
			return
		}
		listed := w.session.Place.Key == session.FeedKey(feed.ID)
		if at := slices.Index(w.session.List.IDs, article); listed && at >= 0 {
			w.timeline.List.Select(at)
			return
		}
		w.sidebar.ChooseFeed(feed)
		w.timeline.Close()
		w.session.Unasked = session.Unasked{Feed: feed.ID, Back: article}
		w.timeline.Reload()
	})
}

// inUse reports whether the window has the focus, or is about to close with ctx, and when it had it last.
func (w *window) inUse(ctx context.Context) (now bool, last time.Time) {
	type use struct {
		now  bool
		last time.Time
	}
	told := make(chan use, 1)
	w.shell.Do(func() { told <- use{w.activity.focused(), w.activity.left} })
	select {
	case u := <-told:
		return u.now, u.last
	case <-ctx.Done():
		return true, time.Time{}
	}
}
