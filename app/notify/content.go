package notify

import (
	"context"
	"runtime"
	"strings"

	"kairos/app/desktop"
	"kairos/app/home"
	"kairos/poller"
	"kairos/reader"
)

// maxNamed is how many articles a notification names.
const maxNamed = 3

// notification is one of new articles.
type notification struct {
	desktop.Notification
	article int64 // the only one that it is about, else 0
}

// ofFeeds describes the new articles of the feeds that the user is notified of.
func (n *Notifier) ofFeeds(ctx context.Context, s settings, outcomes []poller.Outcome) (notification, error) {
	unread := map[int64]int{}
	for _, o := range outcomes {
		unread[o.Feed] += o.Unread
	}
	feeds, err := n.Store.Feeds.List(ctx)
	if err != nil {
		return notification{}, err
	}
	total := 0
	var ids []int64
	var of int // feeds
	for _, f := range feeds {
		count := unread[f.ID]
		if count == 0 || s.feeds != All && !f.Notify {
			continue
		}
		total += count
		of++
		if len(ids) >= maxNamed {
			continue
		}
		newest, err := n.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Feed: f.ID, Limit: min(maxNamed, count)})
		if err != nil {
			return notification{}, err
		}
		ids = append(ids, newest...)
	}
	return n.word(ctx, s, total, of, ids)
}

// ofRules describes the articles that rules notify of, without those of feeds that the user is
// notified of anyway.
func (n *Notifier) ofRules(ctx context.Context, s settings, notices []reader.Notice) (notification, error) {
	if s.feeds == All {
		return notification{}, nil
	}
	feeds, err := n.Store.Feeds.List(ctx)
	if err != nil {
		return notification{}, err
	}
	chosen := map[int64]bool{}
	for _, f := range feeds {
		chosen[f.ID] = f.Notify
	}
	var ids []int64
	of := map[int64]bool{}
	for _, notice := range notices {
		if !chosen[notice.Feed] {
			of[notice.Feed] = true
			ids = append(ids, notice.Articles...)
		}
	}
	return n.word(ctx, s, len(ids), len(of), ids)
}

// word describes a notification of articles in feeds, the first few of which have the ids. On
// Windows, Fyne pastes the texts into a script, in which only fixed words and numbers are
// safe. Without articles the notification has no title.
func (n *Notifier) word(ctx context.Context, s settings, articles, feeds int, ids []int64) (notification, error) {
	if articles == 0 {
		return notification{}, nil
	}
	p := n.Printer
	shown := notification{Notification: desktop.Notification{Title: p.N("{{.PluralCount}} new articles", articles), Icon: home.AppID}}
	if articles == 1 && len(ids) == 1 {
		shown.article = ids[0]
	}
	if !s.names || runtime.GOOS == "windows" {
		shown.Body = p.N("in {{.PluralCount}} feeds", feeds)
		return shown, nil
	}
	named, err := n.Store.Articles.Load(ctx, ids[:min(maxNamed, articles, len(ids))])
	if err != nil {
		return shown, err
	}
	var lines []string
	for _, a := range named {
		lines = append(lines, a.FeedTitle+": "+p.ArticleTitle(a.Title))
	}
	if more := articles - len(lines); more > 0 && len(lines) > 0 {
		lines = append(lines, p.N("and {{.PluralCount}} more", more))
	}
	shown.Body = strings.Join(lines, "\n")
	return shown, nil
}
