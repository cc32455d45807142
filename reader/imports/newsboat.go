package imports

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// newsboatFormat reads cache.db of Newsboat and the file urls beside it, or in its folder for settings. The schema is that of
// Newsboat 2.21; columns that older ones lack count as empty. Newsboat has flags instead of stars, a letter each with the
// meaning that its user gives it: s, which stands for "saved" or "starred" by custom, is a star, and another letter a label. Of
// somebody who uses no s but one other letter, that is the star.
var newsboatFormat = format{reader: Newsboat, find: in("cache.db", "newsboat/cache.db"), open: openNewsboat,
	is: func(b *beginning) bool { return b.hasTables("rss_feed", "rss_item") }}

func openNewsboat(ctx context.Context, s *file) error {
	subscribed, err := s.newsboatURLs()
	if err != nil {
		return err
	}
	err = s.each(ctx, "rss_feed", "SELECT rssurl, url, title FROM rss_feed WHERE rssurl IS NOT NULL", func(rows *sql.Rows) error {
		var address, site, title sql.NullString
		if err := rows.Scan(&address, &site, &title); err != nil {
			return err
		}
		// Without the list there is no telling what was unsubscribed.
		s.describe(address.String, title.String, site.String, subscribed == nil)
		return nil
	})
	if err != nil {
		return err
	}
	has, err := s.db.columns(ctx, "rss_item")
	if err != nil {
		return err
	}
	flags, deleted := has.or("flags", "''"), has.or("deleted", "0")
	star, err := s.newsboatStar(ctx, flags, "rss_item WHERE "+deleted+" = 0 AND coalesce("+flags+", '') <> ''")
	if err != nil {
		return err
	}
	err = s.queryCounts(ctx, "SELECT count(*), coalesce(sum(unread = 0), 0), coalesce(sum(instr("+flags+", '"+star+"') > 0), 0) * ('"+star+"' <> ''), coalesce(sum(length("+flags+")), 0) FROM rss_item WHERE "+deleted+" = 0",
		&s.Counts.Articles, &s.Counts.Read, &s.Counts.Starred, &s.Counts.Labels)
	if err != nil {
		return err
	}
	s.Counts.Labels -= s.Counts.Starred
	s.countFeeds()
	query := "SELECT id, feedurl, guid, title, author, url, pubDate, content, unread, " + flags + ", " + has.or("enclosure_url", "''") + ", " + has.or("enclosure_type", "''") +
		", " + has.or("base", "''") + " FROM rss_item WHERE " + deleted + " = 0"
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		return s.rows(ctx, query, "id", func(row []any) error { return yield(s.newsboatArticle(row, star)) })
	}
	return nil
}

// newsboatURLs reads the list of subscriptions and reports which it has; nil without a list.
func (s *file) newsboatURLs() (subscribed map[string]bool, err error) {
	name := beside(s.Path, "urls")
	if name == "" {
		return nil, nil
	}
	list, err := readList(name)
	if err != nil {
		var empty *opml.Error
		if errors.As(err, &empty) {
			return nil, nil // nothing but comments
		}
		return nil, err
	}
	s.addList(list)
	subscribed = map[string]bool{}
	for _, f := range list.Feeds {
		subscribed[f.URL] = true
	}
	return subscribed, nil
}

// newsboatStar returns the flag that stands for a star; "" if none does.
func (s *file) newsboatStar(ctx context.Context, column, from string) (string, error) {
	used := map[rune]bool{}
	err := s.values(ctx, column, "id", from, func(flags string) {
		for _, flag := range flags {
			used[flag] = isLetter(flag)
		}
	})
	if err != nil || used['s'] {
		return "s", err
	}
	for flag, letter := range used {
		if len(used) == 1 && letter {
			return string(flag), nil
		}
	}
	return "", nil
}

// isLetter reports whether something is a flag that Newsboat knows.
func isLetter(flag rune) bool { return flag >= 'a' && flag <= 'z' || flag >= 'A' && flag <= 'Z' }

func (s *file) newsboatArticle(row []any, star string) Article {
	a := Article{Feed: s.feedAt(text(row[1])), Read: integer(row[8]) == 0, Item: parse.Item{
		ID: text(row[2]), Title: text(row[3]), Author: text(row[4]), Link: text(row[5]), Published: seconds(row[6]), HTML: s.body(row[7])}}
	if madeOfLink(a.Item) {
		a.Item.ID = ""
	}
	for _, flag := range text(row[9]) {
		if string(flag) == star {
			a.Starred = true
		} else if !a.addLabel("Newsboat flag " + string(flag)) {
			break
		}
	}
	if file := text(row[10]); file != "" {
		a.Item.Enclosures = []parse.Enclosure{{URL: file, Type: text(row[11])}}
	}
	return a
}

// madeOfLink reports whether an id is none of the feed's: Newsboat makes one of the link, with the date as the feed writes it, or
// of the title.
func madeOfLink(i parse.Item) bool {
	rest, ok := strings.CutPrefix(i.ID, i.Link)
	if i.ID == i.Title {
		return true
	}
	if !ok || i.Link == "" || rest == "" {
		return false
	}
	for _, layout := range []string{time.RFC1123Z, time.RFC1123, time.RFC3339} {
		if _, err := time.Parse(layout, rest); err == nil {
			return true
		}
	}
	return false
}

// readList reads a list of subscriptions that belongs to a source. Errors: *Error, *opml.Error.
func readList(name string) (opml.List, error) {
	f, err := os.Open(name)
	if err != nil {
		return opml.List{}, &Error{Code: Damaged, File: name, Err: err}
	}
	defer f.Close()
	return opml.Read(f)
}
