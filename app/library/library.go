// Package library is what the user has subscribed to and sorted: feeds, folders, accounts, labels and saved searches with
// their counts, as one value, and how that is loaded and watched. It knows no window.
package library

import (
	"context"
	"time"

	"kairos/app/home"
	"kairos/reader"
)

// Library holds the newest snapshot of the store and tells those who watch of each one. It belongs to one goroutine.
type Library struct {
	*Snapshot
	Dedupe bool   // a story that several feeds carry is counted, and listed, once
	Here   string // the name of this computer among the accounts

	home     *home.Home
	midnight func() time.Time // the start of the user's day
	jobs     Jobs
	unread   map[int64]int // by saved search, as far as counted
	shown    []func(before *Snapshot)
	counted  []func()
}

// Jobs runs what a library loads off its goroutine, and hands the result over on it. Of two calls of the same method only the
// newer is answered; errors are told elsewhere.
type Jobs interface {
	Load(load func(context.Context) (*Snapshot, error), show func(*Snapshot))
	Count(load func(context.Context) (map[int64]int, error), show func(map[int64]int))
}

// New returns an empty library of a data folder.
func New(h *home.Home, midnight func() time.Time, jobs Jobs) *Library {
	return &Library{Snapshot: &Snapshot{}, home: h, midnight: midnight, jobs: jobs}
}

// Watch has f called with the snapshot before whenever there is a new one, in the order of the calls of Watch.
func (l *Library) Watch(f func(before *Snapshot)) { l.shown = append(l.shown, f) }

// WatchSearches has f called when the articles of the saved searches were counted.
func (l *Library) WatchSearches(f func()) { l.counted = append(l.counted, f) }

// Reload loads the library as the store has it now.
func (l *Library) Reload() {
	before, midnight, dedupe := l.Snapshot, l.midnight(), l.Dedupe
	l.jobs.Load(func(ctx context.Context) (*Snapshot, error) { return load(ctx, l.home, before, midnight, dedupe) }, l.publish)
}

func (l *Library) publish(s *Snapshot) {
	before := l.Snapshot
	l.Snapshot = s
	l.countSearches()
	for _, f := range l.shown {
		f(before)
	}
}

// maxCounting is how long the unread articles of saved searches are counted. Searches that take longer have no count
// until the next reload.
const maxCounting = 2 * time.Second

func (l *Library) countSearches() {
	searches := l.Searches
	if len(searches) == 0 {
		return
	}
	within := reader.Query{Since: l.midnight(), Dedupe: l.Dedupe}
	l.jobs.Count(func(ctx context.Context) (map[int64]int, error) {
		ctx, stop := context.WithTimeout(ctx, maxCounting)
		defer stop()
		return l.home.Store.Articles.UnreadBySearch(ctx, searches, within)
	}, func(unread map[int64]int) {
		l.unread = unread
		for _, f := range l.counted {
			f()
		}
	})
}

// Found is how many unread articles a saved search finds, 0 until that is counted.
func (l *Library) Found(search int64) int { return l.unread[search] }

// AccountName names an account; 0 is this computer.
func (l *Library) AccountName(id int64) string {
	if a := l.Account(id); a != nil {
		return a.Name
	}
	return l.Here
}
