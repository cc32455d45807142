package verbs

import (
	"context"

	"kairos/app/home"
	"kairos/poller/report"
	"kairos/reader"
)

// feedPlace is where the articles of a feed are listed, and when unread ones end.
type feedPlace struct {
	quiet bool
	ends  reader.Ends
}

// placesOf returns that of each feed.
func placesOf(ctx context.Context, h *home.Home, reports []report.Report) (map[int64]feedPlace, error) {
	folders, err := h.Store.Feeds.Folders(ctx)
	if err != nil {
		return nil, err
	}
	general, err := h.Store.Settings.Ends(ctx)
	if err != nil {
		return nil, err
	}
	places := make(map[int64]feedPlace, len(reports))
	for _, r := range reports {
		places[r.Feed.ID] = feedPlace{reader.IsQuiet(r.Feed, folders), reader.EndsOf(r.Feed, folders, general)}
	}
	return places, nil
}

func (p feedPlace) line(r report.Report, articles int) feedLine {
	l := toFeedLine(r, articles)
	l.Quiet = p.quiet
	if p.ends.Any() {
		l.Ends = endsText(p.ends)
	}
	return l
}

const quietPhrase = "quiet: not in All, Unread and Today"

// text adds to what is said of a feed.
func (p feedPlace) text() (text string) {
	if p.quiet {
		text += "\n      " + quietPhrase
	}
	if p.ends.Any() {
		text += "\n      unread articles expire " + endsPhrase(p.ends)
	}
	return text
}
