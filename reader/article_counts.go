package reader

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Counts returns the numbers of the sidebar; midnight is the local one. With dedupe they are those
// of lists that show a story once. The counts of single feeds are the same either way, since the
// list of a feed shows all it has.
func (a Articles) Counts(ctx context.Context, midnight time.Time, dedupe bool) (Counts, error) {
	c := Counts{Unread: map[int64]int{}, Folders: map[Place]int{}}
	// One transaction: duplicates must be subtracted from the same state that was counted.
	tx, err := a.db.read.BeginTx(ctx, nil)
	if err == nil {
		defer tx.Rollback() //nolint:errcheck // it has only read
		err = c.read(ctx, tx, midnight, dedupe)
	}
	if err != nil {
		return c, fmt.Errorf("count unread: %w", classify(err))
	}
	return c, nil
}

func (c *Counts) read(ctx context.Context, db Querier, midnight time.Time, dedupe bool) error {
	var quiet map[int64]bool
	folders, err := foldersOfFeeds(ctx, db)
	if err == nil {
		quiet, err = quietFeeds(ctx, db)
	}
	if err == nil {
		err = c.addUnread(ctx, db, folders, quiet, midnight)
	}
	if err == nil && dedupe {
		err = c.subtractDuplicates(ctx, db, folders, quiet, midnight)
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM status WHERE starred = 1 AND deleted = 0), (SELECT count(*) FROM snooze WHERE back = 0),
			EXISTS (SELECT 1 FROM status s WHERE s.deleted = 0 AND `+hasEnded+")").Scan(&c.Starred, &c.Snoozed, &c.Ended)
	}
	return err
}

// foldersOfFeeds returns the folders that each feed is in, the enclosing ones and its account included.
func foldersOfFeeds(ctx context.Context, db Querier) (map[int64][]Place, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, account, folder FROM feed WHERE removed = 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byFeed, paths := map[int64][]Place{}, map[Place][]Place{}
	for rows.Next() {
		var feed int64
		var folder Place
		if err := rows.Scan(&feed, &folder.Account, &folder.Path); err != nil {
			return nil, err
		}
		if _, known := paths[folder]; !known {
			paths[folder] = enclosingFolders(folder)
		}
		byFeed[feed] = paths[folder]
	}
	return byFeed, rows.Err()
}

// enclosingFolders returns a folder and those around it, the account first.
func enclosingFolders(folder Place) []Place {
	places := []Place{{Account: folder.Account}}
	if folder.Path == "" {
		return places
	}
	for at, r := range folder.Path {
		if r == ' ' && strings.HasPrefix(folder.Path[at:], FolderSeparator) {
			places = append(places, Place{folder.Account, folder.Path[:at]})
		}
	}
	return append(places, folder)
}

// addUnread counts every unread article, those of quiet feeds in their own places only.
func (c *Counts) addUnread(ctx context.Context, db Querier, folders map[int64][]Place, quiet map[int64]bool, midnight time.Time) error {
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
		if !quiet[feed] {
			c.Total += unread
			c.Today += today
		}
		for _, folder := range folders[feed] {
			c.Folders[folder] += unread
		}
	}
	return rows.Err()
}
