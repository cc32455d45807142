package parse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	ext "github.com/mmcdole/gofeed/extensions"

	"kairos/reader/content"
)

// describeFeed reads what the feed says about itself.
func (p *parser) describeFeed() {
	f, s := p.feed, p.source
	f.Title = fixDoubleUTF8Line(content.Title(s.Title))
	f.Site = cmp.Or(web(p.base, s.Link), f.Site)
	if s.Image != nil {
		f.Icon = web(p.base, s.Image.URL)
	}
	f.TTL = updatePeriod(s.Extensions)
	f.Hub = web(p.base, linkWithRel(s.Extensions, "hub"))
	f.Older = web(p.base, cmp.Or(linkWithRel(s.Extensions, relArchive), linkWithRel(s.Extensions, relNext)))
	f.Generator = content.Text(s.Generator, maxGenerator)
	switch {
	case p.rss != nil:
		if m, err := strconv.Atoi(strings.TrimSpace(p.rss.TTL)); err == nil && m > 0 {
			f.TTL = max(f.TTL, min(time.Duration(m), maxTTL/time.Minute)*time.Minute)
		}
		f.SkipHours = skipHours(p.rss.SkipHours)
		f.SkipDays = skipDays(p.rss.SkipDays)
		p.authors = p.rssFeedAuthor()
	case p.atom != nil:
		f.Icon = cmp.Or(web(p.base, p.atom.Icon), f.Icon)
		for _, l := range p.atom.Links {
			switch {
			case l.Rel == "hub" && f.Hub == "":
				f.Hub = web(p.base, l.Href)
			case l.Rel == relArchive, l.Rel == relNext && f.Older == "":
				f.Older = web(p.base, l.Href)
			}
		}
		if p.authors = atomAuthors(p.atom.Authors); f.Site == "" && p.base != p.options.URL {
			f.Site = p.sameDocument()
		}
	}
}

// Relations of links to documents with older articles, the better one first (RFC 5005 §4.1, §3).
const (
	relArchive = "prev-archive"
	relNext    = "next"
)

// maxGenerator is how much is kept of the name of the program that made a feed, in letters.
const maxGenerator = 80

// withoutLocal returns an address that Kairos may request by itself: "" for one of
// this machine or the local network, unless the feed itself is from there.
func (p *parser) withoutLocal(address string) string {
	if content.IsLocal(address) && !content.IsLocal(p.options.URL) {
		return ""
	}
	return address
}

// sameDocument returns where an empty link leads: to the base (RFC 3986 §4.4).
func (p *parser) sameDocument() string {
	for _, l := range p.atom.Links {
		if l.Rel == "alternate" && l.Href == "" {
			return webOrEmpty(p.base)
		}
	}
	return ""
}

// maxTTL is the longest interval a feed can ask for.
const maxTTL = 365 * 24 * time.Hour

// updatePeriod reads sy:updatePeriod and sy:updateFrequency (RSS 1.0 syndication
// module). It ignores once an hour, which WordPress writes into every feed.
func updatePeriod(e ext.Extensions) time.Duration {
	periods := map[string]time.Duration{
		"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour,
		"monthly": 30 * 24 * time.Hour, "yearly": maxTTL,
	}
	name := strings.ToLower(strings.TrimSpace(extValue(e, "sy", "updatePeriod")))
	period, ok := periods[name]
	if !ok {
		return 0
	}
	frequency, err := strconv.Atoi(strings.TrimSpace(extValue(e, "sy", "updateFrequency")))
	if err != nil || frequency < 1 {
		frequency = 1
	}
	if name == "hourly" && frequency == 1 {
		return 0
	}
	return period / time.Duration(frequency)
}

// skipHours reads the hours of RSS 2.0 in UTC; 24 means 0. It ignores a list of all hours.
func skipHours(list []string) []int {
	var hours []int
	for _, s := range list {
		if h, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && h >= 0 && h <= 24 {
			hours = append(hours, h%24)
		}
	}
	slices.Sort(hours)
	if hours = slices.Compact(hours); len(hours) == 24 {
		return nil
	}
	return hours
}

func skipDays(list []string) []time.Weekday {
	var days []time.Weekday
	for _, s := range list {
		for d := time.Sunday; d <= time.Saturday; d++ {
			if strings.EqualFold(strings.TrimSpace(s), d.String()) {
				days = append(days, d)
			}
		}
	}
	slices.Sort(days)
	if days = slices.Compact(days); len(days) == 7 {
		return nil
	}
	return days
}

// atomPrefixes are the prefixes under which gofeed returns elements of Atom in other formats.
var atomPrefixes = []string{"atom", "atom10", "atom03", "a10"}

// linkWithRel returns the address of an atom:link inside another format.
func linkWithRel(e ext.Extensions, rel string) string {
	for _, p := range atomPrefixes {
		for _, l := range e[p]["link"] {
			if l.Attrs["rel"] == rel || rel == "alternate" && l.Attrs["rel"] == "" {
				return l.Attrs["href"]
			}
		}
	}
	return ""
}

func extValue(e ext.Extensions, prefix, name string) string {
	for _, v := range e[prefix][name] {
		if v.Value != "" {
			return v.Value
		}
	}
	return ""
}
