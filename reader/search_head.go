package reader

import (
	"context"
	"errors"
	"maps"
	"slices"

	"kairos/reader/search"
)

// A search may have a million matches, and reading them all takes longer than people wait. The first of their list are found
// without: the list is gone down, and the index asked for the articles there only. For words that are the beginning of others it
// would gather all of these for each question; then the texts of the articles are looked at themselves.

const (
	manyMatches = 2000    // from here on it pays
	headBatch   = 1000    // articles of the list are asked for at a time
	headWalk    = 20_000  // articles of the list are asked for, at most
	headRoom    = 100_000 // ids that are looked at in the index for that, at most: some 30 ms
	headAsk     = 300     // ids that could be looked at in the time in which the index is asked

	textFirst = 200     // texts are read for any words: where most have them that is quicker
	textBatch = 100     // texts are read at a time
	textWalk  = 1000    // texts are read, at most: some 40 ms
	textSize  = 4 << 20 // of HTML, after which no more are read
)

// manyWords are words that many articles may have.
type manyWords struct {
	words   search.Words
	pending map[int64]bool // unindexed articles that are seen: whether they match
}

// many returns words that are looked for from the beginning of a list down; nil if few articles have them, so that all are
// found as soon.
func (f *finder) many(ctx context.Context, words search.Words) (*manyWords, error) {
	gathers := words.Gathers()
	if f.query.Limit == 0 || f.query.ByFeed || gathers && !f.query.Quick {
		return nil, nil
	}
	if !gathers {
		var n int
		err := f.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)", words.Expression(), manyMatches).Scan(&n)
		switch {
		case isDamaged(err), err == nil && n < manyMatches:
			return nil, nil
		case err != nil:
			return nil, err
		}
	}
	m := &manyWords{words: words, pending: map[int64]bool{}}
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
	walk := headWalker{manyWords: sel.many, db: a.db.read, room: headRoom, bytes: textSize}
	gathers, most := sel.many.words.Gathers(), headWalk
	if gathers {
		most = textWalk
	}
	for more := true; more && len(ids) < q.Limit; {
		size, add := headBatch, walk.addIndexed
		if gathers || walk.walked < textFirst {
			size, add = textBatch, walk.addTexts
		}
		var batch []int64
		for len(batch) < size {
			if more = rows.Next(); !more {
				break
			}
			var id int64
			if err := rows.Scan(&id); err != nil {
				return nil, err
			}
			batch = append(batch, id)
		}
		if walk.walked += len(batch); walk.walked > most {
			return nil, errFarDown
		}
		if ids, err = add(ctx, ids, batch); err != nil {
			return nil, err
		}
	}
	return ids[:min(q.Limit, len(ids))], rows.Err()
}

// headWalker finds out which articles of a list match, from its beginning.
type headWalker struct {
	*manyWords
	db     Querier
	walked int
	room   int64 // ids that may be asked for
	bytes  int   // of texts that may be read
}

// addIndexed adds those of a batch that match, as the index says. Error: errFarDown.
func (w *headWalker) addIndexed(ctx context.Context, ids, batch []int64) ([]int64, error) {
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
		some, err := queryIDs(ctx, w.db, "SELECT rowid AS id FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?", w.words.Expression(), first, last)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			has[id] = true
		}
		sorted = sorted[n:]
	}
	for _, id := range batch {
		matches, pending := w.pending[id]
		if matches || !pending && has[id] {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// addTexts adds those of a batch that match, as their texts say. A quick search sees no more of the unindexed articles than
// those pending. Error: errFarDown.
func (w *headWalker) addTexts(ctx context.Context, ids, batch []int64) ([]int64, error) {
	rows, err := w.db.QueryContext(ctx, "SELECT a.id, a.title, a.author, "+indexedHTML+", u.id IS NOT NULL FROM article a LEFT JOIN body b USING (id) LEFT JOIN full_text w USING (id) LEFT JOIN search_waiting u USING (id) WHERE a.id IN "+(&idList{batch}).sql())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	has := maps.Clone(w.pending)
	for rows.Next() {
		var id int64
		var title, author, html string
		var waiting bool
		if err := rows.Scan(&id, &title, &author, &html, &waiting); err != nil {
			return nil, err
		}
		if w.bytes -= len(html); w.bytes < 0 {
			return nil, errFarDown
		}
		if _, pending := has[id]; !pending && !waiting {
			has[id] = w.words.Match(foldArticle(title, author, html))
		}
	}
	for _, id := range batch {
		if has[id] {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}
