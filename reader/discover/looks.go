package discover

import (
	"net/url"
	"regexp"
	"strings"
)

// link is a candidate that looks like a feed.
type link struct {
	Candidate
	sure bool // by its address, not only by the words on it
}

// strength ranks links: feeds of comments come after all others that are as sure.
func (l *link) strength() int {
	n := 1 - weight(l.Candidate)
	if l.sure {
		n += 2
	}
	return n
}

// formatOf returns the format a media type names, "" for one that is no feed's.
// There is RSS of many names ("application/x-rss+xml").
func formatOf(mediaType, href string) string {
	m, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	m = strings.TrimSpace(m)
	switch {
	case atomType.MatchString(m):
		return "Atom"
	case rssType.MatchString(m):
		return "RSS"
	case m == "application/feed+json", m == "application/json" && strings.Contains(href, "feed") && !strings.Contains(href, "wp-json"):
		return "JSON Feed"
	}
	return ""
}

// mayBeFeed tells the media types that feeds share with other kinds of XML. What
// has no type at all is judged by its address.
func mayBeFeed(mediaType, href string) bool {
	m, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(m) {
	case "text/xml", "application/xml", "application/rdf+xml", "text/rdf", "application/rdf":
		return true
	case "":
		return looksLikeFeed(href)
	}
	return false
}

var (
	atomType  = regexp.MustCompile(`^[a-z]+/(x[-.])?atom(\+xml)?$`)
	rssType   = regexp.MustCompile(`^[a-z]+/(x[-.])?rss(\+xml)?$`)
	feedHost  = regexp.MustCompile(`(?i)^(feeds?2?|rss|rssfeeds|feedproxy)\.`)
	feedPath  = regexp.MustCompile(`(?i)(^|/)((rss|atom|feeds?|rdf)([-_.]?\d[\d.]*)?([-_.](full|posts?|en|all|news|index))?(\.(xml|rss|atom|rdf|json|php|aspx?|axd))?|index\.(xml|rss|rdf|atom)|[^/]*\.(rss|atom|rdf)|[^/]*(rss|atom|feed)[^/]*\.(xml|json))/?$`)
	feedDir   = regexp.MustCompile(`(?i)(^|/)(rss|atom|feeds?)/([\w-]+/){0,2}[\w-]+(\.(xml|rss|atom|rdf|json))?/?$`)
	feedQuery = regexp.MustCompile(`(?i)(^|&)(feed|format|type|output|alt|mode)=(rss2?|atom|rdf|xml|feed|json)\d*(&|$)`)
	feedWord  = regexp.MustCompile(`(?i)\b(rss|atom|xml feed|feed|syndicate)\b`)
	feedLabel = regexp.MustCompile(`(?i)^\W*(rss|atom|xml|rdf|json feed|(the |our |my |web|news)?[ -]?feeds?|(rss|atom|xml)[ -/]*(feeds?|2\.0|1\.0|atom)?|(subscribe|abonnieren|suscribirse|s'abonner).{0,10}\b(rss|atom|feed)|syndication)\W*$`)
	noFeed    = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|svg|webp|ico|css|js|pdf|zip|gz|mp3|mp4|m4a|ogg|opml|docx?)$`)
	isMenu    = regexp.MustCompile(`(?i)^(mailto|javascript|tel|data):`)
)

// looksLikeFeed judges a link by its address alone.
func looksLikeFeed(href string) bool {
	u, ok := ofTheWeb(href)
	if !ok {
		return false
	}
	if feedHost.MatchString(u.Host) {
		return u.Path != "" && u.Path != "/"
	}
	return feedPath.MatchString(u.Path) || feedDir.MatchString(u.Path) || feedQuery.MatchString(u.RawQuery)
}

// soundsLikeFeed judges a link by the words on it, where its address leaves it open.
func soundsLikeFeed(href, label, words string) bool {
	u, ok := ofTheWeb(href)
	if !ok || strings.HasPrefix(href, "#") {
		return false
	}
	path := strings.ToLower(u.Path)
	return feedLabel.MatchString(label) || feedWord.MatchString(words) &&
		(strings.Contains(path, "rss") || strings.Contains(path, "feed") || strings.HasSuffix(path, ".xml"))
}

func ofTheWeb(href string) (*url.URL, bool) {
	u, err := url.Parse(stripFeedScheme(href))
	if err != nil || isMenu.MatchString(href) || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" || noFeed.MatchString(u.Path) {
		return nil, false
	}
	return u, true
}

// readers are the links by which sites hand their feed to other readers.
var readers = regexp.MustCompile(`(?i)^(?:https?:)?//(?:[\w.-]+\.)?(?:feedly\.com/i/subscription/feed(?:/|%2f)|google\.com/reader/view/feed/|bloglines\.com/sub/|` +
	`(?:newsblur|theoldreader|newsgator|commafeed)\.com/.*[?&]url=|inoreader\.com/.*[?&]add_feed=|netvibes\.com/subscribe.*[?&]url=|` +
	`add\.my\.yahoo\.com/.*[?&]url=|fusion\.google\.com/add.*[?&]feedurl=|my\.msn\.com/addtomymsn.*[?&]ut=|subtome\.com/.*[?&]feeds=|` +
	`feedbin\.com/.*[?&]subscribe=|bazqux\.com/add.*[?&]url=|feeder\.co/add-feed.*[?&]url=)(https?(?::|%3a)[^&]+)`)

// inReader returns the feed in the "add to" link of another reader.
func inReader(href string) string {
	m := readers.FindStringSubmatch(href)
	if m == nil {
		return ""
	}
	s, err := url.QueryUnescape(m[1])
	if err != nil {
		return ""
	}
	return s
}

// onwardWords are what pages that name feeds are called, the likeliest first.
var onwardWords = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(rss|feeds?|rss[- _]?feeds?|subscribe|syndication|abonnieren|abo|newsfeeds?)$`),
	regexp.MustCompile(`(?i)^((the |our |my )?(we)?blog|blogs|journal|ブログ|блог)$`),
	regexp.MustCompile(`(?i)^(news|newsroom|latest news|posts|articles|writing|podcast|updates|changelog|archives?|aktuelles|nachrichten|actualit[ée]s|actus?|noticias|nieuws|новости|ニュース)$`),
}

// onwardRank ranks a link to a page that may name feeds, < 0 for any other. Both
// the words on it and the end of its address may say what it is.
func onwardRank(href, label string) int {
	u, ok := ofTheWeb(href)
	if !ok {
		return -1
	}
	path := strings.Trim(u.Path, "/")
	last := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".html")
	if last == "" {
		last, _, _ = strings.Cut(u.Host, ".") // blog.example.org
	}
	for i, words := range onwardWords {
		if words.MatchString(strings.TrimSpace(label)) || words.MatchString(last) && strings.Count(path, "/") <= 1 {
			return i + 1
		}
	}
	return -1
}

// isWall tells a page that stands before a site from the site, by its address.
func isWall(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (wallHost.MatchString(u.Hostname()) || wallPath.MatchString(u.Path))
}

var (
	wallHost = regexp.MustCompile(`(?i)^(consent|accounts|login|signin|auth|sso|id)\.`)
	wallPath = regexp.MustCompile(`(?i)/(log-?in|sign-?in|consent|sso|authenticate|privacygate)(\.\w+)?(/|$)`)
)
