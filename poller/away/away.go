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

// Summary is what came between two instants. Quiet feeds are left out.
type Summary struct {
	Since, Until time.Time
	Came, Feeds  int     // articles that came, read or not, and the feeds that they are of
	Articles     []int64 // those that are unread, the likeliest to be read first
	Likely       []Article
	Stories      []Article
	Busy         []Busy
	Silent       []Silent
	Failed       []Failed
	ByFeed       []Count // of unread articles, in the order of reader.Feeds.List
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
	return s.Again(ctx, &Summary{Since: since}, now)
}

// Again returns what came since what was told before, up to now. Articles that were told to stand out stand there still, read or not.
func (s Source) Again(ctx context.Context, before *Summary, now time.Time) (Summary, error) {
	sum := Summary{Since: before.Since, Until: now}
	ids, err := s.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Audible: true, Arrived: sum.Since, Dedupe: s.Dedupe})
	if err != nil {
		return sum, err
	}
	if sum.Articles, err = s.Likely.Order(ctx, ids, nil); err != nil {
		return sum, err
	}
	for _, part := range []func(context.Context, *Summary) error{s.count, s.readFeeds} {
		if err := part(ctx, &sum); err != nil {
			return sum, fmt.Errorf("tell what came: %w", err)
		}
	}
	if err := s.readArticles(ctx, before, &sum); err != nil {
		return sum, fmt.Errorf("tell what came: %w", err)
	}
	return sum, nil
}

// count counts what came, and what is unread of each feed.
func (s Source) count(ctx context.Context, sum *Summary) error {
	came, err := s.Store.Articles.IDs(ctx, reader.Query{View: reader.All, Audible: true, Arrived: sum.Since, Dedupe: s.Dedupe})
	if err != nil {
		return err
	}
	feedOf, err := s.Store.Articles.FeedsOf(ctx, came)
	if err != nil {
		return err
	}
	all := map[int64]bool{}
	for _, feed := range feedOf {
		all[feed] = true
	}
	sum.Came, sum.Feeds = len(came), len(all)
	counts := map[int64]int{}
	for _, id := range sum.Articles {
		counts[feedOf[id]]++
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
	return nil
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

// readArticles reads what will probably be read, and why, and beside it what several feeds carry.
func (s Source) readArticles(ctx context.Context, before, sum *Summary) (err error) {
	known, err := s.stories(ctx, slices.Concat(idsOf(before.Likely), idsOf(before.Stories), sum.Articles[:min(maxFacts, len(sum.Articles))]))
	if err != nil {
		return err
	}
	told := &told{map[int64]bool{}, map[int64]bool{}}
	first := known.pick(idsOf(before.Likely), told, maxLikely)
	first = append(first, known.pick(sum.Articles, told, maxLikely-len(first))...)
	if sum.Likely, err = s.load(ctx, first); err != nil {
		return err
	}
	widespread := slices.DeleteFunc(slices.Clone(sum.Articles), func(id int64) bool { return known.carriers(id) < 2 })
	slices.SortStableFunc(widespread, func(a, b int64) int { return known.carriers(b) - known.carriers(a) })
	stories := known.pick(idsOf(before.Stories), told, maxStories)
	stories = append(stories, known.pick(widespread, told, maxStories-len(stories))...)
	if sum.Stories, err = s.load(ctx, stories); err != nil {
		return err
	}
	for _, all := range [][]Article{sum.Likely, sum.Stories} {
		for i := range all {
			all[i].Carriers = known.carriers(all[i].ID)
		}
	}
	return nil
}

func idsOf(articles []Article) (ids []int64) {
	for _, a := range articles {
		ids = append(ids, a.ID)
	}
	return ids
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
