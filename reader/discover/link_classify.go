package discover

import (
	"net/url"
	"regexp"
	"strings"
)

// likelyFeed is a link that looks like a feed.
type likelyFeed struct {
	Candidate
	certain bool // by its address or type, not only by its words
}

// rank orders likely feeds, the best highest: those of comments come after all others that are as certain.
func (l *likelyFeed) rank() int {
	n := 1 - commentsRank(l.Candidate)
	if l.certain {
		n += 2
	}
	return n
}

// formatOf returns the format of a media type, "" for one that is no feed's. RSS
// has many media types ("application/x-rss+xml").
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

// mayBeFeed reports whether feeds share a media type with other kinds of XML. A
// link without a type is judged by its address.
func mayBeFeed(mediaType, href string) bool {
	m, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(m) {
	case "text/xml", "application/xml", "application/rdf+xml", "text/rdf", "application/rdf":
		return true
	case "":
		return hasFeedAddress(href)
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
	otherFile = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|svg|webp|ico|css|js|pdf|zip|gz|mp3|mp4|m4a|ogg|opml|docx?)$`)
	nonWeb    = regexp.MustCompile(`(?i)^(mailto|javascript|tel|data):`)
)

// hasFeedAddress judges a link by its address alone.
func hasFeedAddress(href string) bool {
	u, ok := parseWebLink(href)
	if !ok {
		return false
	}
	if feedHost.MatchString(u.Host) {
		return u.Path != "" && u.Path != "/"
	}
	return feedPath.MatchString(u.Path) || feedDir.MatchString(u.Path) || feedQuery.MatchString(u.RawQuery)
}

// hasFeedWords judges a link by its words, where the address does not decide.
func hasFeedWords(href, label, words string) bool {
	u, ok := parseWebLink(href)
	if !ok || strings.HasPrefix(href, "#") {
		return false
	}
	path := strings.ToLower(u.Path)
	return feedLabel.MatchString(label) || feedWord.MatchString(words) &&
		(strings.Contains(path, "rss") || strings.Contains(path, "feed") || strings.HasSuffix(path, ".xml"))
}

func parseWebLink(href string) (*url.URL, bool) {
	u, err := url.Parse(stripFeedScheme(href))
	if err != nil || nonWeb.MatchString(href) || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" || otherFile.MatchString(u.Path) {
		return nil, false
	}
	return u, true
}

// readerLink matches the links by which sites offer their feed to other readers.
var readerLink = regexp.MustCompile(`(?i)^(?:https?:)?//(?:[\w.-]+\.)?(?:feedly\.com/i/subscription/feed(?:/|%2f)|google\.com/reader/view/feed/|bloglines\.com/sub/|` +
	`(?:newsblur|theoldreader|newsgator|commafeed)\.com/.*[?&]url=|inoreader\.com/.*[?&]add_feed=|netvibes\.com/subscribe.*[?&]url=|` +
	`add\.my\.yahoo\.com/.*[?&]url=|fusion\.google\.com/add.*[?&]feedurl=|my\.msn\.com/addtomymsn.*[?&]ut=|subtome\.com/.*[?&]feeds=|` +
	`feedbin\.com/.*[?&]subscribe=|bazqux\.com/add.*[?&]url=|feeder\.co/add-feed.*[?&]url=)(https?(?::|%3a)[^&]+)`)

// feedInReaderLink returns the feed in the "add to" link of another reader, "" for any other link.
func feedInReaderLink(href string) string {
	m := readerLink.FindStringSubmatch(href)
	if m == nil {
		return ""
	}
	s, err := url.QueryUnescape(m[1])
	if err != nil {
		return ""
	}
	return s
}

// nextPageWords match the names of pages that may declare feeds, the likeliest first.
var nextPageWords = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(rss|feeds?|rss[- _]?feeds?|subscribe|syndication|abonnieren|abo|newsfeeds?)$`),
	regexp.MustCompile(`(?i)^((the |our |my )?(we)?blog|blogs|journal|ブログ|блог)$`),
	regexp.MustCompile(`(?i)^(news|newsroom|latest news|posts|articles|writing|podcast|updates|changelog|archives?|aktuelles|nachrichten|actualit[ée]s|actus?|noticias|nieuws|новости|ニュース)$`),
}

// nextPageRank ranks a link to a page that may declare feeds, -1 for any other. Both
// its words and the end of its address count.
func nextPageRank(href, label string) int {
	u, ok := parseWebLink(href)
	if !ok {
		return -1
	}
	path := strings.Trim(u.Path, "/")
	last := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".html")
	if last == "" {
		last, _, _ = strings.Cut(u.Host, ".") // blog.example.org
	}
	for i, words := range nextPageWords {
		if words.MatchString(strings.TrimSpace(label)) || words.MatchString(last) && strings.Count(path, "/") <= 1 {
			return i + 1
		}
	}
	return -1
}

// isSignInPage reports whether an address is that of a page to sign in or to consent, which stands before a site.
func isSignInPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (signInHost.MatchString(u.Hostname()) || signInPath.MatchString(u.Path))
}

var (
	signInHost = regexp.MustCompile(`(?i)^(consent|accounts|login|signin|auth|sso|id)\.`)
	signInPath = regexp.MustCompile(`(?i)/(log-?in|sign-?in|consent|sso|authenticate|privacygate)(\.\w+)?(/|$)`)
)
