package discover

import (
	"encoding/json"
	"regexp"
	"strings"
)

// embeddedFeeds are the large sites whose pages name the feed elsewhere than in
// their tags. The first group of the pattern is what its address is made of.
var embeddedFeeds = []struct {
	host    *regexp.Regexp
	pattern *regexp.Regexp
	feed    func(found string) string
}{
	{youtubeHost, regexp.MustCompile(`itemprop="(?:channelId|identifier)" content="(UC[\w-]{22})"`), youtubeChannel},
	{youtubeHost, regexp.MustCompile(`"(?:externalId|externalChannelId)":"(UC[\w-]{22})"`), youtubeChannel},
	{youtubeHost, regexp.MustCompile(`"channelId":"(UC[\w-]{22})"`), youtubeChannel},
	{regexp.MustCompile(`(^|\.)apple\.com$`), regexp.MustCompile(`"feedUrl"\s*:\s*("https?:[^"\s]+")`), unquoteJSON},
	{regexp.MustCompile(`^(www\.)?substack\.com$`), regexp.MustCompile(`\\?"subdomain\\?"\s*:\s*\\?"([\w-]+)\\?"`), substackPublication},
}

var youtubeHost = regexp.MustCompile(`(^|\.)(youtube\.com|youtu\.be)$`)

func youtubeChannel(id string) string { return youtubeFeeds + "channel_id=" + id }

func substackPublication(name string) string { return "https://" + name + ".substack.com/feed" }

// unquoteJSON reads a JSON string; a broken one is empty.
func unquoteJSON(s string) (address string) {
	_ = json.Unmarshal([]byte(s), &address)
	return address
}

// embeddedFeed returns the feed that a page of a large site names outside its tags.
func embeddedFeed(d *document) []Candidate {
	for _, s := range embeddedFeeds {
		if !s.host.MatchString(strings.ToLower(d.page.Hostname())) {
			continue
		}
		if m := s.pattern.FindSubmatch(d.text); m != nil {
			if u := d.resolve(s.feed(string(m[1]))); u != nil {
				return single(u.String())
			}
		}
	}
	return nil
}

// generators are the programs that sites are made with, by the "generator" of
// their pages, and where they put their feeds, relative to the page.
var generators = []struct {
	name  *regexp.Regexp
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

// softwareMarks are what other software leaves in its pages.
var softwareMarks = []struct {
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
	// wordpressFile matches the address of every file that WordPress serves; the group is the home of the blog.
	wordpressFile = regexp.MustCompile(`["'(=]([^"'()\s<>=]*/)wp-(?:content|includes|json)/`)
	mastodonMark  = regexp.MustCompile(`\bid=["']?mastodon\b`)
	mastodonName  = regexp.MustCompile(`^/(@[^/@]+|tags/[^/]+)`)
)

// softwarePaths returns the addresses at which the software of a site puts its feeds.
func softwarePaths(d *document) []string {
	var paths []string
	for _, m := range wordpressFile.FindAllSubmatch(d.text, 50) {
		if home := d.resolve(string(m[1])); home != nil && sameSite(home, d.page) {
			paths = append(paths, home.String()+"feed/", home.String()+"?feed=rss2")
			break
		}
	}
	if mastodonMark.Match(d.text) {
		if m := mastodonName.FindString(d.page.EscapedPath()); m != "" {
			paths = append(paths, m+".rss")
		}
	}
	for _, generator := range strings.Split(d.generator, "\n") {
		for _, p := range generators {
			if p.name.MatchString(strings.TrimSpace(generator)) {
				paths = append(paths, p.feeds...)
			}
		}
	}
	for _, m := range softwareMarks {
		if m.mark.Match(d.text) {
			paths = append(paths, m.feeds...)
		}
	}
	return d.absolute(paths)
}

// absolute resolves paths and drops those of other sites.
func (d *document) absolute(paths []string) (addresses []string) {
	for _, path := range paths {
		if u, err := d.page.Parse(path); err == nil && sameSite(u, d.page) {
			u.Fragment, u.RawFragment = "", ""
			addresses = append(addresses, u.String())
		}
	}
	return addresses
}
