package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"

	"golang.org/x/text/encoding/charmap"

	"kairos/reader/content"
	"kairos/reader/parse"
)

var (
	itemTag = regexp.MustCompile(`(?i)<(?:\w+:)?(?:item|entry)[\s>]`)
	itemEnd = regexp.MustCompile(`(?i)</(?:\w+:)?(?:item|entry)\s*>`)
	rootTag = regexp.MustCompile(`(?i)<(?:\w+:)?(?:rss|rdf|feed|channel)[\s>]`)
	anyDate = regexp.MustCompile(`(?i)<(?:\w+:)?(?:pubdate|date|published|updated|issued|created|modified)\b[^>]*>[^<]*(?:19|20)\d\d`)
	anyWeb  = regexp.MustCompile(`(?i)https?://|\bhref=`)
	picture = regexp.MustCompile(`(?is)<(?:itunes:image|media:[\w]+|image|img)\b[^>]*>`)
)

// isFeed recognizes a document with articles without any parser.
func isFeed(f file) bool {
	text := parse.Text(f.body, "")
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, []byte("{")) {
		return len(jsonItems(trimmed)) > 0
	}
	return rootTag.Match(text) && itemTag.Match(text) && itemEnd.Match(text)
}

func jsonItems(text []byte) []json.RawMessage {
	var doc struct {
		Version string
		Items   []json.RawMessage
	}
	if json.Unmarshal(text, &doc) != nil || !strings.Contains(doc.Version, "jsonfeed") {
		return nil
	}
	return doc.Items
}

// givesItems counts the feeds that give articles.
func givesItems(files []file) (r result) {
	for _, f := range files {
		if !isFeed(f) {
			continue
		}
		feed, err := read(f.body)
		r.count(err == nil && len(feed.Articles) > 0, "%s: %v", f.name, err)
	}
	return r
}

// cutFeeds counts the complete items in the beginnings of feeds, and those of them
// that keep the key they have in the whole feed.
func cutFeeds(files []file) (r result) {
	for _, f := range files {
		text := parse.Text(f.body, "")
		full, err := read(f.body)
		if err != nil || !isFeed(f) {
			continue
		}
		keys := map[string]bool{}
		for _, a := range full.Articles {
			keys[a.Key] = true
		}
		for _, percent := range []int{20, 40, 60, 80} {
			part := text[:len(text)*percent/100]
			want := min(completeItems(part), len(full.Articles))
			if want == 0 {
				continue
			}
			kept := 0
			if cut, err := read(part); err == nil {
				for _, a := range cut.Articles {
					if keys[a.Key] {
						kept++
					}
				}
			}
			r.good, r.all = r.good+min(kept, want), r.all+want
			if kept < want {
				r.missed = append(r.missed, fmt.Sprintf("%s at %d %%: %d of %d", f.name, percent, kept, want))
			}
		}
	}
	return r
}

// completeItems counts the items that end within part.
func completeItems(part []byte) int {
	if !bytes.HasPrefix(bytes.TrimSpace(part), []byte("{")) {
		return len(itemEnd.FindAll(part, -1))
	}
	d := json.NewDecoder(bytes.NewReader(part))
	depth, items, within := 0, 0, false
	for {
		token, err := d.Token()
		if err != nil {
			return items
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'):
			if depth--; depth == 2 && within {
				items++
			}
		case json.Delim(']'):
			depth--
		case "items":
			within = depth == 1
		}
	}
}

// completeArticles counts the articles that have all they must have.
func completeArticles(files []file) (r result) {
	for _, f := range files {
		feed, err := read(f.body)
		if err != nil {
			continue
		}
		again, _ := parse.Parse(ctx, f.body, parse.Options{URL: address, Now: now.AddDate(0, 0, 1)})
		raw := rawItems(f.body)
		keys := map[string]bool{}
		for i, a := range feed.Articles {
			source := ""
			source, raw = ownItem(raw, a.Title)
			lacks := ""
			switch {
			case a.Key == "" || keys[a.Key] || again.Articles[i].Key != a.Key:
				lacks = "key"
			case strings.TrimSpace(a.Title) == "":
				lacks = "title"
			case a.Published.IsZero() && anyDate.MatchString(source), a.Published.After(now):
				lacks = "date"
			case a.Link == "" && (source == "" || anyWeb.MatchString(picture.ReplaceAllString(source, ""))):
				lacks = "link"
			}
			keys[a.Key] = true
			r.count(lacks == "", "%s: article %d (%.60s) lacks its %s", f.name, i, a.Title, lacks)
		}
	}
	return r
}

func rawItems(body []byte) []string {
	return itemTag.Split(string(parse.Text(body, "")), -1)[1:]
}

// ownItem returns the first item with the first words of a title, and the items
// behind it: of identical items one is kept.
func ownItem(raw []string, title string) (own string, rest []string) {
	begin := strings.ToLower(title[:min(len(title), 12)])
	for i, r := range raw {
		if plain := content.Text(html.UnescapeString(r), 0); strings.Contains(strings.ToLower(plain+r), begin) {
			return r, raw[i+1:]
		}
	}
	return "", raw
}

// absoluteAddresses counts the addresses in links and bodies that are absolute.
func absoluteAddresses(files []file) (r result) {
	for _, f := range files {
		feed, err := read(f.body)
		if err != nil {
			continue
		}
		for _, a := range feed.Articles {
			list := addressesOf(a.HTML)
			if a.Link != "" {
				list = append(list, a.Link)
			}
			for _, e := range a.Enclosures {
				list = append(list, e.URL)
			}
			for _, u := range list {
				r.count(absolute.MatchString(u), "%s: %s", f.name, u)
			}
		}
	}
	return r
}

var absolute = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]+$`)

func addressesOf(html string) (list []string) {
	z := xhtml.NewTokenizer(strings.NewReader(html))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			return list
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			for _, a := range z.Token().Attr {
				if a.Key == "href" || a.Key == "src" {
					list = append(list, a.Val)
				}
			}
		}
	}
}

// undamagedTexts counts the texts without replacement characters or mojibake that
// the feed itself does not have.
func undamagedTexts(files []file) (r result) {
	for _, f := range files {
		feed, err := read(f.body)
		if err != nil {
			continue
		}
		inSource := utf8.Valid(f.body) && (bytes.Contains(f.body, []byte("\ufffd")) || bytes.Contains(f.body, []byte("&#65533;")))
		for _, a := range feed.Articles {
			text := a.Title + "\n" + a.HTML + "\n" + a.Author
			bad := ""
			if strings.ContainsRune(text, '\ufffd') && !inSource {
				bad = "U+FFFD"
			} else if m := mojibake(text); m != "" && !bytes.Contains(f.body, []byte(m)) {
				bad = m
			}
			r.count(bad == "", "%s: %s in %.60q", f.name, bad, a.Title)
		}
	}
	return r
}

var doubleUTF8 = regexp.MustCompile(`[ÂÃâ][\x{80}-\x{bf}\x{152}-\x{2122}]+`)

// mojibake returns text that is UTF-8 read as Windows-1252, "" if there is none.
func mojibake(s string) string {
	for _, m := range doubleUTF8.FindAllString(s, -1) {
		b, err := charmap.Windows1252.NewEncoder().String(m)
		if err == nil && utf8.ValidString(b) && utf8.RuneCountInString(b) < utf8.RuneCountInString(m) {
			return m
		}
	}
	return ""
}
