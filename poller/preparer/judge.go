package preparer

import (
	"context"
	"strings"
	"time"

	"kairos/poller/prepare"
	"kairos/reader"
)

// judged is an article with what it is worth.
type judged struct {
	item
	prepare.Candidate
}

// picturesOfPage is how many pictures a page is expected to have that is not known yet.
const picturesOfPage = 3

// judge tells what the unread articles are worth, and notes those that came since the last time.
func (p *Preparer) judge(ctx context.Context, s Settings, now time.Time) ([]judged, error) {
	upcoming, err := p.o.Store.Articles.Upcoming(ctx, now.Add(-recent), most)
	if err != nil || len(upcoming) == 0 {
		return nil, err
	}
	ids := make([]int64, len(upcoming))
	for i, u := range upcoming {
		ids[i] = u.ID
	}
	chances, err := p.o.Chances(ctx, ids)
	if err != nil {
		return nil, err
	}
	visits, err := p.o.Visits(ctx, now.Add(-recent))
	if err != nil {
		return nil, err
	}
	e, err := p.estimator(ctx, ids)
	if err != nil {
		return nil, err
	}
	judgedUpTo, err := p.store.judgedUpTo(ctx)
	if err != nil {
		return nil, err
	}
	fresh := prepare.History{}
	all := make([]judged, 0, len(upcoming))
	for _, u := range upcoming {
		one := e.judge(u, chances[u.ID], false)
		if u.ID > judgedUpTo && one.Requests > 0 {
			fresh.Came(one.Worth(), one.Cost())
		}
		one.Chance = prepare.Faded(one.Chance, visitsSince(visits, u.Seen))
		all = append(all, one)
	}
	if ids[0] > judgedUpTo {
		err = p.store.noteJudged(ctx, ids[0], fresh, now)
	}
	return all, err
}

// visitsSince counts the visits after a time, those within an hour as one.
func visitsSince(visits []time.Time, since time.Time) (n int) {
	var last time.Time
	for _, at := range visits {
		if at.After(since) && at.Sub(last) >= time.Hour {
			n, last = n+1, at
		}
	}
	return n
}

// estimator tells what preparing articles takes.
type estimator struct {
	feeds    map[int64]feed
	outlines map[int64]outline
	asked    map[int64]PageResult // what came of pages that were asked for
	pictures bool                 // are requested without asking
}

// estimator returns an estimator for these articles.
func (p *Preparer) estimator(ctx context.Context, ids []int64) (e estimator, err error) {
	if e.pictures, err = p.o.Pictures(ctx); err != nil {
		return e, err
	}
	if e.feeds, err = p.feeds(ctx); err != nil {
		return e, err
	}
	if e.asked, err = p.store.pagesAsked(ctx); err != nil {
		return e, err
	}
	e.outlines, err = p.outlinesOf(ctx, ids)
	return e, err
}

// estimatorOf returns an estimator for one article of a feed, as if nothing of it were there.
func (p *Preparer) estimatorOf(ctx context.Context, id, feedID int64) (e estimator, err error) {
	if e.pictures, err = p.o.Pictures(ctx); err != nil {
		return e, err
	}
	f, err := p.feed(ctx, feedID)
	if err != nil {
		return e, err
	}
	e.feeds = map[int64]feed{feedID: f}
	e.outlines, err = p.outlinesOf(ctx, []int64{id})
	return e, err
}

// outlinesOf returns the outlines of articles. Those of the latest look are kept in memory.
func (p *Preparer) outlinesOf(ctx context.Context, ids []int64) (map[int64]outline, error) {
	known := make(map[int64]outline, len(ids))
	var unknown []int64
	p.mu.Lock()
	for _, id := range ids {
		if o, there := p.outlines[id]; there {
			known[id] = o
		} else {
			unknown = append(unknown, id)
		}
	}
	p.mu.Unlock()
	err := p.o.Store.Articles.Outlines(ctx, unknown, func(id int64, o reader.Outline) {
		known[id] = outline{pictures: o.Pictures, bytes: o.Bytes, cut: isCut(o)}
	})
	if len(ids) > 1 {
		p.mu.Lock()
		p.outlines = known
		p.mu.Unlock()
	}
	return known, err
}

// cost is what pages and pictures of a feed take.
func (e *estimator) cost(feed int64) *prepare.Cost {
	f := e.feeds[feed]
	return &f.cost
}

// judge tells what an article is worth that is read with a probability. cutToo says that its page is wanted if the text of the feed
// is cut short, too.
func (e *estimator) judge(u reader.Upcoming, chance float64, cutToo bool) judged {
	f, o := e.feeds[u.Feed], e.outlines[u.ID]
	j := judged{item: item{Upcoming: u, chance: chance, pictures: e.pictures}}
	if (f.always || f.habit() || cutToo && o.cut) && u.Link != "" && !u.FullText {
		j.wants, j.lacks = f.page(e.asked[u.ID])
	}
	pictures := o.pictures
	j.Candidate = prepare.Candidate{ID: u.ID, Chance: chance}
	if j.wants {
		pictures = max(pictures, picturesOfPage)
		j.Bytes, j.Requests = j.Bytes+f.cost.PageBytes(), j.Requests+1
	}
	if e.pictures {
		pictures = min(pictures, maxPictures)
		j.Bytes, j.Requests = j.Bytes+float64(pictures)*f.cost.PictureBytes(), j.Requests+pictures
	}
	return j
}

const (
	// longBeginning is the length of the longest text, in bytes of HTML, that may be the beginning of an article only.
	longBeginning = 3000
	// noText is the length of the longest text, in bytes of HTML, that is none.
	noText = 8
)

// isCut reports whether the text of a feed seems to be the beginning of the article only.
func isCut(o reader.Outline) bool {
	if o.Bytes > longBeginning {
		return false
	}
	end := strings.ToLower(strings.TrimSpace(plain(o.End)))
	for _, mark := range []string{"…", "...", "[…]", "[...]", "read more", "continue reading", "weiterlesen", "mehr lesen", "lire la suite", "leer más", "阅读全文", "»"} {
		if strings.HasSuffix(strings.TrimRight(end, " .→»"), strings.TrimRight(mark, " .→»")) && strings.TrimRight(mark, " .→»") != "" || strings.HasSuffix(end, mark) {
			return true
		}
	}
	return o.Bytes <= noText
}

// plain leaves the tags out of the end of a text.
func plain(html string) string {
	var b strings.Builder
	inside := false
	if open, end := strings.IndexByte(html, '<'), strings.IndexByte(html, '>'); end >= 0 && (open < 0 || end < open) {
		html = html[end+1:] // it begins within a tag
	}
	for _, r := range html {
		switch {
		case r == '<':
			inside = true
		case r == '>':
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return b.String()
}
