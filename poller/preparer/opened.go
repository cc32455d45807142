package preparer

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"kairos/poller/prepare"
	"kairos/reader"
	"kairos/reader/content"
)

// Article is how an article stands that is about to be shown.
type Article struct {
	ID, Feed   int64
	WantsPage  bool // its page is wanted and was never asked for: it is fetched when the article is shown
	Whole      bool // it is there with text and pictures, as it will be read
	Offers     bool // the feed seems to shorten its articles, and it was not said yet that their pages can be shown
	NeedsPage  bool // the pages of the feed need a browser, which was not said yet
	pageResult PageResult
}

// Look tells how an article stands that is about to be shown with a text. fetched is whether the text of its page is stored.
func (p *Preparer) Look(ctx context.Context, a reader.Article, body content.Document, fetched bool) (look Article, err error) {
	f, err := p.feed(ctx, a.Feed)
	if err != nil {
		return look, err
	}
	look = Article{ID: a.ID, Feed: a.Feed}
	if look.pageResult, err = p.store.page(ctx, a.ID); err != nil {
		return look, err
	}
	wanted := a.Link != "" && !fetched && (f.always || f.habit())
	look.WantsPage = wanted && !f.needsBrowser() && look.pageResult == NotWanted
	look.NeedsPage = f.needsBrowser() && !f.told && (f.always || f.habit())
	pictures, err := p.o.Pictures(ctx)
	if err != nil {
		return look, err
	}
	look.Whole = !wanted
	if pictures && look.Whole {
		look.Whole = p.hasAll(PicturesOf(body))
	}
	if !fetched && a.Link != "" && !f.always && !f.offered && !f.habit() && !f.needsBrowser() {
		look.Offers, err = p.shortens(ctx, a)
	}
	return look, err
}

// hasAll reports whether all pictures are stored.
func (p *Preparer) hasAll(addresses []string) bool {
	for _, address := range addresses {
		if !p.isThere(address) {
			return false
		}
	}
	return true
}

const (
	// looked is how many articles tell whether a feed shortens.
	looked = 10
	// mostCut is the share of them that are cut.
	mostCut = 0.7
	// fewestCut is how many of them there must be.
	fewestCut = 3
)

// shortens reports whether a feed shows the beginnings of its articles only, as it does of one of them.
func (p *Preparer) shortens(ctx context.Context, a reader.Article) (bool, error) {
	n, cut := 0, 0
	count := func(_ int64, o reader.Outline) {
		n++
		if isCut(o) {
			cut++
		}
	}
	if err := p.o.Store.Articles.Outlines(ctx, []int64{a.ID}, count); err != nil || cut == 0 {
		return false, err
	}
	ids, err := p.o.Store.Articles.IDs(ctx, reader.Query{Feed: a.Feed, Limit: looked})
	if err != nil {
		return false, err
	}
	err = p.o.Store.Articles.Outlines(ctx, ids[:min(len(ids), looked)], count)
	return n > fewestCut && float64(cut) >= mostCut*float64(n), err
}

// NoteOpened notes that an article was opened, whether it was whole, and whether it is shown with the text of its page.
func (p *Preparer) NoteOpened(ctx context.Context, a Article, page bool) error {
	worth, err := p.worth(ctx, a)
	if err != nil {
		return err
	}
	now := p.o.Now()
	h := prepare.History{}
	h.Opened(worth, a.Whole)
	return p.store.WriteAside(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO prepare_opened (article, feed, at, whole) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", a.ID, a.Feed, now.Unix(), a.Whole)
		if err != nil {
			return fmt.Errorf("note an opened article: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err // it was opened before
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM prepare_opened WHERE at < ?", now.AddDate(0, 0, -2*historyDays).Unix()); err != nil {
			return fmt.Errorf("note an opened article: %w", err)
		}
		if err := changeFeed(ctx, tx, a.Feed, func(f *feed) {
			if f.asked, f.kept = habitKept*f.asked, habitKept*f.kept; !page {
				f.kept++
			}
		}); err != nil {
			return err
		}
		return addHistory(ctx, tx, h, now)
	})
}

// CheckWhole notes that an article is whole that was not, as after the picture came that it lacked.
func (p *Preparer) CheckWhole(ctx context.Context, id int64) error {
	incomplete, err := p.o.Store.Articles.Incomplete(ctx, []int64{id})
	if is, there := incomplete[id]; err != nil || !there || is.Page {
		return err
	}
	body, err := p.body(ctx, id)
	if err != nil || !p.hasAll(PicturesOf(body)) {
		return err
	}
	return p.store.noteIncomplete(ctx, id, reader.Incomplete{})
}

// worth is what it was worth to prepare an article that is opened now.
func (p *Preparer) worth(ctx context.Context, a Article) (float64, error) {
	var chance sql.NullFloat64
	err := p.o.Store.Read().QueryRowContext(ctx, "SELECT max(chance) FROM prepared WHERE article = ?", a.ID).Scan(&chance)
	if err != nil {
		return 0, fmt.Errorf("read what was prepared: %w", err)
	}
	if !chance.Valid || math.IsNaN(chance.Float64) {
		chances, err := p.o.Chances(ctx, []int64{a.ID})
		if err != nil {
			return 0, err
		}
		chance.Float64 = chances[a.ID]
	}
	e, err := p.estimatorOf(ctx, a.ID, a.Feed)
	if err != nil {
		return 0, err
	}
	one := e.judge(reader.Upcoming{ID: a.ID, Feed: a.Feed, Link: "-"}, chance.Float64, false)
	return one.Worth(), nil
}

// NoteAsked notes that the user asked for the full text of an article; opened says that NoteOpened has noted it with that of the feed.
func (p *Preparer) NoteAsked(ctx context.Context, feedID int64, opened bool) error {
	return p.changeFeed(ctx, feedID, func(f *feed) {
		f.asked++
		f.failures = 0 // the user has seen that there is one
		if opened {
			f.kept = max(0, f.kept-1)
		}
	})
}

// NoteKept notes that the user prefers the text of the feed to that of an article's page.
func (p *Preparer) NoteKept(ctx context.Context, feedID int64) error {
	return p.changeFeed(ctx, feedID, func(f *feed) { f.kept++ })
}

// NoteOffered notes that the full text of a feed's articles was offered.
func (p *Preparer) NoteOffered(ctx context.Context, feedID int64) error {
	return p.changeFeed(ctx, feedID, func(f *feed) { f.offered = true })
}

// NoteTold notes that it was said that the pages of a feed need a browser.
func (p *Preparer) NoteTold(ctx context.Context, feedID int64) error {
	return p.changeFeed(ctx, feedID, func(f *feed) { f.told = true })
}

func (p *Preparer) changeFeed(ctx context.Context, id int64, change func(*feed)) error {
	return p.store.WriteAside(ctx, func(tx *sql.Tx) error { return changeFeed(ctx, tx, id, change) })
}
