package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kairos/reader/discover"
)

// accountPrefix begins feed.same of the feeds of an account, such as "@7 ": a feed is unique within its account or this computer, which
// may both have it. A column of its own in the UNIQUE of feed would need that table written again, to
// which those of articles refer.
func accountPrefix(account int64) string { return "@" + strconv.FormatInt(account, 10) + " " }

// sameOf is feed.same of a feed: for a feed that a server has, the server's id; for others their address.
func sameOf(account int64, remote, address string) string {
	switch {
	case account == 0:
		return discover.SameFeed(address)
	case remote == "":
		return accountPrefix(account) + "+" + discover.SameFeed(address)
	}
	return accountPrefix(account) + remote
}

// ServerFeed is a feed of an account with what its server had last. Title and Folder are ours.
type ServerFeed struct {
	Feed
	Remote       string  // the server's id; "" if the server does not have the feed
	Unsubscribed bool    // here
	ServerTitle  *string // nil: not known, a request to set it is under way or had no answer
	ServerFolder *string
}

// ServerFeeds returns the feeds of an account, and those that were unsubscribed here and not yet at the server.
func ServerFeeds(ctx context.Context, q Querier, account int64) ([]ServerFeed, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+feedColumns+`, f.remote, f.removed <> 0, f.server_title, f.server_folder FROM feed f
		WHERE f.account = ? AND f.account <> 0 AND (f.removed = 0 OR f.remote <> '') ORDER BY f.id`, account)
	if err != nil {
		return nil, fmt.Errorf("list the feeds of an account: %w", classify(err))
	}
	defer rows.Close()
	var feeds []ServerFeed
	for rows.Next() {
		var one ServerFeed
		var title, folder sql.Null[string]
		var err error
		if one.Feed, err = scanFeed(rows, &one.Remote, &one.Unsubscribed, &title, &folder); err != nil {
			return nil, fmt.Errorf("list the feeds of an account: %w", err)
		}
		if title.Valid {
			one.ServerTitle = &title.V
		}
		if folder.Valid {
			one.ServerFolder = &folder.V
		}
		feeds = append(feeds, one)
	}
	return feeds, rows.Err()
}

// UnsentFeeds returns the feeds of an account that are new, unsubscribed, or have another title or folder here than at its server.
func UnsentFeeds(ctx context.Context, q Querier, account int64) ([]int64, error) {
	rows, err := q.QueryContext(ctx, `SELECT f.id FROM feed f WHERE f.account = ? AND f.account <> 0 AND CASE WHEN f.removed <> 0 THEN f.remote <> ''
		ELSE f.remote = '' OR f.server_title IS NULL OR f.server_title <> `+feedTitle+` OR f.server_folder IS NULL OR f.server_folder <> f.folder END`, account)
	if err != nil {
		return nil, fmt.Errorf("list the changed feeds of an account: %w", classify(err))
	}
	return scanIDs(nil, rows)
}

// AddServerFeed stores a feed that a server has and returns its id. A feed of this address that was unsubscribed before comes back
// with what is left of it; ReclaimServerArticles links that again.
func AddServerFeed(ctx context.Context, tx *sql.Tx, account int64, remote string, f Feed, now time.Time) (int64, error) {
	f.Account = account
	same := sameOf(account, remote, f.URL)
	id, err := feedByAddress(ctx, tx, f.URL, "account = ? AND (same = ? OR url <> '' AND removed NOT IN (0, -2) AND remote = '') ORDER BY same <> ?, id DESC",
		account, same, same)
	if err != nil {
		return 0, err
	}
	if err := releaseAddress(ctx, tx, same, id); err != nil {
		return 0, err
	}
	if id == 0 {
		if id, err = insertFeed(ctx, tx, f, same, now); err != nil {
			return 0, err
		}
	}
	f = f.normalized()
	_, err = tx.ExecContext(ctx, `UPDATE feed SET remote = ?2, same = ?3, url = ?4, title = ?5, own_title = '', folder = ?6, server_title = ?5, server_folder = ?6,
		removed = 0 WHERE id = ?1`, id, remote, same, f.URL, f.Title, f.Folder)
	if err != nil {
		return 0, fmt.Errorf("add feed %s: %w", f.URL, err)
	}
	return id, DescribeFeed(ctx, tx, id, "", f.Site, "")
}

// TakeKeptFeed gives an account the feed of this computer with an address that was kept from it when it was removed, and reports whether
// there is one. AddServerFeed finds it.
func TakeKeptFeed(ctx context.Context, tx *sql.Tx, account int64, remote, address string) (taken bool, err error) {
	id, err := feedByAddress(ctx, tx, address, "account = 0 AND removed = 0 AND kept = ? ORDER BY id", account)
	if err != nil || id == 0 {
		return false, err
	}
	same := sameOf(account, remote, address)
	if err := releaseAddress(ctx, tx, same, id); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET account = ?2, same = ?3, kept = 0 WHERE id = ?1", id, account, same); err != nil {
		return false, fmt.Errorf("add feed %s: %w", address, err)
	}
	return true, nil
}

// ReclaimServerArticles gives the articles of a feed that came back to the account whose server had them, and reports whether there
// were any. An id that another article has now stays with that one.
func ReclaimServerArticles(ctx context.Context, tx *sql.Tx, account, feed int64) (reclaimed bool, err error) {
	done, err := tx.ExecContext(ctx, "UPDATE OR IGNORE status SET account = ?1 WHERE feed = ?2 AND account = -?1", account, feed)
	if err != nil {
		return false, fmt.Errorf("link the articles of feed %d: %w", feed, err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// ServerKeys returns the ids that the server of an account has given to the articles of a feed, the newest first.
func ServerKeys(ctx context.Context, q Querier, account, feed int64) ([]string, error) {
	return Collect(ctx, q, fmt.Sprintf("list the articles of feed %d", feed), func(row *sql.Rows, key *string) error {
		return row.Scan(key)
	}, "SELECT key FROM status WHERE feed = ? AND account = ? ORDER BY id DESC", feed, account)
}

// LinkServerFeed gives a feed the id that its server has just given it. A feed that has this id, or had it and has the same address, is
// merged into it; another that had it before, at a server that was set up again since, is not. Errors: ErrUnknown.
func LinkServerFeed(ctx context.Context, tx *sql.Tx, id int64, remote string) error {
	f, err := GetFeed(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("link feed %d: %w", id, err)
	}
	same := sameOf(f.Account, remote, f.URL)
	var other int64
	var address string
	var has bool
	err = tx.QueryRowContext(ctx, "SELECT id, url, removed = 0 OR remote <> '' FROM feed WHERE same = ? AND id <> ?", same, id).Scan(&other, &address, &has)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return fmt.Errorf("look for a feed: %w", err)
	case has || discover.SameFeed(address) == discover.SameFeed(f.URL):
		if _, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ?", other); err != nil {
			return fmt.Errorf("link feed %d: %w", id, err)
		}
		if err := MergeFeeds(ctx, tx, other, id); err != nil {
			return err
		}
	default:
		if err := releaseAddress(ctx, tx, same, id); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, "UPDATE feed SET remote = ?, same = ?, server_title = NULL, server_folder = NULL WHERE id = ?", remote, same, id)
	if err != nil {
		return fmt.Errorf("link feed %d: %w", id, err)
	}
	return nil
}

// UnlinkServerFeed notes that the server does not have a feed any more, nor its articles. Whose they were is kept, for the case that
// it comes back.
func UnlinkServerFeed(ctx context.Context, tx *sql.Tx, id int64) error {
	for _, q := range []string{
		// Ids that were another feed's before.
		`UPDATE status SET account = 0 WHERE account <> 0 AND account = (SELECT -account FROM feed WHERE id = ?1)
			AND key IN (SELECT key FROM status WHERE feed = ?1 AND account > 0)`,
		"UPDATE status SET account = -account WHERE feed = ? AND account > 0",
		"UPDATE feed SET remote = '', server_title = NULL, server_folder = NULL WHERE id = ?",
	} {
		if _, err := tx.ExecContext(ctx, q, id); err != nil {
			return fmt.Errorf("unlink feed %d: %w", id, err)
		}
	}
	return nil
}

// ForgetServerID is UnlinkServerFeed for a feed whose id is another one's now: its key is that of one that the server does not have.
func ForgetServerID(ctx context.Context, tx *sql.Tx, id int64) error {
	if err := UnlinkServerFeed(ctx, tx, id); err != nil {
		return err
	}
	f, err := GetFeed(ctx, tx, id)
	if errors.Is(err, ErrUnknown) {
		if _, err := tx.ExecContext(ctx, "UPDATE feed SET same = same || ' ' || id WHERE id = ? AND removed <> 0", id); err != nil {
			return fmt.Errorf("unlink feed %d: %w", id, err)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("unlink feed %d: %w", id, err)
	}
	same := sameOf(f.Account, "", f.URL)
	if err := releaseAddress(ctx, tx, same, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET same = ? WHERE id = ?", same, id); err != nil {
		return fmt.Errorf("unlink feed %d: %w", id, err)
	}
	return nil
}

// SetUnsubscribedServerID stores the id that a server has for a feed that was unsubscribed here, in place of one that was forgotten: the
// server is to be told.
func SetUnsubscribedServerID(ctx context.Context, tx *sql.Tx, id int64, remote string) error {
	var account int64
	err := tx.QueryRowContext(ctx, "SELECT account FROM feed WHERE id = ? AND removed <> 0", id).Scan(&account)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // subscribed again a moment ago
	}
	same := sameOf(account, remote, "")
	if err == nil {
		err = releaseAddress(ctx, tx, same, id)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE feed SET remote = ?, same = ? WHERE id = ?", remote, same, id)
	}
	if err != nil {
		return fmt.Errorf("link feed %d: %w", id, err)
	}
	return nil
}

// SetServerTitle stores the title and folder that a server has for a feed; nil: not known.
func SetServerTitle(ctx context.Context, tx *sql.Tx, id int64, title, folder *string) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET server_title = ?, server_folder = ? WHERE id = ?", title, folder, id)
	if err != nil {
		return fmt.Errorf("store what a server has of feed %d: %w", id, err)
	}
	return nil
}

// TakeServerTitle stores a title that was given at the server, in place of ours.
func TakeServerTitle(ctx context.Context, tx *sql.Tx, id int64, title string) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET title = ?2, own_title = '' WHERE id = ?1", id, title)
	if err != nil {
		return fmt.Errorf("store a title of feed %d: %w", id, err)
	}
	return nil
}

// TakeServerFolders moves feeds to folders that were chosen at the server, unless they were moved here meanwhile: was has the folder
// that each was in. What was chosen here for a folder that was renamed there follows it.
func TakeServerFolders(ctx context.Context, tx *sql.Tx, folders, was map[int64]string) error {
	still := map[int64]string{}
	for id, folder := range folders {
		f, err := GetFeed(ctx, tx, id)
		switch {
		case errors.Is(err, ErrUnknown):
		case err != nil:
			return err
		case f.Folder == was[id]:
			still[id] = folder
		}
	}
	_, err := SetFolders(ctx, tx, still)
	return err
}

// SetServerAddress stores the address and the site that a server has for a feed.
func SetServerAddress(ctx context.Context, tx *sql.Tx, id int64, address, site string) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET url = ?2, site = ?3 WHERE id = ?1 AND (url <> ?2 OR site <> ?3)", id, discover.WithoutLogin(address), discover.WithoutLogin(site))
	if err != nil {
		return fmt.Errorf("store an address of feed %d: %w", id, err)
	}
	return nil
}

// NormalizeFolder returns the path of a folder as it is stored.
func NormalizeFolder(path string) string { return normalizeFolder(path) }

// MoveFeed moves a feed with its articles to an account, or to this computer if account is 0, and returns the id it has there.
// A server it comes from is to unsubscribe from it; one it goes to does not know it yet. A feed that is there already absorbs
// it; on this computer, articles that are unread in either stay unread: how many are so never grows by that, and none is lost from
// sight that nobody may have read. Errors: ErrUnknown, ErrNoAddress.
func MoveFeed(ctx context.Context, tx *sql.Tx, id, account int64) (int64, error) {
	f, err := GetFeed(ctx, tx, id)
	if err != nil {
		return 0, fmt.Errorf("move feed %d: %w", id, err)
	}
	if f.Account == account {
		return id, nil
	}
	if f.URL == "" {
		return 0, ErrNoAddress
	}
	if err := leaveServer(ctx, tx, id); err != nil {
		return 0, fmt.Errorf("move feed %d: %w", id, err)
	}
	there, err := feedOfAccount(ctx, tx, account, f.URL)
	if err != nil {
		return 0, err
	}
	if account == 0 {
		if err := keepServerTitle(ctx, tx, id, there); err != nil {
			return 0, err
		}
		// The next document is the first one of this computer: what it lists is known by its links, too.
		if _, err := tx.ExecContext(ctx, "UPDATE status SET listed = 0 WHERE feed = ? AND listed = 1", id); err != nil {
			return 0, fmt.Errorf("move feed %d: %w", id, err)
		}
	}
	if there == 0 && account != 0 {
		if there, err = reviveFeed(ctx, tx, account, f.URL); err != nil {
			return 0, err
		}
	}
	if there != 0 {
		if err := mergeAlike(ctx, tx, id, there, account == 0); err != nil {
			return 0, fmt.Errorf("move feed %d: %w", id, err)
		}
		return there, nil
	}
	same := sameOf(account, "", f.URL)
	if err := releaseAddress(ctx, tx, same, id); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET account = ?, same = ? WHERE id = ?", account, same, id); err != nil {
		return 0, fmt.Errorf("move feed %d: %w", id, err)
	}
	return id, nil
}

// keepServerTitle makes the title that a feed has at a server, by the user or not, the user's own, unless the feed of this computer that
// absorbs it has the same. Its own title is not known; DescribeFeed drops ours if it is the same.
func keepServerTitle(ctx context.Context, tx *sql.Tx, id, into int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE feed SET own_title = title, title = '' WHERE id = ?1 AND own_title = '' AND title NOT IN ('', url, site)
		AND NOT EXISTS (SELECT 1 FROM feed b WHERE b.id = ?2 AND b.title = feed.title)`, id, into)
	if err != nil {
		return fmt.Errorf("keep the title of feed %d: %w", id, err)
	}
	return nil
}

// leaveServer leaves an unsubscribed feed in place of one that its server has.
func leaveServer(ctx context.Context, tx *sql.Tx, id int64) error {
	var remote, same string
	if err := tx.QueryRowContext(ctx, "SELECT remote, same FROM feed WHERE id = ?", id).Scan(&remote, &same); err != nil {
		return err
	}
	if err := UnlinkServerFeed(ctx, tx, id); err != nil || remote == "" {
		return err
	}
	for _, q := range []string{
		"UPDATE feed SET same = '' WHERE id = ?1",
		"INSERT INTO feed (url, same, title, site, added, account, remote, removed) SELECT url, ?2, title, site, added, account, ?3, max(added, 1) FROM feed WHERE id = ?1",
	} {
		if _, err := tx.ExecContext(ctx, q, id, same, remote); err != nil {
			return err
		}
	}
	return nil
}

// feedOfAccount returns the subscription of an account to an address, 0 if it has none.
func feedOfAccount(ctx context.Context, tx *sql.Tx, account int64, address string) (int64, error) {
	return feedByAddress(ctx, tx, address, "account = ? AND removed = 0 ORDER BY id", account)
}

// reviveFeed subscribes again to a feed of an account that was unsubscribed here, and returns its id; 0 if there is none. One that
// its server still has goes before others: to unsubscribe and subscribe there would cost its articles.
func reviveFeed(ctx context.Context, tx *sql.Tx, account int64, address string) (int64, error) {
	id, err := feedByAddress(ctx, tx, address, "account = ? AND removed <> 0 ORDER BY remote = '', id DESC", account)
	if err != nil || id == 0 {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE id = ?", id)
	if err != nil {
		return 0, fmt.Errorf("subscribe again: %w", err)
	}
	return id, nil
}

// feedByAddress returns the first feed of a condition that has an address, 0 if none has.
func feedByAddress(ctx context.Context, tx *sql.Tx, address, condition string, args ...any) (int64, error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, url FROM feed WHERE "+condition, args...)
	if err != nil {
		return 0, fmt.Errorf("look for a feed: %w", err)
	}
	defer rows.Close()
	same := discover.SameFeed(address)
	for rows.Next() {
		var id int64
		var url string
		if err := rows.Scan(&id, &url); err != nil {
			return 0, fmt.Errorf("look for a feed: %w", err)
		}
		if discover.SameFeed(url) == same {
			return id, nil
		}
	}
	return 0, rows.Err()
}

// mergeAlike merges a feed into another one that knows the same articles under other keys: those with the same title and date
// are one article, and those that alone have a link, and have one of the two in common. With keepUnread an article that is unread in
// either stays unread.
func mergeAlike(ctx context.Context, tx *sql.Tx, from, into int64, keepUnread bool) error {
	const only = "SELECT min(s.id) AS id, min(s.key) AS key, a.link, min(a.title) AS title, min(s.published) AS published FROM status s JOIN article a USING (id) WHERE s.feed = "
	for _, q := range []string{
		`UPDATE OR IGNORE status SET key = b.key
			FROM (SELECT s.key, s.published, a.title FROM status s JOIN article a USING (id)
				WHERE s.feed = ?2 AND a.title <> '' GROUP BY s.published, a.title HAVING count(*) = 1) AS b, article AS t
			WHERE status.feed = ?1 AND t.id = status.id AND t.title = b.title AND status.published = b.published`,
		"UPDATE OR IGNORE status SET key = b.key FROM (" + only + "?1 GROUP BY a.link HAVING count(*) = 1) AS a, (" + only + `?2 GROUP BY a.link HAVING count(*) = 1) AS b
			WHERE status.id = a.id AND a.link = b.link AND a.link <> '' AND (a.title = b.title OR a.published = b.published)
				AND status.key NOT IN (SELECT key FROM status WHERE feed = ?2)`,
	} {
		if _, err := tx.ExecContext(ctx, q, from, into); err != nil {
			return err
		}
	}
	if keepUnread {
		_, err := tx.ExecContext(ctx, "UPDATE status SET read = 0, "+endsNoMore+` WHERE feed IN (?1, ?2) AND read = 1
			AND key IN (SELECT key FROM status WHERE feed IN (?1, ?2) AND read = 0)`, from, into)
		if err != nil {
			return err
		}
	}
	return MergeFeeds(ctx, tx, from, into)
}
