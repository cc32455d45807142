// Package away tells what came while the user was away: how much of which feeds, what they will probably read of it, the stories that
// several feeds carry, and which feeds posted far more than usual, fell silent or failed.
package away

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"kairos/poller"
	"kairos/poller/likely"
	"kairos/poller/report"
	"kairos/reader"
)

// Summary is what came between two instants and is unread. Quiet feeds are left out.
type Summary struct {
	Since, Until time.Time
	Articles     []int64 // all that came, the likeliest to be read first
	Feeds        int     // that they are of
	Likely       []Article
	Stories      []Article
	Busy         []Busy
	Silent       []Silent
	Failed       []Failed
	ByFeed       []Count // in the order of reader.Feeds.List
}

// Article is an article that stands out.
type Article struct {
	reader.Article
	Reason   likely.Reason
	Carriers int // feeds that carry the story
}

// Count is how many articles of a feed came.
type Count struct {
	Feed     int64
	Title    string
	Articles int
}

// Busy is a feed that posted far more than usual.
type Busy struct {
	Count
	Usual float64 // articles in as long a time
}

// Silent is a feed that has fallen silent for longer than ever before.
type Silent struct {
	Feed    int64
	Title   string
	Last    time.Time     // post
	Longest time.Duration // silence before
}

// Failed is a feed that has begun to fail.
type Failed struct {
	Feed    int64
	Title   string
	Trouble report.Trouble
}

// Rest returns what came beside what will probably be read.
func (s *Summary) Rest() []int64 {
	first := map[int64]bool{}
	for _, a := range s.Likely {
		first[a.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(s.Articles), func(id int64) bool { return first[id] })
}

const (
	maxLikely  = 10
	maxStories = 5
	maxFeeds   = 8      // of each kind that stands out
	maxFacts   = 20_000 // articles are looked at for stories
)

// Source is where a summary is read from.
type Source struct {
	Store  *reader.Store
	Poller *poller.Poller
	Likely *likely.Likely
	Dedupe bool // a story that several feeds carry counts once
}

// Read returns what came from since up to now.
func (s Source) Read(ctx context.Context, since, now time.Time) (Summary, error) {
	sum := Summary{Since: since, Until: now}
	ids, err := s.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Audible: true, Arrived: since, Dedupe: s.Dedupe})
	if err != nil {
		return sum, err
	}
	if sum.Articles, err = s.Likely.Order(ctx, ids, nil); err != nil {
		return sum, err
	}
	for _, part := range []func(context.Context, *Summary) error{s.countByFeed, s.readLikely, s.readStories, s.readFeeds} {
		if err := part(ctx, &sum); err != nil {
			return sum, fmt.Errorf("tell what came: %w", err)
		}
	}
	return sum, nil
}

// countByFeed counts what came of each feed.
func (s Source) countByFeed(ctx context.Context, sum *Summary) error {
	feedOf, err := s.Store.Articles.FeedsOf(ctx, sum.Articles)
	if err != nil {
		return err
	}
	counts := map[int64]int{}
	for _, feed := range feedOf {
		counts[feed]++
	}
	feeds, err := s.Store.Feeds.List(ctx)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if n := counts[f.ID]; n > 0 {
			sum.ByFeed = append(sum.ByFeed, Count{f.ID, f.Title, n})
		}
	}
	sum.Feeds = len(sum.ByFeed)
	return nil
}

// readLikely reads what will probably be read, and why.
func (s Source) readLikely(ctx context.Context, sum *Summary) (err error) {
	sum.Likely, err = s.load(ctx, sum.Articles[:min(maxLikely, len(sum.Articles))])
	return err
}

func (s Source) load(ctx context.Context, ids []int64) (all []Article, err error) {
	articles, err := s.Store.Articles.Load(ctx, ids)
	if err != nil {
		return nil, err
	}
	reasons, err := s.Likely.Reasons(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, a := range articles {
		all = append(all, Article{Article: a, Reason: reasons[a.ID]})
	}
	return all, nil
}

// readStories finds what several feeds carry, the most widespread first, beside what will probably be read anyway.
func (s Source) readStories(ctx context.Context, sum *Summary) error {
	rest := sum.Rest()
	rest = rest[:min(maxFacts, len(rest))]
	rank, carriers := make(map[int64]int, len(rest)), map[int64]int{}
	for i, id := range rest {
		rank[id] = i
	}
	var told []int64
	err := s.Store.Articles.Facts(ctx, rest, func(f reader.Facts) {
		if f.Carriers > 1 {
			told, carriers[f.ID] = append(told, f.ID), f.Carriers
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(told, func(a, b int64) int { return cmp.Or(carriers[b]-carriers[a], rank[a]-rank[b]) })
	if sum.Stories, err = s.load(ctx, told[:min(maxStories, len(told))]); err != nil {
		return err
	}
	for i := range sum.Stories {
		sum.Stories[i].Carriers = carriers[sum.Stories[i].ID]
	}
	return nil
}

// history is when a feed posted.
type history struct {
	first, last time.Time
	longest     time.Duration // between two posts
	posts       int
	before      int // of posts, in the time before the absence that tells what is usual
	since       int // of posts, in the absence
}

const (
	usualDays = 90  // before the absence tell what is usual
	yearDays  = 400 // tell how long a feed was ever silent
)

// readFeeds finds the feeds that stand out.
func (s Source) readFeeds(ctx context.Context, sum *Summary) error {
	feeds, err := s.Store.Feeds.List(ctx)
	if err != nil {
		return err
	}
	folders, err := s.Store.Feeds.Folders(ctx)
	if err != nil {
		return err
	}
	histories, err := s.histories(ctx, sum.Since, sum.Until)
	if err != nil {
		return err
	}
	states, err := s.Poller.States(ctx)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if reader.IsQuiet(f, folders) || f.Paused {
			continue
		}
		h := histories[f.ID]
		if usual, busy := h.busy(sum.Since, sum.Until); busy {
			sum.Busy = append(sum.Busy, Busy{Count{f.ID, f.Title, h.since}, usual})
		}
		t := report.TroubleOf(states[f.ID], f, sum.Until)
		switch {
		case t != nil && !t.Since.Before(sum.Since):
			sum.Failed = append(sum.Failed, Failed{f.ID, f.Title, *t})
		case t == nil && h.fellSilent(sum.Since, sum.Until):
			sum.Silent = append(sum.Silent, Silent{f.ID, f.Title, h.last, h.longest})
		}
	}
	slices.SortStableFunc(sum.Busy, func(a, b Busy) int {
		return cmp.Compare(float64(b.Articles)/max(1, b.Usual), float64(a.Articles)/max(1, a.Usual))
	})
	slices.SortStableFunc(sum.Silent, func(a, b Silent) int { return b.Last.Compare(a.Last) })
	sum.Busy, sum.Silent, sum.Failed = sum.Busy[:min(maxFeeds, len(sum.Busy))], sum.Silent[:min(maxFeeds, len(sum.Silent))], sum.Failed[:min(maxFeeds, len(sum.Failed))]
	return nil
}

// histories reads when feeds posted.
func (s Source) histories(ctx context.Context, since, now time.Time) (map[int64]history, error) {
	rows, err := s.Store.Read().QueryContext(ctx, `SELECT feed, min(published), max(published), coalesce(max(gap), 0), count(*),
			sum(published >= ?3 AND published < ?2), sum(published >= ?2)
		FROM (SELECT feed, published, published - lag(published) OVER (PARTITION BY feed ORDER BY published) AS gap
			FROM reader_article WHERE published BETWEEN ?4 AND ?1)
		GROUP BY feed`, now.Unix(), since.Unix(), since.AddDate(0, 0, -usualDays).Unix(), now.AddDate(0, 0, -yearDays).Unix())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]history{}
	for rows.Next() {
		var feed, first, last, gap int64
		var h history
		if err := rows.Scan(&feed, &first, &last, &gap, &h.posts, &h.before, &h.since); err != nil {
			return nil, err
		}
		h.first, h.last, h.longest = time.Unix(first, 0), time.Unix(last, 0), time.Duration(gap)*time.Second
		all[feed] = h
	}
	return all, rows.Err()
}

const (
	knownAfter = 14 * 24 * time.Hour // a feed is known after so long
	fewPosts   = 5                   // tell nothing
	manyPosts  = 10                  // are many at least
	manyTimes  = 2.5                 // more than usual is far more
	longTimes  = 1.2                 // longer than ever is much longer
	leastQuiet = 3 * 24 * time.Hour
)

// busy reports whether a feed posted far more than usual in the absence, and how much is usual in as long a time.
func (h history) busy(since, now time.Time) (usual float64, busy bool) {
	known := min(since.Sub(h.first), usualDays*24*time.Hour)
	if h.before < fewPosts || known < knownAfter {
		return 0, false
	}
	usual = float64(h.before) * now.Sub(since).Hours() / known.Hours()
	n := float64(h.since)
	return usual, h.since >= manyPosts && n > manyTimes*usual && n > usual+3*math.Sqrt(usual)
}

// fellSilent reports whether a feed has been silent for longer than ever, and was not yet when the absence began.
func (h history) fellSilent(since, now time.Time) bool {
	long := max(leastQuiet, time.Duration(longTimes*float64(h.longest)))
	return h.posts >= fewPosts && now.Sub(h.last) > long && since.Sub(h.last) <= long
}
