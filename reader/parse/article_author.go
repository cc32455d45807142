package parse

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/rss"

	"kairos/reader/content"
)

var (
	mailName = regexp.MustCompile(`^\S+@\S+\s*\((.+)\)$`)      // joe@example.org (Joe)
	nameMail = regexp.MustCompile(`^(.+?)\s*[<(]\S+@\S+[>)]$`) // Joe <joe@example.org>
	nameElem = regexp.MustCompile(`(?s)<(?:\w+:)?name>(.+?)</`)
	mailto   = regexp.MustCompile(`(?i)^(.+?)\s*\(?mailto:.*$`) // Joe (mailto:joe@example.org)
)

// personName returns the name in what RSS gives as an author.
func personName(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		if m := nameElem.FindStringSubmatch(s); m != nil {
			s = m[1] // markup of Atom
		}
	}
	s = content.PlainTitle(s)
	if !strings.ContainsAny(s, "@:") {
		return content.Title(s) // nearly all are a name alone
	}
	for _, shape := range []*regexp.Regexp{mailName, nameMail, mailto} {
		if m := shape.FindStringSubmatch(s); m != nil {
			return strings.Trim(m[1], ` "'`)
		}
	}
	return content.Title(s)
}

// joinNames returns the different names in a list, joined by commas.
func joinNames(list []string) string {
	var out []string
	for _, s := range list {
		if n := personName(s); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, ", ")
}

func (p *parser) rssAuthor(in *rss.Item) string {
	if in.DublinCoreExt != nil {
		if n := joinNames(in.DublinCoreExt.Creator); n != "" {
			return n
		}
		if n := joinNames(in.DublinCoreExt.Author); n != "" {
			return n
		}
	}
	if n := personName(in.Author); n != "" {
		return n
	}
	for _, p := range atomPrefixes {
		for _, a := range in.Extensions[p]["author"] {
			for _, n := range a.Children["name"] {
				return personName(n.Value)
			}
		}
	}
	if in.ITunesExt != nil {
		return personName(in.ITunesExt.Author)
	}
	return ""
}

func (p *parser) rssFeedAuthor() string {
	f := p.rss
	if f.DublinCoreExt != nil {
		if n := joinNames(f.DublinCoreExt.Creator); n != "" {
			return n
		}
	}
	if f.ITunesExt != nil && f.ITunesExt.Author != "" {
		return personName(f.ITunesExt.Author)
	}
	if n := personName(f.ManagingEditor); !strings.Contains(n, "@") {
		return n
	}
	return ""
}

func atomAuthors(list []*atom.Person) string {
	var out []string
	for _, p := range list {
		if p.Name != "" {
			out = append(out, p.Name)
		} else {
			out = append(out, p.Email)
		}
	}
	return joinNames(out)
}
