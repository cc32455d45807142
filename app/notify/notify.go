// Package notify tells the desktop of new articles: those of the feeds that the user has
// chosen, and those that rules notify of.
package notify

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kairos/app/desktop"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
)

// New articles are gathered before the desktop is told: until none have come for
// gatherQuiet, but no longer than gatherAtMost. There is one notification for a round of
// fetches, never one for each article.
const (
	gatherQuiet  = 20 * time.Second
	gatherAtMost = 2 * time.Minute
)

// Notifier shows notifications of what the poller fetches in the background. All its fields
// are set.
type Notifier struct {
	Store   *reader.Store
	Poller  *poller.Poller
	Now     func() time.Time
	Printer *text.Printer

	// InUse reports whether the user is looking at the window, when nothing is shown, or else when they last did, if ever.
	InUse func(context.Context) (now bool, last time.Time)
	// Clicked is called when a notification is clicked, with the newest article that it was about, if all were of one feed, else 0, and
	// the activation token of the click, or "".
	Clicked func(article int64, token string)
	// Fallback shows a notification on desktops where desktop.Notify is unsupported. It is safe only
	// for texts of Kairos itself.
	Fallback func(title, body string)
}

// Run shows notifications until ctx ends.
func (n *Notifier) Run(ctx context.Context) {
	outcomes, notices := make(chan poller.Outcome, 64), make(chan reader.Notice, 64)
	stopOutcomes := n.Poller.OnOutcome(func(o poller.Outcome) {
		if bringsNews(o) {
			pass(ctx, outcomes, o)
		}
	})
	defer stopOutcomes()
	stopNotices := n.Poller.OnNotice(func(notice reader.Notice) { pass(ctx, notices, notice) })
	defer stopNotices()
	var both sync.WaitGroup
	both.Go(func() { gather(ctx, outcomes, notifyOf(n, ofOutcome, n.ofFeeds)) })
	both.Go(func() { gather(ctx, notices, notifyOf(n, ofNotice, n.ofRules)) })
	both.Wait()
}

// news is what has come by feed since the user last used the window: how many articles, and of those that are known the newest.
type news map[int64]feedNews

type feedNews struct {
	articles int
	newest   []int64 // at most maxNamed
}

func ofOutcome(o poller.Outcome) (int64, feedNews) { return o.Feed, feedNews{articles: o.Unread} }

func ofNotice(n reader.Notice) (int64, feedNews) {
	return n.Feed, feedNews{len(n.Articles), n.Articles}
}

func (n news) add(feed int64, more feedNews) {
	one := n[feed]
	one.articles += more.articles
	one.newest = append(slices.Clone(more.newest), one.newest...)
	one.newest = one.newest[:min(maxNamed, len(one.newest))]
	n[feed] = one
}

// bringsNews reports whether a fetch brought articles to report. Those of a new subscription the user has just asked for.
// Those of other fetches by hand are news as well: somebody may have left the window meanwhile, or uses the tray or the
// command.
func bringsNews(o poller.Outcome) bool { return o.Unread > 0 && o.Reason != poller.First }

// pass sends v unless ctx ends before.
func pass[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

// gather passes on what has come once nothing more comes for a while, until ctx ends.
func gather[T any](ctx context.Context, from <-chan T, done func(context.Context, []T)) {
	var quiet, late <-chan time.Time
	var gathered []T
	for {
		select {
		case <-ctx.Done():
			return
		case v := <-from:
			if len(gathered) == 0 {
				late = time.After(gatherAtMost)
			}
			gathered = append(gathered, v)
			quiet = time.After(gatherQuiet)
			continue
		case <-quiet:
		case <-late:
		}
		done(ctx, gathered)
		gathered, quiet, late = nil, nil, nil
	}
}

// notifyOf returns a function that shows what word makes of all that has come since the user last used the window, if it is
// wanted now: one notification, which takes the place of the one before. A notification without a title is not shown.
func notifyOf[T any](n *Notifier, of func(T) (feed int64, one feedNews), word func(context.Context, settings, news) (notification, error)) func(context.Context, []T) {
	all, since := news{}, time.Time{}
	return func(ctx context.Context, gathered []T) {
		used, last := n.InUse(ctx)
		if used || last.After(since) {
			clear(all)
		}
		s, err := loadSettings(ctx, n.Store)
		if err != nil || used || s.feeds == None {
			return
		}
		if len(all) == 0 {
			since = n.Now()
		}
		for _, one := range gathered {
			all.add(of(one))
		}
		if s.quiet(n.Now()) {
			return
		}
		shown, err := word(ctx, s, all)
		if err != nil || shown.Title == "" {
			return
		}
		n.send(ctx, shown.Notification, func(token string) { n.Clicked(shown.article, token) }) //nolint:errcheck // the desktop's errors help nobody
	}
}

// send shows a notification by the fallback where the desktop has no better way.
func (n *Notifier) send(ctx context.Context, shown desktop.Notification, clicked func(token string)) error {
	err := desktop.Notify(ctx, shown, clicked)
	if errors.Is(err, desktop.ErrUnsupported) || errors.Is(err, desktop.ErrNone) {
		n.Fallback(shown.Title, shown.Body)
	}
	if errors.Is(err, desktop.ErrUnsupported) {
		return nil
	}
	return err
}

// SendTest shows an example. Errors: desktop.ErrNone, those of the desktop.
func (n *Notifier) SendTest(ctx context.Context) error {
	p := n.Printer
	return n.send(ctx, desktop.Notification{Title: "Kairos", Body: p.L("This is what a notification looks like.")}, nil)
}
