package discover

import (
	"encoding/json"
	"regexp"
	"strings"
)

// sayings are the large sites whose pages speak of the feed elsewhere than in
// their tags. The first group of the pattern is what the feed is made of.
var sayings = []struct {
	host    *regexp.Regexp
	pattern *regexp.Regexp
	feed    func(found string) string
}{
	{youtubeHost, regexp.MustCompile(`itemprop="(?:channelId|identifier)" content="(UC[\w-]{22})"`), channel},
	{youtubeHost, regexp.MustCompile(`"(?:externalId|externalChannelId)":"(UC[\w-]{22})"`), channel},
	{youtubeHost, regexp.MustCompile(`"channelId":"(UC[\w-]{22})"`), channel},
	{regexp.MustCompile(`(^|\.)apple\.com$`), regexp.MustCompile(`"feedUrl"\s*:\s*("https?:[^"\s]+")`), quoted},
	{regexp.MustCompile(`^(www\.)?substack\.com$`), regexp.MustCompile(`\\?"subdomain\\?"\s*:\s*\\?"([\w-]+)\\?"`), publication},
}

var youtubeHost = regexp.MustCompile(`(^|\.)(youtube\.com|youtu\.be)$`)

func channel(id string) string { return youtubeFeeds + "channel_id=" + id }

func publication(name string) string { return "https://" + name + ".substack.com/feed" }

// quoted reads a string of JSON.
func quoted(s string) (address string) {
	_ = json.Unmarshal([]byte(s), &address) // what is none stays empty
	return address
}

// said returns the feed a page of a large site speaks of.
func said(d *document) []Candidate {
	for _, s := range sayings {
		if !s.host.MatchString(strings.ToLower(d.page.Hostname())) {
			continue
		}
		if m := s.pattern.FindSubmatch(d.text); m != nil {
			if u := d.resolve(s.feed(string(m[1]))); u != nil {
				return one(u.String())
			}
		}
	}
	return nil
}

// programs are the software that sites are made with, told by what they write
// into every page, and where they have their feeds, relative to the page.
var programs = []struct {
	mark  *regexp.Regexp
	feeds []string
}{
	{regexp.MustCompile(`(?i)^(blogger|.*blogspot\.com)`), []string{"/feeds/posts/default"}},
	{regexp.MustCompile(`(?i)^ghost`), []string{"/rss/"}},
	{regexp.MustCompile(`(?i)^hugo`), []string{"index.xml", "/index.xml"}},
	{regexp.MustCompile(`(?i)^jekyll`), []string{"/feed.xml", "/atom.xml"}},
	{regexp.MustCompile(`(?i)^hexo`), []string{"/atom.xml", "/rss2.xml"}},
	{regexp.MustCompile(`(?i)^(zola|movable ?type|typepad)`), []string{"/atom.xml", "/index.xml"}},
	{regexp.MustCompile(`(?i)^(gatsby|astro|nikola|bludit|hashnode)`), []string{"/rss.xml"}},
	{regexp.MustCompile(`(?i)^(eleventy|publii|micro\.blog)`), []string{"/feed.xml", "/feed/feed.xml"}},
	{regexp.MustCompile(`(?i)^docusaurus`), []string{"/blog/rss.xml", "/blog/atom.xml"}},
	{regexp.MustCompile(`(?i)^drupal`), []string{"/rss.xml"}},
	{regexp.MustCompile(`(?i)^joomla`), []string{"?format=feed&type=rss"}},
	{regexp.MustCompile(`(?i)^discourse`), []string{"/latest.rss"}},
	{regexp.MustCompile(`(?i)^(wix\.com)`), []string{"/blog-feed.xml"}},
	{regexp.MustCompile(`(?i)^(writefreely|writeas|bear ?blog)`), []string{"feed/", "/feed/"}},
}

// marks are what other software leaves in its pages.
var marks = []struct {
	mark  *regexp.Regexp
	feeds []string
}{
	{regexp.MustCompile(`(?i)\b(assets|static)\.tumblr\.com/`), []string{"/rss"}},
	{regexp.MustCompile(`com\.medium\.reader`), []string{"/feed"}},
	{regexp.MustCompile(`\bsubstackcdn\.com/`), []string{"/feed"}},
	{regexp.MustCompile(`\bstatic1\.squarespace\.com/`), []string{"?format=rss", "/blog?format=rss"}},
	{regexp.MustCompile(`\bcdn\.shopify\.com/`), []string{"/blogs/news.atom"}},
}

var (
	// wordpressFile is in the address of every file that WordPress serves, below the home of the blog.
	wordpressFile = regexp.MustCompile(`["'(=]([^"'()\s<>=]*/)wp-(?:content|includes|json)/`)
	mastodonMark  = regexp.MustCompile(`\bid=["']?mastodon\b`)
	mastodonName  = regexp.MustCompile(`^/(@[^/@]+|tags/[^/]+)`)
)

// software returns the addresses at which the software of a site has its feeds.
func software(d *document) []string {
	var places []string
	for _, m := range wordpressFile.FindAllSubmatch(d.text, 50) {
		if home := d.resolve(string(m[1])); home != nil && sameSite(home, d.page) {
			places = append(places, home.String()+"feed/", home.String()+"?feed=rss2")
			break
		}
	}
	if mastodonMark.Match(d.text) {
		if m := mastodonName.FindString(d.page.EscapedPath()); m != "" {
			places = append(places, m+".rss")
		}
	}
	for _, generator := range strings.Split(d.generator, "\n") {
		for _, p := range programs {
			if p.mark.MatchString(strings.TrimSpace(generator)) {
				places = append(places, p.feeds...)
			}
		}
	}
	for _, m := range marks {
		if m.mark.Match(d.text) {
			places = append(places, m.feeds...)
		}
	}
	return d.absolute(places)
}

// absolute resolves places; none lies on another site.
func (d *document) absolute(places []string) (addresses []string) {
	for _, place := range places {
		if u, err := d.page.Parse(place); err == nil && sameSite(u, d.page) {
			u.Fragment, u.RawFragment = "", ""
			addresses = append(addresses, u.String())
		}
	}
	return addresses
}
