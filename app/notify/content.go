package notify

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"kairos/app/desktop"
	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/content"
)

// maxNamed is how many articles a notification names.
const maxNamed = 3

// notification is one of new articles.
type notification struct {
	desktop.Notification
	article int64 // the newest, where all are of one feed, else 0
}

// Longest names and titles in a notification, in characters: a feed may write any number of them.
const (
	maxFeedName = 40
	maxTitle    = 80
)

// ofFeeds describes the new articles of the feeds that the user is notified of.
func (n *Notifier) ofFeeds(ctx context.Context, s settings, all news) (notification, error) {
	return n.word(ctx, s, "feeds", all, func(f *reader.Feed) bool { return s.feeds == All || f.Notify })
}

// ofRules describes the articles that rules notify of, without those of feeds that the user is
// notified of anyway.
func (n *Notifier) ofRules(ctx context.Context, s settings, all news) (notification, error) {
	return n.word(ctx, s, "rules", all, func(f *reader.Feed) bool { return s.feeds != All && !f.Notify })
}

// word describes what is new in the feeds that are wanted: an article of each, or several where it is one feed. On
// Windows, Fyne pastes the texts into a script, in which only fixed words and numbers are
// safe. Without articles the notification has no title.
func (n *Notifier) word(ctx context.Context, s settings, kind string, all news, wanted func(*reader.Feed) bool) (notification, error) {
	feeds, err := n.Store.Feeds.List(ctx)
	if err != nil {
		return notification{}, err
	}
	feeds = slices.DeleteFunc(feeds, func(f reader.Feed) bool { return all[f.ID].articles == 0 || !wanted(&f) })
	articles := 0
	for _, f := range feeds {
		articles += all[f.ID].articles
	}
	if articles == 0 {
		return notification{}, nil
	}
	p := n.Printer
	shown := notification{Notification: desktop.Notification{Title: p.N("{{.PluralCount}} new articles", articles), Icon: home.AppID, Kind: kind}}
	named, err := n.named(ctx, feeds, all)
	if err != nil {
		return shown, err
	}
	if len(feeds) == 1 && len(named) > 0 {
		shown.article = named[0].ID
	}
	if !s.names || runtime.GOOS == "windows" {
		shown.Body = p.N("in {{.PluralCount}} feeds", len(feeds))
		return shown, nil
	}
	var lines []string
	for _, a := range named {
		lines = append(lines, content.Cut(a.FeedTitle, maxFeedName)+": "+content.Cut(p.ArticleTitle(a.Title), maxTitle))
	}
	if more := articles - len(lines); more > 0 && len(lines) > 0 {
		lines = append(lines, p.N("and {{.PluralCount}} more", more))
	}
	shown.Body = strings.Join(lines, "\n")
	return shown, nil
}

// named returns the articles that a notification names: the newest of each feed, or several where it is one feed.
func (n *Notifier) named(ctx context.Context, feeds []reader.Feed, all news) ([]reader.Article, error) {
	each := 1
	if len(feeds) == 1 {
		each = maxNamed
	}
	var ids []int64
	for _, f := range feeds[:min(maxNamed, len(feeds))] {
		one := all[f.ID]
		newest, count := one.newest, min(each, one.articles)
		if len(newest) == 0 {
			var err error
			if newest, err = n.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Feed: f.ID, Limit: count}); err != nil {
				return nil, err
			}
		}
		ids = append(ids, newest[:min(count, len(newest))]...)
	}
	return n.Store.Articles.Load(ctx, ids)
}
