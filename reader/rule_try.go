package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/content"
	"kairos/reader/rule"
)

// Trial counts the stored articles that a rule matches.
type Trial struct {
	Matched, Examined int
	Newest            []Article // of those it matched
}

// Try returns which of the articles published since an instant a rule matches, and the newest so
// many of them. It changes nothing. Errors: *rule.Error.
func (r Rules) Try(ctx context.Context, one rule.Rule, since time.Time, newest int) (Trial, error) {
	if err := one.Check(); err != nil {
		return Trial{}, err
	}
	set, err := rule.Compile([]rule.Rule{one})
	if err != nil {
		return Trial{}, err
	}
	trial, ids, err := r.match(ctx, set, one.NeedsText(), since, newest)
	if err != nil {
		return Trial{}, fmt.Errorf("try rule: %w", classify(err))
	}
	trial.Newest, err = r.articles.Load(ctx, ids)
	return trial, err
}

func (r Rules) match(ctx context.Context, set *rule.Set, needsText bool, since time.Time, newest int) (t Trial, ids []int64, err error) {
	feeds, err := r.feeds(ctx)
	if err != nil {
		return t, nil, err
	}
	body, join := bodyColumn(needsText)
	rows, err := r.db.read.QueryContext(ctx, `SELECT s.id, s.feed, `+isTold+`, a.author, a.title, a.link, a.categories, `+body+` FROM status s JOIN article a USING (id)`+join+`
		WHERE s.published >= ? AND (s.deleted = 0 OR s.hidden <> 0) AND s.feed NOT IN (SELECT id FROM feed WHERE removed <> 0) ORDER BY s.published DESC, s.id DESC`, since.Unix())
	if err != nil {
		return t, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, feed int64
		var a rule.Article
		var categories string
		var html sql.RawBytes
		if err := rows.Scan(&id, &feed, &a.Told, &a.Author, &a.Title, &a.Address, &categories, &html); err != nil {
			return t, nil, err
		}
		t.Examined++
		a.FeedNames, a.Folder, a.Categories = feeds[feed].names, feeds[feed].folder, splitCategories(categories)
		a.Text = func() string { return content.Text(string(html), rule.MaxText) }
		if set.Apply(&a).None() {
			continue
		}
		if t.Matched++; len(ids) < newest {
			ids = append(ids, id)
		}
	}
	return t, ids, errors.Join(rows.Err(), ctx.Err())
}

// bodyColumn returns the column of an article's HTML and its join, or an empty text if it is not
// needed.
func bodyColumn(needed bool) (column, join string) {
	if needed {
		return "b.html", " JOIN body b USING (id)"
	}
	return "''", ""
}

// ruleFeed is what rules know of a feed.
type ruleFeed struct {
	names  []string // titles and address
	folder string
}

// feeds returns what rules know of each feed.
func (r Rules) feeds(ctx context.Context) (map[int64]ruleFeed, error) {
	rows, err := r.db.read.QueryContext(ctx, "SELECT id, own_title, title, url, folder FROM feed")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	feeds := map[int64]ruleFeed{}
	for rows.Next() {
		var id int64
		var own, title, url, folder string
		if err := rows.Scan(&id, &own, &title, &url, &folder); err != nil {
			return nil, err
		}
		feeds[id] = ruleFeed{[]string{own, title, url}, folder}
	}
	return feeds, rows.Err()
}
