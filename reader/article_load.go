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

	"kairos/reader/content"
)

// Load returns the articles with these ids, in the order of ids. Ids that are gone are left out.
func (a Articles) Load(ctx context.Context, ids []int64) ([]Article, error) {
	byID := make(map[int64]Article, len(ids))
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		if err := a.loadInto(ctx, chunk, byID); err != nil {
			return nil, fmt.Errorf("load articles: %w", classify(err))
		}
		if err := a.loadPlayingTimes(ctx, chunk, byID); err != nil {
			return nil, fmt.Errorf("load how long articles play: %w", classify(err))
		}
	}
	articles := make([]Article, 0, len(ids))
	for _, id := range ids {
		if article, ok := byID[id]; ok {
			articles = append(articles, article)
		}
	}
	return articles, nil
}

func (a Articles) loadInto(ctx context.Context, ids []int64, byID map[int64]Article) error {
	marks, args := placeholders(ids)
	rows, err := a.db.read.QueryContext(ctx, `SELECT s.id, s.feed, `+feedTitle+`, a.title, a.link, a.author, a.summary, a.categories, s.published, s.read, s.starred,
			(SELECT group_concat(label, ' ') FROM labelled WHERE article = s.id), s.ended > 0, z.until, z.back, s.story,
			CASE s.story WHEN 0 THEN 0 ELSE (SELECT count(*) FROM status o WHERE o.story = s.story AND o.story <> 0 AND o.id <> s.id AND `+otherOfStory+`) END
		FROM status s JOIN article a USING (id) JOIN feed f ON f.id = s.feed LEFT JOIN snooze z ON z.article = s.id
		WHERE (s.deleted = 0 OR s.hidden <> 0 OR z.back = 0) AND s.id IN `+marks, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a Article
		var published int64
		var labels sql.NullString
		var until, back sql.NullInt64
		var categories string
		if err := rows.Scan(&a.ID, &a.Feed, &a.FeedTitle, &a.Title, &a.Link, &a.Author, &a.Summary, &categories,
			&published, &a.Read, &a.Starred, &labels, &a.Ended, &until, &back, &a.Story, &a.Others); err != nil {
			return err
		}
		a.Published = time.Unix(published, 0).UTC()
		a.Ended = a.Ended && a.Read
		if a.Back = back.Int64 != 0 && !a.Read; until.Valid && back.Int64 == 0 {
			a.Away = time.Unix(until.Int64, 0).UTC()
		}
		a.Title, a.Categories = title(a), splitCategories(categories)
		a.Untitled = isBeginning(a.Title, a.Summary)
		for _, label := range strings.Fields(labels.String) {
			id, err := strconv.ParseInt(label, 10, 64)
			if err != nil {
				return err
			}
			a.Labels = append(a.Labels, id)
		}
		slices.Sort(a.Labels)
		byID[a.ID] = a
	}
	return rows.Err()
}

// maxTitle is how many letters of its text, with an ellipsis, stand in for a missing title.
const maxTitle = 81

// title returns the title of an article, else the beginning of its text, else its link.
func title(a Article) string {
	switch {
	case a.Title != "":
		return a.Title
	case a.Summary != "":
		return content.CutWords(a.Summary, maxTitle)
	}
	return a.Link
}

// isBeginning reports whether a title is the text, or the beginning of it that was cut off.
func isBeginning(title, text string) bool {
	beginning, isCut := strings.CutSuffix(title, "…")
	return text != "" && (title == text || isCut && beginning != "" && strings.HasPrefix(text, beginning))
}

// Body returns an article's sanitized HTML and its enclosures. Errors: ErrUnknown.
func (a Articles) Body(ctx context.Context, id int64) (string, []Enclosure, error) {
	var html string
	err := a.db.read.QueryRowContext(ctx, "SELECT html FROM body WHERE id = ?", id).Scan(&html)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, ErrUnknown
	}
	if err != nil {
		return "", nil, fmt.Errorf("load article: %w", classify(err))
	}
	rows, err := a.db.read.QueryContext(ctx, "SELECT url, type, length, seconds FROM enclosure WHERE article = ? ORDER BY rowid", id)
	if err != nil {
		return "", nil, fmt.Errorf("load enclosures: %w", classify(err))
	}
	defer rows.Close()
	var files []Enclosure
	for rows.Next() {
		var e Enclosure
		if err := rows.Scan(&e.URL, &e.Type, &e.Length, &e.Seconds); err != nil {
			return "", nil, err
		}
		files = append(files, e)
	}
	return html, files, rows.Err()
}

// HasArticle reports whether an article of a feed leads to an address.
func HasArticle(ctx context.Context, tx *sql.Tx, feed int64, link string) (has bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM status s JOIN article a USING (id) WHERE s.feed = ? AND a.link = ?)", feed, link).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for an article: %w", classify(err))
	}
	return has, nil
}

// Latest returns the id of the article that was stored last, 0 if there is none.
func (a Articles) Latest(ctx context.Context) (id int64, err error) {
	if err = a.db.prepared.Row(ctx, "SELECT coalesce(max(id), 0) FROM status", nil, &id); err != nil {
		return 0, fmt.Errorf("read the latest article: %w", classify(err))
	}
	return id, nil
}
