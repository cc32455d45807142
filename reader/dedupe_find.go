package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// maxStoryBatch is how many articles are examined in one transaction.
const maxStoryBatch = 300

// Find finds the stories among articles that were stored while DedupeSettings.Once was off, oldest first,
// and returns how many articles it has examined. It stops when ctx ends or the setting is switched
// off, and resumes there the next time.
func (d Duplicates) Find(ctx context.Context) (examined int, err error) {
	if s, err := d.Settings(ctx); err != nil || !s.Once {
		return 0, err
	}
	for after := int64(0); ; {
		batch, err := d.unexamined(ctx, after)
		if err != nil || len(batch) == 0 {
			return examined, err
		}
		on := false
		err = d.db.transact(ctx, func(tx *sql.Tx) (err error) {
			on, err = findStories(ctx, tx, batch)
			return err
		})
		if err != nil || !on {
			return examined, err
		}
		examined += len(batch)
		after = batch[len(batch)-1].id
	}
}

// unexaminedArticle is an article whose story was never looked for.
type unexaminedArticle struct {
	id, feed    int64
	title, link string
	published   time.Time
}

func (d Duplicates) unexamined(ctx context.Context, after int64) ([]unexaminedArticle, error) {
	rows, err := d.db.read.QueryContext(ctx, `SELECT a.id, s.feed, a.title, a.link, s.published FROM article a JOIN status s USING (id)
		LEFT JOIN story y USING (id) WHERE a.id > ? AND y.id IS NULL ORDER BY a.id LIMIT ?`, after, maxStoryBatch)
	if err != nil {
		return nil, fmt.Errorf("find stories: %w", classify(err))
	}
	defer rows.Close()
	var batch []unexaminedArticle
	for rows.Next() {
		var a unexaminedArticle
		var published int64
		if err := rows.Scan(&a.id, &a.feed, &a.title, &a.link, &published); err != nil {
			return nil, fmt.Errorf("find stories: %w", classify(err))
		}
		a.published = time.Unix(published, 0)
		batch = append(batch, a)
	}
	return batch, classify(rows.Err())
}

// findStories stores the stories of some articles. It reports whether the setting is still on.
func findStories(ctx context.Context, tx *sql.Tx, batch []unexaminedArticle) (on bool, err error) {
	s := storyFinder{tx: tx}
	defer s.close()
	if err := s.prepare(ctx); err != nil || !s.settings.Once {
		return false, err
	}
	for _, a := range batch {
		var exists bool // it may have been cleaned up meanwhile
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM article WHERE id = ?)", a.id).Scan(&exists); err != nil {
			return false, fmt.Errorf("find stories: %w", err)
		}
		if !exists {
			continue
		}
		s.feed = a.feed
		m, err := s.match(ctx, a.link, a.title, a.published)
		if err != nil {
			return false, err
		}
		if err := s.add(ctx, a.id, m); err != nil {
			return false, err
		}
		if m.story == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "UPDATE status SET story = ? WHERE id = ?", m.story, a.id); err != nil {
			return false, fmt.Errorf("store a story: %w", err)
		}
	}
	return true, nil
}
