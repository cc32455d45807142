package imports

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// quiteRSSFormat reads feeds.db of QuiteRSS 0.19. Its dates have no zone and are UTC. Deleted news are left out.
var quiteRSSFormat = format{reader: QuiteRSS, find: in("feeds.db", "QuiteRss/feeds.db", "QuiteRss/QuiteRss/feeds.db"), open: openQuiteRSS,
	is: func(b *beginning) bool { return b.hasTables("feeds", "news", "labels") }}

func openQuiteRSS(ctx context.Context, s *file) error {
	folders, err := s.quiteRSSFolders(ctx)
	if err != nil {
		return err
	}
	err = s.each(ctx, "feeds", "SELECT id, xmlUrl, coalesce(text, ''), coalesce(title, ''), coalesce(htmlUrl, ''), coalesce(parentId, 0) FROM feeds WHERE coalesce(xmlUrl, '') <> '' ORDER BY parentId, rowToParent, id", func(rows *sql.Rows) error {
		var id, parent int64
		var address, own, title, site string
		if err := rows.Scan(&id, &address, &own, &title, &site, &parent); err != nil {
			return err
		}
		if own == "" {
			own = title
		}
		s.addFeed(strconv.FormatInt(id, 10), opml.Outline{URL: address, Title: plain(own), Site: site, Folder: pathTo(folders, parent)}, true)
		return nil
	})
	if err != nil {
		return err
	}
	s.Ordered = true
	labels := map[string]string{}
	err = s.each(ctx, "labels", "SELECT id, coalesce(name, '') FROM labels", func(rows *sql.Rows) error {
		var id, name string
		err := rows.Scan(&id, &name)
		labels[id] = name
		return err
	})
	if err != nil {
		return err
	}
	const kept = " FROM news WHERE coalesce(deleted, 0) = 0"
	// Labels are written as ",1,5,".
	err = s.queryCounts(ctx, "SELECT count(*), coalesce(sum(read <> 0), 0), coalesce(sum(starred <> 0), 0), "+
		"coalesce(sum(max(0, length(label) - length(replace(label, ',', '')) - 1)), 0)"+kept, &s.Counts.Articles, &s.Counts.Read, &s.Counts.Starred, &s.Counts.Labels)
	if err != nil {
		return err
	}
	s.countFeeds()
	const query = "SELECT id, feedId, guid, title, published, received, description, content, author_name, category, label, read, starred, comments, " +
		"enclosure_url, enclosure_type, enclosure_length, link_href, link_alternate" + kept
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		return s.rows(ctx, query, "id", func(row []any) error { return yield(s.quiteRSSArticle(row, labels)) })
	}
	return nil
}

// quiteRSSFolders are the feeds without an address.
func (s *file) quiteRSSFolders(ctx context.Context) (map[int64]treeNode, error) {
	folders := map[int64]treeNode{}
	err := s.each(ctx, "feeds", "SELECT id, coalesce(parentId, 0), coalesce(text, title, '') FROM feeds WHERE coalesce(xmlUrl, '') = ''", func(rows *sql.Rows) error {
		var id int64
		var f treeNode
		err := rows.Scan(&id, &f.parent, &f.title)
		folders[id] = f
		return err
	})
	return folders, err
}

func (s *file) quiteRSSArticle(row []any, labels map[string]string) Article {
	html := s.body(row[7])
	if html == "" {
		html = s.body(row[6])
	}
	a := Article{Feed: text(row[1]), Read: integer(row[11]) != 0, Starred: integer(row[12]) != 0, Seen: quiteRSSTime(row[5]), Item: parse.Item{
		ID: text(row[2]), Title: plain(text(row[3])), Published: quiteRSSTime(row[4]), HTML: html, Author: text(row[8]), CommentsURL: text(row[13]), Link: text(row[17])}}
	if a.Item.Link == "" {
		a.Item.Link = text(row[18])
	}
	for category := range strings.SplitSeq(text(row[9]), ",") {
		if category = strings.TrimSpace(category); category != "" {
			a.addCategory(category)
		}
	}
	for id := range strings.SplitSeq(text(row[10]), ",") {
		if name := labels[id]; name != "" && !a.addLabel(name) {
			break
		}
	}
	if address := text(row[14]); address != "" {
		a.Item.Enclosures = []parse.Enclosure{{URL: address, Type: text(row[15]), Length: max(0, integer(row[16]))}}
	}
	return a
}

func quiteRSSTime(v any) time.Time {
	at, err := time.Parse("2006-01-02T15:04:05", text(v))
	if err != nil {
		return time.Time{}
	}
	return at
}
