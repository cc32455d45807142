package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"kairos/reader/discover"
)

// feedTitle is the name a feed f is shown under.
const feedTitle = `CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END`

const feedColumns = `f.id, f.url, ` + feedTitle + `, f.own_title, f.site, f.icon, f.folder,
	f.weight, f.every, f.paused, f.login, f.full_text, f.notify, f.keep_days, f.keep_number, f.added`

func scanFeed(row interface{ Scan(...any) error }, more ...any) (Feed, error) {
	var f Feed
	var every, added int64
	into := append([]any{&f.ID, &f.URL, &f.Title, &f.OwnTitle, &f.Site, &f.Icon, &f.Folder,
		&f.Weight, &every, &f.Paused, &f.Login, &f.FullText, &f.Notify, &f.Keep.Days, &f.Keep.Number, &added}, more...)
	if err := row.Scan(into...); err != nil {
		return Feed{}, err
	}
	f.Every = time.Duration(every) * time.Second
	f.Added = time.Unix(added, 0).UTC()
	return f, nil
}

// Feeds returns every subscription, by folder and title, with unread counts.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+feedColumns+`, coalesce(u.n, 0)
		FROM feed f LEFT JOIN (SELECT feed, count(*) AS n FROM status
			WHERE read = 0 AND deleted = 0 GROUP BY feed) u ON u.feed = f.id
		WHERE f.removed = 0`)
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", explain(err))
	}
	defer rows.Close()
	var feeds []Feed
	for rows.Next() {
		var unread int
		f, err := scanFeed(rows, &unread)
		if err != nil {
			return nil, fmt.Errorf("list feeds: %w", err)
		}
		f.Unread = unread
		feeds = append(feeds, f)
	}
	inOrder(feeds, func(f *Feed) (string, string, int64) { return f.Folder, f.Title, f.ID })
	return feeds, rows.Err()
}

// ArticleCounts returns how many articles each feed has stored.
func (s *Store) ArticleCounts(ctx context.Context) (map[int64]int, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT feed, count(*) FROM status WHERE deleted = 0 GROUP BY feed")
	if err != nil {
		return nil, fmt.Errorf("count articles: %w", explain(err))
	}
	defer rows.Close()
	counts := map[int64]int{}
	for rows.Next() {
		var feed int64
		var n int
		if err := rows.Scan(&feed, &n); err != nil {
			return nil, err
		}
		counts[feed] = n
	}
	return counts, rows.Err()
}

// Feed returns one subscription. Errors: ErrUnknown.
func (s *Store) Feed(ctx context.Context, id int64) (Feed, error) {
	stmt, err := s.ready.get(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.id = ? AND f.removed = 0`)
	if err != nil {
		return Feed{}, fmt.Errorf("read feed: %w", explain(err))
	}
	return oneFeed(stmt.QueryRowContext(ctx, id))
}

// FeedByURL returns the subscription that address belongs to, however it is
// written. Errors: ErrUnknown.
func (s *Store) FeedByURL(ctx context.Context, address string) (Feed, error) {
	return oneFeed(s.read.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.same = ? AND f.removed = 0`,
		discover.SameFeed(address)))
}

func oneFeed(row *sql.Row) (Feed, error) {
	f, err := scanFeed(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Feed{}, ErrUnknown
	}
	if err != nil {
		return Feed{}, fmt.Errorf("read feed: %w", explain(err))
	}
	return f, nil
}

// Subscribe stores a new feed and returns its id. A feed that was unsubscribed
// before comes back with what is left of it. Errors: DuplicateError.
func Subscribe(ctx context.Context, tx *sql.Tx, f Feed, now time.Time) (int64, error) {
	same := discover.SameFeed(f.URL)
	there, err := scanFeed(tx.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.same = ?`, same))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return insertFeed(ctx, tx, f, same, now)
	case err != nil:
		return 0, fmt.Errorf("subscribe: %w", err)
	}
	revived, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ? AND removed <> 0", there.ID)
	if err != nil {
		return 0, fmt.Errorf("subscribe again: %w", err)
	}
	if n, _ := revived.RowsAffected(); n == 0 {
		return there.ID, &DuplicateError{Feed: there}
	}
	f.ID = there.ID
	return there.ID, UpdateFeed(ctx, tx, f)
}

func insertFeed(ctx context.Context, tx *sql.Tx, f Feed, same string, now time.Time) (int64, error) {
	f = f.tidy()
	done, err := tx.ExecContext(ctx, `INSERT INTO feed (url, same, title, own_title, site, folder, weight, every, paused, login, full_text,
		notify, keep_days, keep_number, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.URL, same, f.Title, f.OwnTitle, f.Site, f.Folder,
		f.Weight, int64(f.Every/time.Second), f.Paused, f.Login, f.FullText, f.Notify, f.Keep.Days, f.Keep.Number, now.Unix())
	if err != nil {
		return 0, fmt.Errorf("subscribe: %w", err)
	}
	return done.LastInsertId()
}

// UpdateFeed stores what the user can change of a feed: address, own title,
// folder, weight, every, paused, login, full text, notify, keep. Errors: DuplicateError if
// the new address is another subscription's, ErrUnknown.
func UpdateFeed(ctx context.Context, tx *sql.Tx, f Feed) error {
	same := discover.SameFeed(f.URL)
	other, err := scanFeed(tx.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f
		WHERE f.same = ? AND f.id <> ? AND f.removed = 0`, same, f.ID))
	if err == nil {
		return &DuplicateError{Feed: other}
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("update feed: %w", err)
	}
	if err := giveUpAddress(ctx, tx, same, f.ID); err != nil {
		return err
	}
	f = f.tidy()
	done, err := tx.ExecContext(ctx, `UPDATE feed SET url = ?, same = ?, own_title = ?, folder = ?, weight = ?,
		every = ?, paused = ?, login = ?, full_text = ?, notify = ?, keep_days = ?, keep_number = ? WHERE id = ?`, f.URL, same, f.OwnTitle, f.Folder, f.Weight,
		int64(f.Every/time.Second), f.Paused, f.Login, f.FullText, f.Notify, f.Keep.Days, f.Keep.Number, f.ID)
	if err != nil {
		return fmt.Errorf("update feed: %w", err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// giveUpAddress takes an address from an unsubscribed feed that another feed is
// moved to.
func giveUpAddress(ctx context.Context, tx *sql.Tx, same string, to int64) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET same = same || ' ' || id WHERE same = ? AND id <> ? AND removed <> 0", same, to)
	if err != nil {
		return fmt.Errorf("update feed: %w", err)
	}
	return nil
}

// tidy brings what was typed into the form it is stored in.
func (f Feed) tidy() Feed {
	f.OwnTitle = strings.Join(strings.Fields(f.OwnTitle), " ")
	f.Folder = tidyFolder(f.Folder)
	if !(f.Weight > 0) {
		f.Weight = WeightNormal
	}
	return f
}

func tidyFolder(path string) string {
	var names []string
	name := ""
	for _, word := range append(strings.Fields(path), "/") {
		switch {
		case word != "/":
			name = strings.TrimSpace(name + " " + word)
		case name != "":
			names = append(names, name)
			name = ""
		}
	}
	return strings.Join(names, FolderSeparator)
}

// Describe stores what a feed says of itself; where it says nothing of its title or
// site, what it said before stands.
func Describe(ctx context.Context, tx *sql.Tx, id int64, title, site, icon string) error {
	_, err := tx.ExecContext(ctx, `UPDATE feed SET title = CASE WHEN ?1 <> '' THEN ?1 ELSE title END,
		site = CASE WHEN ?2 <> '' THEN ?2 ELSE site END, icon = ?3
		WHERE id = ?4 AND ((?1 <> '' AND title <> ?1) OR (?2 <> '' AND site <> ?2) OR icon <> ?3)`, title, site, icon, id)
	if err != nil {
		return fmt.Errorf("describe feed: %w", err)
	}
	return nil
}

// Unsubscribe takes a feed out of every list but Starred. Nothing is deleted
// until Purge, so that Resubscribe undoes it. Errors: ErrUnknown.
func Unsubscribe(ctx context.Context, tx *sql.Tx, id int64, now time.Time) error {
	done, err := tx.ExecContext(ctx, "UPDATE feed SET removed = ? WHERE id = ? AND removed = 0", now.Unix(), id)
	if err != nil {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// Resubscribe undoes Unsubscribe. Errors: ErrUnknown.
func Resubscribe(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ?", id)
	if err != nil {
		return fmt.Errorf("undo unsubscribe: %w", err)
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return ErrUnknown
	}
	return nil
}

// Purge deletes for good what was unsubscribed before the given instant, but
// for starred articles. A feed that stays for them gets a new id, so that
// nothing any room knows of it is left: subscribed again, it starts afresh.
func Purge(ctx context.Context, tx *sql.Tx, before time.Time) error {
	rows, err := tx.QueryContext(ctx, "SELECT id FROM feed WHERE removed BETWEEN 1 AND ?", before.Unix())
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	ids, err := appendIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	for _, id := range ids {
		if err := renew(ctx, tx, id); err != nil {
			return fmt.Errorf("purge feed %d: %w", id, err)
		}
	}
	for _, q := range []string{
		"DELETE FROM status WHERE starred = 0 AND feed IN (SELECT id FROM feed WHERE removed = ?)",
		"DELETE FROM feed WHERE removed = ? AND id NOT IN (SELECT feed FROM status)",
	} {
		if _, err := tx.ExecContext(ctx, q, purged); err != nil {
			return fmt.Errorf("purge: %w", err)
		}
	}
	return nil
}

// purged stands in removed for a feed of which starred articles alone are left.
const purged = -1

// renew gives an unsubscribed feed a new row.
func renew(ctx context.Context, tx *sql.Tx, id int64) error {
	var same string
	if err := tx.QueryRowContext(ctx, "SELECT same FROM feed WHERE id = ?", id).Scan(&same); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET same = '' WHERE id = ?", id); err != nil {
		return err
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO feed (url, same, title, own_title, site, folder, weight, every, paused, full_text,
			notify, keep_days, keep_number, added, removed)
		SELECT url, ?, title, own_title, site, folder, weight, every, paused, full_text, notify, keep_days, keep_number, added, ? FROM feed WHERE id = ?`, same, purged, id)
	if err != nil {
		return err
	}
	fresh, err := done.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE status SET feed = ? WHERE feed = ?", fresh, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM feed WHERE id = ?", id)
	return err
}
