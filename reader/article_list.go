package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// IDs returns the articles a query selects, in its order: all of them, as a
// list needs to know its length; Rows then loads what is on screen.
func (s *Store) IDs(ctx context.Context, q Query) ([]int64, error) {
	if q.folds() {
		return s.fold(ctx, q)
	}
	ids, err := s.ids(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list articles: %w", explain(err))
	}
	return ids, nil
}

func (s *Store) ids(ctx context.Context, q Query) ([]int64, error) {
	if q.Quick && q.Search != "" {
		s.searches.Add(1)
	}
	sel, err := q.selects(ctx, s.read, s.memo)
	if err != nil {
		return nil, err
	}
	if sel.damaged {
		s.mend()
	}
	if q.ByFeed {
		return s.idsByFeed(ctx, q, sel)
	}
	has := sel.sieve(s.lookedUp(q, sel))
	where, args := sel.where()
	plain := q.Search == "" && q.Within == "" && q.Limit == 0 // what a search may begin with
	if has == nil && !plain {
		return idsOf(ctx, s.read, listQuery(where, q.Order, q.Limit), args...)
	}
	all, err := s.listAgain(ctx, listQuery(where, q.Order, 0), args)
	if err != nil {
		return nil, err
	}
	if has == nil {
		return slices.Clone(all), nil
	}
	var ids []int64
	for _, id := range all {
		if has(id) {
			if ids = append(ids, id); len(ids) == q.Limit {
				break
			}
		}
	}
	return ids, nil
}

// lookedUp is how many articles that a search has found are looked up in the file: none where
// the list to pick them from is on hand.
func (s *Store) lookedUp(q Query, sel *selection) int {
	if s.memo == nil || q.Limit > 0 {
		return manyIDs
	}
	if _, ok := s.memo.recall(listQuery(strings.Join(sel.terms, " AND "), q.Order, 0), sel.args); ok {
		return 0
	}
	return manyIDs
}

// listAgain reads a list, unless it has been read for the last search and nothing has
// changed since.
func (s *Store) listAgain(ctx context.Context, query string, args []any) ([]int64, error) {
	if s.memo == nil {
		return idsOf(ctx, s.read, query, args...)
	}
	if ids, ok := s.memo.recall(query, args); ok {
		return ids, nil
	}
	commits := s.memo.commits.Load()
	ids, err := idsOf(ctx, s.read, query, args...)
	if err == nil {
		s.memo.keep(query, args, ids, commits)
	}
	return ids, err
}

func listQuery(where string, order Order, limit int) string {
	text := "SELECT s.id FROM status s WHERE " + where + " ORDER BY " + order.columns()
	if limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", limit)
	}
	return text
}

func (o Order) columns() string {
	if o == OldestFirst {
		return "s.published, s.id"
	}
	return "s.published DESC, s.id DESC"
}

// CountStarred returns how many of these articles are starred.
func (s *Store) CountStarred(ctx context.Context, ids []int64) (n int, err error) {
	for chunk := range slices.Chunk(ids, 500) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		var some int
		err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM status WHERE starred = 1 AND id IN (?"+
			strings.Repeat(",?", len(chunk)-1)+")", args...).Scan(&some)
		if err != nil {
			return 0, fmt.Errorf("count starred: %w", explain(err))
		}
		n += some
	}
	return n, nil
}

// selects is what a query says in SQL; what memo remembers, if it is not nil, is not
// searched for again.
func (q Query) selects(ctx context.Context, db querier, memo *memo) (*selection, error) {
	sel := &selection{}
	if q.Hidden {
		sel.add("s.deleted = 1 AND s.hidden <> 0")
	} else {
		sel.add("s.deleted = 0")
	}
	// Starred articles outlive their subscription.
	if q.View != Starred {
		sel.add("s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0)")
	}
	switch q.View {
	case Unread:
		sel.add(unread(q))
	case Today:
		sel.add("s.published >= ?", q.Since.Unix())
	case Starred:
		sel.add("s.starred = 1")
	}
	if q.HideRead && q.View != Unread {
		sel.add(unread(q))
	}
	if !q.Before.IsZero() {
		sel.add("s.published < ?", q.Before.Unix())
	}
	if q.Feed != 0 {
		sel.add("s.feed = ?", q.Feed)
	}
	if q.Folder != "" {
		below := q.Folder + FolderSeparator
		sel.add("s.feed IN (SELECT id FROM feed WHERE folder = ? OR substr(folder, 1, length(?)) = ?)", q.Folder, below, below)
	}
	return sel, q.search(ctx, db, memo, sel)
}

func unread(q Query) string { return "(s.read = 0" + orKept(q.Keep) + ")" }

func orKept(ids []int64) string {
	if len(ids) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" OR s.id IN (")
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	b.WriteByte(')')
	return b.String()
}

// Rows returns the articles with these ids in the order of ids; ids that are
// gone meanwhile are left out.
func (s *Store) Rows(ctx context.Context, ids []int64) ([]Article, error) {
	byID := make(map[int64]Article, len(ids))
	for chunk := range slices.Chunk(ids, 500) {
		if err := s.rows(ctx, chunk, byID); err != nil {
			return nil, fmt.Errorf("load articles: %w", explain(err))
		}
	}
	articles := make([]Article, 0, len(ids))
	for _, id := range ids {
		if a, ok := byID[id]; ok {
			articles = append(articles, a)
		}
	}
	return articles, nil
}

func (s *Store) rows(ctx context.Context, ids []int64, into map[int64]Article) error {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	rows, err := s.read.QueryContext(ctx, `SELECT s.id, s.feed, `+feedTitle+`, a.title, a.link, a.author, a.summary, s.published, s.read, s.starred
		FROM status s JOIN article a USING (id) JOIN feed f ON f.id = s.feed
		WHERE (s.deleted = 0 OR s.hidden <> 0) AND s.id IN (?`+strings.Repeat(",?", len(ids)-1)+`)`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a Article
		var published int64
		if err := rows.Scan(&a.ID, &a.Feed, &a.FeedTitle, &a.Title, &a.Link, &a.Author, &a.Summary,
			&published, &a.Read, &a.Starred); err != nil {
			return err
		}
		a.Published = time.Unix(published, 0).UTC()
		a.Title = displayTitle(a)
		into[a.ID] = a
	}
	return rows.Err()
}

func displayTitle(a Article) string {
	switch {
	case a.Title != "":
		return a.Title
	case a.Summary != "":
		return firstWords(a.Summary, 80)
	case a.Link != "":
		return a.Link
	}
	return "Untitled"
}

func firstWords(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	cut := string(runes[:limit])
	if at := strings.LastIndexByte(cut, ' '); at > limit/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// Body returns an article's sanitised HTML and enclosures. Errors: ErrUnknown.
func (s *Store) Body(ctx context.Context, id int64) (string, []Enclosure, error) {
	var html string
	err := s.read.QueryRowContext(ctx, "SELECT html FROM body WHERE id = ?", id).Scan(&html)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, ErrUnknown
	}
	if err != nil {
		return "", nil, fmt.Errorf("load article: %w", explain(err))
	}
	rows, err := s.read.QueryContext(ctx, "SELECT url, type, length FROM enclosure WHERE article = ? ORDER BY rowid", id)
	if err != nil {
		return "", nil, fmt.Errorf("load enclosures: %w", explain(err))
	}
	defer rows.Close()
	var files []Enclosure
	for rows.Next() {
		var e Enclosure
		if err := rows.Scan(&e.URL, &e.Type, &e.Length); err != nil {
			return "", nil, err
		}
		files = append(files, e)
	}
	return html, files, rows.Err()
}
