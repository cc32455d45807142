package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/reader/parse"
	"kairos/reader/story"
)

// storySteps store what an article is recognized by when another feed carries it, too, and the
// story that it belongs to: the id of the story's first article, or 0 while it has no other.
const storySteps = `
CREATE TABLE story (
	id    INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	link  INTEGER NOT NULL, -- numbers of package story; 0: recognises nothing
	title INTEGER NOT NULL
);
CREATE INDEX story_link  ON story (link)  WHERE link <> 0;
CREATE INDEX story_title ON story (title) WHERE title <> 0;
ALTER TABLE status ADD COLUMN story INTEGER NOT NULL DEFAULT 0;
CREATE INDEX status_story ON status (story, id) WHERE story <> 0;
`

// countSteps let the unread of lists that show a story once be counted from an index.
const countSteps = `
DROP INDEX status_story;
CREATE INDEX status_story ON status (story, id, feed, published, read) WHERE story <> 0 AND deleted = 0;
`

// maxSameTitles is how many articles with a title are looked at, the last to come: of a column there are thousands.
const maxSameTitles = 10 * story.MaxArticles

// storyFinder recognizes new articles as stories that other feeds have brought, if the user wants
// stories listed once. It reads nothing until it is asked for the first article.
type storyFinder struct {
	tx   *sql.Tx
	feed int64

	prepared                bool
	settings                DedupeSettings
	byLink, byTitle, insert *sql.Stmt
	nearestTitle, hasTitle  *sql.Stmt
	alike                   *alikeFinder  // nil until it is needed
	profiles                knownProfiles // of articles that were compared before; nil: of none
}

// storyMatch is what storyFinder knows of an article.
type storyMatch struct {
	link, title int64
	story       int64       // 0: no other feed has it
	newStory    bool        // the story's first article is not marked as such yet
	read        bool        // it is read elsewhere, and so here
	foundBy     int         // a value of story.alike
	compared    *comparison // nil if it was not compared
}

func (s *storyFinder) prepare(ctx context.Context) (err error) {
	if s.prepared {
		return nil
	}
	s.prepared = true
	if s.settings, err = readDedupeSettings(ctx, s.tx); err != nil || !s.settings.Once {
		return err
	}
	for into, text := range map[**sql.Stmt]string{
		&s.byLink: `SELECT s.id, s.feed, s.story, s.read FROM story y JOIN status s USING (id) 
			WHERE y.link = ?1 AND y.link <> 0 AND s.deleted = 0 ORDER BY s.id LIMIT ?2`,
		&s.byTitle: fmt.Sprintf(`SELECT s.id, s.feed, s.story, s.read FROM (SELECT id FROM story WHERE title = ?1 AND title <> 0 ORDER BY id DESC LIMIT %d) y
			JOIN status s USING (id) WHERE s.deleted = 0 AND abs(s.published - ?3) <= ?4 ORDER BY s.id LIMIT ?2`, maxSameTitles),
		&s.nearestTitle: fmt.Sprintf(`SELECT s.id, s.feed, s.story, s.read, abs(s.published - ?3) FROM (SELECT id FROM story WHERE title = ?1 AND title <> 0 ORDER BY id DESC LIMIT %d) y
			JOIN status s USING (id) WHERE s.feed <> ?2 AND s.deleted = 0 AND abs(s.published - ?3) <= ?4 ORDER BY abs(s.published - ?3), s.id LIMIT 2`, maxSameTitles),
		&s.hasTitle: `SELECT EXISTS (SELECT 1 FROM status s JOIN story y USING (id) WHERE s.story = ?1 AND s.story <> 0 AND s.deleted = 0 AND s.feed = ?2 AND y.title = ?3)`,
		&s.insert:   `INSERT INTO story (id, link, title, alike) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET alike = excluded.alike`,
	} {
		if *into, err = s.tx.PrepareContext(ctx, text); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	return nil
}

func (s *storyFinder) close() {
	s.alike.close()
	for _, stmt := range []*sql.Stmt{s.byLink, s.byTitle, s.nearestTitle, s.hasTitle, s.insert} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// find finds the story that a new article belongs to.
func (s *storyFinder) find(ctx context.Context, a parse.Article, published time.Time) (storyMatch, error) {
	if err := s.prepare(ctx); err != nil || !s.settings.Once {
		return storyMatch{}, err
	}
	m, err := s.match(ctx, a.Link, a.Title, published)
	if err == nil && s.settings.Alike {
		err = s.matchOne(ctx, &m, newComparedArticle(a.Title, a.HTML, published))
	}
	return m, err
}

// match finds a story by the link, else by the title.
func (s *storyFinder) match(ctx context.Context, link, title string, published time.Time) (storyMatch, error) {
	m := storyMatch{link: story.Link(link), title: story.Title(title)}
	err := s.matchLinkAndTitle(ctx, &m, published)
	if err != nil {
		err = fmt.Errorf("find the same story: %w", err)
	}
	m.read = m.read && s.settings.ReadTogether
	return m, err
}

func (s *storyFinder) matchLinkAndTitle(ctx context.Context, m *storyMatch, published time.Time) error {
	if m.link != 0 {
		if _, err := s.matchBy(ctx, m, s.byLink, m.link, story.MaxArticles); err != nil || m.story != 0 {
			return err
		}
	}
	if m.title == 0 {
		return nil
	}
	repeated, err := s.matchBy(ctx, m, s.byTitle, m.title, story.MaxArticles, published.Unix(), int64(story.MaxTitleGap/time.Second))
	if err != nil || !repeated {
		return err
	}
	return s.matchRepeated(ctx, m, published)
}

// matchOne prefetches an article and compares it.
func (s *storyFinder) matchOne(ctx context.Context, m *storyMatch, a comparedArticle) error {
	if err := s.prefetchAlike(ctx, a); err != nil {
		return err
	}
	return s.matchAlike(ctx, m, a)
}

// prefetchAlike looks up what these articles are to be compared with.
func (s *storyFinder) prefetchAlike(ctx context.Context, all ...comparedArticle) (err error) {
	if s.alike == nil {
		if s.alike, err = prepareAlike(ctx, s.tx, s.profiles); err != nil {
			return err
		}
	}
	if err := s.alike.prefetch(ctx, all...); err != nil {
		return fmt.Errorf("look up what may tell the same: %w", err)
	}
	return nil
}

// matchAlike compares a prefetched article with others of the same days, and sets the story to theirs unless it is known.
func (s *storyFinder) matchAlike(ctx context.Context, m *storyMatch, a comparedArticle) error {
	if err := s.alike.match(ctx, m, a, s.feed); err != nil {
		return fmt.Errorf("find what tells the same: %w", err)
	}
	m.read = m.read && s.settings.ReadTogether
	return nil
}

// matchBy sets the story to that of the articles that a statement finds, and read if one of them is
// read. A link or title that a feed uses twice, this one included, recognizes no story: it is repeated.
func (s *storyFinder) matchBy(ctx context.Context, m *storyMatch, stmt *sql.Stmt, args ...any) (repeated bool, err error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	feeds := map[int64]bool{s.feed: true}
	for rows.Next() {
		var other, feed, of int64
		var read bool
		if err := rows.Scan(&other, &feed, &of, &read); err != nil {
			return false, err
		}
		if feeds[feed] || len(feeds) == story.MaxArticles {
			m.story, m.newStory, m.read = 0, false, false
			return feeds[feed], nil
		}
		feeds[feed] = true
		if m.story == 0 {
			m.story, m.newStory = cmp.Or(of, other), of == 0
		}
		m.read = m.read || read
	}
	return false, rows.Err()
}

// matchRepeated sets the story to that of the article of another feed that was published nearest with the same title, within
// minutes, if this feed has none with the title there.
func (s *storyFinder) matchRepeated(ctx context.Context, m *storyMatch, published time.Time) error {
	rows, err := s.nearestTitle.QueryContext(ctx, m.title, s.feed, published.Unix(), int64(story.MaxRepeatedTitleGap/time.Second))
	if err != nil {
		return err
	}
	defer rows.Close()
	type sameTitle struct {
		id, feed, story, gap int64
		read                 bool
	}
	var nearest []sameTitle
	for rows.Next() {
		var a sameTitle
		if err := rows.Scan(&a.id, &a.feed, &a.story, &a.read, &a.gap); err != nil {
			return err
		}
		nearest = append(nearest, a)
	}
	if err := rows.Err(); err != nil || len(nearest) == 0 {
		return err
	}
	first := nearest[0]
	if len(nearest) == 2 && nearest[1].feed == first.feed && nearest[1].gap == first.gap {
		return nil // it cannot be told which of the two
	}
	var has bool
	if err := s.hasTitle.QueryRowContext(ctx, first.story, s.feed, m.title).Scan(&has); err != nil || has {
		return err
	}
	m.story, m.newStory, m.read = cmp.Or(first.story, first.id), first.story == 0, first.read
	return nil
}

// add stores what an article is recognized by, and marks the first article of its story.
func (s *storyFinder) add(ctx context.Context, id int64, m storyMatch) error {
	if !s.settings.Once {
		return nil
	}
	if _, err := s.insert.ExecContext(ctx, id, m.link, m.title, m.foundBy); err != nil {
		return fmt.Errorf("store link and title of a story: %w", err)
	}
	return s.addCompared(ctx, id, m)
}

// addCompared is add for an article whose link and title are stored already.
func (s *storyFinder) addCompared(ctx context.Context, id int64, m storyMatch) error {
	if m.compared != nil {
		if err := s.alike.add(ctx, id, s.feed, *m.compared); err != nil {
			return fmt.Errorf("store what tells the same: %w", err)
		}
	}
	if !m.newStory {
		return nil
	}
	return s.setStory(ctx, m.story, m.story)
}

// setStory says which story an article belongs to.
func (s *storyFinder) setStory(ctx context.Context, id, story int64) error {
	if _, err := s.tx.ExecContext(ctx, "UPDATE status SET story = ? WHERE id = ?", story, id); err != nil {
		return fmt.Errorf("store a story: %w", err)
	}
	return nil
}
