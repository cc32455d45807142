package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/reader/discover"
	"kairos/reader/opml"
)

// ListChanges is what following a list has changed.
type ListChanges struct {
	Added        []opml.Outline // that were not named before
	Subscribed   int            // of Added, those that were not subscribed to before
	Gone         []Feed         // that the list no longer names
	Paused       int            // of Gone
	Unsubscribed int            // of Gone
}

const (
	// maxListed is how many feeds of a list are followed.
	maxListed = 2000
	// maxListedADay is how many feeds come to a list and leave it within a day, after its first time, until none is taken from it any
	// more: it could name others each time.
	maxListedADay = 200
)

// FollowList subscribes to the feeds that a list names and did not name before, in the folder of the list, and does with those that
// it no longer names what the list's source says. An unsubscribed one does not come back while the list names it, and one that was
// subscribed to before is left alone. Without complete, none counts as gone. Feeds of this computer and its network are paused.
// What the list names beyond maxListed and maxListedADay waits.
func FollowList(ctx context.Context, tx *sql.Tx, list Feed, feeds []opml.Outline, complete bool, now time.Time) (changes ListChanges, err error) {
	source, _ := list.Source.List()
	known, err := listedFeeds(ctx, tx, list.ID)
	if err != nil {
		return changes, err
	}
	room, err := listRoom(ctx, tx, list.ID, len(known), now)
	if err != nil {
		return changes, err
	}
	named := map[string]bool{}
	for _, o := range feeds[:min(len(feeds), maxListed)] {
		same := discover.SameFeed(o.URL)
		if named[same] || same == discover.SameFeed(list.URL) {
			continue
		}
		named[same] = true
		if _, was := known[same]; was || len(changes.Added) >= room {
			continue
		}
		o.Folder, o.User, o.Password = Within(list.Folder, o.Folder), "", "" // whoever made the list has no passwords for us
		done, err := ImportFeeds(ctx, tx, 0, opml.List{Feeds: []opml.Outline{o}}, now)
		if err != nil {
			return changes, err
		}
		var id int64
		for _, one := range append(done.Added, done.Local...) {
			id = one
			changes.Subscribed++
		}
		changes.Added = append(changes.Added, o)
		if _, err := tx.ExecContext(ctx, "INSERT INTO list_feed (list, same, feed) VALUES (?, ?, ?)", list.ID, same, id); err != nil {
			return changes, fmt.Errorf("follow a list: %w", err)
		}
	}
	for same, id := range known {
		if named[same] || !complete {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM list_feed WHERE list = ? AND same = ?", list.ID, same); err != nil {
			return changes, fmt.Errorf("follow a list: %w", err)
		}
		if err := changes.leave(ctx, tx, id, source.Gone, now); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// listRoom returns how many feeds may come to a list that has so many. It has a note of each that came or left after the first time.
func listRoom(ctx context.Context, tx *sql.Tx, list int64, has int, now time.Time) (int, error) {
	var notes, today int
	err := tx.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE seen > ?) FROM status WHERE feed = ?", now.Add(-24*time.Hour).Unix(), list).Scan(&notes, &today)
	if err != nil {
		return 0, fmt.Errorf("follow a list: %w", err)
	}
	if has == 0 && notes == 0 {
		return maxListed, nil
	}
	return min(maxListed-has, maxListedADay-today), nil
}

// Within returns the path of a folder within another one; "" is the top.
func Within(folder, path string) string {
	if folder == "" || path == "" {
		return folder + path
	}
	return folder + FolderSeparator + path
}

// leave does with a feed that a list no longer names what is to be done.
func (c *ListChanges) leave(ctx context.Context, tx *sql.Tx, id int64, how ListGone, now time.Time) error {
	f, err := GetFeed(ctx, tx, id)
	if err != nil {
		return nil //nolint:nilerr // it was subscribed to before the list named it, or is unsubscribed by now
	}
	c.Gone = append(c.Gone, f)
	var wanted bool // something of it is unread, starred or labeled
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM status s WHERE s.feed = ? AND s.deleted = 0 AND (s.read = 0 OR "+markedStatus+"))", id).Scan(&wanted)
	if err != nil {
		return fmt.Errorf("follow a list: %w", err)
	}
	switch {
	case how == GoneUnsubscribe && !wanted:
		c.Unsubscribed++
		return Unsubscribe(ctx, tx, id, now)
	case (how == GonePause || how == GoneUnsubscribe) && !f.Paused:
		c.Paused++
		f.Paused = true
		return UpdateFeed(ctx, tx, f)
	}
	return nil
}

// listedFeeds returns the feeds that a list named last, by what identifies their addresses.
func listedFeeds(ctx context.Context, tx *sql.Tx, list int64) (map[string]int64, error) {
	rows, err := tx.QueryContext(ctx, "SELECT same, feed FROM list_feed WHERE list = ?", list)
	if err != nil {
		return nil, fmt.Errorf("follow a list: %w", err)
	}
	defer rows.Close()
	known := map[string]int64{}
	for rows.Next() {
		var same string
		var id int64
		if err := rows.Scan(&same, &id); err != nil {
			return nil, fmt.Errorf("follow a list: %w", err)
		}
		known[same] = id
	}
	return known, rows.Err()
}

// Followed is what a list that is followed named last.
type Followed struct {
	Feeds        []FollowedFeed // those that are subscribed to, in the order of their titles
	Unsubscribed int            // feeds that the list names and nobody is subscribed to
}

// FollowedFeed is a feed that a list names.
type FollowedFeed struct {
	ID      int64
	Title   string
	Paused  bool
	Brought bool // by the list: it was not subscribed to before
}

// Brought returns how many of the feeds the list has brought.
func (f *Followed) Brought() (n int) {
	for _, one := range f.Feeds {
		if one.Brought {
			n++
		}
	}
	return n
}

// Resumable returns the feeds that the list has brought and that are paused.
func (f *Followed) Resumable() (ids []int64) {
	for _, one := range f.Feeds {
		if one.Brought && one.Paused {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

// Followed returns what a list that is followed named last.
func (f Feeds) Followed(ctx context.Context, list int64) (found Followed, err error) {
	rows, err := f.db.read.QueryContext(ctx, `SELECT coalesce(f.id, 0), coalesce(`+feedTitle+`, ''), coalesce(f.paused, 0), coalesce(l.feed = f.id, 0)
		FROM list_feed l LEFT JOIN feed f ON f.same = l.same AND f.removed = 0 WHERE l.list = ? ORDER BY 2 COLLATE NOCASE, 1`, list)
	if err != nil {
		return found, fmt.Errorf("read what a list names: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var one FollowedFeed
		if err := rows.Scan(&one.ID, &one.Title, &one.Paused, &one.Brought); err != nil {
			return found, fmt.Errorf("read what a list names: %w", err)
		}
		if one.ID == 0 {
			found.Unsubscribed++
			continue
		}
		found.Feeds = append(found.Feeds, one)
	}
	return found, rows.Err()
}
