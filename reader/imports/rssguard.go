package imports

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// rssGuardFormat reads database.db of RSS Guard 4 and later (SQLite; it can also use MariaDB). Labels are in a table of their own
// until 4.4, and then in a column of each message. What lies in the recycle bin is left out.
var rssGuardFormat = format{reader: RSSGuard, open: openRSSGuard,
	find: in("database.db", "database/database.db", "data/database/database.db"),
	is:   func(b *beginning) bool { return b.hasTables("feeds", "messages", "accounts") }}

// rssGuard is what messages refer to.
type rssGuard struct {
	*file
	feeds  map[string]string // IDs of feeds, by account and either of their ids
	labels map[string]string // names of labels, by account and either of their ids
	put    map[string]string // labels of messages, by account and message
}

func openRSSGuard(ctx context.Context, s *file) error {
	g := &rssGuard{s, map[string]string{}, map[string]string{}, map[string]string{}}
	if err := g.readFeeds(ctx); err != nil {
		return err
	}
	if err := g.readLabels(ctx); err != nil {
		return err
	}
	has, err := s.db.columns(ctx, "messages")
	if err != nil {
		return err
	}
	const kept = " FROM Messages WHERE is_deleted = 0 AND is_pdeleted = 0"
	err = s.queryCounts(ctx, "SELECT count(*), coalesce(sum(is_read), 0), coalesce(sum(is_important), 0)"+kept, &s.Counts.Articles, &s.Counts.Read, &s.Counts.Starred)
	if err != nil {
		return err
	}
	s.countFeeds()
	labels := has.or("labels", "''")
	if s.Counts.Labels = len(g.put); labels != "''" {
		// One label stands between two dots, so there are as many as dots less one.
		err := s.queryCounts(ctx, "SELECT coalesce(sum(max(0, length(labels) - length(replace(labels, '.', '')) - 1)), 0)"+kept, &s.Counts.Labels)
		if err != nil {
			return err
		}
	}
	query := "SELECT id, account_id, feed, title, url, author, date_created, contents, is_read, is_important, custom_id, enclosures, " + labels + kept
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		return s.rows(ctx, query, "id", func(row []any) error { return yield(g.article(row)) })
	}
	return nil
}

func ofAccount(account, id any) string { return fmt.Sprintf("%d %s", integer(account), text(id)) }

func (g *rssGuard) readFeeds(ctx context.Context) error {
	folders := map[int64]treeNode{}
	err := g.each(ctx, "Categories", "SELECT id, parent_id, title FROM Categories", func(rows *sql.Rows) error {
		var id, parent int64
		var title string
		err := rows.Scan(&id, &parent, &title)
		folders[id] = treeNode{parent, title}
		return err
	})
	if err != nil {
		return err
	}
	has, err := g.db.columns(ctx, "feeds")
	if err != nil {
		return err
	}
	order := has.or("ordr", "id") // since 4.1
	g.Ordered = order == "ordr"
	return g.each(ctx, "Feeds", "SELECT id, account_id, custom_id, coalesce(title, ''), category, coalesce(source, '') FROM Feeds ORDER BY "+order+", id", func(rows *sql.Rows) error {
		var id, account, folder int64
		var custom, title, source string
		if err := rows.Scan(&id, &account, &custom, &title, &folder, &source); err != nil {
			return err
		}
		feed := ofAccount(account, fmt.Sprint("feed ", id))
		g.feeds[ofAccount(account, custom)] = feed
		if key := ofAccount(account, id); g.feeds[key] == "" {
			g.feeds[key] = feed
		}
		g.addFeed(feed, opml.Outline{URL: source, Title: plain(title), Folder: pathTo(folders, folder)}, true)
		return nil
	})
}

// treeNode is a folder in a tree that refers to its parents.
type treeNode struct {
	parent int64
	title  string
}

// maxFolders is how deep folders are nested. What refers to its parents may also go round in a circle.
const maxFolders = 64

// pathTo returns the path of a folder, by its id.
func pathTo(folders map[int64]treeNode, id int64) string {
	var names []string
	for range maxFolders {
		f, ok := folders[id]
		if !ok {
			break
		}
		names = append(names, plain(f.title))
		id = f.parent
	}
	slices.Reverse(names)
	return opml.Path(names...)
}

// maxLabelIDs is how many bytes the ids of the labels of a message have.
const maxLabelIDs = 4096

func (g *rssGuard) readLabels(ctx context.Context) error {
	if !g.head.hasTables("labels") {
		return nil
	}
	err := g.each(ctx, "Labels", "SELECT id, account_id, custom_id, name FROM Labels", func(rows *sql.Rows) error {
		var id, account int64
		var custom, name sql.NullString
		if err := rows.Scan(&id, &account, &custom, &name); err != nil {
			return err
		}
		if key := ofAccount(account, id); g.labels[key] == "" {
			g.labels[key] = name.String
		}
		g.labels[ofAccount(account, custom.String)] = name.String
		return nil
	})
	if err != nil || !g.head.hasTables("labelsinmessages") {
		return err
	}
	return g.each(ctx, "LabelsInMessages", "SELECT account_id, message, label FROM LabelsInMessages", func(rows *sql.Rows) error {
		var account int64
		var message, label sql.NullString
		if err := rows.Scan(&account, &message, &label); err != nil {
			return err
		}
		if of := ofAccount(account, message.String); len(g.put[of]) < maxLabelIDs {
			g.put[of] += "." + label.String
		}
		return nil
	})
}

func (g *rssGuard) article(row []any) Article {
	account := row[1]
	a := Article{Feed: g.feeds[ofAccount(account, row[2])], Read: integer(row[8]) != 0, Starred: integer(row[9]) != 0, Item: parse.Item{
		ID: text(row[10]), Title: plain(text(row[3])), Link: text(row[4]), Author: text(row[5]), HTML: g.body(row[7])}}
	if ms := integer(row[6]); ms > 0 {
		a.Item.Published = time.UnixMilli(ms)
	}
	for label := range strings.SplitSeq(text(row[12])+g.put[ofAccount(account, row[10])], ".") {
		if name := g.labels[ofAccount(account, label)]; label != "" && name != "" && !a.addLabel(name) {
			break
		}
	}
	if a.Item.ID == text(row[0]) {
		a.Item.ID = "" // it is the row's own
	}
	a.Item.Enclosures = rssGuardEnclosures(text(row[11]))
	return a
}

// maxEnclosures is how many bytes the list of the files of a message has.
const maxEnclosures = 1 << 20

// rssGuardEnclosures reads pairs of a type and an address in Base64, or JSON, as later versions write it.
func rssGuardEnclosures(stored string) (all []parse.Enclosure) {
	if len(stored) > maxEnclosures {
		return nil
	}
	if strings.HasPrefix(stored, "[") {
		var list []struct{ URL, Mime string }
		if json.Unmarshal([]byte(stored), &list) != nil {
			return nil
		}
		for _, one := range list {
			all = append(all, parse.Enclosure{URL: one.URL, Type: one.Mime})
		}
		return all
	}
	for pair := range strings.SplitSeq(stored, "#") {
		kind, address, both := strings.Cut(pair, "&")
		if !both {
			kind, address = "", pair
		}
		url, err := base64.StdEncoding.DecodeString(address)
		if err != nil || len(url) == 0 {
			continue
		}
		mime, err := base64.StdEncoding.DecodeString(kind)
		if err != nil {
			mime = nil
		}
		all = append(all, parse.Enclosure{URL: string(url), Type: string(mime)})
	}
	return all
}
