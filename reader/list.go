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
	if q.ByFeed {
		return s.idsByFeed(ctx, q)
	}
	where, args := q.where()
	rows, err := s.read.QueryContext(ctx, listQuery(where, q.Order, q.Limit), args...)
	if err != nil {
		return nil, fmt.Errorf("list articles: %w", explain(err))
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
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

func (q Query) where() (string, []any) {
	terms := []string{"s.deleted = 0"}
	if q.Hidden {
		terms[0] = "s.deleted = 1 AND s.hidden <> 0"
	}
	var args []any
	add := func(term string, values ...any) {
		terms = append(terms, term)
		args = append(args, values...)
	}
	// Starred articles outlive their subscription.
	if q.View != Starred {
		add("s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0)")
	}
	switch q.View {
	case Unread:
		add("(s.read = 0" + orKept(q.Keep) + ")")
	case Today:
		add("s.published >= ?", q.Since.Unix())
	case Starred:
		add("s.starred = 1")
	}
	if q.HideRead && q.View != Unread {
		add("(s.read = 0" + orKept(q.Keep) + ")")
	}
	if !q.Before.IsZero() {
		add("s.published < ?", q.Before.Unix())
	}
	if q.Feed != 0 {
		add("s.feed = ?", q.Feed)
	}
	if q.Folder != "" {
		below := q.Folder + FolderSeparator
		add("s.feed IN (SELECT id FROM feed WHERE folder = ? OR substr(folder, 1, length(?)) = ?)", q.Folder, below, below)
	}
	for _, word := range strings.Fields(q.Search) {
		pattern := "%" + likePattern(word) + "%"
		add(`s.id IN (SELECT id FROM article a JOIN body b USING (id)
			WHERE a.title LIKE ? ESCAPE '\' OR a.author LIKE ? ESCAPE '\' OR b.html LIKE ? ESCAPE '\')`, pattern, pattern, pattern)
	}
	return strings.Join(terms, " AND "), args
}

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

func likePattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
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

// Counts returns the sidebar's numbers; midnight is the local one.
func (s *Store) Counts(ctx context.Context, midnight time.Time) (Counts, error) {
	c := Counts{Unread: map[int64]int{}}
	rows, err := s.read.QueryContext(ctx, `SELECT feed, count(*), sum(published >= ?) FROM status
		WHERE read = 0 AND deleted = 0 AND feed NOT IN (SELECT id FROM feed WHERE removed <> 0) GROUP BY feed`, midnight.Unix())
	if err != nil {
		return c, fmt.Errorf("count unread: %w", explain(err))
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var unread, today int
		if err := rows.Scan(&feed, &unread, &today); err != nil {
			return c, err
		}
		c.Unread[feed] = unread
		c.Total += unread
		c.Today += today
	}
	if err := rows.Err(); err != nil {
		return c, err
	}
	err = s.read.QueryRowContext(ctx, "SELECT count(*) FROM status WHERE starred = 1 AND deleted = 0").Scan(&c.Starred)
	return c, explain(err)
}
