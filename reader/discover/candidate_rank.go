package discover

import (
	"regexp"
	"slices"
	"strings"
)

// sortCandidates puts feeds of comments last and keeps the order otherwise.
func sortCandidates(list []Candidate) []Candidate {
	slices.SortStableFunc(list, func(a, b Candidate) int { return commentsRank(a) - commentsRank(b) })
	return list
}

// commentsRank returns 1 for a feed of comments and 0 for any other.
func commentsRank(c Candidate) int {
	if commentsWord.MatchString(c.Title + " " + c.URL) {
		return 1
	}
	return 0
}

var commentsWord = regexp.MustCompile(`(?i)comment|kommentar|comentario|comentário|commenti|reacties|комментари|коментар|yorum|コメント|评论|評論|댓글|/replies`)

// genericTitle matches titles that any feed could have.
var genericTitle = regexp.MustCompile(`(?i)^\W*(subscribe( (to|via))?|our|the|my)?\W*(rss|atom|xml|rdf|json|feeds?|syndication|alternate|[\s\d./()+-])*\W*$`)

// fillTitles gives feeds without a title of their own that of their page, with
// the format where there are several.
func fillTitles(list []Candidate, d *document) []Candidate {
	name := d.title
	if name == "" {
		name = strings.TrimPrefix(d.page.Hostname(), "www.")
	}
	for i := range list {
		c := &list[i]
		if c.Page != nil && c.Title != "" || !genericTitle.MatchString(c.Title) {
			continue
		}
		c.Title = name
		if len(list) > 1 && c.Format != "" {
			c.Title += " (" + c.Format + ")"
		}
	}
	return list
}
