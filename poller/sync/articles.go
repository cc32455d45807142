package sync

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// storeBatch is how many articles are stored in one transaction: others wait to write.
const storeBatch = 250

// knownFeed is a feed of the account as its articles need it.
type knownFeed struct {
	id        int64 // 0: it is being unsubscribed, and its articles are left out
	url, site string
}

// loadFeeds reads the feeds of the account.
func (r *run) loadFeeds(ctx context.Context) error {
	feeds, err := reader.ServerFeeds(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	r.feeds = make(map[string]knownFeed, len(feeds))
	for _, f := range feeds {
		switch {
		case f.Remote == "":
		case f.Unsubscribed:
			r.feeds[f.Remote] = knownFeed{}
		default:
			r.feeds[f.Remote] = knownFeed{f.ID, f.URL, f.Site}
		}
	}
	return nil
}

// storeArticles stores articles as the server has them, in portions; the last of them with the next state. Articles of feeds that
// are not known have the list of feeds got again, once.
func (r *run) storeArticles(ctx context.Context, articles []Article, next State) error {
	if err := r.knowFeeds(ctx, articles, &next); err != nil {
		return err
	}
	articles = slices.DeleteFunc(slices.Clone(articles), func(a Article) bool { return a.ID == "" || r.feeds[a.Feed].id == 0 })
	if err := r.disownTwins(ctx, articles); err != nil {
		return err
	}
	for len(articles) > storeBatch {
		if err := r.storePortion(ctx, articles[:storeBatch], r.state); err != nil {
			return err
		}
		articles = articles[storeBatch:]
	}
	return r.storePortion(ctx, articles, next)
}

// disownTwins asks for articles that come again under another id. Those that the server does not have any more, since its backup was
// restored or the feed was subscribed to again, are then recognized instead of stored twice.
func (r *run) disownTwins(ctx context.Context, articles []Article) error {
	if r.state.Phase != Ready {
		return nil
	}
	type looks struct {
		feed, title string
		published   int64
	}
	of := func(a Article) looks { return looks{a.Feed, a.Title, a.Published.Unix()} }
	byFeed, again := map[string][]reader.ServerArticle{}, map[looks]bool{}
	for _, a := range articles {
		byFeed[a.Feed] = append(byFeed[a.Feed], r.compose(a))
		again[of(a)] = true
	}
	var twins []string
	for _, remote := range slices.Sorted(maps.Keys(byFeed)) {
		keys, err := reader.ServerTwins(ctx, r.store.Read(), r.account.ID, r.feeds[remote].id, byFeed[remote])
		if err != nil {
			return err
		}
		twins = append(twins, keys...)
	}
	if len(twins) == 0 {
		return nil
	}
	gone := set(twins)
	err := r.service.Articles(ctx, slices.Sorted(maps.Keys(gone)), func(page []Article) error {
		for _, a := range page {
			if again[of(a)] { // else the id is another article's now
				delete(gone, a.ID)
			}
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	return r.disown(ctx, gone)
}

// disown keeps articles here that the server does not have any more.
func (r *run) disown(ctx context.Context, gone map[string]bool) error {
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		return reader.DisownServerArticles(ctx, tx, r.account.ID, slices.Sorted(maps.Keys(gone)))
	})
}

func (r *run) knowFeeds(ctx context.Context, articles []Article, next *State) error {
	unknown := slices.ContainsFunc(articles, func(a Article) bool { _, ok := r.feeds[a.Feed]; return !ok })
	if !unknown || r.relisted {
		return nil
	}
	if err := r.syncFeeds(ctx); err != nil {
		return err
	}
	next.listed, next.Missing = r.state.listed, r.state.Missing
	return nil
}

func (r *run) storePortion(ctx context.Context, articles []Article, next State) error {
	byFeed := map[string][]reader.ServerArticle{}
	seen := map[string]bool{}
	for _, a := range articles {
		if seen[a.ID] { // it moved between two requests for a page
			continue
		}
		seen[a.ID] = true
		byFeed[a.Feed] = append(byFeed[a.Feed], r.compose(a))
	}
	var all reader.ServerChanges
	var notices []reader.Notice
	odd := 0
	err := r.write(ctx, next, func(tx *sql.Tx) error {
		for remote, articles := range byFeed {
			n, err := reader.DisownReusedIDs(ctx, tx, r.account.ID, r.feeds[remote].id, articles)
			if odd += n; err != nil {
				return err
			}
		}
		for _, remote := range slices.Sorted(maps.Keys(byFeed)) {
			feed := r.feeds[remote].id
			var there bool
			if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM reader_feed WHERE id = ? AND account = ? AND remote = ?)", feed, r.account.ID, remote).Scan(&there); err != nil {
				return fmt.Errorf("look for feed %d: %w", feed, err)
			}
			if !there {
				continue // unsubscribed a moment ago
			}
			c, err := reader.StoreServerArticles(ctx, tx, r.account.ID, feed, byFeed[remote], r.now())
			if err != nil {
				return err
			}
			all.New, all.Unread, all.Updated = all.New+c.New, all.Unread+c.Unread, all.Updated+c.Updated
			all.Marked, all.Met = append(all.Marked, c.Marked...), append(all.Met, c.Met...)
			if c.Notice != nil {
				notices = append(notices, *c.Notice)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.result.New, r.result.Unread, r.result.Updated = r.result.New+all.New, r.result.Unread+all.Unread, r.result.Updated+all.Updated
	r.result.Marked += len(all.Marked)
	r.noteElsewhere(articles, slices.Concat(all.Marked, all.Met))
	if r.state.Phase == Ready {
		r.result.Notices = append(r.result.Notices, notices...)
	}
	r.odd = r.odd || odd > 0
	r.reused += odd
	return nil
}

// noteElsewhere notes that articles were marked elsewhere, and when, by the clock here.
func (r *run) noteElsewhere(articles []Article, marked []string) {
	r.result.Elsewhere += len(marked)
	of := set(marked)
	for _, a := range articles {
		if !of[a.ID] {
			continue
		}
		var at time.Time
		if !a.MarkedAt.IsZero() {
			at = a.MarkedAt.Add(r.skew)
			r.result.MarkedAt = append(r.result.MarkedAt, at)
		}
		if a.Read || a.Starred {
			r.noteRead(a.ID, at)
		}
	}
}

// noteRead notes that an article was read elsewhere. What the first synchronization finds was read whenever it was.
func (r *run) noteRead(id string, at time.Time) {
	if r.state.Phase == Ready {
		r.result.Read = append(r.result.Read, ReadThere{id, at})
	}
}

// compose makes of an article of the server what a fetch would store of it.
func (r *run) compose(a Article) reader.ServerArticle {
	from := r.feeds[a.Feed]
	return reader.ServerArticle{Article: parse.Compose(a.Item, parse.Source{URL: from.url, Site: from.site, Now: r.now()}), Read: a.Read, Starred: a.Starred}
}

// fetch gets the articles of these ids that are not stored, and returns which these were.
func (r *run) fetch(ctx context.Context, ids []string) (missing []string, err error) {
	known, err := reader.KnownServerArticles(ctx, r.store.Read(), r.account.ID, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if id != "" && !known[id] {
			known[id] = true
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	return missing, r.service.Articles(ctx, missing, func(page []Article) error { return r.storeArticles(ctx, page, r.state) })
}
