package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"time"

	"kairos/reader/discover"
	"kairos/reader/opml"
)

// ImportResult is the result of an import.
type ImportResult struct {
	Added    []int64
	Local    []int64 // added but paused: of this computer or its network
	Known    int     // already subscribed
	Refused  []opml.Refusal
	Warnings []opml.Warning
	Logins   []ImportedLogin // of added feeds, to be stored by the caller
}

// ImportedLogin is a user and password that an added feed had in its address.
type ImportedLogin struct {
	Feed    int64
	Outline opml.Outline
}

// Our own attributes of an outline.
const (
	attrWeight   = "weight"
	attrEvery    = "every" // seconds
	attrPaused   = "paused"
	attrFullText = "fulltext"
	attrNotify   = "notify"
	attrDays     = "keepdays" // KeepAll, or days
	attrNumber   = "keep"     // KeepAll, or articles
	attrQuiet    = "quiet"
	attrEndDays  = "enddays" // EndNever, or days
	attrEnd      = "end"     // EndNever, or articles
	attrSource   = "source"  // Source
	attrTitle    = "title"   // titleOfFeed if the user gave none
)

const titleOfFeed = "feed"

// ImportFeeds subscribes to all feeds of a list. If one fails, none is stored. Whoever made the list may have named feeds of this
// computer and its network, files among them, to have them fetched: they are paused.
func ImportFeeds(ctx context.Context, tx *sql.Tx, account int64, list opml.List, now time.Time) (ImportResult, error) {
	done := ImportResult{Refused: list.Refused, Warnings: list.Warnings}
	for _, o := range list.Feeds {
		f := fromOutline(o)
		f.Account = account
		hasLogin := o.User != "" || o.Password != ""
		if hasLogin && account != 0 {
			done.Refused = append(done.Refused, opml.Refusal{Text: o.Title, Code: opml.PasswordOfServer})
			continue
		}
		pause := account == 0 && isLocalFeed(o.URL)
		f.Paused = f.Paused || pause
		id, err := Subscribe(ctx, tx, f, now)
		var duplicate *DuplicateError
		switch {
		case errors.As(err, &duplicate):
			done.Known++
		case err != nil:
			return ImportResult{}, fmt.Errorf("import %s: %w", o.URL, err)
		case pause:
			done.Local = append(done.Local, id)
		default:
			done.Added = append(done.Added, id)
		}
		if err == nil && hasLogin {
			done.Logins = append(done.Logins, ImportedLogin{id, o})
		}
	}
	return done, nil
}

func fromOutline(o opml.Outline) Feed {
	f := Feed{URL: o.URL, Site: o.Site, Folder: o.Folder, Weight: WeightNormal}
	if o.Attrs[attrTitle] == titleOfFeed || isAddress(o.Title, o.URL) {
		f.Title = o.Title
	} else {
		f.OwnTitle = o.Title
	}
	if w, err := strconv.ParseFloat(o.Attrs[attrWeight], 64); err == nil && w > 0 && w <= MaxWeight {
		f.Weight = w
	}
	if s, err := strconv.ParseFloat(o.Attrs[attrEvery], 64); err == nil && s > 0 {
		f.Every = time.Duration(min(max(s, minEvery.Seconds()), maxEvery.Seconds())) * time.Second
	}
	f.Paused = o.Attrs[attrPaused] == "true"
	f.FullText = o.Attrs[attrFullText] == "true"
	f.Notify = o.Attrs[attrNotify] == "true"
	f.Quiet = o.Attrs[attrQuiet] == "true"
	f.Source = Source(o.Attrs[attrSource])
	f.Ends = Ends{Days: parseKeep(o.Attrs[attrEndDays]), Number: parseKeep(o.Attrs[attrEnd])}
	f.Keep = Keep{Days: parseKeep(o.Attrs[attrDays]), Number: parseKeep(o.Attrs[attrNumber])}
	return f
}

// isAddress reports whether a title is only the feed's address or host.
func isAddress(title, address string) bool {
	u, err := url.Parse(address)
	return title == address || err == nil && title == u.Host
}

// parseKeep reads a bound of Keep or Ends; 0 if it is not valid.
func parseKeep(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < KeepAll {
		return 0
	}
	return min(n, maxKeep)
}

// Export writes every subscription as OPML, without logins, and returns how many.
func (f Feeds) Export(ctx context.Context, w io.Writer, now time.Time) (int, error) {
	feeds, err := f.List(ctx)
	if err != nil {
		return 0, err
	}
	return writeOPML(w, "Kairos subscriptions", now, feeds)
}

// ExportStarred writes the feeds that have starred articles as OPML, unsubscribed ones included,
// without logins, and returns how many.
func (f Feeds) ExportStarred(ctx context.Context, w io.Writer, now time.Time) (int, error) {
	rows, err := f.db.read.QueryContext(ctx, `SELECT `+feedColumns+` FROM feed f
		WHERE f.id IN (SELECT feed FROM status WHERE starred = 1 AND deleted = 0) ORDER BY f.folder COLLATE NOCASE, 3 COLLATE NOCASE, f.id`)
	if err != nil {
		return 0, fmt.Errorf("list starred feeds: %w", classify(err))
	}
	defer rows.Close()
	var feeds []Feed
	for rows.Next() {
		feed, err := scanFeed(rows)
		if err != nil {
			return 0, fmt.Errorf("list starred feeds: %w", err)
		}
		feeds = append(feeds, feed)
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("list starred feeds: %w", classify(err))
	}
	return writeOPML(w, "Feeds with starred articles", now, feeds)
}

func writeOPML(w io.Writer, title string, now time.Time, feeds []Feed) (int, error) {
	outlines := make([]opml.Outline, len(feeds))
	for i, f := range feeds {
		outlines[i] = toOutline(f)
	}
	return len(outlines), opml.Write(w, title, now, outlines)
}

func toOutline(f Feed) opml.Outline {
	f.URL = discover.WithoutLogin(f.URL)
	attrs := map[string]string{}
	if f.Weight != WeightNormal {
		attrs[attrWeight] = strconv.FormatFloat(f.Weight, 'g', -1, 64)
	}
	if f.Every > 0 {
		attrs[attrEvery] = strconv.FormatInt(int64(f.Every/time.Second), 10)
	}
	for name, on := range map[string]bool{attrPaused: f.Paused, attrNotify: f.Notify, attrFullText: f.FullText, attrQuiet: f.Quiet} {
		if on {
			attrs[name] = "true"
		}
	}
	for name, n := range map[string]int{attrDays: f.Keep.Days, attrNumber: f.Keep.Number, attrEndDays: f.Ends.Days, attrEnd: f.Ends.Number} {
		if n != 0 {
			attrs[name] = strconv.Itoa(n)
		}
	}
	if f.OwnTitle == "" {
		attrs[attrTitle] = titleOfFeed
	}
	if f.Source != "" {
		attrs[attrSource] = string(f.Source)
	}
	return opml.Outline{Title: f.Title, URL: f.URL, Site: f.Site, Folder: f.Folder, Attrs: attrs}
}
