package preparer

import (
	"context"
	"fmt"
	"time"

	"kairos/poller/prepare"
)

// Report tells what preparing achieved in a number of days, and what it cost.
type Report struct {
	Mode   Mode
	Days   float64 // of which something is known
	Opened int     // articles
	Whole  int     // of them: with text and pictures, without a request

	Prepared  int // articles for which something came
	Used      int // of them, those that were opened
	Requests  int
	Bytes     int64 // on the wire
	UsedBytes int64 // for those of Used
	Refused   int   // pages that servers did not give or in which no article was found

	DiskBytes, DiskLimit int64
	// Curve is what more bytes would have brought: the bytes are those of a day.
	Curve []prepare.Point
}

// ReportDays is the most days that a report covers.
const ReportDays = historyDays

// What a report needs before its shares and its curve mean something. Of 20 articles a share is known to some 20 points. The first day
// brings what feeds show when they are subscribed to, which is many times what comes in a day.
const (
	enoughOpened = 20
	enoughDays   = 3
)

// Telling reports whether enough is known for shares, costs and the curve.
func (r *Report) Telling() bool { return r.Opened >= enoughOpened && r.Days >= enoughDays }

// broughtSQL is the condition of a row of prepared for which something came: not of an article that lacked nothing, or whose pictures
// are all missing. ?1 is Extracted.
const broughtSQL = "p.bytes > 0 AND (p.pictures > 0 OR p.page = ?1)"

// Report tells what was achieved in the last days, at most ReportDays.
func (p *Preparer) Report(ctx context.Context, days int) (r Report, err error) {
	now := p.o.Now()
	since := now.AddDate(0, 0, -min(max(days, 1), ReportDays))
	s, err := p.Settings(ctx)
	if err != nil {
		return r, err
	}
	r.Mode, r.DiskLimit = s.Mode, s.DiskBytes()
	var first, texts int64
	err = p.o.Store.Read().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM prepare_opened WHERE at >= ?2), (SELECT count(*) FROM prepare_opened WHERE at >= ?2 AND whole <> 0),
		(SELECT count(*) FROM prepared p WHERE at >= ?2 AND `+broughtSQL+`), (SELECT coalesce(sum(bytes), 0) FROM prepared WHERE at >= ?2),
		(SELECT count(*) FROM prepared p JOIN prepare_opened USING (article) WHERE p.at >= ?2 AND `+broughtSQL+`),
		(SELECT coalesce(sum(p.bytes), 0) FROM prepared p JOIN prepare_opened USING (article) WHERE p.at >= ?2 AND `+broughtSQL+`),
		(SELECT count(*) FROM prepared WHERE at >= ?2 AND page IN (?3, ?4)), (SELECT coalesce(sum(text_size), 0) FROM prepared),
		(SELECT coalesce(min(at), 0) FROM (SELECT min(at) AS at FROM prepared UNION ALL SELECT min(at) FROM prepare_opened))`, Extracted, since.Unix(), Refused, NoArticle).
		Scan(&r.Opened, &r.Whole, &r.Prepared, &r.Bytes, &r.Used, &r.UsedBytes, &r.Refused, &texts, &first)
	if err != nil {
		return r, fmt.Errorf("read what preparing achieved: %w", err)
	}
	if r.Requests, _, err = p.o.Spent(ctx, since); err != nil {
		return r, err
	}
	if first > 0 {
		r.Days = min(now.Sub(since).Hours(), max(1, now.Sub(time.Unix(first, 0)).Hours())) / 24
	}
	r.DiskBytes = texts + p.o.Album.Cache().Size()
	history, err := p.store.history(ctx, now)
	if err != nil {
		return r, err
	}
	r.Curve = r.curve(history)
	return r, nil
}

// BytesPerDay is what was spent in a day.
func (r *Report) BytesPerDay() float64 { return float64(r.Bytes) / max(1, r.Days) }

// curve returns what more bytes a day would have brought. Articles take as much more than was expected as those did that were prepared.
func (r *Report) curve(h prepare.History) []prepare.Point {
	curve, total, factor := h.Curve(), h.Total(), 1.0
	if r.Prepared > 0 && r.Bytes > 0 && total.Bytes > 0 {
		factor = float64(r.Bytes) / float64(r.Prepared) / (total.Bytes / float64(total.Articles))
	}
	for i := range curve {
		curve[i].Bytes *= factor / max(1, r.Days)
	}
	if r.Opened == 0 {
		return curve
	}
	return prepare.Through(curve, r.BytesPerDay(), float64(r.Whole)/float64(r.Opened))
}

// FeedReport tells how preparing the articles of a feed went.
type FeedReport struct {
	Prepared     int  // articles, in the last ReportDays
	Refused      int  // of their pages: servers did not give them, or no article was found in them
	DiskFull     bool // no articles are prepared for lack of room on the disk
	NeedsBrowser bool // its pages hold no articles for whoever is no browser: no more of them are asked for
}

// FeedReport tells how preparing the articles of a feed went.
func (p *Preparer) FeedReport(ctx context.Context, feed int64) (r FeedReport, err error) {
	f, err := p.feed(ctx, feed)
	if err != nil {
		return r, err
	}
	r.NeedsBrowser = f.needsBrowser()
	p.mu.Lock()
	r.DiskFull = p.full
	p.mu.Unlock()
	err = p.o.Store.Read().QueryRowContext(ctx, "SELECT count(*), coalesce(sum(page IN (?, ?)), 0) FROM prepared WHERE feed = ? AND at >= ?",
		Refused, NoArticle, feed, p.o.Now().AddDate(0, 0, -ReportDays).Unix()).Scan(&r.Prepared, &r.Refused)
	if err != nil {
		return r, fmt.Errorf("read how a feed was prepared: %w", err)
	}
	return r, nil
}
