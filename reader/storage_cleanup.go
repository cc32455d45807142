package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// trashDays is for how many days a deleted article can be brought back.
const trashDays = 30

// Cleanup is what a clean-up would delete, or has deleted.
type Cleanup struct {
	Articles int
	Feeds    int
	Bytes    int64   // of text
	ids      []int64 // to be deleted
	trash    []int64 // deleted long ago, whose texts are still stored
	unread   bool    // unread articles may be deleted
}

// FindCleanup finds what the settings allow to be deleted at the instant now: never starred
// or labeled articles or those that their feed still lists, and unread ones only if the user wants it.
func (s Storage) FindCleanup(ctx context.Context, now time.Time) (Cleanup, error) {
	r, err := s.Retention(ctx)
	if err != nil {
		return Cleanup{}, err
	}
	return s.FindCleanupUnder(ctx, now, r)
}

// FindCleanupUnder is FindCleanup under another general setting, to show its effect.
func (s Storage) FindCleanupUnder(ctx context.Context, now time.Time, r Retention) (Cleanup, error) {
	feeds, err := s.feeds.List(ctx)
	if err != nil {
		return Cleanup{}, err
	}
	c := Cleanup{unread: r.Unread}
	for _, f := range feeds {
		before := len(c.ids)
		if c.ids, err = s.appendExpired(ctx, c.ids, f.ID, f.Keep.or(r.Keep), now, r.Unread); err != nil {
			return Cleanup{}, fmt.Errorf("find what to clean up of feed %d: %w", f.ID, classify(err))
		}
		if len(c.ids) > before {
			c.Feeds++
		}
	}
	if c.trash, err = s.expiredTrash(ctx, now); err != nil {
		return Cleanup{}, fmt.Errorf("find deleted articles: %w", classify(err))
	}
	c.Articles = len(c.ids)
	for _, ids := range [][]int64{c.ids, c.trash} {
		for chunk := range slices.Chunk(ids, maxPlaceholders) {
			n, err := textBytes(ctx, s.db.read, chunk)
			if err != nil {
				return Cleanup{}, fmt.Errorf("measure what to clean up: %w", classify(err))
			}
			c.Bytes += n
		}
	}
	return c, nil
}

// textBytes returns the size of the texts of articles.
func textBytes(ctx context.Context, db Querier, ids []int64) (n int64, err error) {
	marks, args := placeholders(ids)
	err = db.QueryRowContext(ctx, "SELECT coalesce(sum(octet_length(html)), 0) FROM (SELECT html FROM body WHERE id IN "+marks+
		" UNION ALL SELECT html FROM full_text WHERE id IN "+marks+")", append(args, args...)...).Scan(&n)
	return n, err
}

// Conditions of what may be deleted: articles that are neither starred nor labeled nor listed nor in the queue of the player nor snoozed.
const (
	deletable       = "starred = 0 AND listed = 0 AND id NOT IN (SELECT article FROM labelled) AND id NOT IN (SELECT article FROM playback WHERE queued <> 0) AND id NOT IN (SELECT article FROM snooze)"
	deletableIfRead = deletable + " AND read = 1"
)

func deletableIf(unread bool) string {
	if unread {
		return deletable
	}
	return deletableIfRead
}

// appendExpired appends the articles of a feed that are too old or too many.
func (s Storage) appendExpired(ctx context.Context, ids []int64, feed int64, k Keep, now time.Time, unread bool) ([]int64, error) {
	before := len(ids)
	if k.Days > 0 {
		rows, err := s.db.read.QueryContext(ctx, "SELECT id FROM status WHERE feed = ? AND deleted = 0 AND seen < ? AND "+deletableIf(unread),
			feed, now.AddDate(0, 0, -k.Days).Unix())
		if err != nil {
			return nil, err
		}
		if ids, err = scanIDs(ids, rows); err != nil {
			return nil, err
		}
	}
	if k.Number > 0 {
		rows, err := s.db.read.QueryContext(ctx, `SELECT id FROM (SELECT id, starred, listed, read FROM status
			WHERE feed = ? AND deleted = 0 ORDER BY published DESC, id DESC LIMIT -1 OFFSET ?) WHERE `+deletableIf(unread), feed, k.Number)
		if err != nil {
			return nil, err
		}
		if ids, err = scanIDs(ids, rows); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids[before:])
	return ids[:before+len(slices.Compact(ids[before:]))], nil
}

// expiredTrash returns the articles deleted long ago that their feeds do not list any more.
func (s Storage) expiredTrash(ctx context.Context, now time.Time) ([]int64, error) {
	rows, err := s.db.read.QueryContext(ctx, `SELECT t.id FROM trash t JOIN status s USING (id)
		WHERE t.since < ? AND s.deleted = 1 AND s.starred = 0 AND s.listed = 0 AND NOT `+hasLabel("s.id"), now.AddDate(0, 0, -trashDays).Unix())
	if err != nil {
		return nil, err
	}
	return scanIDs(nil, rows)
}

// maxCleanupBatch is how many articles are deleted in one transaction: a few milliseconds, since
// others wait to write.
const maxCleanupBatch = 200

// CleanUp deletes what was found, except for articles that were starred, labeled, listed again or marked
// unread since. The status of each article stays, so that it does not come back. The result counts
// what was deleted until ctx has ended or something has failed.
func (s Storage) CleanUp(ctx context.Context, c Cleanup, now time.Time) (Cleanup, error) {
	done := Cleanup{Feeds: c.Feeds}
	if err := s.noteTrash(ctx, now); err != nil {
		return done, err
	}
	if err := s.db.transactAside(ctx, func(tx *sql.Tx) error { return dropStoryKeys(ctx, tx, now.Add(-keptStoryKeys)) }); err != nil {
		return done, fmt.Errorf("clean up: %w", err)
	}
	for _, part := range []struct {
		ids   []int64
		where string
		count *int
	}{
		{c.ids, "deleted = 0 AND " + deletableIf(c.unread), &done.Articles},
		{c.trash, "deleted = 1 AND " + deletable, new(int)},
	} {
		for chunk := range slices.Chunk(part.ids, maxCleanupBatch) {
			n, bytes, err := s.deleteBatch(ctx, chunk, part.where)
			if err != nil {
				return done, fmt.Errorf("clean up: %w", err)
			}
			*part.count += n
			done.Bytes += bytes
		}
	}
	return done, nil
}

func (s Storage) deleteBatch(ctx context.Context, ids []int64, where string) (n int, bytes int64, err error) {
	err = s.db.transact(ctx, func(tx *sql.Tx) error {
		marks, args := placeholders(ids)
		rows, err := tx.QueryContext(ctx, "UPDATE status SET deleted = 1, hidden = 0 WHERE id IN "+marks+" AND "+where+" RETURNING id", args...)
		if err != nil {
			return err
		}
		deleted, err := scanIDs(nil, rows)
		if err != nil {
			return err
		}
		n = len(deleted)
		if bytes, err = textBytes(ctx, tx, deleted); err != nil {
			return err
		}
		marks, args = placeholders(deleted)
		for _, table := range []string{"article", "trash"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE id IN "+marks, args...); err != nil {
				return err
			}
		}
		return nil
	})
	return n, bytes, err
}

// noteTrash starts to count the days of articles that were deleted, and stops for those that were
// brought back.
func (s Storage) noteTrash(ctx context.Context, now time.Time) error {
	rows, err := s.db.read.QueryContext(ctx, `SELECT s.id FROM status s JOIN article a USING (id) LEFT JOIN trash t USING (id)
		WHERE s.deleted = 1 AND t.id IS NULL AND NOT `+isAway)
	if err != nil {
		return fmt.Errorf("find deleted articles: %w", classify(err))
	}
	deleted, err := scanIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("find deleted articles: %w", classify(err))
	}
	var back bool
	err = s.db.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM trash t JOIN status s USING (id) WHERE s.deleted = 0)").Scan(&back)
	if err != nil {
		return fmt.Errorf("find deleted articles: %w", classify(err))
	}
	if back {
		const unnote = "DELETE FROM trash WHERE id IN (SELECT t.id FROM trash t JOIN status s USING (id) WHERE s.deleted = 0)"
		err := s.db.transact(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, unnote)
			return err
		})
		if err != nil {
			return fmt.Errorf("note deleted articles: %w", err)
		}
	}
	for chunk := range slices.Chunk(deleted, maxCleanupBatch) {
		marks, args := placeholders(chunk)
		err := s.db.transact(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO trash SELECT id, ? FROM status s WHERE deleted = 1 AND NOT "+isAway+" AND id IN "+marks, append([]any{now.Unix()}, args...)...)
			return err
		})
		if err != nil {
			return fmt.Errorf("note deleted articles: %w", err)
		}
	}
	return nil
}
