package imports

import (
	"context"
	"database/sql"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// lifereaFormat reads liferea.db of Liferea and feedlist.opml beside it, or in its folder for settings. The schema is that of
// version 10 (Liferea 1.14), which 1.10 has as well. Without the list the tables tell titles and folders. Comments that Liferea
// has fetched are left out.
var lifereaFormat = format{reader: Liferea, find: in("liferea.db", "liferea/liferea.db"), open: openLiferea,
	is: func(b *beginning) bool { return b.hasTables("items", "subscription", "metadata") }}

// lifereaSeparators divide what is kept of an item: the values, and in each its name from its text.
const lifereaSeparators = "\x1e\x1f"

func openLiferea(ctx context.Context, s *file) error {
	listed := false
	if name := beside(s.Path, "feedlist.opml"); name != "" {
		list, err := readList(name)
		if err != nil {
			s.note(damaged(name, "", err))
		} else {
			s.addList(list)
			listed = true
		}
	}
	nodes, err := s.lifereaNodes(ctx)
	if err != nil {
		return err
	}
	feeds := map[string]string{} // by node
	err = s.each(ctx, "subscription", "SELECT node_id, source FROM subscription WHERE source IS NOT NULL", func(rows *sql.Rows) error {
		var node, source string
		if err := rows.Scan(&node, &source); err != nil {
			return err
		}
		id := s.feedAt(source)
		if feeds[node] = id; listed {
			if _, known := s.index[id]; known || isRefused(source) {
				return nil
			}
		}
		s.addFeed(id, opml.Outline{URL: source, Title: plain(nodes.title(node)), Folder: nodes.folder(node)}, !listed)
		return nil
	})
	if err != nil {
		return err
	}
	const ofFeeds = " FROM items i WHERE coalesce(i.comment, 0) = 0"
	err = s.queryCounts(ctx, "SELECT count(*), coalesce(sum(read <> 0), 0), coalesce(sum(marked <> 0), 0)"+ofFeeds, &s.Counts.Articles, &s.Counts.Read, &s.Counts.Starred)
	if err != nil {
		return err
	}
	s.countFeeds()
	const query = "SELECT item_id, node_id, title, read, marked, source, source_id, valid_guid, description, date, " +
		"(SELECT group_concat(key || char(31) || value, char(30)) FROM metadata m WHERE m.item_id = i.item_id)" + ofFeeds
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		return s.rows(ctx, query, "item_id", func(row []any) error {
			a := s.lifereaArticle(row)
			a.Feed = feeds[text(row[1])]
			return yield(a)
		})
	}
	return nil
}

func isRefused(address string) bool {
	_, refusal := opml.Check(opml.Outline{URL: address})
	return refusal != nil
}

// lifereaNodes are the feeds and folders by their ids.
type lifereaNodes map[string]struct{ parent, title, kind string }

func (s *file) lifereaNodes(ctx context.Context) (lifereaNodes, error) {
	nodes := lifereaNodes{}
	if !s.head.hasTables("node") {
		return nodes, nil
	}
	err := s.each(ctx, "node", "SELECT node_id, coalesce(parent_id, ''), coalesce(title, ''), coalesce(type, '') FROM node", func(rows *sql.Rows) error {
		var id, parent, title, kind string
		err := rows.Scan(&id, &parent, &title, &kind)
		nodes[id] = struct{ parent, title, kind string }{parent, title, kind}
		return err
	})
	return nodes, err
}

func (n lifereaNodes) title(id string) string { return n[id].title }

func (n lifereaNodes) folder(id string) string {
	var names []string
	for range maxFolders {
		id = n[id].parent
		if n[id].kind != "folder" {
			break
		}
		names = append(names, plain(n[id].title))
	}
	slices.Reverse(names)
	return opml.Path(names...)
}

func (s *file) lifereaArticle(row []any) Article {
	a := Article{Read: integer(row[3]) != 0, Starred: integer(row[4]) != 0, Item: parse.Item{
		Title: plain(text(row[2])), Link: text(row[5]), HTML: s.body(row[8]), Published: seconds(row[9])}}
	if integer(row[7]) != 0 {
		a.Item.ID = text(row[6])
	}
	for value := range strings.SplitSeq(text(row[10]), lifereaSeparators[:1]) {
		key, value, _ := strings.Cut(value, lifereaSeparators[1:])
		switch key {
		case "author", "creator":
			a.Item.Author = value
		case "category":
			a.addCategory(value)
		case "commentsUri":
			a.Item.CommentsURL = value
		case "enclosure":
			if e, ok := lifereaEnclosure(value); ok && len(a.Item.Enclosures) < maxParts {
				a.Item.Enclosures = append(a.Item.Enclosures, e)
			}
		case "pubDate", "published": // of Atom, where date is that of the last change
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				a.Item.Published = at
			}
		}
	}
	return a
}

// lifereaEnclosure reads "enc:", whether it was downloaded, the type, the size and the address; earlier versions store the
// address alone.
func lifereaEnclosure(value string) (parse.Enclosure, bool) {
	if !strings.HasPrefix(value, "enc:") {
		return parse.Enclosure{URL: value}, value != ""
	}
	parts := strings.SplitN(value, ":", 5)
	if len(parts) < 5 {
		return parse.Enclosure{}, false
	}
	kind, err := url.PathUnescape(parts[2])
	if err != nil {
		kind = parts[2]
	}
	size, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil || size < 0 {
		size = 0
	}
	return parse.Enclosure{URL: parts[4], Type: kind, Length: size}, parts[4] != ""
}
