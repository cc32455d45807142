package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"kairos/reader/archive"
	"kairos/reader/content"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// Unarchiver stores exported feeds again. What is there already stays: of a feed or an article that is known, only marks and
// labels are added. So it can be repeated without doubles.
type Unarchiver struct {
	Rules []int64 // ids of the rules, in the order of their numbers; 0: there is none
	Local bool    // do not pause feeds of this computer and its network
	Now   time.Time

	labels map[string]int64
}

// UnarchivedFeed is what became of an exported feed.
type UnarchivedFeed struct {
	ID    int64
	Known bool // it was subscribed to already
	Local bool // it is paused because it is of this computer or its network

	origin content.Origin
}

// ErrFeedAddress says that an exported feed has no address that a feed can have.
var ErrFeedAddress = errors.New("the feed has no valid address")

// Feed stores a feed. Errors: ErrFeedAddress.
func (u *Unarchiver) Feed(ctx context.Context, tx *sql.Tx, f archive.Feed) (done UnarchivedFeed, err error) {
	address, err := url.Parse(f.URL)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" && address.Scheme != "file" {
		return done, ErrFeedAddress
	}
	feed := Feed{URL: f.URL, Title: f.Title, OwnTitle: f.OwnTitle, Site: f.Site, Folder: f.Folder, Weight: min(f.Weight, MaxWeight), Interest: f.Interest,
		Paused: f.Paused, FullText: f.FullText, Notify: f.Notify, Keep: Keep{Days: boundKeep(f.KeepDays), Number: boundKeep(f.KeepNumber)},
		Quiet: f.Quiet, Ends: Ends{Days: boundKeep(f.EndDays), Number: boundKeep(f.EndNumber)}, Source: Source(f.Source)}
	if f.Every > 0 {
		feed.Every = min(max(f.Every, MinEvery), MaxEvery)
	}
	done.origin.Local = address.Scheme == "file" || content.IsLocal(f.URL)
	done.Local = done.origin.Local && !u.Local && !f.Paused
	feed.Paused = f.Paused || done.Local
	if f.Unsubscribed {
		done.ID, done.Known, err = findOrPurged(ctx, tx, feed, f.Added)
		return done, err
	}
	done.ID, err = Subscribe(ctx, tx, feed, f.Added)
	if duplicate := (*DuplicateError)(nil); errors.As(err, &duplicate) {
		return UnarchivedFeed{ID: done.ID, Known: true, origin: done.origin}, nil
	}
	if err == nil && f.Icon != "" {
		err = DescribeFeed(ctx, tx, done.ID, "", "", f.Icon)
	}
	return done, err
}

// findOrPurged returns the feed of an address, or stores one of which only articles are left.
func findOrPurged(ctx context.Context, tx *sql.Tx, f Feed, added time.Time) (id int64, known bool, err error) {
	same := sameOf(0, "", f.URL)
	err = tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE same = ?", same).Scan(&id)
	if err == nil {
		return id, true, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, false, fmt.Errorf("find feed: %w", err)
	}
	if id, err = insertFeed(ctx, tx, f, same, added); err != nil {
		return 0, false, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE feed SET removed = ? WHERE id = ?", purged, id)
	return id, false, err
}

func boundKeep(n int) int { return min(max(n, KeepAll), maxKeep) }

// Articles stores articles of a feed, and returns how many are new.
func (u *Unarchiver) Articles(ctx context.Context, tx *sql.Tx, feed UnarchivedFeed, articles []archive.Article) (added int, err error) {
	w, err := newArticleWriter(ctx, tx, feed.ID, u.Now, time.Time{})
	if err != nil {
		return 0, err
	}
	defer w.close()
	for i := range articles {
		isNew, err := u.article(ctx, tx, w, feed.origin, &articles[i])
		if err != nil {
			return added, fmt.Errorf("store article %q: %w", articles[i].Key, err)
		}
		if isNew {
			added++
		}
	}
	return added, nil
}

func (u *Unarchiver) article(ctx context.Context, tx *sql.Tx, w *articleWriter, origin content.Origin, a *archive.Article) (isNew bool, err error) {
	var id int64
	err = tx.QueryRowContext(ctx, "SELECT id FROM status WHERE feed = ? AND key = ?", w.feed, a.Key).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if id, err = u.insert(ctx, tx, w, origin, a); err != nil {
			return false, err
		}
		isNew = true
	case err != nil:
		return false, err
	default:
		if _, err := tx.ExecContext(ctx, "UPDATE status SET read = max(read, ?), starred = max(starred, ?) WHERE id = ? AND (read < ?1 OR starred < ?2)", a.Read, a.Starred, id); err != nil {
			return false, err
		}
	}
	for _, name := range a.Labels {
		label, err := u.Label(ctx, tx, Label{Name: name, Color: -1})
		if err != nil {
			return false, err
		}
		if _, err := PutLabel(ctx, tx, label, []int64{id}, true); err != nil {
			return false, err
		}
	}
	for _, p := range a.Playback {
		if _, err := tx.ExecContext(ctx, `INSERT INTO playback (article, url, position, length, heard, queued, saved) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, p.URL, max(p.Position, 0).Milliseconds(), max(p.Length, 0).Milliseconds(), p.Heard, max(p.Queued, 0), p.Saved); err != nil {
			return false, err
		}
	}
	return isNew, nil
}

func (u *Unarchiver) insert(ctx context.Context, tx *sql.Tx, w *articleWriter, origin content.Origin, a *archive.Article) (int64, error) {
	origin.Base = a.Link
	one := parse.Article{Title: lineAgain(a.Title), Link: origin.Link(a.Link), Author: lineAgain(a.Author), HTML: content.SanitizeAgain(a.HTML, origin)}
	for _, e := range a.Enclosures {
		if isWebAddress(e.URL) {
			one.Enclosures = append(one.Enclosures, parse.Enclosure{URL: e.URL, Type: e.Type, Length: max(e.Length, 0)})
		}
	}
	hidden := int64(a.Hidden)
	if a.Hidden > 0 {
		if hidden = archive.UnknownRule; a.Hidden <= len(u.Rules) && u.Rules[a.Hidden-1] != 0 {
			hidden = u.Rules[a.Hidden-1]
		}
	}
	done, err := w.insertStatus.ExecContext(ctx, w.feed, a.Key, a.Published.Unix(), a.Seen.Unix(), a.Read, a.Starred, hidden != 0, hidden, 0, a.Listed, 0, false, false)
	if err != nil {
		return 0, err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return 0, err
	}
	if _, err := w.insertArticle.ExecContext(ctx, id, one.Title, one.Link, one.Author, lineAgain(a.Summary), digest(one), trimmedLines(a.Categories)); err != nil {
		return 0, err
	}
	if _, err := w.insertBody.ExecContext(ctx, id, one.HTML); err != nil {
		return 0, err
	}
	if t := a.FullText; t != nil {
		if _, err := tx.ExecContext(ctx, "INSERT INTO full_text (id, html, at, shown) VALUES (?, ?, ?, ?)", id, content.SanitizeAgain(t.HTML, origin), t.At.Unix(), t.Shown); err != nil {
			return 0, err
		}
	}
	return id, w.storeEnclosures(ctx, id, one)
}

// lineAgain returns a text that is one line as it is, also with a blank at its end, and another as one.
func lineAgain(s string) string {
	if line := content.Line(s); line != strings.TrimSpace(s) {
		return line
	}
	return s
}

func isWebAddress(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// Gone stores articles of a feed that were deleted or cleaned up; those that are there stay.
func (u *Unarchiver) Gone(ctx context.Context, tx *sql.Tx, feed int64, gone []archive.Gone) error {
	for _, g := range gone {
		if _, err := tx.ExecContext(ctx, `INSERT INTO status (feed, key, published, seen, read, deleted, listed) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (feed, key) DO NOTHING`,
			feed, g.Key, g.Published.Unix(), g.Seen.Unix(), g.Read, g.Deleted, g.Listed); err != nil {
			return fmt.Errorf("store a deleted article: %w", err)
		}
	}
	return nil
}

// Label returns the id of the label with a name; if there is none, it is stored with its color, or with the one that the fewest have
// if that is negative.
func (u *Unarchiver) Label(ctx context.Context, tx *sql.Tx, l Label) (int64, error) {
	if u.labels == nil {
		u.labels = map[string]int64{}
	}
	if id, ok := u.labels[l.Name]; ok {
		return id, nil
	}
	all, err := labelsIn(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, one := range all {
		if one.Same(l.Name) {
			u.labels[l.Name] = one.ID
			return one.ID, nil
		}
	}
	if l.Color < 0 || l.Color >= LabelColors {
		l.Color = NextLabelColor(all)
	}
	id, err := SaveLabel(ctx, tx, Label{Name: l.Name, Color: l.Color})
	if err == nil {
		u.labels[l.Name] = id
	}
	return id, err
}

func labelsIn(ctx context.Context, tx *sql.Tx) (all []Label, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, name, color FROM label")
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var l Label
		if err := rows.Scan(&l.ID, &l.Name, &l.Color); err != nil {
			return nil, fmt.Errorf("list labels: %w", err)
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

// FindFeed returns the id of the feed of this computer with an address; 0 if there is none.
func FindFeed(ctx context.Context, tx *sql.Tx, address string) (id int64, err error) {
	return findID(tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE same = ?", sameOf(0, "", address)))
}

// FindArticle returns the id of the article of a feed with a key; 0 if there is none.
func FindArticle(ctx context.Context, tx *sql.Tx, feed int64, key string) (id int64, err error) {
	return findID(tx.QueryRowContext(ctx, "SELECT id FROM status WHERE feed = ? AND key = ?", feed, key))
}

func findID(row *sql.Row) (id int64, err error) {
	if err = row.Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("find: %w", classify(err))
	}
	return id, nil
}

// Key returns what identifies an article within its feed; "" if it is gone.
func (a Articles) Key(ctx context.Context, id int64) (key string, err error) {
	err = a.db.prepared.Row(ctx, "SELECT key FROM status WHERE id = ?", []any{id}, &key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read the key of an article: %w", classify(err))
	}
	return key, nil
}

// ListRules is Rules.List within a transaction.
func ListRules(ctx context.Context, tx *sql.Tx) ([]rule.Rule, error) { return readRules(ctx, tx, "") }

// AddSearch stores a search unless it is saved under this name already.
func AddSearch(ctx context.Context, tx *sql.Tx, one SavedSearch) error {
	id, err := findID(tx.QueryRowContext(ctx, "SELECT id FROM saved_search WHERE name = ? AND search = ?", one.Name, one.Search))
	if err == nil && id == 0 {
		_, err = SaveSearch(ctx, tx, one)
	}
	return err
}

// FillSetting stores a value unless there is one.
func FillSetting(ctx context.Context, tx *sql.Tx, key, value string) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO NOTHING", key, value); err != nil {
		return fmt.Errorf("set %s: %w", key, err)
	}
	return nil
}
