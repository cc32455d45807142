package scrape

import (
	"encoding/json"
	"encoding/xml"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"kairos/reader/content"
	"kairos/reader/parse"
)

var scriptSelector = mustGroup(`script[type^="application/ld+json"]`)

// maxDepth is how deep JSON-LD is read.
const maxDepth = 12

// jsonLD reads the articles that JSON-LD names.
func (c *collector) jsonLD(doc *html.Node) {
	for _, script := range cascadia.QueryAll(doc, scriptSelector) {
		if script.FirstChild == nil || c.ctx.Err() != nil {
			continue
		}
		var value any
		if json.Unmarshal([]byte(script.FirstChild.Data), &value) == nil {
			c.walk(value, 0)
		}
	}
}

// walk looks for articles within a value, whatever holds them: Blog, ItemList, @graph.
func (c *collector) walk(value any, depth int) {
	if depth > maxDepth || len(c.feed.Articles) == maxItems {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			c.walk(one, depth+1)
		}
	case map[string]any:
		switch {
		case isType(v, "BlogPosting", "NewsArticle", "Article", "TechArticle", "Report", "LiveBlogPosting", "PodcastEpisode"):
			c.add(articleOf(v))
			return
		case isType(v, "ListItem") && v["item"] == nil:
			c.add(articleOf(v))
			return
		}
		for _, member := range []string{"@graph", "blogPost", "blogPosts", "itemListElement", "item", "hasPart", "mainEntity", "episode"} {
			if inner := v[member]; inner != nil {
				c.walk(inner, depth+1)
			}
		}
	}
}

func isType(v map[string]any, names ...string) bool {
	for _, t := range listOf(v["@type"]) {
		text, _ := t.(string)
		text = text[strings.LastIndexAny(text, "/:#")+1:]
		for _, name := range names {
			if text == name {
				return true
			}
		}
	}
	return false
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// textIn is the first text of members, which may stand in an object or a list.
func textIn(v map[string]any, names ...string) string {
	for _, name := range names {
		for _, one := range listOf(v[name]) {
			switch t := one.(type) {
			case string:
				if t != "" {
					return t
				}
			case map[string]any:
				for _, inner := range []string{"name", "url", "@id"} {
					if text, _ := t[inner].(string); text != "" {
						return text
					}
				}
			}
		}
	}
	return ""
}

func articleOf(v map[string]any) found {
	picture := textIn(v, "thumbnailUrl")
	for _, one := range listOf(v["image"]) {
		if picture != "" {
			break
		}
		if image, ok := one.(map[string]any); ok {
			picture = textIn(image, "url", "contentUrl", "@id")
		} else {
			picture, _ = one.(string)
		}
	}
	link := textIn(v, "url")
	if link == "" {
		if page, ok := v["mainEntityOfPage"].(map[string]any); ok {
			link = textIn(page, "@id", "url")
		} else {
			link = textIn(v, "mainEntityOfPage", "@id")
		}
	}
	return found{title: textIn(v, "headline", "name"), link: link, date: textIn(v, "datePublished", "dateCreated", "dateModified"),
		summary: content.Text(textIn(v, "description", "abstract"), 300), picture: picture, author: textIn(v, "author", "creator")}
}

// newsSitemap is a sitemap with news (sitemaps.org, google.com/schemas/sitemap-news/0.9).
type newsSitemap struct {
	XMLName xml.Name `xml:"urlset"`
	URLs    []struct {
		Loc  string `xml:"loc"`
		News *struct {
			Title string `xml:"title"`
			Date  string `xml:"publication_date"`
			Name  string `xml:"publication>name"`
		} `xml:"http://www.google.com/schemas/sitemap-news/0.9 news"`
		Image string `xml:"http://www.google.com/schemas/sitemap-image/1.1 image>loc"`
	} `xml:"url"`
}

// readSitemap reads a news sitemap. Errors: *Error.
func readSitemap(body []byte, o Options) (*parse.Feed, error) {
	text := parse.Text(body[:min(len(body), maxPage)], o.ContentType)
	if !strings.Contains(string(text[:min(len(text), 2000)]), "<urlset") {
		return nil, &Error{Code: NotAPage}
	}
	var m newsSitemap
	decoder := xml.NewDecoder(strings.NewReader(string(text)))
	decoder.Strict = false
	decoder.CharsetReader = nil
	if err := decoder.Decode(&m); err != nil && len(m.URLs) == 0 {
		return nil, &Error{NotAPage, err.Error()}
	}
	feed := &parse.Feed{Format: "Sitemap", Site: o.URL}
	c := collector{origin: content.Origin{Base: o.URL, Local: content.IsLocal(o.URL)}, options: o, feed: feed, seen: map[string]bool{}}
	for _, u := range m.URLs {
		if u.News == nil {
			continue
		}
		if feed.Title == "" {
			feed.Title = content.PlainTitle(u.News.Name)
		}
		c.add(found{title: u.News.Title, link: u.Loc, date: u.News.Date, picture: u.Image})
	}
	if len(feed.Articles) == 0 {
		return nil, &Error{Code: NoArticles}
	}
	return feed, nil
}
