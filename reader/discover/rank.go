package discover

import (
	"regexp"
	"slices"
	"strings"
)

// rank puts feeds of comments last and leaves the order otherwise.
func rank(list []Candidate) []Candidate {
	slices.SortStableFunc(list, func(a, b Candidate) int { return weight(a) - weight(b) })
	return list
}

func weight(c Candidate) int {
	if aside.MatchString(c.Title + " " + c.URL) {
		return 1
	}
	return 0
}

var aside = regexp.MustCompile(`(?i)comment|kommentar|comentario|comentário|commenti|reacties|комментари|коментар|yorum|コメント|评论|評論|댓글|/replies`)

// bare is a title that says only what every feed is.
var bare = regexp.MustCompile(`(?i)^\W*(subscribe( (to|via))?|our|the|my)?\W*(rss|atom|xml|rdf|json|feeds?|syndication|alternate|[\s\d./()+-])*\W*$`)

// entitle gives a feed without a title of its own that of its page, with its
// format where there are several.
func entitle(list []Candidate, d *document) []Candidate {
	name := d.title
	if name == "" {
		name = strings.TrimPrefix(d.page.Hostname(), "www.")
	}
	for i := range list {
		c := &list[i]
		if c.Page != nil && c.Title != "" || !bare.MatchString(c.Title) {
			continue
		}
		c.Title = name
		if len(list) > 1 && c.Format != "" {
			c.Title += " (" + c.Format + ")"
		}
	}
	return list
}
