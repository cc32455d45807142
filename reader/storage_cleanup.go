package reader

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Keep bounds what is kept of each feed. As the general setting 0 keeps everything; as
// a feed's own 0 leaves it to the general setting and KeepAll keeps everything.
type Keep struct {
	Days   int // since an article arrived
	Number int // of the newest articles
}

// KeepAll keeps everything of a feed, whatever the general setting says.
const KeepAll = -1

// MaxKeep is the largest number of days or articles that can be set.
const MaxKeep = 1_000_000

// or is k, and otherwise where k leaves something open.
func (k Keep) or(otherwise Keep) Keep {
	return Keep{Days: cmp.Or(k.Days, otherwise.Days), Number: cmp.Or(k.Number, otherwise.Number)}
}

func keepAttr(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < KeepAll {
		return 0
	}
	return min(n, MaxKeep)
}

// Retention is what is cleaned up of all feeds that have no setting of their own. Its
// zero value, the default, keeps everything: a hundred thousand articles take some
// hundred megabytes, and only their reader knows what they are worth.
type Retention struct {
	Keep
	Unread bool // unread articles too; starred ones are never cleaned up
}

// Keys of the settings that make a Retention.
const (
	settingKeepDays    = "reader.keep_days"
	settingKeepNumber  = "reader.keep_number"
	settingCleanUnread = "reader.clean_unread"
)

// Retention returns the general setting.
func (s *Store) Retention(ctx context.Context) (r Retention, err error) {
	if r.Days, err = s.SettingInt(ctx, settingKeepDays, 0); err != nil {
		return r, err
	}
	if r.Number, err = s.SettingInt(ctx, settingKeepNumber, 0); err != nil {
		return r, err
	}
	unread, err := s.SettingInt(ctx, settingCleanUnread, 0)
	r.Unread = unread == 1
	return r, err
}

// SetRetention stores the general setting.
func (s *Store) SetRetention(ctx context.Context, r Retention) error {
	unread := 0
	if r.Unread {
		unread = 1
	}
	return s.Write(ctx, func(tx *sql.Tx) error {
		for key, n := range map[string]int{settingKeepDays: r.Days, settingKeepNumber: r.Number, settingCleanUnread: unread} {
			if err := SetTx(ctx, tx, key, strconv.Itoa(min(max(n, 0), MaxKeep))); err != nil {
				return err
			}
		}
		return nil
	})
}

// trashDays is for how long a deleted article can be brought back.
const trashDays = 30

// Cleaning is what a clean-up would take away, or has taken.
type Cleaning struct {
	Articles int
	Feeds    int
	Bytes    int64 // of text
	ids      []int64
	deleted  []int64 // of articles that were deleted long ago
	unread   bool
}

// Cleaning finds what the settings allow to be cleaned up at the instant now: neither
// what is starred nor what its feed still lists, and unread articles only if the user
// wants it so.
func (s *Store) Cleaning(ctx context.Context, now time.Time) (Cleaning, error) {
	r, err := s.Retention(ctx)
	if err != nil {
		return Cleaning{}, err
	}
	return s.CleaningUnder(ctx, now, r)
}

// CleaningUnder is Cleaning under another general setting, to be tried.
func (s *Store) CleaningUnder(ctx context.Context, now time.Time, r Retention) (Cleaning, error) {
	feeds, err := s.Feeds(ctx)
	if err != nil {
		return Cleaning{}, err
	}
	c := Cleaning{unread: r.Unread}
	for _, f := range feeds {
		before := len(c.ids)
		if c.ids, err = s.overdue(ctx, c.ids, f.ID, f.Keep.or(r.Keep), now, r.Unread); err != nil {
			return Cleaning{}, fmt.Errorf("find what to clean up of feed %d: %w", f.ID, explain(err))
		}
		if len(c.ids) > before {
			c.Feeds++
		}
	}
	if c.deleted, err = s.trashed(ctx, now); err != nil {
		return Cleaning{}, fmt.Errorf("find deleted articles: %w", explain(err))
	}
	c.Articles = len(c.ids)
	for _, ids := range [][]int64{c.ids, c.deleted} {
		for chunk := range slices.Chunk(ids, 500) {
			marks, args := placeholders(chunk)
			var n int64
			if err := s.read.QueryRowContext(ctx, textBytes(marks), append(args, args...)...).Scan(&n); err != nil {
				return Cleaning{}, fmt.Errorf("measure what to clean up: %w", explain(err))
			}
			c.Bytes += n
		}
	}
	return c, nil
}

// textBytes is a query for what the texts of articles take; it wants their ids twice.
func textBytes(marks string) string {
	return "SELECT coalesce(sum(octet_length(html)), 0) FROM (SELECT html FROM body WHERE id IN " + marks +
		" UNION ALL SELECT html FROM full_text WHERE id IN " + marks + ")"
}

// What may go: neither what is starred nor what is listed.
const (
	mayGo       = "starred = 0 AND listed = 0 AND read = 1"
	unreadMayGo = "starred = 0 AND listed = 0"
)

func mayGoIf(unread bool) string {
	if unread {
		return unreadMayGo
	}
	return mayGo
}

// overdue appends the articles of a feed that are too old or too many.
func (s *Store) overdue(ctx context.Context, ids []int64, feed int64, k Keep, now time.Time, unread bool) ([]int64, error) {
	before := len(ids)
	if k.Days > 0 {
		rows, err := s.read.QueryContext(ctx, "SELECT id FROM status WHERE feed = ? AND deleted = 0 AND seen < ? AND "+mayGoIf(unread),
			feed, now.AddDate(0, 0, -k.Days).Unix())
		if err != nil {
			return nil, err
		}
		if ids, err = appendIDs(ids, rows); err != nil {
			return nil, err
		}
	}
	if k.Number > 0 {
		rows, err := s.read.QueryContext(ctx, `SELECT id FROM (SELECT id, starred, listed, read FROM status
			WHERE feed = ? AND deleted = 0 ORDER BY published DESC, id DESC LIMIT -1 OFFSET ?) WHERE `+mayGoIf(unread), feed, k.Number)
		if err != nil {
			return nil, err
		}
		if ids, err = appendIDs(ids, rows); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids[before:])
	return ids[:before+len(slices.Compact(ids[before:]))], nil
}

// trashed are the articles deleted long ago that their feeds do not list any more.
func (s *Store) trashed(ctx context.Context, now time.Time) ([]int64, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT t.id FROM trash t JOIN status s USING (id)
		WHERE t.since < ? AND s.deleted = 1 AND s.starred = 0 AND s.listed = 0`, now.AddDate(0, 0, -trashDays).Unix())
	if err != nil {
		return nil, err
	}
	return appendIDs(nil, rows)
}

// cleanAtOnce is how many articles are taken away in one transaction: a few
// milliseconds, as others wait to write.
const cleanAtOnce = 200

// Clean takes away what was found, but for what was starred, listed again or marked
// unread since. Of each article its status stays, so that it does not come back. What
// was taken until ctx ends or something fails is in the result.
func (s *Store) Clean(ctx context.Context, c Cleaning, now time.Time) (Cleaning, error) {
	done := Cleaning{Feeds: c.Feeds}
	if err := s.noteTrash(ctx, now); err != nil {
		return done, err
	}
	for _, kind := range []struct {
		ids  []int64
		may  string
		into *int
	}{
		{c.ids, "deleted = 0 AND " + mayGoIf(c.unread), &done.Articles},
		{c.deleted, "deleted = 1 AND " + unreadMayGo, new(int)},
	} {
		for chunk := range slices.Chunk(kind.ids, cleanAtOnce) {
			n, bytes, err := s.cleanSome(ctx, chunk, kind.may)
			if err != nil {
				return done, fmt.Errorf("clean up: %w", err)
			}
			*kind.into += n
			done.Bytes += bytes
		}
	}
	return done, nil
}

func (s *Store) cleanSome(ctx context.Context, ids []int64, may string) (n int, bytes int64, err error) {
	err = s.Write(ctx, func(tx *sql.Tx) error {
		marks, args := placeholders(ids)
		rows, err := tx.QueryContext(ctx, "UPDATE status SET deleted = 1, hidden = 0 WHERE id IN "+marks+" AND "+may+" RETURNING id", args...)
		if err != nil {
			return err
		}
		going, err := appendIDs(nil, rows)
		if err != nil {
			return err
		}
		n = len(going)
		marks, args = placeholders(going)
		if err := tx.QueryRowContext(ctx, textBytes(marks), append(args, args...)...).Scan(&bytes); err != nil {
			return err
		}
		for _, table := range []string{"article", "trash"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE id IN "+marks, args...); err != nil {
				return err
			}
		}
		return nil
	})
	return n, bytes, err
}

// noteTrash begins to count the days of what has been deleted, and stops for what was
// brought back.
func (s *Store) noteTrash(ctx context.Context, now time.Time) error {
	rows, err := s.read.QueryContext(ctx, `SELECT s.id FROM status s JOIN article a USING (id) LEFT JOIN trash t USING (id)
		WHERE s.deleted = 1 AND t.id IS NULL`)
	if err != nil {
		return fmt.Errorf("look for deleted articles: %w", explain(err))
	}
	fresh, err := appendIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("look for deleted articles: %w", explain(err))
	}
	var back bool
	err = s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM trash t JOIN status s USING (id) WHERE s.deleted = 0)").Scan(&back)
	if err != nil {
		return fmt.Errorf("look for deleted articles: %w", explain(err))
	}
	if len(fresh) == 0 && !back {
		return nil
	}
	return s.Write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM trash WHERE id IN (SELECT t.id FROM trash t JOIN status s USING (id) WHERE s.deleted = 0)"); err != nil {
			return fmt.Errorf("note deleted articles: %w", err)
		}
		for _, id := range fresh {
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO trash VALUES (?, ?)", id, now.Unix()); err != nil {
				return fmt.Errorf("note deleted articles: %w", err)
			}
		}
		return nil
	})
}
