package reader

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/reader/parse"
	"kairos/reader/story"
)

// storySteps keep what an article is recognised by when another feed carries it too, and
// which story it belongs to: the id of the first article of it, 0 while it is the only one.
const storySteps = `
CREATE TABLE story (
	id    INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	link  INTEGER NOT NULL, -- numbers of package story; 0: it tells nothing
	title INTEGER NOT NULL
);
CREATE INDEX story_link  ON story (link)  WHERE link <> 0;
CREATE INDEX story_title ON story (title) WHERE title <> 0;
ALTER TABLE status ADD COLUMN story INTEGER NOT NULL DEFAULT 0;
CREATE INDEX status_story ON status (story, id) WHERE story <> 0;
`

// countSteps let the unread of places that show a story once be counted from an index.
const countSteps = `
DROP INDEX status_story;
CREATE INDEX status_story ON status (story, id, feed, published, read) WHERE story <> 0 AND deleted = 0;
`

// Keys of the settings "show the same story once" and "mark it read in all its feeds",
// each "on" or "off", the default.
const (
	SettingFold     = "reader.fold_stories"
	SettingFoldRead = "reader.fold_read"
)

const (
	// sameTime is how far apart two feeds may publish one title.
	sameTime = 48 * time.Hour
	// A link or title that so many articles share is a rubric, not a story.
	rubric = 20
)

// stories recognises what a fetch brings as stories that other feeds have brought, if
// the user wants them once. Until something new comes it costs nothing.
type stories struct {
	tx   *sql.Tx
	feed int64

	ready, on, together  bool // together: what is read of one is read of all
	byLink, byTitle, put *sql.Stmt
}

// told is an article as one of a story.
type told struct {
	link, title int64
	story       int64 // 0: no other feed has it
	found       bool  // only now, as one: its first article does not know yet
	read        bool  // there, and so here
}

func (s *stories) prepare(ctx context.Context) (err error) {
	if s.ready {
		return nil
	}
	s.ready = true
	if s.on, s.together, err = foldSettings(ctx, s.tx); err != nil || !s.on {
		return err
	}
	for into, text := range map[**sql.Stmt]string{
		&s.byLink: `SELECT s.id, s.feed, s.story, s.read FROM story y JOIN status s USING (id) 
			WHERE y.link = ?1 AND y.link <> 0 AND s.deleted = 0 ORDER BY s.id LIMIT ?2`,
		&s.byTitle: `SELECT s.id, s.feed, s.story, s.read FROM story y JOIN status s USING (id) 
			WHERE y.title = ?1 AND y.title <> 0 AND s.deleted = 0 AND abs(s.published - ?3) <= ?4 ORDER BY s.id LIMIT ?2`,
		&s.put: `INSERT OR IGNORE INTO story (id, link, title) VALUES (?, ?, ?)`,
	} {
		if *into, err = s.tx.PrepareContext(ctx, text); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	return nil
}

func foldSettings(ctx context.Context, tx *sql.Tx) (on, together bool, err error) {
	for key, into := range map[string]*bool{SettingFold: &on, SettingFoldRead: &together} {
		var value string
		err := tx.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, false, fmt.Errorf("read setting %s: %w", key, err)
		}
		*into = value == "on"
	}
	return on, on && together, nil
}

func (s *stories) close() {
	for _, stmt := range []*sql.Stmt{s.byLink, s.byTitle, s.put} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// find looks for the story a new article belongs to.
func (s *stories) find(ctx context.Context, a parse.Article, published time.Time) (told, error) {
	if err := s.prepare(ctx); err != nil || !s.on {
		return told{}, err
	}
	t := told{link: story.Link(a.Link), title: story.Title(a.Title)}
	return s.among(ctx, t, published)
}

func (s *stories) among(ctx context.Context, t told, published time.Time) (told, error) {
	for _, by := range []struct {
		number int64
		stmt   *sql.Stmt
		args   []any
	}{
		{t.link, s.byLink, []any{t.link, rubric}},
		{t.title, s.byTitle, []any{t.title, rubric, published.Unix(), int64(sameTime / time.Second)}},
	} {
		if by.number == 0 || t.story != 0 {
			continue
		}
		if err := s.first(ctx, &t, by.stmt, by.args); err != nil {
			return t, fmt.Errorf("look for the same story: %w", err)
		}
	}
	t.read = t.read && s.together
	return t, nil
}

// first is the story of the articles that a statement finds, and whether one of them is
// read. What one feed uses twice, or this one has used before, tells no story.
func (s *stories) first(ctx context.Context, t *told, stmt *sql.Stmt, args []any) error {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	feeds := map[int64]bool{s.feed: true}
	for rows.Next() {
		var other, feed, group int64
		var seen bool
		if err := rows.Scan(&other, &feed, &group, &seen); err != nil {
			return err
		}
		if feeds[feed] || len(feeds) == rubric {
			t.story, t.found, t.read = 0, false, false
			return nil
		}
		feeds[feed] = true
		if t.story == 0 {
			t.story, t.found = cmp.Or(group, other), group == 0
		}
		t.read = t.read || seen
	}
	return rows.Err()
}

// add notes what a stored article is recognised by, and that the first article of its
// story is not the only one any more.
func (s *stories) add(ctx context.Context, id int64, t told) error {
	if !s.on {
		return nil
	}
	if _, err := s.put.ExecContext(ctx, id, t.link, t.title); err != nil {
		return fmt.Errorf("note what it tells: %w", err)
	}
	if !t.found {
		return nil
	}
	_, err := s.tx.ExecContext(ctx, "UPDATE status SET story = ?1 WHERE id = ?1", t.story)
	if err != nil {
		return fmt.Errorf("note the story: %w", err)
	}
	return nil
}

// findAtOnce is how many articles are looked at in one transaction.
const findAtOnce = 300

// FindStories looks through what was stored while nobody wanted the same story once, the
// oldest first, and returns how many articles it has looked at. It stops when ctx ends or
// the setting is off, and goes on where it stopped the next time.
func (s *Store) FindStories(ctx context.Context) (looked int, err error) {
	if on, err := s.Setting(ctx, SettingFold, "off"); err != nil || on != "on" {
		return 0, err
	}
	for after := int64(0); ; {
		batch, err := s.untold(ctx, after)
		if err != nil || len(batch) == 0 {
			return looked, err
		}
		on := false
		err = s.Write(ctx, func(tx *sql.Tx) (err error) {
			on, err = tellStories(ctx, tx, batch)
			return err
		})
		if err != nil || !on {
			return looked, err
		}
		looked += len(batch)
		after = batch[len(batch)-1].id
	}
}

// untoldArticle is one of which nobody knows yet what story it tells.
type untoldArticle struct {
	id, feed    int64
	title, link string
	published   time.Time
}

func (s *Store) untold(ctx context.Context, after int64) ([]untoldArticle, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT a.id, s.feed, a.title, a.link, s.published FROM article a JOIN status s USING (id)
		LEFT JOIN story y USING (id) WHERE a.id > ? AND y.id IS NULL ORDER BY a.id LIMIT ?`, after, findAtOnce)
	if err != nil {
		return nil, fmt.Errorf("look for stories: %w", explain(err))
	}
	defer rows.Close()
	var batch []untoldArticle
	for rows.Next() {
		var a untoldArticle
		var published int64
		if err := rows.Scan(&a.id, &a.feed, &a.title, &a.link, &published); err != nil {
			return nil, fmt.Errorf("look for stories: %w", explain(err))
		}
		a.published = time.Unix(published, 0)
		batch = append(batch, a)
	}
	return batch, explain(rows.Err())
}

// tellStories reports whether the user wants it still.
func tellStories(ctx context.Context, tx *sql.Tx, batch []untoldArticle) (bool, error) {
	s := stories{tx: tx}
	defer s.close()
	if err := s.prepare(ctx); err != nil || !s.on {
		return false, err
	}
	for _, a := range batch {
		// One that was cleaned up meanwhile is not there any more.
		var there bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM article WHERE id = ?)", a.id).Scan(&there); err != nil {
			return false, fmt.Errorf("look for stories: %w", err)
		}
		if !there {
			continue
		}
		s.feed = a.feed
		t, err := s.among(ctx, told{link: story.Link(a.link), title: story.Title(a.title)}, a.published)
		if err != nil {
			return false, err
		}
		if err := s.add(ctx, a.id, t); err != nil {
			return false, err
		}
		if t.story == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "UPDATE status SET story = ? WHERE id = ?", t.story, a.id); err != nil {
			return false, fmt.Errorf("note the story: %w", err)
		}
	}
	return true, nil
}
