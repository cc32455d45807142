package reader

import (
	"context"
	"errors"
	"slices"

	"kairos/reader/search"
)

// A search of one letter may have a million matches, and reading them all takes longer than people wait. The first of their list
// are found without: the list is gone down, and the index asked for the articles there only.

const (
	manyMatches = 2000    // from here on it pays
	headBatch   = 1000    // articles of the list are asked for at a time
	headWalk    = 20_000  // articles of the list are asked for, at most
	headRoom    = 100_000 // ids that are looked at in the index for that, at most: some 30 ms
	headAsk     = 300     // ids that could be looked at in the time in which the index is asked
)

// manyWords are words that many articles have.
type manyWords struct {
	expression string
	pending    map[int64]bool // unindexed articles: whether they match
}

// many returns words that very many articles have, for the beginning of a list; nil if there are fewer matches, or the index
// needs all of them for one: it gathers those of all the words that begin in one way.
func (f *finder) many(ctx context.Context, words search.Words) (*manyWords, error) {
	if f.query.Limit == 0 || f.query.ByFeed || words.Gathers() {
		return nil, nil
	}
	m := &manyWords{expression: words.Expression(), pending: map[int64]bool{}}
	var n int
	err := f.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)", m.expression, manyMatches).Scan(&n)
	switch {
	case isDamaged(err), err == nil && n < manyMatches:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return m, f.eachUnindexed(ctx, func(u unindexed) { m.pending[u.id] = !u.gone && words.Match(u.text) })
}

// headIDs returns the first articles of a list that have many words. If they are too far down, a quick search returns none, any
// other reads all.
func (a Articles) headIDs(ctx context.Context, q Query, sel *selection) ([]int64, error) {
	ids, err := a.walkHead(ctx, q, sel)
	if (errors.Is(err, errFarDown) || isDamaged(err)) && !q.Quick {
		limit := q.Limit
		q.Limit = 0
		ids, err = a.ids(ctx, q)
		ids = ids[:min(limit, len(ids))]
	}
	if errors.Is(err, errFarDown) {
		return nil, nil
	}
	return ids, err
}

var errFarDown = errors.New("the matches are far down the list")

func (a Articles) walkHead(ctx context.Context, q Query, sel *selection) (ids []int64, err error) {
	query, args := sel.list(q.Order, 0)
	rows, err := a.db.read.QueryContext(ctx, "SELECT id FROM ("+query+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	walk := headWalker{m: sel.many, db: a.db.read, room: headRoom}
	for more := true; more && len(ids) < q.Limit; {
		var batch []int64
		for len(batch) < headBatch {
			if more = rows.Next(); !more {
				break
			}
			var id int64
			if err := rows.Scan(&id); err != nil {
				return nil, err
			}
			batch = append(batch, id)
		}
		if ids, err = walk.add(ctx, ids, batch); err != nil {
			return nil, err
		}
	}
	return ids[:min(q.Limit, len(ids))], rows.Err()
}

// headWalker asks the index for the articles of a list, from its beginning.
type headWalker struct {
	m      *manyWords
	db     Querier
	walked int
	room   int64 // ids that may be asked for
}

// add adds those of a batch that match. Error: errFarDown.
func (w *headWalker) add(ctx context.Context, ids, batch []int64) ([]int64, error) {
	if w.walked += len(batch); w.walked > headWalk {
		return nil, errFarDown
	}
	has := map[int64]bool{}
	sorted := slices.Sorted(slices.Values(batch))
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n]-sorted[n-1] <= headAsk {
			n++
		}
		first, last := sorted[0], sorted[n-1]
		if w.room -= last - first + headAsk; w.room < 0 {
			return nil, errFarDown
		}
		some, err := queryIDs(ctx, w.db, "SELECT rowid AS id FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?", w.m.expression, first, last)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			has[id] = true
		}
		sorted = sorted[n:]
	}
	for _, id := range batch {
		matches, pending := w.m.pending[id]
		if matches || !pending && has[id] {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
