package preparer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kairos/poller/prepare"
	"kairos/reader"
)

// feed is what is known of a feed for preparing its articles.
type feed struct {
	always   bool    // the user wants the full text of its articles
	asked    float64 // how often the user asked for the full text of an article; older ones count less
	kept     float64 // how often an article was read as the feed has it
	offered  bool    // the full text was offered
	failures int     // pages in a row in which no article was found
	told     bool    // that was said
	episodes int     // the next ones that are brought before they are played
	cost     prepare.Cost
}

const (
	// habitAfter is how many articles the assumption counts for that the text of the feed is enough.
	habitAfter = 1.5
	// habitKept is how much of what was counted stays with each article that is opened.
	habitKept = 0.95
	// givenUpAfter is after how many pages without an article no more of a feed are asked for.
	givenUpAfter = 3
)

// habit reports whether the user mostly asks for the full text.
func (f *feed) habit() bool { return f.asked >= f.kept+habitAfter }

// needsBrowser reports whether the pages of the feed hold no articles for whoever is no browser.
func (f *feed) needsBrowser() bool { return f.failures >= givenUpAfter }

// page reports whether a page of the feed that is wanted is asked for, given what came of it before, or why it is not.
func (f *feed) page(before PageResult) (asks bool, why Cause) {
	switch {
	case before == Refused:
		return false, RefusedByServer
	case before == NoArticle, f.needsBrowser():
		return false, NeedsBrowser
	case before == Extracted:
		return false, NoRoom // its text had to go
	}
	return true, Nothing
}

const feedColumns = "asked, kept, offered, failures, told, episodes, page, pages, picture, pictures"

func (f *feed) fields() []any {
	return []any{&f.asked, &f.kept, &f.offered, &f.failures, &f.told, &f.episodes, &f.cost.Page, &f.cost.Pages, &f.cost.Picture, &f.cost.PicturesSeen}
}

// feeds returns what is known of the feeds subscribed to.
func (p *Preparer) feeds(ctx context.Context) (map[int64]feed, error) {
	known := map[int64]feed{}
	rows, err := p.o.Store.Read().QueryContext(ctx, "SELECT feed, "+feedColumns+" FROM prepare_feed")
	if err != nil {
		return nil, fmt.Errorf("read how feeds are prepared: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var f feed
		if err := rows.Scan(append([]any{&id}, f.fields()...)...); err != nil {
			return nil, fmt.Errorf("read how feeds are prepared: %w", err)
		}
		known[id] = f
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	list, err := p.o.Store.Feeds.List(ctx)
	for _, one := range list {
		f := known[one.ID]
		f.always = one.FullText
		known[one.ID] = f
	}
	return known, err
}

// feed returns what is known of one feed.
func (p *Preparer) feed(ctx context.Context, id int64) (f feed, err error) {
	err = p.o.Store.Read().QueryRowContext(ctx, "SELECT "+feedColumns+" FROM prepare_feed WHERE feed = ?", id).Scan(f.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return f, fmt.Errorf("read how a feed is prepared: %w", err)
	}
	one, err := p.o.Store.Feeds.Get(ctx, id)
	if errors.Is(err, reader.ErrUnknown) {
		return f, nil // an article may outlive its subscription
	}
	f.always = one.FullText
	return f, err
}

// changeFeed changes what is known of a feed, if it is subscribed to.
func changeFeed(ctx context.Context, tx *sql.Tx, id int64, change func(*feed)) error {
	var f feed
	err := tx.QueryRowContext(ctx, "SELECT "+feedColumns+" FROM prepare_feed WHERE feed = ?", id).Scan(f.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read how a feed is prepared: %w", err)
	}
	change(&f)
	_, err = tx.ExecContext(ctx, `INSERT INTO prepare_feed (feed, `+feedColumns+`) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM reader_title WHERE id = ?1)
		ON CONFLICT DO UPDATE SET asked = excluded.asked, kept = excluded.kept, offered = excluded.offered, failures = excluded.failures, told = excluded.told, episodes = excluded.episodes,
			page = excluded.page, pages = excluded.pages, picture = excluded.picture, pictures = excluded.pictures`,
		id, f.asked, f.kept, f.offered, f.failures, f.told, f.episodes, f.cost.Page, f.cost.Pages, f.cost.Picture, f.cost.PicturesSeen)
	if err != nil {
		return fmt.Errorf("note how a feed is prepared: %w", err)
	}
	return nil
}
