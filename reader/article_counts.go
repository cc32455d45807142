package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Counts returns the sidebar's numbers; midnight is the local one. With fold they are
// those of lists that show a story once, but for those of feeds, which show all they have.
func (s *Store) Counts(ctx context.Context, midnight time.Time, fold bool) (Counts, error) {
	c := Counts{Unread: map[int64]int{}, Folders: map[string]int{}}
	// What is taken off must be of what was counted: both are read as of one commit.
	tx, err := s.read.BeginTx(ctx, nil)
	if err == nil {
		defer tx.Rollback() //nolint:errcheck // it has only read
		err = c.read(ctx, tx, midnight, fold)
	}
	if err != nil {
		return c, fmt.Errorf("count unread: %w", explain(err))
	}
	return c, nil
}

func (c *Counts) read(ctx context.Context, db querier, midnight time.Time, fold bool) error {
	folders, err := foldersOf(ctx, db)
	if err == nil {
		err = c.countUnread(ctx, db, folders, midnight)
	}
	if err == nil && fold {
		err = c.countOnce(ctx, db, folders, midnight)
	}
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM status WHERE starred = 1 AND deleted = 0").Scan(&c.Starred)
	}
	return err
}

// foldersOf are the folders that each feed is in, those around its own too.
func foldersOf(ctx context.Context, db querier) (map[int64][]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, folder FROM feed WHERE removed = 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	of, around := map[int64][]string{}, map[string][]string{}
	for rows.Next() {
		var feed int64
		var folder string
		if err := rows.Scan(&feed, &folder); err != nil {
			return nil, err
		}
		if _, known := around[folder]; !known && folder != "" {
			around[folder] = pathsTo(folder)
		}
		of[feed] = around[folder]
	}
	return of, rows.Err()
}

// pathsTo are a folder and those it is in, the outermost first.
func pathsTo(folder string) []string {
	var paths []string
	for at, r := range folder {
		if r == ' ' && strings.HasPrefix(folder[at:], FolderSeparator) {
			paths = append(paths, folder[:at])
		}
	}
	return append(paths, folder)
}

// countUnread counts each article.
func (c *Counts) countUnread(ctx context.Context, db querier, folders map[int64][]string, midnight time.Time) error {
	rows, err := db.QueryContext(ctx, `SELECT feed, count(*), sum(published >= ?) FROM status
		WHERE read = 0 AND deleted = 0 AND feed NOT IN (SELECT id FROM feed WHERE removed <> 0) GROUP BY feed`, midnight.Unix())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var unread, today int
		if err := rows.Scan(&feed, &unread, &today); err != nil {
			return err
		}
		c.Unread[feed] = unread
		c.Total += unread
		c.Today += today
		for _, folder := range folders[feed] {
			c.Folders[folder] += unread
		}
	}
	return rows.Err()
}

// countOnce takes off what countUnread has counted of a story beside its first article in
// a place: that one stands for it there, as in fold. What is told comes as one text, as in
// storiesOf.
func (c *Counts) countOnce(ctx context.Context, db querier, folders map[int64][]string, midnight time.Time) error {
	var text sql.NullString
	err := db.QueryRowContext(ctx, `SELECT group_concat(story || ' ' || feed || ' ' || read || ' ' || (published >= ?), ' ') FROM
		(SELECT story, feed, read, published FROM status WHERE story <> 0 AND deleted = 0 AND story IN
			(SELECT story FROM status WHERE story <> 0 AND deleted = 0 AND read = 0) ORDER BY story, id)`, midnight.Unix()).Scan(&text)
	if err != nil {
		return err
	}
	told := onceCounter{counts: c}
	for rest := text.String; rest != ""; {
		var one [4]int64
		if rest, err = cutNumbers(rest, one[:]); err != nil {
			return err
		}
		within, subscribed := folders[one[1]]
		if subscribed {
			told.add(one[0], within, one[2] == 0, one[3] == 1)
		}
	}
	return nil
}

// onceCounter is shown the articles of one story after the other, each by when it came.
type onceCounter struct {
	counts     *Counts
	story      int64
	all, today bool     // it has been there
	folders    []string // where it has been
}

func (o *onceCounter) add(story int64, within []string, unread, today bool) {
	if story != o.story {
		*o = onceCounter{counts: o.counts, story: story, folders: o.folders[:0]}
	}
	if o.all && unread {
		o.counts.Total--
	}
	o.all = true
	if o.today && unread && today {
		o.counts.Today--
	}
	o.today = o.today || today
	for _, folder := range within {
		switch been := slices.Contains(o.folders, folder); {
		case !been:
			o.folders = append(o.folders, folder)
		case unread:
			o.counts.Folders[folder]--
		}
	}
}

// cutNumbers reads numbers off the beginning of a text of such, with a space between them.
func cutNumbers(text string, into []int64) (rest string, err error) {
	for i := range into {
		var number string
		number, text, _ = strings.Cut(text, " ")
		if into[i], err = strconv.ParseInt(number, 10, 64); err != nil {
			return "", err
		}
	}
	return text, nil
}
