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

// Subscribe stores a new feed, of this computer or of an account, and returns its id. A feed that was unsubscribed before comes
// back with what is left of it. Errors: *DuplicateError.
func Subscribe(ctx context.Context, tx *sql.Tx, f Feed, now time.Time) (int64, error) {
	if f.Account != 0 {
		id, err := subscribeAgain(ctx, tx, f)
		if err != nil || id != 0 {
			return id, err
		}
	}
	same := sameOf(f.Account, "", f.URL)
	existing, err := scanFeed(tx.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f WHERE f.same = ?`, same))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return insertFeed(ctx, tx, f, same, now)
	case err != nil:
		return 0, fmt.Errorf("subscribe: %w", err)
	}
	revived, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ? AND removed <> 0", existing.ID)
	if err != nil {
		return 0, fmt.Errorf("subscribe again: %w", err)
	}
	if n, _ := revived.RowsAffected(); n == 0 {
		return existing.ID, &DuplicateError{Feed: existing}
	}
	f.ID = existing.ID
	return existing.ID, UpdateFeed(ctx, tx, f)
}

// subscribeAgain revives a feed of an account, and returns its id; 0 if there is none. Errors: *DuplicateError.
func subscribeAgain(ctx context.Context, tx *sql.Tx, f Feed) (int64, error) {
	id, err := feedOfAccount(ctx, tx, f.Account, f.URL)
	if err != nil {
		return 0, err
	}
	if id != 0 {
		existing, err := GetFeed(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		return id, &DuplicateError{Feed: existing}
	}
	if f.ID, err = reviveFeed(ctx, tx, f.Account, f.URL); err != nil || f.ID == 0 {
		return 0, err
	}
	return f.ID, UpdateFeed(ctx, tx, f)
}

func insertFeed(ctx context.Context, tx *sql.Tx, f Feed, same string, now time.Time) (int64, error) {
	f = f.normalized()
	done, err := tx.ExecContext(ctx, `INSERT INTO feed (url, same, title, own_title, site, folder, weight, every, paused, login, full_text,
		notify, keep_days, keep_number, added, account, interest, quiet, end_days, end_number, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.URL, same, f.Title, f.OwnTitle, f.Site, f.Folder,
		f.Weight, int64(f.Every/time.Second), f.Paused, f.Login, f.FullText, f.Notify, f.Keep.Days, f.Keep.Number, now.Unix(), f.Account, f.Interest, f.Quiet, f.Ends.Days, f.Ends.Number, string(f.Source))
	if err != nil {
		return 0, fmt.Errorf("subscribe: %w", err)
	}
	return done.LastInsertId()
}

// UpdateFeed stores what the user can change of a feed: address, own title, folder, weight, interest, every,
// paused, login, full text, notify, keep, quiet, ends. The address of an account's feed is its server's and stays. Errors: *DuplicateError if
// the new address belongs to another subscription, ErrUnknown.
func UpdateFeed(ctx context.Context, tx *sql.Tx, f Feed) error {
	var url, same string
	err := tx.QueryRowContext(ctx, "SELECT url, same FROM feed WHERE id = ? AND account <> 0", f.ID).Scan(&url, &same)
	switch {
	case err == nil:
		f.URL = url
		return writeFeed(ctx, tx, f, same)
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("update feed: %w", err)
	}
	same = discover.SameFeed(f.URL)
	other, err := scanFeed(tx.QueryRowContext(ctx, `SELECT `+feedColumns+` FROM feed f
		WHERE f.same = ? AND f.id <> ? AND f.removed = 0`, same, f.ID))
	if err == nil {
		return &DuplicateError{Feed: other}
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("update feed: %w", err)
	}
	if err := releaseAddress(ctx, tx, same, f.ID); err != nil {
		return err
	}
	return writeFeed(ctx, tx, f, same)
}

func writeFeed(ctx context.Context, tx *sql.Tx, f Feed, same string) error {
	f = f.normalized()
	done, err := tx.ExecContext(ctx, `UPDATE feed SET url = ?, same = ?, own_title = ?, folder = ?, weight = ?,
		every = ?, paused = ?, login = ?, full_text = ?, notify = ?, keep_days = ?, keep_number = ?, interest = ?,
		quiet = ?, end_days = ?, end_number = ?, source = ? WHERE id = ?`, f.URL, same, f.OwnTitle, f.Folder, f.Weight,
		int64(f.Every/time.Second), f.Paused, f.Login, f.FullText, f.Notify, f.Keep.Days, f.Keep.Number, f.Interest,
		f.Quiet, f.Ends.Days, f.Ends.Number, string(f.Source), f.ID)
	return expectChange(done, err, "update feed")
}

// releaseAddress takes an address from an unsubscribed feed so that another feed can have it.
func releaseAddress(ctx context.Context, tx *sql.Tx, same string, to int64) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET same = same || ' ' || id WHERE same = ? AND id <> ? AND removed <> 0", same, to)
	if err != nil {
		return fmt.Errorf("update feed: %w", err)
	}
	return nil
}

// normalized returns a feed with address, own title, folder, weight and interest in the form they are stored in. Logins are in the
// keyring, not in addresses.
func (f Feed) normalized() Feed {
	f.URL, f.Site = discover.WithoutLogin(f.URL), discover.WithoutLogin(f.Site)
	f.OwnTitle = strings.Join(strings.Fields(f.OwnTitle), " ")
	f.Folder = normalizeFolder(f.Folder)
	if !(f.Weight > 0) {
		f.Weight = WeightNormal
	}
	f.Ends = f.Ends.normalized()
	if !(f.Interest > 0) || f.Interest > 1 {
		f.Interest = 0
	}
	return f
}

// DescribeFeed stores the title, site and icon that a feed gives itself. An empty title or site leaves
// the one before. A title of the user's that turns out to be the feed's own is none.
func DescribeFeed(ctx context.Context, tx *sql.Tx, id int64, title, site, icon string) error {
	_, err := tx.ExecContext(ctx, `UPDATE feed SET own_title = CASE WHEN title = '' AND own_title = ?1 THEN '' ELSE own_title END,
		title = CASE WHEN ?1 <> '' THEN ?1 ELSE title END,
		site = CASE WHEN ?2 <> '' THEN ?2 ELSE site END, icon = ?3
		WHERE id = ?4 AND ((?1 <> '' AND title <> ?1) OR (?2 <> '' AND site <> ?2) OR icon <> ?3)`, title, site, icon, id)
	if err != nil {
		return fmt.Errorf("describe feed: %w", err)
	}
	return nil
}
