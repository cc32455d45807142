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

// describe fills in what the feed says of itself.
func (r *reading) describe() {
	f, s := r.feed, r.source
	f.Title = content.Title(s.Title)
	f.Site = cmp.Or(web(r.base, s.Link), f.Site)
	f.Self = web(r.base, s.FeedLink)
	if s.Image != nil {
		f.Icon = web(r.base, s.Image.URL)
	}
	f.TTL = syndication(s.Extensions)
	f.Hub = web(r.base, linkWithRel(s.Extensions, "hub"))
	switch {
	case r.rss != nil:
		if m, err := strconv.Atoi(strings.TrimSpace(r.rss.TTL)); err == nil && m > 0 {
			f.TTL = max(f.TTL, min(time.Duration(m), maxTTL/time.Minute)*time.Minute)
		}
		f.SkipHours = skipHours(r.rss.SkipHours)
		f.SkipDays = skipDays(r.rss.SkipDays)
		r.authors = r.rssFeedAuthor()
	case r.atom != nil:
		f.Icon = cmp.Or(web(r.base, r.atom.Icon), f.Icon)
		for _, l := range r.atom.Links {
			if l.Rel == "hub" && f.Hub == "" {
				f.Hub = web(r.base, l.Href)
			}
		}
		if r.authors = atomAuthors(r.atom.Authors); f.Site == "" && r.base != r.o.URL {
			f.Site = r.sameDocument()
		}
	}
}

// remote returns an address that is asked without a hand: none of this machine
// and its network, unless the feed itself is from there.
func (r *reading) remote(address string) string {
	if content.IsLocal(address) && !content.IsLocal(r.o.URL) {
		return ""
	}
	return address
}

// sameDocument is where an empty link leads: to the base (RFC 3986 §4.4).
func (r *reading) sameDocument() string {
	for _, l := range r.atom.Links {
		if l.Rel == "alternate" && l.Href == "" {
			return firstWeb(r.base)
		}
	}
	return ""
}

// maxTTL bounds what a feed may ask for.
const maxTTL = 365 * 24 * time.Hour

// syndication reads sy:updatePeriod and sy:updateFrequency (RSS 1.0 syndication
// module). Hourly and once is what WordPress writes into every feed, so it says nothing.
func syndication(e ext.Extensions) time.Duration {
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

// skipHours reads the hours of RSS 2.0 in UTC; 24 means 0. Hours that leave none are no advice.
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

// atomPrefixes are the names gofeed files elements of Atom under, in other formats.
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
