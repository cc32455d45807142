package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// snoozeSteps store which articles are away until when. While it is away an article counts as deleted in every list, as one that a
// rule has hidden does, so that no list pays for it. Back again, it stands first until it is read.
const snoozeSteps = `
CREATE TABLE snooze (
	article INTEGER PRIMARY KEY REFERENCES status(id) ON DELETE CASCADE,
	since   INTEGER NOT NULL, -- when it was put away
	until   INTEGER NOT NULL, -- when it comes back
	visit   INTEGER NOT NULL DEFAULT 0, -- 1: or at the next visit, if that is earlier
	back    INTEGER NOT NULL DEFAULT 0  -- when it came back; 0 while it is away
);
`

// isAway is the condition for an article s to be away.
const isAway = "s.id IN (SELECT article FROM snooze WHERE back = 0)"

// snoozed is an article that is away, or that came back.
type snoozed struct {
	Article int64
	Since   time.Time // when it was put away
	Until   time.Time // when it comes back
	Visit   bool      // or at the next visit, if that is earlier
	Back    time.Time // when it came back; zero while it is away
}

// SnoozeChange is what Snooze or Wake has changed, to be undone.
type SnoozeChange struct {
	Articles []int64
	before   []snoozed // as they were before
	read     []int64   // of Articles, those that had been read and are not now
}

// add adds further changes.
func (c *SnoozeChange) add(more SnoozeChange) {
	c.Articles, c.before, c.read = append(c.Articles, more.Articles...), append(c.before, more.before...), append(c.read, more.read...)
}

// maxSnooze is how far ahead an article can be put away.
const maxSnooze = 2 * 365 * 24 * time.Hour

// Snooze puts articles away, those that are away already included, until an instant after now, or until the next visit if that is
// earlier. Errors: ErrSnoozeTime.
func Snooze(ctx context.Context, tx *sql.Tx, ids []int64, now, until time.Time, visit bool) (c SnoozeChange, err error) {
	if !until.After(now) || until.After(now.Add(maxSnooze)) {
		return c, ErrSnoozeTime
	}
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		if err := c.put(ctx, tx, chunk, now, until, visit); err != nil {
			return c, fmt.Errorf("snooze: %w", err)
		}
	}
	return c, nil
}

func (c *SnoozeChange) put(ctx context.Context, tx *sql.Tx, ids []int64, now, until time.Time, visit bool) error {
	marks, args := placeholders(ids)
	before, err := readSnoozed(ctx, tx, "article IN "+marks, args...)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT id FROM status s WHERE (deleted = 0 OR "+isAway+") AND id IN "+marks, args...)
	if err != nil {
		return err
	}
	there, err := scanIDs(nil, rows)
	if err != nil || len(there) == 0 {
		return err
	}
	c.Articles = append(c.Articles, there...)
	c.before = append(c.before, before...)
	marks, args = placeholders(there)
	for _, query := range []string{
		"REPLACE INTO snooze (article, since, until, visit) SELECT id, ?, ?, ? FROM status WHERE id IN " + marks,
		"UPDATE status SET deleted = 1 WHERE deleted = 0 AND id IN " + marks,
		"DELETE FROM trash WHERE id IN " + marks,
	} {
		with := args
		if query[0] == 'R' {
			with = append([]any{now.Unix(), until.Unix(), visit}, args...)
		}
		if _, err := tx.ExecContext(ctx, query, with...); err != nil {
			return err
		}
	}
	return nil
}

// UndoSnooze takes back what Snooze or Wake has changed.
func UndoSnooze(ctx context.Context, tx *sql.Tx, c SnoozeChange) error {
	for chunk := range slices.Chunk(c.Articles, maxPlaceholders) {
		marks, args := placeholders(chunk)
		for _, query := range []string{
			"UPDATE status AS s SET deleted = 0 WHERE deleted = 1 AND " + isAway + " AND id IN " + marks,
			"DELETE FROM snooze WHERE article IN " + marks,
		} {
			if _, err := tx.ExecContext(ctx, query, args...); err != nil {
				return fmt.Errorf("undo snooze: %w", err)
			}
		}
	}
	for _, s := range c.before {
		back := secondsOf(s.Back)
		done, err := tx.ExecContext(ctx, "INSERT INTO snooze (article, since, until, visit, back) SELECT id, ?, ?, ?, ? FROM status WHERE id = ? AND deleted = 0",
			s.Since.Unix(), s.Until.Unix(), s.Visit, back, s.Article)
		if err != nil {
			return fmt.Errorf("undo snooze: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 || back != 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "UPDATE status SET deleted = 1 WHERE id = ?", s.Article); err != nil {
			return fmt.Errorf("undo snooze: %w", err)
		}
	}
	_, err := Mark(ctx, tx, c.read, FlagRead, true)
	return err
}

// clockError is by how much the clock may be wrong: what claims to have been put away that much later than now comes back at once.
const clockError = 24 * time.Hour

// isDue is the condition for an article to come back at ?1, where a clock that is right does not show more than ?2, and ?3 tells
// whether there is a visit.
const isDue = "back = 0 AND (until <= ?1 OR since > ?2 OR visit <> 0 AND ?3)"

// AnyDue reports whether WakeDue would bring anything back.
func (a Articles) AnyDue(ctx context.Context, now time.Time, visit bool) (due bool, err error) {
	err = a.db.prepared.Row(ctx, "SELECT EXISTS (SELECT 1 FROM snooze WHERE "+isDue+")", []any{now.Unix(), now.Add(clockError).Unix(), visit}, &due)
	if err != nil {
		return false, fmt.Errorf("look for snoozed articles: %w", classify(err))
	}
	return due, nil
}

// WakeDue brings back what is due at the instant now, at most so many, and all that waits for a visit if there is one. Errors of
// the file.
func WakeDue(ctx context.Context, tx *sql.Tx, now time.Time, visit bool, most int) (SnoozeChange, error) {
	due, err := readSnoozed(ctx, tx, isDue+" ORDER BY until LIMIT ?4", now.Unix(), now.Add(clockError).Unix(), visit, most)
	if err != nil {
		return SnoozeChange{}, fmt.Errorf("bring snoozed articles back: %w", err)
	}
	return wake(ctx, tx, due, now)
}

// Wake brings articles back that are away, with the others of their stories that are: unread, and first in their lists until they
// are read.
func Wake(ctx context.Context, tx *sql.Tx, ids []int64, now time.Time) (c SnoozeChange, err error) {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		away, err := readSnoozed(ctx, tx, awayWith(marks), slices.Concat(args, args)...)
		if err != nil {
			return c, fmt.Errorf("bring snoozed articles back: %w", err)
		}
		one, err := wake(ctx, tx, away, now)
		if err != nil {
			return c, err
		}
		c.add(one)
	}
	return c, nil
}

// awayWith is the condition for an article of table snooze to be away, and to be one of these or of their stories. It starts from
// the articles that are away, whose stories no index has.
func awayWith(marks string) string {
	return "back = 0 AND (article IN " + marks + ` OR (SELECT story FROM status WHERE id = article)
		IN (SELECT story FROM status WHERE story <> 0 AND id IN ` + marks + "))"
}

func wake(ctx context.Context, tx *sql.Tx, away []snoozed, now time.Time) (c SnoozeChange, err error) {
	if len(away) == 0 {
		return c, nil
	}
	c.before = away
	for _, s := range away {
		c.Articles = append(c.Articles, s.Article)
	}
	for chunk := range slices.Chunk(c.Articles, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := tx.QueryContext(ctx, "SELECT id FROM status WHERE read = 1 AND id IN "+marks, args...)
		if err != nil {
			return c, fmt.Errorf("bring snoozed articles back: %w", err)
		}
		if c.read, err = scanIDs(c.read, rows); err != nil {
			return c, fmt.Errorf("bring snoozed articles back: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE snooze SET back = ? WHERE article IN "+marks, append([]any{now.Unix()}, args...)...); err != nil {
			return c, fmt.Errorf("bring snoozed articles back: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE status SET deleted = 0, read = 0 WHERE id IN "+marks, args...); err != nil {
			return c, fmt.Errorf("bring snoozed articles back: %w", err)
		}
	}
	return c, nil
}

const forgetRead = "DELETE FROM snooze WHERE back <> 0 AND EXISTS (SELECT 1 FROM status s WHERE s.id = article AND s.read = 1)"

// ForgetRead forgets of the articles that came back those that were read since: they stand in their place again.
func ForgetRead(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, forgetRead); err != nil {
		return fmt.Errorf("forget snoozed articles: %w", err)
	}
	return nil
}

// back returns the articles that came back and were not read since, the last one first: they stand first in lists.
func (a Articles) back(ctx context.Context) ([]int64, error) {
	ids, err := queryIDs(ctx, a.db.read, "SELECT s.id FROM snooze z JOIN status s ON s.id = z.article WHERE z.back <> 0 AND s.read = 0 AND s.deleted = 0 ORDER BY z.back DESC, s.published DESC, s.id DESC")
	if err != nil {
		return nil, fmt.Errorf("list what came back: %w", classify(err))
	}
	return ids, nil
}

// backKnown is whether any article came back, as of a number of commits (database.lists).
type backKnown struct {
	lists int64
	any   bool
}

// anyBack reports whether any article came back. Mostly none has, and lists should not pay for it: the owner of the file asks again
// only after a commit that may have changed it.
func (a Articles) anyBack(ctx context.Context) (any bool, err error) {
	lists := a.db.lists.Load()
	if known := a.db.back.Load(); known != nil && known.lists == lists && a.db.write != nil {
		return known.any, nil
	}
	if err := a.db.prepared.Row(ctx, "SELECT EXISTS (SELECT 1 FROM snooze WHERE back <> 0)", nil, &any); err != nil {
		return false, fmt.Errorf("look for what came back: %w", classify(err))
	}
	a.db.back.Store(&backKnown{lists, any})
	return any, nil
}

// backFirst puts the articles that came back before the others that a query lists. What is searched for is listed as it is.
func (a Articles) backFirst(ctx context.Context, q Query, ids []int64) ([]int64, error) {
	if q.Search != "" || q.Within != "" || q.Hidden || q.Snoozed || q.Order == QueueOrder {
		return ids, nil
	}
	if any, err := a.anyBack(ctx); err != nil || !any {
		return ids, err
	}
	back, err := a.back(ctx)
	if err != nil || len(back) == 0 {
		return ids, err
	}
	listed := ids
	if q.Limit > 0 { // others may be listed further down
		if listed, err = a.selectAmong(ctx, q, back); err != nil {
			return nil, err
		}
	}
	return firstOf(ids, back, listed, q.Limit), nil
}

// selectAmong returns which of these articles a query selects.
func (a Articles) selectAmong(ctx context.Context, q Query, among []int64) ([]int64, error) {
	q.AlsoList = nil
	sel, err := q.selects(ctx, a.db.read, a.search.cache)
	if err != nil {
		return nil, err
	}
	sel.add("s.id IN " + (&idList{among}).sql())
	where, args := sel.where()
	return queryIDs(ctx, a.db.read, "SELECT s.id FROM status s WHERE "+where, args...)
}

// firstOf puts those of back that are listed before the other ids, at most limit in all; 0: no limit.
func firstOf(ids, back, listed []int64, limit int) []int64 {
	came := make(map[int64]bool, len(back)) // and whether it is listed
	for _, id := range back {
		came[id] = false
	}
	for _, id := range listed {
		if _, is := came[id]; is {
			came[id] = true
		}
	}
	back = slices.DeleteFunc(back, func(id int64) bool { return !came[id] })
	if len(back) == 0 {
		return ids
	}
	ids = append(back, slices.DeleteFunc(ids, func(id int64) bool { return came[id] })...)
	if limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	return ids
}

func readSnoozed(ctx context.Context, db Querier, where string, args ...any) (all []snoozed, err error) {
	rows, err := db.QueryContext(ctx, "SELECT article, since, until, visit, back FROM snooze WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s snoozed
		var since, until, back int64
		if err := rows.Scan(&s.Article, &since, &until, &s.Visit, &back); err != nil {
			return nil, err
		}
		s.Since, s.Until = time.Unix(since, 0), time.Unix(until, 0)
		if back != 0 {
			s.Back = time.Unix(back, 0)
		}
		all = append(all, s)
	}
	return all, rows.Err()
}
