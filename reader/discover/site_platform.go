package discover

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// siteAddress is a parsed address.
type siteAddress struct {
	*url.URL
	host     string   // lower case, without "www."
	segments []string // of the path
}

// segment returns one segment of the path, "" if there are fewer.
func (p *siteAddress) segment(i int) string {
	if i < len(p.segments) {
		return p.segments[i]
	}
	return ""
}

// platforms are the large sites whose feeds follow from an address, by their
// hosts. Their pages hide the feeds from programs or do not declare them.
var platforms = []struct {
	host  *regexp.Regexp
	feeds func(p *siteAddress) []Candidate
}{
	{regexp.MustCompile(`^((m|music|gaming)\.)?youtube(-nocookie)?\.com$`), youtube},
	{regexp.MustCompile(`(^|\.)reddit\.com$`), reddit},
	{regexp.MustCompile(`^github\.com$`), github},
	{regexp.MustCompile(`^gist\.github\.com$`), gist},
	{regexp.MustCompile(`^bsky\.app$`), bluesky},
	{regexp.MustCompile(`(^|\.)medium\.com$`), medium},
	{regexp.MustCompile(`\.substack\.com$`), substack},
	{regexp.MustCompile(`(^|\.)tumblr\.com$`), tumblr},
	{regexp.MustCompile(`\.wordpress\.com$`), wordpress},
	{regexp.MustCompile(`\.blogspot\.[a-z]+(\.[a-z]+)?$`), blogger},
	{regexp.MustCompile(`^(podcasts|itunes)\.apple\.com$`), applePodcast},
	{regexp.MustCompile(`(^|\.)groups\.io$`), groupsIO},
	{regexp.MustCompile(`^mail-archive\.com$`), mailArchive},
	{regexp.MustCompile(`^freelists\.org$`), freeLists},
	{anyHost, hyperKitty},
}

var anyHost = regexp.MustCompile(``)

// platformFeeds returns the feeds that follow from an address alone, the main one
// first; nil, or the feed itself, for the address of a feed.
func platformFeeds(address string) []Candidate {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	p := &siteAddress{URL: u, host: strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")}
	if path := strings.Trim(u.EscapedPath(), "/"); path != "" {
		p.segments = strings.Split(path, "/")
	}
	for _, site := range platforms {
		if site.host.MatchString(p.host) {
			return site.feeds(p)
		}
	}
	return nil
}

// isPlatform reports whether an address is on a large site.
func isPlatform(address string) bool {
	host := strings.TrimPrefix(strings.ToLower(hostOf(address)), "www.")
	for _, site := range platforms {
		if site.host != anyHost && site.host.MatchString(host) {
			return true
		}
	}
	return false
}

// single returns a list of one feed.
func single(address string) []Candidate { return []Candidate{{URL: address}} }

const youtubeFeeds = "https://www.youtube.com/feeds/videos.xml?"

// youtube knows channels and playlists by their ids. The uploads of a channel UCx
// are also playlists: UULFx without Shorts, UUSHx only those, UULVx live.
func youtube(p *siteAddress) []Candidate {
	list := p.Query().Get("list")
	switch id, isChannel := strings.CutPrefix(p.segment(1), "UC"); {
	case p.segment(0) == "channel" && isChannel && id != "":
		return []Candidate{
			{URL: youtubeFeeds + "channel_id=UC" + id},
			{URL: youtubeFeeds + "playlist_id=UULF" + id, Title: "Videos without Shorts"},
			{URL: youtubeFeeds + "playlist_id=UUSH" + id, Title: "Shorts"},
			{URL: youtubeFeeds + "playlist_id=UULV" + id, Title: "Live streams"},
		}
	case p.segment(0) == "playlist" || p.segment(0) == "watch":
		if len(list) > 2 && !strings.HasPrefix(list, "RD") { // a mix is different for every visitor
			return single(youtubeFeeds + "playlist_id=" + url.QueryEscape(list))
		}
	case p.segment(0) == "user" && p.segment(1) != "":
		return single(youtubeFeeds + "user=" + p.segment(1))
	}
	return nil
}

// reddit has a feed of nearly every page.
func reddit(p *siteAddress) []Candidate {
	u := url.URL{Scheme: "https", Host: "www.reddit.com", Path: "/.rss"}
	if len(p.segments) > 0 {
		if len(p.segments) == 1 || strings.HasSuffix(p.Path, ".rss") || !slices.Contains([]string{"r", "u", "user", "domain"}, p.segments[0]) {
			return nil
		}
		u.Path = "/" + strings.Trim(p.Path, "/") + "/.rss"
	}
	query := url.Values{}
	for _, name := range []string{"t", "sort"} { // "top of the week"
		if v := p.Query().Get(name); v != "" {
			query.Set(name, v)
		}
	}
	u.RawQuery = query.Encode()
	return single(u.String())
}

// notOwners are the first path segments on GitHub that are no user or organization.
var notOwners = []string{"about", "apps", "collections", "customer-stories", "enterprise", "events", "explore", "features",
	"issues", "join", "login", "marketplace", "new", "notifications", "orgs", "organizations", "pricing", "pulls", "readme",
	"search", "security", "sessions", "settings", "signup", "site", "sponsors", "stars", "topics", "trending"}

// github has feeds of owners and of a repository's releases, commits and tags.
func github(p *siteAddress) []Candidate {
	owner, repo := p.segment(0), strings.TrimSuffix(p.segment(1), ".git")
	switch {
	case owner == "orgs" && repo != "":
		return single("https://github.com/" + repo + ".atom")
	case owner == "" || slices.Contains(notOwners, strings.ToLower(owner)) || strings.HasSuffix(p.Path, ".atom"):
		return nil
	case repo == "":
		return single("https://github.com/" + owner + ".atom")
	}
	name := owner + "/" + repo
	base := "https://github.com/" + name + "/"
	list := []Candidate{
		{URL: base + "releases.atom", Title: name + ": releases"},
		{URL: base + "commits.atom", Title: name + ": commits"},
		{URL: base + "tags.atom", Title: name + ": tags"},
	}
	rest := strings.Join(p.segments[min(3, len(p.segments)):], "/")
	switch kind := p.segment(2); {
	case (kind == "commits" || kind == "tree") && rest != "":
		list = slices.Insert(list, 0, Candidate{URL: base + "commits/" + rest + ".atom", Title: name + ": commits to " + rest})
	case kind == "commits":
		list[0], list[1] = list[1], list[0]
	case kind == "tags":
		list[0], list[2] = list[2], list[0]
	case kind == "wiki" || kind == "discussions":
		list = slices.Insert(list, 0, Candidate{URL: base + kind + ".atom", Title: name + ": " + kind})
	}
	return list
}

func gist(p *siteAddress) []Candidate {
	if p.segment(0) == "" || p.segment(0) == "discover" || strings.HasSuffix(p.Path, ".atom") {
		return nil
	}
	return single("https://gist.github.com/" + p.segment(0) + ".atom")
}

func bluesky(p *siteAddress) []Candidate {
	if p.segment(0) != "profile" || p.segment(1) == "" {
		return nil
	}
	return single("https://bsky.app/profile/" + p.segment(1) + "/rss")
}

// medium has the feeds of people, publications and tags below /feed, and those of
// custom hosts at /feed.
func medium(p *siteAddress) []Candidate {
	switch name := p.segment(0); {
	case hasFeedAddress(p.String()):
		return nil
	case p.host != "medium.com":
		return single("https://" + p.host + "/feed")
	case name == "tag" && p.segment(1) != "":
		return single("https://medium.com/feed/tag/" + p.segment(1))
	case name == "" || slices.Contains([]string{"about", "feed", "m", "me", "membership", "p", "plans", "r", "search", "tag", "topics"}, name):
		return nil
	default:
		return single("https://medium.com/feed/" + name)
	}
}

func substack(p *siteAddress) []Candidate {
	if hasFeedAddress(p.String()) {
		return nil
	}
	if p.host != "open.substack.com" {
		return single("https://" + p.host + "/feed")
	}
	if p.segment(0) == "pub" && p.segment(1) != "" {
		return single("https://" + p.segment(1) + ".substack.com/feed")
	}
	return nil
}

// tumblr has blogs at name.tumblr.com and at tumblr.com/name.
func tumblr(p *siteAddress) []Candidate {
	if hasFeedAddress(p.String()) {
		return nil
	}
	if p.host != "tumblr.com" {
		if p.segment(0) == "tagged" && p.segment(1) != "" {
			return single("https://" + p.host + "/tagged/" + p.segment(1) + "/rss")
		}
		return single("https://" + p.host + "/rss")
	}
	name := p.segment(0)
	if name == "blog" {
		name = p.segment(1)
		if name == "view" {
			name = p.segment(2)
		}
	}
	name = strings.TrimPrefix(name, "@")
	if name == "" || slices.Contains([]string{"about", "communities", "dashboard", "docs", "explore", "help", "login", "policy", "privacy",
		"register", "search", "settings", "tagged"}, name) {
		return nil
	}
	return single("https://" + name + ".tumblr.com/rss")
}

func wordpress(p *siteAddress) []Candidate {
	if hasFeedAddress(p.String()) {
		return nil
	}
	switch p.segment(0) {
	case "category", "tag", "author":
		return single("https://" + p.host + "/" + strings.Join(p.segments, "/") + "/feed/")
	}
	return single("https://" + p.host + "/feed/")
}

func blogger(p *siteAddress) []Candidate {
	feeds := "https://" + p.host + "/feeds/posts/default"
	switch {
	case hasFeedAddress(p.String()):
		return nil
	case p.segment(0) == "search" && p.segment(1) == "label" && p.segment(2) != "":
		return single(feeds + "/-/" + p.segment(2))
	}
	return single(feeds)
}

var appleID = regexp.MustCompile(`/(?:([a-z]{2})/)?podcast/.*\bid(\d+)`)

// applePodcast looks the podcast up in Apple's directory.
func applePodcast(p *siteAddress) []Candidate {
	m := appleID.FindStringSubmatch(p.Path)
	if m == nil {
		return nil
	}
	address := "https://itunes.apple.com/lookup?entity=podcast&id=" + m[2]
	if m[1] != "" {
		address += "&country=" + m[1]
	}
	return single(address)
}

// groupsIO, mailArchive, freeLists and hyperKitty (Mailman 3, on any host) are
// archives of mailing lists.
func groupsIO(p *siteAddress) []Candidate {
	if p.segment(0) != "g" || p.segment(1) == "" || p.segment(2) == "rss" {
		return nil
	}
	return single("https://" + p.host + "/g/" + p.segment(1) + "/rss")
}

func mailArchive(p *siteAddress) []Candidate {
	if !strings.Contains(p.segment(0), "@") || p.segment(1) == "maillist.xml" {
		return nil
	}
	return single("https://www.mail-archive.com/" + p.segment(0) + "/maillist.xml")
}

func freeLists(p *siteAddress) []Candidate {
	if p.segment(0) != "archive" && p.segment(0) != "list" && p.segment(0) != "post" || p.segment(1) == "" {
		return nil
	}
	return single("https://www.freelists.org/feed/" + p.segment(1))
}

func hyperKitty(p *siteAddress) []Candidate {
	i := slices.Index(p.segments, "list")
	if i < 0 || !strings.Contains(p.segment(i+1), "@") || p.segment(i+2) == "feed" {
		return nil
	}
	u := url.URL{Scheme: p.Scheme, Host: p.Host, Path: "/"}
	return single(u.JoinPath(p.segments[:i+2]...).String() + "/feed/")
}
