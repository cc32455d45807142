package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kairos/reader/content"
	"kairos/reader/search"
)

// A quick search sees so many of the newest unindexed articles, and no more after so many bytes of
// HTML.
const (
	quickArticles = 128
	quickBytes    = 512 << 10
)

// addSearch adds to a selection the conditions that the query searches for.
func (q Query) addSearch(ctx context.Context, db Querier, cache *queryCache, sel *selection) error {
	expression := search.Parse(q.Search, q.Since)
	expression.Clauses = append(expression.Clauses, search.Parse(q.Within, q.Since).Clauses...)
	words, rest := expression.Split()
	f := finder{db: db, cache: cache, query: q, sel: sel}
	var err error
	if len(words.All) > 0 {
		if sel.many, err = f.many(ctx, words); err == nil && sel.many == nil {
			sel.within, err = f.find(ctx, words)
		}
	} else if len(words.None) > 0 {
		sel.without, err = f.find(ctx, words.Unwanted())
	}
	for _, clause := range rest {
		if err == nil {
			err = f.addClause(ctx, clause)
		}
	}
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// finder finds the articles that one query searches for.
type finder struct {
	db    Querier
	cache *queryCache // may be nil
	query Query
	sel   *selection

	read      bool // unindexed has been read
	unindexed []unindexed
	feeds     []feedName
}

// find returns the articles that have words. Unindexed articles are searched as they are. They are
// read before the index, so that none is missed that is indexed in between.
func (f *finder) find(ctx context.Context, words search.Words) (*idList, error) {
	pending, matching := map[int64]bool{}, []int64(nil)
	err := f.eachUnindexed(ctx, func(u unindexed) {
		pending[u.id] = true
		if !u.gone && words.Match(u.text) {
			matching = append(matching, u.id)
		}
	})
	if err != nil {
		return nil, err
	}
	ids, err := f.findIndexed(ctx, words)
	if err != nil {
		return nil, err
	}
	if len(pending) > 0 {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return pending[id] })
		ids = append(ids, matching...)
		slices.Sort(ids)
		ids = slices.Compact(ids) // scan returns unindexed articles, too
	}
	return &idList{ids}, nil
}

// eachUnindexed shows the unindexed articles. The few that a quick search sees are read once.
func (f *finder) eachUnindexed(ctx context.Context, show func(unindexed)) error {
	if !f.query.Quick {
		return eachUnindexed(ctx, f.db, 0, 0, show)
	}
	if !f.read {
		err := eachUnindexed(ctx, f.db, quickArticles, quickBytes, func(u unindexed) { f.unindexed = append(f.unindexed, u) })
		if err != nil {
			return err
		}
		f.read = true
	}
	for _, u := range f.unindexed {
		show(u)
	}
	return nil
}

// findIndexed returns the articles that the index has for words. If the index is damaged, a quick
// search finds nothing, any other scans the articles.
func (f *finder) findIndexed(ctx context.Context, words search.Words) ([]int64, error) {
	if !f.sel.damaged {
		ids, err := f.queryIndex(ctx, words)
		if !isDamaged(err) {
			return ids, err
		}
		f.sel.damaged = true
	}
	if f.query.Quick {
		return nil, nil
	}
	return f.scan(ctx, words)
}

// queryIndex queries the cache, else the index. An index that finds nothing is checked for damage.
func (f *finder) queryIndex(ctx context.Context, words search.Words) ([]int64, error) {
	expression, version := words.Expression(), int64(0)
	if f.cache != nil {
		ids, ok, now := f.cache.lookUp(expression)
		if ok {
			return ids, nil
		}
		version = now
	}
	ids, err := queryIDs(ctx, f.db, "SELECT rowid AS id FROM search WHERE search MATCH ?", expression)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		if ok, err := isSound(ctx, f.db); err != nil || !ok {
			return nil, cmp.Or(err, ErrDamaged)
		}
	}
	if f.cache != nil {
		f.cache.add(words, expression, ids, version)
	}
	return ids, nil
}

// scan reads all articles and returns those that have words.
func (f *finder) scan(ctx context.Context, words search.Words) ([]int64, error) {
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

// addClause adds a condition of which at least one term must hold.
func (f *finder) addClause(ctx context.Context, c search.Clause) error {
	var either []string
	var args []any
	for _, t := range c {
		condition, termArgs, err := f.condition(ctx, t)
		if err != nil {
			return err
		}
		if t.Not {
			condition = "NOT (" + condition + ")"
		}
		either, args = append(either, condition), append(args, termArgs...)
	}
	if len(either) == 0 {
		either = []string{"false"}
	}
	f.sel.add("("+strings.Join(either, " OR ")+")", args...) // a single term alone, so that its index is used
	return nil
}

// condition returns a term in SQL.
func (f *finder) condition(ctx context.Context, t search.Term) (sql string, args []any, err error) {
	switch t.Kind {
	case search.Unread, search.Read, search.Starred, search.Ended, search.Incomplete:
		f.sel.marks = true
	}
	switch t.Kind {
	case search.Unread:
		return unreadOr(f.query.AlsoList), nil, nil
	case search.Read:
		return "s.read = 1", nil, nil
	case search.Starred:
		return "unlikely(s.starred = 1)", nil, nil // which has an index of its own looked up rather than all articles
	case search.Ended:
		return hasEnded, nil, nil
	case search.Incomplete:
		return isIncomplete, nil, nil
	case search.Begun:
		return playedWhere("heard = 0 AND position > 0"), nil, nil
	case search.Heard:
		return playedWhere("heard = 1"), nil, nil
	case search.Queued:
		return playedWhere("queued <> 0"), nil, nil
	case search.Story:
		return "unlikely(s.story <> 0)", nil, nil
	case search.Snoozed:
		if f.sel.terms[0] == listed {
			f.sel.terms[0] = listedOrAway
		}
		return isAway, nil, nil
	case search.Before:
		return "s.published < ?", []any{t.Day.Unix()}, nil
	case search.After:
		return "s.published >= ?", []any{t.Day.Unix()}, nil
	case search.Feed, search.Folder:
		sql, err = f.inFeeds(ctx, t)
		return sql, nil, err
	case search.Label:
		sql, err = f.withLabels(ctx, t)
		return sql, nil, err
	case search.Category:
		sql, err = f.withCategory(ctx, t)
		return sql, nil, err
	}
	ids, err := f.find(ctx, t.Words())
	if err != nil {
		return "", nil, err
	}
	return "s.id IN " + ids.sql(), nil, nil
}

// playedWhere is the condition for articles of which a file was played as a condition says.
func playedWhere(condition string) string {
	return "s.id IN (SELECT article FROM playback WHERE " + condition + ")"
}

// feedName holds the names by which a feed is searched for.
type feedName struct {
	id            int64
	title, folder string
}

// inFeeds selects the articles of feeds whose title, or whose folder, has a text.
func (f *finder) inFeeds(ctx context.Context, t search.Term) (string, error) {
	if f.feeds == nil {
		if err := f.readFeeds(ctx); err != nil {
			return "", err
		}
	}
	if t.Kind == search.Folder {
		t.Text = compactPath(t.Text)
	}
	list, matches := idList{}, t.Names()
	for _, feed := range f.feeds {
		name := feed.title
		if t.Kind == search.Folder {
			name = compactPath(feed.folder)
		}
		if matches(name) {
			list.ids = append(list.ids, feed.id)
		}
	}
	return "s.feed IN " + list.sql(), nil
}

// compactPath writes a path of folders without the blanks around its slashes: people type it with and without them.
func compactPath(path string) string { return strings.ReplaceAll(path, FolderSeparator, "/") }

// withLabels selects the articles with the label that has this name, else those with a label whose
// name has it.
func (f *finder) withLabels(ctx context.Context, t search.Term) (string, error) {
	rows, err := f.db.QueryContext(ctx, "SELECT id, name FROM label")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	same, containing, matches := idList{}, idList{}, t.Names()
	for rows.Next() {
		var id int64
		var label string
		if err := rows.Scan(&id, &label); err != nil {
			return "", err
		}
		switch label = search.Plain(label); {
		case label == t.Text:
			same.ids = append(same.ids, id)
		case matches(label):
			containing.ids = append(containing.ids, id)
		}
	}
	if len(same.ids) == 0 {
		same = containing
	}
	return "s.id IN (SELECT article FROM labelled WHERE label IN " + same.sql() + ")", rows.Err()
}

// withCategory selects the articles of which a category contains a text.
func (f *finder) withCategory(ctx context.Context, t search.Term) (string, error) {
	rows, err := f.db.QueryContext(ctx, "SELECT id, categories FROM article WHERE categories <> ''")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	list, matches, contains := idList{}, t.Names(), map[string]bool{} // articles of a feed are often filed alike
	for rows.Next() {
		var id int64
		var stored string
		if err := rows.Scan(&id, &stored); err != nil {
			return "", err
		}
		match, known := contains[stored]
		if !known {
			match = slices.ContainsFunc(splitCategories(stored), func(c string) bool { return matches(search.Plain(c)) })
			contains[stored] = match
		}
		if match {
			list.ids = append(list.ids, id)
		}
	}
	return "s.id IN " + list.sql(), rows.Err()
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
