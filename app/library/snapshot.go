package library

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kairos/app/home"
	"kairos/poller"
	"kairos/poller/handoff"
	"kairos/poller/icons"
	"kairos/poller/report"
	"kairos/poller/sync"
	"kairos/reader"
)

// Snapshot is the library as the store had it at one time. It does not change.
type Snapshot struct {
	Accounts      []home.AccountStatus // in their order; feeds stand together by account, this computer's first
	Order         []int64              // of the feeds, as sorted by hand
	Feeds         []reader.Feed
	FolderChoices map[reader.Place]reader.FolderChoices // what was chosen for folders
	States        map[int64]poller.State                // by feed
	Searches      []reader.SavedSearch
	Labels        []reader.Label
	Queue         int // files to be played
	Unread        reader.Counts
	Icons         map[int64]icons.Icon // by feed
	Failing       []FailingFeed        // those that need attention
	Destinations  []reader.Destination // where starred articles are sent

	lists int64         // how often the feeds may have changed (reader.Store.Lists)
	at    map[int64]int // where each feed stands in Feeds
}

// FailingFeed is a feed that has failed for long, or is gone.
type FailingFeed struct {
	Feed    reader.Feed
	Trouble report.Trouble
}

// load reads the library, and takes over from the snapshot before what cannot have changed.
func load(ctx context.Context, h *home.Home, before *Snapshot, midnight time.Time, dedupe bool) (_ *Snapshot, err error) {
	s := &Snapshot{lists: h.Store.Lists()} // before all that they may change
	if s.Accounts, err = h.Subscriptions.Accounts.List(ctx); err != nil {
		return nil, err
	}
	if s.lists == before.lists && before.Feeds != nil {
		s.Feeds, s.Order, s.States, s.Icons, s.FolderChoices = slices.Clone(before.Feeds), before.Order, before.States, before.Icons, before.FolderChoices
	} else if err = s.loadFeeds(ctx, h); err != nil {
		return nil, err
	}
	if s.Searches, err = h.Store.Search.Saved(ctx); err != nil {
		return nil, err
	}
	if s.Labels, err = h.Store.Labels.List(ctx); err != nil {
		return nil, err
	}
	if s.Destinations, err = h.Store.Destinations.List(ctx); err != nil {
		return nil, err
	}
	queue, err := h.Store.Articles.Queue(ctx)
	if err != nil {
		return nil, err
	}
	s.Queue = len(queue)
	if s.Unread, err = h.Store.Articles.Counts(ctx, midnight, dedupe); err != nil {
		return nil, err
	}
	for i := range s.Feeds {
		s.Feeds[i].Unread = s.Unread.Unread[s.Feeds[i].ID]
	}
	s.index(h.Now())
	return s, nil
}

// StuckDestinations returns the destinations that need the user: waiting does not help.
func (s *Snapshot) StuckDestinations() (stuck []reader.Destination) {
	for _, d := range s.Destinations {
		if !d.Paused && handoff.ErrorOf(d.Error).NeedsUser() {
			stuck = append(stuck, d)
		}
	}
	return stuck
}

// loadFeeds loads what stays as it is while articles are read: ten thousand feeds take longer than their counts.
func (s *Snapshot) loadFeeds(ctx context.Context, h *home.Home) (err error) {
	if s.Feeds, err = h.Store.Feeds.List(ctx); err != nil {
		return err
	}
	if s.FolderChoices, err = h.Store.Feeds.Folders(ctx); err != nil {
		return err
	}
	if s.Order, err = loadOrder(ctx, h.Store); err != nil {
		return err
	}
	if len(s.Accounts) > 0 {
		slices.SortStableFunc(s.Feeds, func(a, b reader.Feed) int { return cmp.Compare(s.rankOf(a.Account), s.rankOf(b.Account)) })
	}
	if s.States, err = h.Poller.States(ctx); err != nil {
		return err
	}
	s.Icons, err = h.Poller.Icons().ByFeed(ctx)
	return err
}

// index finds what is looked up in each snapshot, off the window's goroutine: there may be ten thousand feeds.
func (s *Snapshot) index(now time.Time) {
	s.at = make(map[int64]int, len(s.Feeds))
	for i := range s.Feeds {
		f := &s.Feeds[i]
		s.at[f.ID] = i
		if s.States[f.ID].Failures == 0 {
			continue
		}
		if t := s.Trouble(*f, now); t != nil && t.Attention {
			s.Failing = append(s.Failing, FailingFeed{*f, *t})
		}
	}
}

// Feed returns a subscription, nil if there is none with this id.
func (s *Snapshot) Feed(id int64) *reader.Feed {
	if i, ok := s.at[id]; ok {
		return &s.Feeds[i]
	}
	return nil
}

// Trouble tells what is wrong with a feed, nil if nothing is.
func (s *Snapshot) Trouble(f reader.Feed, now time.Time) *report.Trouble {
	return report.TroubleOf(s.States[f.ID], f, now)
}

// AnyFetched reports whether any feed of a branch was ever fetched, or the account of any synced; of all feeds and accounts for
// the zero Branch.
func (s *Snapshot) AnyFetched(b Branch) bool {
	synced := func(a *home.AccountStatus) bool { return a != nil && a.Sync.Phase == sync.Ready }
	if b == (Branch{}) && slices.ContainsFunc(s.Accounts, func(a home.AccountStatus) bool { return synced(&a) }) {
		return true
	}
	feeds := s.FeedsBelow(b)
	lists := onlyLists(feeds)
	return slices.ContainsFunc(feeds, func(f reader.Feed) bool {
		return f.Source.IsList() == lists && (!s.States[f.ID].Fetched.IsZero() || synced(s.Account(f.Account)))
	})
}

// Paused returns how many feeds of a branch are not fetched or synced in the background, and whether those are all; of all feeds for
// the zero Branch.
func (s *Snapshot) Paused(b Branch) (paused int, all bool) {
	feeds := s.FeedsBelow(b)
	lists, of := onlyLists(feeds), 0
	for _, f := range feeds {
		if f.Source.IsList() != lists {
			continue
		}
		of++
		if a := s.Account(f.Account); f.Paused || a != nil && a.Paused {
			paused++
		}
	}
	return paused, paused > 0 && paused == of
}

// onlyLists reports whether all feeds are lists of feeds; otherwise these are left out of what is told of the others.
func onlyLists(feeds []reader.Feed) bool {
	return !slices.ContainsFunc(feeds, func(f reader.Feed) bool { return !f.Source.IsList() })
}

// FeedsBelow returns the feeds of a branch, all of them for the zero Branch.
func (s *Snapshot) FeedsBelow(b Branch) []reader.Feed {
	if b == (Branch{}) {
		return s.Feeds
	}
	return s.FeedsOf(b)
}

// Account returns an account, nil if there is none with this id, as for this computer.
func (s *Snapshot) Account(id int64) *home.AccountStatus {
	for i := range s.Accounts {
		if s.Accounts[i].ID == id {
			return &s.Accounts[i]
		}
	}
	return nil
}

// rankOf is where an account stands among the others: this computer first, the others as they were added.
func (s *Snapshot) rankOf(id int64) int {
	return 1 + slices.IndexFunc(s.Accounts, func(a home.AccountStatus) bool { return a.ID == id })
}

// AwaitsAccount reports whether an account is being synced for the first time.
func (s *Snapshot) AwaitsAccount() bool {
	return slices.ContainsFunc(s.Accounts, func(a home.AccountStatus) bool {
		return a.Sync.Phase != sync.Ready && a.Sync.Error == nil && !a.Paused
	})
}
