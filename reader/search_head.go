package reader

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kairos/reader/search"
)

// A search may have a million matches, and reading them all takes longer than people wait. The first of their list are found
// without: the list is gone down, and the index asked for the articles there only. For words that are the beginning of others it
// would gather all of these for each question; then the texts of the articles are looked at themselves.

const (
	manyMatches = 10_000  // from here on it pays
	headBatch   = 1000    // articles of the list are asked for at a time
	headWalk    = 20_000  // articles of the list are asked for, at most
	headRoom    = 100_000 // ids that are looked at in the index for that, at most: some 30 ms
	headAsk     = 300     // ids that could be looked at in the time in which the index is asked

	textFirst = 200     // texts may be read for any words: where the list jumps about, that is quicker
	textRoom  = 150     // ids that are looked at in the index in the time in which a text is read
	textBatch = 50      // texts are read at a time
	textWalk  = 1000    // texts are read, at most: some 40 ms
	textsPage = 2       // texts are read in half the time in which a page of the index is gathered: some 0.2 ms
	textSize  = 4 << 20 // of HTML, after which no more are read
)

// manyPages are so many pages of the index that gathering what stands on them takes longer than reading the first texts: some 8 ms.
var manyPages = 40

// manyWords are words that many articles may have.
type manyWords struct {
	words   search.Words
	texts   int            // to be read at most, if the index would have to gather; else 0
	pending map[int64]bool // unindexed articles that are seen: whether they match
}

// many returns words that are looked for from the beginning of a list down; nil if few articles have them, so that all are
// found as soon.
func (f *finder) many(ctx context.Context, words search.Words) (*manyWords, error) {
	gathered := words.Gathered()
	if f.query.Limit == 0 || f.query.ByFeed || len(gathered) > 0 && !f.query.Quick || f.cache.has(words.Expression()) {
		return nil, nil
	}
	m := &manyWords{words: words, pending: map[int64]bool{}}
	if len(gathered) > 0 {
		pages, err := indexPages(ctx, f.db, gathered)
		if err != nil || pages < manyPages {
			return nil, ctx.Err() // an index that cannot be read is found to be damaged as soon as it is asked
		}
		m.texts = min(max(textsPage*pages, textFirst), textWalk)
	} else {
		var n int
		err := f.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)", words.Expression(), manyMatches).Scan(&n)
		switch {
		case isDamaged(err), err == nil && n < manyMatches:
			return nil, nil
		case err != nil:
			return nil, err
		}
	}
	return m, f.eachUnindexed(ctx, func(u unindexed) { m.pending[u.id] = !u.gone && words.Match(u.text) })
}

// indexPages returns on how many pages the index has the words that begin in these ways, and no fewer, unless they are the last of
// all. It reads the first words of the pages of a segment, which FTS5 notes with the number of the page times two.
func indexPages(ctx context.Context, db Querier, beginnings []string) (sum int, err error) {
	for _, beginning := range beginnings {
		var pages int
		from := append([]byte{'0'}, beginning...) // its words themselves, not those of an index of prefixes
		err := db.QueryRowContext(ctx, `WITH RECURSIVE segment(id) AS (SELECT min(segid) FROM search_idx
				UNION ALL SELECT (SELECT min(segid) FROM search_idx WHERE segid > segment.id) FROM segment WHERE segment.id IS NOT NULL)
			SELECT coalesce(sum(coalesce((SELECT pgno / 2 FROM search_idx WHERE segid = segment.id AND term > ?2 ORDER BY term LIMIT 1),
				(SELECT max(pgno) / 2 FROM search_idx WHERE segid = segment.id))
				- coalesce((SELECT pgno / 2 FROM search_idx WHERE segid = segment.id AND term <= ?1 ORDER BY term DESC LIMIT 1), 1)), 0)
			FROM segment WHERE id IS NOT NULL`, from, append(bytes.Clone(from), 0xff)).Scan(&pages)
		if err != nil {
			return 0, err
		}
		sum += pages
	}
	return sum, nil
}

// First returns the first articles that a quick query with a limit lists, and whether these are all: it returns all where that is as
// soon as the first, as many as the limit else, and none if the first are far down.
func (a Articles) First(ctx context.Context, q Query) (ids []int64, whole bool, err error) {
	if q.ListsOnce() {
		q.Limit = 0
		ids, err = a.dedupedIDs(ctx, q)
		return ids, true, err
	}
	sel, err := a.searches(ctx, q)
	if err == nil {
		if sel.many == nil && sel.within != nil {
			q.Limit = 0
		}
		ids, err = a.selectedIDs(ctx, q, sel)
	}
	if err == nil {
		whole = q.Limit == 0 || len(ids) < q.Limit && (len(ids) > 0 || sel.many == nil)
		ids, err = a.backFirst(ctx, q, ids)
	}
	if err != nil {
		return nil, false, fmt.Errorf("list articles: %w", classify(err))
	}
	return ids, whole, nil
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
	for more := true; more && len(ids) < q.Limit; {
		size := headBatch
		if walk.texts > 0 || walk.walked < textFirst {
			size = textBatch
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
		if ids, err = walk.add(ctx, ids, batch); err != nil {
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

// add adds those of a batch that match. Error: errFarDown.
func (w *headWalker) add(ctx context.Context, ids, batch []int64) ([]int64, error) {
	w.walked += len(batch)
	if w.walked > cmp.Or(w.texts, headWalk) {
		return nil, errFarDown
	}
	ranges, room := w.ranges(batch)
	if w.texts > 0 || w.walked <= textFirst && room > textRoom*int64(len(batch)) {
		return w.addTexts(ctx, ids, batch)
	}
	if w.room -= room; w.room < 0 {
		return nil, errFarDown
	}
	return w.addIndexed(ctx, ids, batch, ranges)
}

// ranges returns from where to where the index is asked for a batch, and how many ids could be looked at in the time that takes.
func (w *headWalker) ranges(batch []int64) (ranges [][2]int64, room int64) {
	sorted := slices.Sorted(slices.Values(batch))
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n]-sorted[n-1] <= headAsk {
			n++
		}
		ranges = append(ranges, [2]int64{sorted[0], sorted[n-1]})
		room += sorted[n-1] - sorted[0] + headAsk
		sorted = sorted[n:]
	}
	return ranges, room
}

// addIndexed adds those of a batch that match, as the index says.
func (w *headWalker) addIndexed(ctx context.Context, ids, batch []int64, ranges [][2]int64) ([]int64, error) {
	has := map[int64]bool{}
	for _, r := range ranges {
		some, err := queryIDs(ctx, w.db, "SELECT rowid AS id FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?", w.words.Expression(), r[0], r[1])
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			has[id] = true
		}
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
