package reader

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// endSteps store when unread articles end, and which have. An article that was marked unread after it had ended does not end again.
const endSteps = `
ALTER TABLE feed ADD COLUMN end_days   INTEGER NOT NULL DEFAULT 0; -- 0: as the folder, -1: never
ALTER TABLE feed ADD COLUMN end_number INTEGER NOT NULL DEFAULT 0; -- 0: as the folder, -1: never
ALTER TABLE folder ADD COLUMN end_days   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE folder ADD COLUMN end_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE status ADD COLUMN ended INTEGER NOT NULL DEFAULT 0; -- when it ended; -1: it was marked unread since
CREATE INDEX status_ended ON status (published DESC, id DESC, feed) WHERE ended > 0 AND read = 1 AND deleted = 0;
`

const (
	// hasEnded is the condition for an article s to count as read because it ended unread.
	hasEnded = "s.ended > 0 AND s.read = 1"
	// endsNoMore is what an article that has ended gets when it is marked unread.
	endsNoMore = "ended = CASE WHEN ended = 0 THEN 0 ELSE -1 END"
)

// Ends says when unread articles of a feed count as read. In the general setting 0 means never. In the setting of a feed or folder
// 0 means as the folder around it, in the end as the general setting, and EndNever means never.
type Ends struct {
	Days   int // after they came
	Number int // beyond the newest of the feed; 1: when a newer one comes
}

// EndNever keeps articles unread, whatever the settings around are.
const EndNever = -1

// maxEnds is the largest number of days or articles that can be set.
const maxEnds = 1_000_000

// or fills unset bounds from otherwise.
func (e Ends) or(otherwise Ends) Ends {
	return Ends{Days: cmp.Or(e.Days, otherwise.Days), Number: cmp.Or(e.Number, otherwise.Number)}
}

func (e Ends) normalized() Ends {
	return Ends{Days: min(max(e.Days, EndNever), maxEnds), Number: min(max(e.Number, EndNever), maxEnds)}
}

// Any reports whether articles end.
func (e Ends) Any() bool { return e.Days > 0 || e.Number > 0 }

// Keys of the settings that make up the general Ends.
const (
	settingEndDays   = "reader.end_days"
	settingEndNumber = "reader.end_number"
)

// Ends returns the general setting.
func (s Settings) Ends(ctx context.Context) (e Ends, err error) {
	if e.Days, err = s.Int(ctx, settingEndDays, 0); err != nil {
		return e, err
	}
	e.Number, err = s.Int(ctx, settingEndNumber, 0)
	return e, err
}

// SetEnds stores the general setting.
func SetEnds(ctx context.Context, tx *sql.Tx, e Ends) error {
	for key, n := range map[string]int{settingEndDays: e.Days, settingEndNumber: e.Number} {
		if err := SetSetting(ctx, tx, key, strconv.Itoa(min(max(n, 0), maxEnds))); err != nil {
			return err
		}
	}
	return nil
}

// EndsOf returns when unread articles of a feed end, given what was chosen for folders and in general.
func EndsOf(f Feed, folders map[Place]FolderChoices, general Ends) Ends {
	e := f.Ends
	around := enclosingFolders(Place{f.Account, f.Folder})
	for i := len(around) - 1; i >= 0; i-- {
		e = e.or(folders[around[i]].Ends)
	}
	return e.or(general)
}

// IsQuiet reports whether a feed is left out of All, Unread and Today, given what was chosen for folders.
func IsQuiet(f Feed, folders map[Place]FolderChoices) bool {
	for _, p := range enclosingFolders(Place{f.Account, f.Folder}) {
		if folders[p].Quiet {
			return true
		}
	}
	return f.Quiet
}

// EndUnread ends the unread articles whose time has come at the instant now, and returns the ids of these: MarkEnded undoes it.
// Starred and labeled ones, those in the queue of the player and those that came back never end. It works in short transactions
// until ctx ends, and then returns what has ended by then.
func (a Articles) EndUnread(ctx context.Context, now time.Time) (ended []int64, err error) {
	feeds, err := Feeds{a.db}.List(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := Feeds{a.db}.Folders(ctx)
	if err != nil {
		return nil, err
	}
	general, err := Settings{a.db}.Ends(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range feeds {
		e := EndsOf(f, folders, general)
		if f.Unread == 0 || !e.Any() {
			continue
		}
		if ended, err = a.endOf(ctx, ended, f.ID, e, now); err != nil {
			return ended, fmt.Errorf("end unread articles of feed %d: %w", f.ID, err)
		}
	}
	return ended, nil
}

// maxEndBatch is how many articles end in one transaction: a few milliseconds, since others wait to write.
const maxEndBatch = 500

// endable is the condition for an unread article to end.
const endable = `read = 0 AND deleted = 0 AND ended = 0 AND starred = 0 AND id NOT IN (SELECT article FROM labelled)
	AND id NOT IN (SELECT article FROM playback WHERE queued <> 0) AND id NOT IN (SELECT article FROM snooze)`

// endOf ends articles of a feed and appends them to ended.
func (a Articles) endOf(ctx context.Context, ended []int64, feed int64, e Ends, now time.Time) ([]int64, error) {
	conditions, err := e.conditions(ctx, a.db.read, feed, now)
	if err != nil {
		return ended, err
	}
	for _, c := range conditions {
		if ended, err = a.endWhere(ctx, ended, now, c.where, c.args...); err != nil {
			return ended, err
		}
	}
	return ended, nil
}

// endCondition is a condition for an article of table status to be so old or so far down that it ends if it is unread.
type endCondition struct {
	where string
	args  []any
}

// conditions returns the conditions of a feed. An article ends that meets one of them.
func (e Ends) conditions(ctx context.Context, db Querier, feed int64, now time.Time) (all []endCondition, err error) {
	if e.Days > 0 {
		old := now.AddDate(0, 0, -e.Days).Unix()
		all = append(all, endCondition{"feed = ? AND published < ? AND seen < ?", []any{feed, old, old}})
	}
	if e.Number <= 0 {
		return all, nil
	}
	var published, id int64 // of the last article that stays
	err = db.QueryRowContext(ctx, "SELECT published, id FROM status WHERE feed = ? AND deleted = 0 ORDER BY published DESC, id DESC LIMIT 1 OFFSET ?",
		feed, e.Number-1).Scan(&published, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return all, nil
	}
	return append(all, endCondition{"feed = ? AND published <= ? AND (published < ? OR id < ?)", []any{feed, published, published, id}}), classify(err)
}

// endWhere ends the articles under a condition, in batches, and appends them to ended.
func (a Articles) endWhere(ctx context.Context, ended []int64, now time.Time, where string, args ...any) ([]int64, error) {
	query := "UPDATE status SET read = 1, ended = ? WHERE id IN (SELECT id FROM status WHERE " + where + " AND " + endable + " LIMIT ?) RETURNING id"
	args = append(append([]any{now.Unix()}, args...), maxEndBatch)
	var some bool // else nothing is written
	err := a.db.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM status WHERE "+where+" AND "+endable+")", args[1:len(args)-1]...).Scan(&some)
	if err != nil || !some {
		return ended, classify(err)
	}
	for {
		var batch []int64
		err := a.db.transactAside(ctx, func(tx *sql.Tx) error {
			rows, err := tx.QueryContext(ctx, query, args...)
			if err == nil {
				batch, err = scanIDs(nil, rows)
			}
			return err
		})
		if err != nil {
			return ended, err
		}
		if ended = append(ended, batch...); len(batch) < maxEndBatch {
			return ended, nil
		}
	}
}

// MarkEnded makes articles that EndUnread has ended unread again as if they had not, or ends them again at the instant now. What was
// marked unread since they ended stays as it is, and what must not end any more stays unread.
func MarkEnded(ctx context.Context, tx *sql.Tx, ids []int64, on bool, now time.Time) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		query := "UPDATE status AS s SET read = 0, ended = 0 WHERE " + hasEnded + " AND id IN " + marks
		if on {
			query = "UPDATE status SET read = 1, ended = ? WHERE " + endable + " AND id IN " + marks
			args = append([]any{now.Unix()}, args...)
		}
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("mark ended: %w", err)
		}
	}
	return nil
}
