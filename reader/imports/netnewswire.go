package imports

import (
	"context"
	"errors"
	"path/filepath"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// netNewsWireFormat reads DB.sqlite3 of an account of NetNewsWire 5 and 6, and Subscriptions.opml beside it. Its schema is as it is
// published: articles, their statuses and authors; an article names its feed by the address.
var netNewsWireFormat = format{reader: NetNewsWire, find: in("DB.sqlite3"), open: openNetNewsWire,
	is: func(b *beginning) bool { return b.hasTables("articles", "statuses", "authors") }}

func openNetNewsWire(ctx context.Context, s *file) error {
	if name := first(filepath.Join(filepath.Dir(s.Path), "Subscriptions.opml")); name != "" {
		list, err := readList(name)
		var empty *opml.Error
		if err != nil && !errors.As(err, &empty) {
			return err
		}
		s.addList(list)
	}
	listed := len(s.Feeds) > 0
	err := s.values(ctx, "feedID", "rowid", "articles WHERE coalesce(feedID, '') <> ''", func(address string) { s.describe(address, "", "", !listed) })
	if err != nil {
		return err
	}
	const kept = " FROM articles a LEFT JOIN statuses s ON s.articleID = a.articleID"
	err = s.queryCounts(ctx, "SELECT count(*), coalesce(sum(s.read <> 0), 0), coalesce(sum(s.starred <> 0), 0)"+kept, &s.Counts.Articles, &s.Counts.Read, &s.Counts.Starred)
	if err != nil {
		return err
	}
	s.countFeeds()
	author := "''"
	if s.head.hasTables("authorslookup") {
		author = "(SELECT group_concat(u.name, ', ') FROM authorsLookup l JOIN authors u ON u.authorID = l.authorID WHERE l.articleID = a.articleID)"
	}
	query := "SELECT a.rowid, a.feedID, a.uniqueID, a.title, a.contentHTML, a.contentText, a.url, a.externalURL, a.summary, " +
		"a.datePublished, a.dateModified, s.read, s.starred, s.dateArrived, " + author + kept + " WHERE true"
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		return s.rows(ctx, query, "a.rowid", func(row []any) error { return yield(s.netNewsWireArticle(row)) })
	}
	return nil
}

func (s *file) netNewsWireArticle(row []any) Article {
	html := s.body(row[4])
	if html == "" {
		html = plain(s.body(row[5]))
	}
	if html == "" {
		html = plain(s.body(row[8]))
	}
	a := Article{Feed: s.feedAt(text(row[1])), Read: integer(row[11]) != 0, Starred: integer(row[12]) != 0, Seen: seconds(row[13]), Item: parse.Item{
		ID: text(row[2]), Title: text(row[3]), HTML: html, Link: text(row[6]), Published: seconds(row[9]), Author: text(row[14])}}
	if a.Item.Link == "" {
		a.Item.Link = text(row[7])
	}
	if a.Item.Published.IsZero() {
		a.Item.Published = seconds(row[10])
	}
	return a
}
