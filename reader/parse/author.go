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

// person returns the name out of what RSS has for an author.
func person(s string) string {
	if m := nameElem.FindStringSubmatch(s); m != nil {
		s = m[1] // as Atom has it
	}
	s = content.PlainTitle(s)
	for _, shape := range []*regexp.Regexp{mailName, nameMail, mailto} {
		if m := shape.FindStringSubmatch(s); m != nil {
			return strings.Trim(m[1], ` "'`)
		}
	}
	return content.Title(s)
}

func names(list []string) string {
	var out []string
	for _, s := range list {
		if n := person(s); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, ", ")
}

func (r *reading) rssAuthor(in *rss.Item) string {
	if in.DublinCoreExt != nil {
		if n := names(in.DublinCoreExt.Creator); n != "" {
			return n
		}
		if n := names(in.DublinCoreExt.Author); n != "" {
			return n
		}
	}
	if n := person(in.Author); n != "" {
		return n
	}
	for _, p := range atomPrefixes {
		for _, a := range in.Extensions[p]["author"] {
			for _, n := range a.Children["name"] {
				return person(n.Value)
			}
		}
	}
	if in.ITunesExt != nil {
		return person(in.ITunesExt.Author)
	}
	return ""
}

func (r *reading) rssFeedAuthor() string {
	f := r.rss
	if f.DublinCoreExt != nil {
		if n := names(f.DublinCoreExt.Creator); n != "" {
			return n
		}
	}
	if f.ITunesExt != nil && f.ITunesExt.Author != "" {
		return person(f.ITunesExt.Author)
	}
	if n := person(f.ManagingEditor); !strings.Contains(n, "@") {
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
	return names(out)
}
