package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// IDs returns the articles that a query selects, in its order. It returns all of them, since a
// list needs to know its length; Load then loads the ones on the screen.
func (a Articles) IDs(ctx context.Context, q Query) ([]int64, error) {
	if q.ListsOnce() {
		return a.dedupedIDs(ctx, q)
	}
	ids, err := a.ids(ctx, q)
	if err == nil {
		ids, err = a.backFirst(ctx, q, ids)
	}
	if err != nil {
		return nil, fmt.Errorf("list articles: %w", classify(err))
	}
	return ids, nil
}

func (a Articles) ids(ctx context.Context, q Query) ([]int64, error) {
	sel, err := a.searches(ctx, q)
	if err != nil {
		return nil, err
	}
	return a.selectedIDs(ctx, q, sel)
}

// searches returns what a query selects.
func (a Articles) searches(ctx context.Context, q Query) (*selection, error) {
	if q.Quick && q.Search != "" {
		a.search.quick.Add(1)
	}
	sel, err := q.selects(ctx, a.db.read, a.search.cache)
	if err == nil && sel.damaged {
		a.search.requestRepair()
	}
	return sel, err
}

// selectedIDs lists what is selected.
func (a Articles) selectedIDs(ctx context.Context, q Query, sel *selection) ([]int64, error) {
	if sel.many != nil {
		return a.headIDs(ctx, q, sel)
	}
	if q.ByFeed {
		return a.idsByFeed(ctx, q, sel)
	}
	wanted := sel.takeFilter(a.maxLookups(q, sel))
	plain := q.Search == "" && q.Within == "" && q.Limit == 0 // a search may begin with this list
	if wanted == nil && !plain {
		query, args := sel.list(q.Order, q.Limit)
		return queryIDs(ctx, a.db.read, query, args...)
	}
	all, err := a.cachedIDs(ctx, q.Order, sel)
	if err != nil {
		return nil, err
	}
	if wanted == nil {
		return slices.Clone(all), nil
	}
	var ids []int64
	for _, id := range all {
		if wanted(id) {
			if ids = append(ids, id); len(ids) == q.Limit {
				break
			}
		}
	}
	return ids, nil
}

// maxLookups is how many matches of a search are looked up in the file: none if the list to pick
// them from is cached.
func (a Articles) maxLookups(q Query, sel *selection) int {
	if a.search.cache == nil || q.Limit > 0 {
		return manyIDs
	}
	one := *sel
	one.within, one.without = nil, nil
	query, args := one.list(q.Order, 0)
	if _, ok := a.search.cache.lookUpList(query, args, a.version(sel)); ok {
		return 0
	}
	return manyIDs
}

// cachedIDs reads a list, unless it is cached and nothing was committed since that could change it.
func (a Articles) cachedIDs(ctx context.Context, order Order, sel *selection) ([]int64, error) {
	query, args := sel.list(order, 0)
	if a.search.cache == nil {
		return queryIDs(ctx, a.db.read, query, args...)
	}
	version := a.version(sel)
	if ids, ok := a.search.cache.lookUpList(query, args, version); ok {
		return ids, nil
	}
	ids, err := queryIDs(ctx, a.db.read, query, args...)
	if err == nil {
		a.search.cache.keepList(query, args, ids, version)
	}
	return ids, err
}

// version counts the commits so far that may have changed what is selected.
func (a Articles) version(sel *selection) int64 {
	if sel.marks || sel.unread {
		return a.db.commits.Load()
	}
	return a.db.lists.Load()
}

func listQuery(where string, order Order, limit int) string {
	text := "SELECT s.id FROM status s WHERE " + where + " ORDER BY " + order.columns()
	if limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", limit)
	}
	return text
}

// idsByFeed lists feed by feed. SQLite returns the articles of each feed in order from an index;
// it would sort all of them to bring the feeds into their order.
func (a Articles) idsByFeed(ctx context.Context, q Query, sel *selection) ([]int64, error) {
	feeds, err := a.feedOrder(ctx)
	if err != nil {
		return nil, err
	}
	wanted := sel.takeFilter(manyIDs)
	where, args := sel.where()
	listed := "SELECT s.feed, s.id FROM status s WHERE " + where + " ORDER BY s.feed, " + q.Order.columns()
	var feedText, idText []byte // of all rows at once: a row alone costs more than what is in it
	if err := a.db.read.QueryRowContext(ctx, "SELECT group_concat(feed), group_concat(id) FROM ("+listed+")", args...).Scan(&feedText, &idText); err != nil {
		return nil, err
	}
	byFeed, total := map[int64][]int64{}, 0
	all := parseIDs(idText)
	for i, feed := range parseIDs(feedText) {
		if id := all[i]; wanted == nil || wanted(id) {
			byFeed[feed] = append(byFeed[feed], id)
			total++
		}
	}
	ids := make([]int64, 0, total)
	for _, feed := range feeds {
		ids = append(ids, byFeed[feed]...)
	}
	if q.Limit > 0 {
		ids = ids[:min(q.Limit, len(ids))]
	}
	return ids, nil
}

// feedOrder returns all feeds in the order of Feeds.List. Unsubscribed feeds come last: their
// starred articles are still stored.
func (a Articles) feedOrder(ctx context.Context) ([]int64, error) {
	rows, err := a.db.read.QueryContext(ctx, "SELECT f.id, f.account, f.folder, "+feedTitle+", f.removed <> 0 FROM feed f")
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", classify(err))
	}
	defer rows.Close()
	type entry struct {
		id      int64
		folder  Place
		title   string
		removed bool
	}
	var all []entry
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.id, &e.folder.Account, &e.folder.Path, &e.title, &e.removed); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list feeds: %w", classify(err))
	}
	order, err := Feeds{a.db}.handOrder(ctx)
	if err != nil {
		return nil, err
	}
	sortLikeFeeds(all, order, func(e *entry) (Place, string, int64) { return e.folder, e.title, e.id })
	rank := func(e entry) int {
		if e.removed {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(rank(a), rank(b)) })
	feeds := make([]int64, len(all))
	for i, e := range all {
		feeds[i] = e.id
	}
	return feeds, nil
}

// FeedsOf returns the feed of each of these articles; of one that does not exist it has none.
func (a Articles) FeedsOf(ctx context.Context, ids []int64) (map[int64]int64, error) {
	feeds := map[int64]int64{}
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := a.db.read.QueryContext(ctx, "SELECT id, feed FROM status WHERE id IN "+marks, args...)
		if err != nil {
			return nil, fmt.Errorf("look for the feeds of articles: %w", classify(err))
		}
		if err := scanFeedsOf(rows, feeds); err != nil {
			return nil, fmt.Errorf("look for the feeds of articles: %w", classify(err))
		}
	}
	return feeds, nil
}

func scanFeedsOf(rows *sql.Rows, feeds map[int64]int64) error {
	defer rows.Close()
	for rows.Next() {
		var article, feed int64
		if err := rows.Scan(&article, &feed); err != nil {
			return err
		}
		feeds[article] = feed
	}
	return rows.Err()
}

// CountKept returns how many of these articles are starred or have a label, which keeps them from the clean-up.
func (a Articles) CountKept(ctx context.Context, ids []int64) (n int, err error) {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		var some int
		err := a.db.read.QueryRowContext(ctx, "SELECT count(*) FROM status WHERE (starred = 1 OR id IN (SELECT article FROM labelled)) AND id IN "+marks, args...).Scan(&some)
		if err != nil {
			return 0, fmt.Errorf("count kept: %w", classify(err))
		}
		n += some
	}
	return n, nil
}
