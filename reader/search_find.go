package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kairos/reader/content"
	"kairos/reader/search"
)

// selection is what a query says in SQL, over status as s.
type selection struct {
	terms   []string
	args    []any
	within  *idList // articles that have the words searched for; nil: all
	without *idList // articles that have words which must not be there
	damaged bool    // the index of words could not be read
}

func (sel *selection) add(term string, values ...any) {
	sel.terms = append(sel.terms, term)
	sel.args = append(sel.args, values...)
}

// where is the condition with all there is to it.
func (sel *selection) where() (string, []any) {
	terms := sel.terms
	if sel.within != nil {
		terms = append(terms, "s.id IN "+sel.within.sql())
	}
	if sel.without != nil {
		terms = append(terms, "s.id NOT IN "+sel.without.sql())
	}
	return strings.Join(terms, " AND "), sel.args
}

// manyIDs is from how many on a list of articles is sieved here: SQLite would have to
// look each of them up.
const manyIDs = 2000

// sieve takes lists of more than so many out of the condition. What is selected then has to
// be passed through the function it returns; that is nil if nothing has been taken out.
func (sel *selection) sieve(most int) func(id int64) bool {
	var within, without *idList
	if sel.within != nil && len(sel.within.ids) > most {
		within, sel.within = sel.within, nil
	}
	if sel.without != nil && len(sel.without.ids) > most {
		without, sel.without = sel.without, nil
	}
	if within == nil && without == nil {
		return nil
	}
	has, lacks := within.set(), without.set()
	return func(id int64) bool {
		return (within == nil || has.has(id)) && (without == nil || !lacks.has(id))
	}
}

// idList are articles by ascending id.
type idList struct{ ids []int64 }

// set returns the list as a set; none is empty.
func (l *idList) set() idSet {
	if l == nil || len(l.ids) == 0 {
		return idSet{}
	}
	set := idSet{first: l.ids[0], bits: make([]uint64, (l.ids[len(l.ids)-1]-l.ids[0])/64+1)}
	for _, id := range l.ids {
		set.bits[(id-set.first)/64] |= 1 << ((id - set.first) % 64)
	}
	return set
}

// idSet has a bit for each id from first on.
type idSet struct {
	first int64
	bits  []uint64
}

func (s idSet) has(id int64) bool {
	at := id - s.first
	return at >= 0 && at/64 < int64(len(s.bits)) && s.bits[at/64]>>(at%64)&1 == 1
}

func (l *idList) sql() string {
	text := []byte{'('}
	for i, id := range l.ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return string(append(text, ')'))
}

// idsOf runs a query for a column called id. They come as one text, in a third of the
// time that as many rows take.
func idsOf(ctx context.Context, db querier, query string, args ...any) ([]int64, error) {
	var text []byte
	if err := db.QueryRowContext(ctx, "SELECT group_concat(id) FROM ("+query+")", args...).Scan(&text); err != nil {
		return nil, err
	}
	var ids []int64
	for len(text) > 0 {
		var id int64
		for len(text) > 0 && text[0] != ',' {
			id = id*10 + int64(text[0]-'0')
			text = text[1:]
		}
		ids = append(ids, id)
		text = text[min(1, len(text)):]
	}
	return ids, nil
}

// search adds what a query searches for.
func (q Query) search(ctx context.Context, db querier, memo *memo, sel *selection) error {
	wanted := search.Parse(q.Search, q.Since.Location())
	wanted.Clauses = append(wanted.Clauses, search.Parse(q.Within, q.Since.Location()).Clauses...)
	words, rest := wanted.Split()
	f := finder{db: db, memo: memo, query: q, sel: sel}
	var err error
	if len(words.All) > 0 {
		sel.within, err = f.find(ctx, words)
	} else if len(words.None) > 0 {
		sel.without, err = f.find(ctx, words.Unwanted())
	}
	for _, clause := range rest {
		if err == nil {
			err = f.clause(ctx, clause)
		}
	}
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// finder looks up what one query searches for.
type finder struct {
	db    querier
	memo  *memo // may be nil
	query Query
	sel   *selection

	read    bool // waiting is
	waiting []waiting
	feeds   []feedName
}

// Of what is not yet indexed, a quick search sees so many of the newest articles, and
// no more after so many bytes of HTML.
const (
	quickArticles = 128
	quickBytes    = 512 << 10
)

// find returns the articles that have words. What is not yet indexed is looked at as it
// stands; it is read first, so that nothing is missed that is indexed meanwhile.
func (f *finder) find(ctx context.Context, words search.Words) (*idList, error) {
	waits, matching := map[int64]bool{}, []int64(nil)
	err := f.eachWaiting(ctx, func(w waiting) {
		waits[w.id] = true
		if !w.gone && words.Match(w.text) {
			matching = append(matching, w.id)
		}
	})
	if err != nil {
		return nil, err
	}
	ids, err := f.indexed(ctx, words)
	if err != nil {
		return nil, err
	}
	if len(waits) > 0 {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return waits[id] })
		ids = append(ids, matching...)
		slices.Sort(ids)
		ids = slices.Compact(ids) // read through, those that wait are among all
	}
	return &idList{ids}, nil
}

// eachWaiting shows what is not yet indexed. The few that a quick search sees are read
// once.
func (f *finder) eachWaiting(ctx context.Context, show func(waiting)) error {
	if !f.query.Quick {
		return eachWaiting(ctx, f.db, 0, 0, show)
	}
	if !f.read {
		err := eachWaiting(ctx, f.db, quickArticles, quickBytes, func(w waiting) { f.waiting = append(f.waiting, w) })
		if err != nil {
			return err
		}
		f.read = true
	}
	for _, w := range f.waiting {
		show(w)
	}
	return nil
}

// indexed returns what the index has for words. From a damaged one nothing comes; unless
// it has to be quick, the articles themselves are looked at then.
func (f *finder) indexed(ctx context.Context, words search.Words) ([]int64, error) {
	if !f.sel.damaged {
		ids, err := f.ask(ctx, words)
		if !isDamaged(err) {
			return ids, err
		}
		f.sel.damaged = true
	}
	if f.query.Quick {
		return nil, nil
	}
	return f.readThrough(ctx, words)
}

// ask asks the index, unless it is remembered what that says. One that finds nothing may
// be damaged.
func (f *finder) ask(ctx context.Context, words search.Words) ([]int64, error) {
	text, state := words.Expression(), int64(0)
	if f.memo != nil {
		ids, ok, now := f.memo.get(text)
		if ok {
			return ids, nil
		}
		state = now
	}
	ids, err := idsOf(ctx, f.db, "SELECT rowid AS id FROM search WHERE search MATCH ?", text)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		if ok, err := sound(ctx, f.db); err != nil || !ok {
			return nil, cmp.Or(err, ErrDamaged)
		}
	}
	if f.memo != nil {
		f.memo.put(words, text, ids, state)
	}
	return ids, nil
}

// readThrough looks for words in all articles.
func (f *finder) readThrough(ctx context.Context, words search.Words) ([]int64, error) {
	rows, err := f.db.QueryContext(ctx, "SELECT a.id, a.title, a.author, b.html FROM article a JOIN body b USING (id)")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var title, author, html string
		if err := rows.Scan(&id, &title, &author, &html); err != nil {
			return nil, err
		}
		if words.Match(foldArticle(title, author, html)) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

func foldArticle(title, author, html string) search.Text {
	return search.Text{Title: search.FoldName(title), Author: search.FoldName(author), Body: search.Fold(content.Text(html, 0))}
}

// clause adds a condition of which one term must hold.
func (f *finder) clause(ctx context.Context, c search.Clause) error {
	either := []string{"false"}
	var args []any
	for _, t := range c {
		text, arg, err := f.term(ctx, t)
		if err != nil {
			return err
		}
		if t.Not {
			text = "NOT (" + text + ")"
		}
		either, args = append(either, text), append(args, arg...)
	}
	f.sel.add("("+strings.Join(either, " OR ")+")", args...)
	return nil
}

func (f *finder) term(ctx context.Context, t search.Term) (text string, args []any, err error) {
	switch t.Kind {
	case search.Unread:
		return unread(f.query), nil, nil
	case search.Read:
		return "s.read = 1", nil, nil
	case search.Starred:
		return "s.starred = 1", nil, nil
	case search.Before:
		return "s.published < ?", []any{t.Day.Unix()}, nil
	case search.After:
		return "s.published >= ?", []any{t.Day.Unix()}, nil
	case search.Feed, search.Folder:
		text, err = f.ofFeeds(ctx, t)
		return text, nil, err
	}
	ids, err := f.find(ctx, t.Alone())
	if err != nil {
		return "", nil, err
	}
	return "s.id IN " + ids.sql(), nil, nil
}

// feedName is what a feed is searched by.
type feedName struct {
	id            int64
	title, folder string
}

// ofFeeds selects the articles of feeds with a name, or in folders with it.
func (f *finder) ofFeeds(ctx context.Context, t search.Term) (string, error) {
	if f.feeds == nil {
		if err := f.readFeeds(ctx); err != nil {
			return "", err
		}
	}
	list := idList{}
	for _, feed := range f.feeds {
		name := feed.title
		if t.Kind == search.Folder {
			name = feed.folder
		}
		if strings.Contains(name, t.Text) {
			list.ids = append(list.ids, feed.id)
		}
	}
	return "s.feed IN " + list.sql(), nil
}

func (f *finder) readFeeds(ctx context.Context) error {
	rows, err := f.db.QueryContext(ctx, "SELECT f.id, "+feedTitle+", f.folder FROM feed f")
	if err != nil {
		return err
	}
	defer rows.Close()
	f.feeds = []feedName{}
	for rows.Next() {
		var feed feedName
		if err := rows.Scan(&feed.id, &feed.title, &feed.folder); err != nil {
			return err
		}
		feed.title, feed.folder = search.Plain(feed.title), search.Plain(feed.folder)
		f.feeds = append(f.feeds, feed)
	}
	return rows.Err()
}
