// Package unopened finds the feeds that the user does not read: those of which nothing was opened for long, with what they cost, and
// those whose unread articles pile up.
package unopened

import (
	"cmp"
	"slices"
	"time"

	"kairos/poller/insights"
	"kairos/reader"
)

const (
	// unopenedFor is for how long nothing of a feed was opened.
	unopenedFor = 90 * 24 * time.Hour
	// CostDays are the days of which is told what a feed cost.
	CostDays = 30
	// pile is how many articles of a feed are unread where none was ever opened.
	pile = 200
	// pileAfter is how long the user has had a feed before its unread articles pile up.
	pileAfter = 14 * 24 * time.Hour
	// fewRead is how many feeds somebody reads at least: else they read elsewhere, or learning was off.
	fewRead = 3
)

// Feed is a feed of which nothing was opened for long.
type Feed struct {
	reader.Feed
	Last     time.Time // when an article was opened last; zero: not as far as is known
	Requests int       // in the last CostDays days
	Bytes    int64
	Articles int // that came then
}

// Known is what is known of the user's feeds and readings.
type Known struct {
	Feeds    []reader.Feed
	Folders  map[reader.Place]reader.FolderChoices
	LastRead map[int64]time.Time // by feed
	Since    time.Time           // from when on visits are known; zero: not at all
	Costs    insights.Costs      // of CostDays days
	Kept     map[int64]bool      // feeds that the user wants as they are
}

// Find returns the feeds of which nothing was opened for unopenedFor up to now, the most costly first. It finds none of somebody who is not
// known for as long, or who opened hardly anything.
func (k *Known) Find(now time.Time) (found []Feed) {
	from := now.Add(-unopenedFor)
	reads := 0
	for _, at := range k.LastRead {
		if at.After(from) {
			reads++
		}
	}
	if k.Since.IsZero() || k.Since.After(from) || reads < fewRead {
		return nil
	}
	costs := map[int64]insights.Cost{}
	for _, c := range k.Costs.Feeds {
		costs[c.Feed] = c
	}
	for _, f := range k.Feeds {
		last := k.LastRead[f.ID]
		if f.Added.After(from) || last.After(from) || k.Kept[f.ID] || reader.IsQuiet(f, k.Folders) {
			continue
		}
		c := costs[f.ID]
		found = append(found, Feed{f, last, c.Requests, c.Bytes, c.Articles + c.Held})
	}
	slices.SortStableFunc(found, func(a, b Feed) int {
		return cmp.Or(b.Requests-a.Requests, cmp.Compare(b.Bytes, a.Bytes), b.Unread-a.Unread)
	})
	return found
}

// Piling returns the feed with the most unread articles, if these are pile or more, none of them was ever opened up to now, for
// pileAfter or longer, and none ends; ok is false if there is none. general is when articles end of which nothing else is chosen; offered are the feeds to leave out.
func (k *Known) Piling(now time.Time, general reader.Ends, offered map[int64]bool) (most reader.Feed, ok bool) {
	for _, f := range k.Feeds {
		if _, read := k.LastRead[f.ID]; read || f.Unread < pile || now.Sub(f.Added) < pileAfter || offered[f.ID] || reader.EndsOf(f, k.Folders, general) != (reader.Ends{}) {
			continue
		}
		if !ok || f.Unread > most.Unread {
			most, ok = f, true
		}
	}
	return most, ok
}
