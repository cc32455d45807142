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

	"kairos/reader/opml"
)

// Imported is the result of an import.
type Imported struct {
	Added    []int64
	Known    int // subscribed already
	Refused  []opml.Refusal
	Warnings []opml.Warning
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
	attrTitle    = "title"    // titleOfFeed where the user gave none
)

const titleOfFeed = "feed"

// Import subscribes every feed of a list, all or none of them.
func Import(ctx context.Context, tx *sql.Tx, list opml.List, now time.Time) (Imported, error) {
	done := Imported{Refused: list.Refused, Warnings: list.Warnings}
	for _, o := range list.Feeds {
		id, err := Subscribe(ctx, tx, fromOutline(o), now)
		var duplicate *DuplicateError
		switch {
		case errors.As(err, &duplicate):
			done.Known++
		case err != nil:
			return Imported{}, fmt.Errorf("import %s: %w", o.URL, err)
		default:
			done.Added = append(done.Added, id)
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
		f.Every = time.Duration(min(max(s, MinEvery.Seconds()), MaxEvery.Seconds())) * time.Second
	}
	f.Paused = o.Attrs[attrPaused] == "true"
	f.FullText = o.Attrs[attrFullText] == "true"
	f.Notify = o.Attrs[attrNotify] == "true"
	f.Keep = Keep{Days: keepAttr(o.Attrs[attrDays]), Number: keepAttr(o.Attrs[attrNumber])}
	return f
}

// isAddress tells a title that stands in for a missing one.
func isAddress(title, address string) bool {
	u, err := url.Parse(address)
	return title == address || err == nil && title == u.Host
}

// Export writes every subscription as OPML. Logins are not in it.
func (s *Store) Export(ctx context.Context, w io.Writer, now time.Time) (int, error) {
	feeds, err := s.Feeds(ctx)
	if err != nil {
		return 0, err
	}
	outlines := make([]opml.Outline, len(feeds))
	for i, f := range feeds {
		outlines[i] = toOutline(f)
	}
	return len(feeds), opml.Write(w, "Kairos subscriptions", now, outlines)
}

func toOutline(f Feed) opml.Outline {
	attrs := map[string]string{}
	if f.Weight != WeightNormal {
		attrs[attrWeight] = strconv.FormatFloat(f.Weight, 'g', -1, 64)
	}
	if f.Every > 0 {
		attrs[attrEvery] = strconv.FormatInt(int64(f.Every/time.Second), 10)
	}
	if f.Paused {
		attrs[attrPaused] = "true"
	}
	if f.Notify {
		attrs[attrNotify] = "true"
	}
	if f.FullText {
		attrs[attrFullText] = "true"
	}
	if f.Keep.Days != 0 {
		attrs[attrDays] = strconv.Itoa(f.Keep.Days)
	}
	if f.Keep.Number != 0 {
		attrs[attrNumber] = strconv.Itoa(f.Keep.Number)
	}
	if f.OwnTitle == "" {
		attrs[attrTitle] = titleOfFeed
	}
	return opml.Outline{Title: f.Title, URL: f.URL, Site: f.Site, Folder: f.Folder, Attrs: attrs}
}
