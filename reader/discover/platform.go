package discover

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// place is an address taken apart.
type place struct {
	*url.URL
	host  string   // lower case, without "www."
	parts []string // of the path
}

// part returns one part of the path, "" if there are fewer.
func (p *place) part(i int) string {
	if i < len(p.parts) {
		return p.parts[i]
	}
	return ""
}

// platforms are the large sites whose feeds follow from an address, by their
// hosts. Their pages hide the feeds from programs, or do not name them.
var platforms = []struct {
	host  *regexp.Regexp
	feeds func(p *place) []Candidate
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

// platform returns the feeds that follow from an address alone, the main one
// first; nil, or the same, for the address of a feed.
func platform(address string) []Candidate {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	p := &place{URL: u, host: strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")}
	if path := strings.Trim(u.EscapedPath(), "/"); path != "" {
		p.parts = strings.Split(path, "/")
	}
	for _, site := range platforms {
		if site.host.MatchString(p.host) {
			return site.feeds(p)
		}
	}
	return nil
}

// isPlatform tells whether an address is one of a large site.
func isPlatform(address string) bool {
	host := strings.TrimPrefix(strings.ToLower(hostOf(address)), "www.")
	for _, site := range platforms {
		if site.host != anyHost && site.host.MatchString(host) {
			return true
		}
	}
	return false
}

// one is the list of a single feed.
func one(address string) []Candidate { return []Candidate{{URL: address}} }

const youtubeFeeds = "https://www.youtube.com/feeds/videos.xml?"

// youtube knows channels and playlists by their ids. The uploads of a channel UCx
// are playlists, too: UULFx without Shorts, UUSHx only those, UULVx live.
func youtube(p *place) []Candidate {
	list := p.Query().Get("list")
	switch id, isChannel := strings.CutPrefix(p.part(1), "UC"); {
	case p.part(0) == "channel" && isChannel && id != "":
		return []Candidate{
			{URL: youtubeFeeds + "channel_id=UC" + id},
			{URL: youtubeFeeds + "playlist_id=UULF" + id, Title: "Videos without Shorts"},
			{URL: youtubeFeeds + "playlist_id=UUSH" + id, Title: "Shorts"},
			{URL: youtubeFeeds + "playlist_id=UULV" + id, Title: "Live streams"},
		}
	case p.part(0) == "playlist" || p.part(0) == "watch":
		if len(list) > 2 && !strings.HasPrefix(list, "RD") { // a mix is made for whoever looks at it
			return one(youtubeFeeds + "playlist_id=" + url.QueryEscape(list))
		}
	case p.part(0) == "user" && p.part(1) != "":
		return one(youtubeFeeds + "user=" + p.part(1))
	}
	return nil
}

// reddit has a feed of nearly every page.
func reddit(p *place) []Candidate {
	u := url.URL{Scheme: "https", Host: "www.reddit.com", Path: "/.rss"}
	if len(p.parts) > 0 {
		if len(p.parts) == 1 || strings.HasSuffix(p.Path, ".rss") || !slices.Contains([]string{"r", "u", "user", "domain"}, p.parts[0]) {
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
	return one(u.String())
}

// notOwners are the first parts of paths of GitHub that are nobody's name.
var notOwners = []string{"about", "apps", "collections", "customer-stories", "enterprise", "events", "explore", "features",
	"issues", "join", "login", "marketplace", "new", "notifications", "orgs", "organizations", "pricing", "pulls", "readme",
	"search", "security", "sessions", "settings", "signup", "site", "sponsors", "stars", "topics", "trending"}

// github has feeds of owners, and of a repository's releases, commits and tags.
func github(p *place) []Candidate {
	owner, repo := p.part(0), strings.TrimSuffix(p.part(1), ".git")
	switch {
	case owner == "orgs" && repo != "":
		return one("https://github.com/" + repo + ".atom")
	case owner == "" || slices.Contains(notOwners, strings.ToLower(owner)) || strings.HasSuffix(p.Path, ".atom"):
		return nil
	case repo == "":
		return one("https://github.com/" + owner + ".atom")
	}
	name := owner + "/" + repo
	base := "https://github.com/" + name + "/"
	list := []Candidate{
		{URL: base + "releases.atom", Title: name + ": releases"},
		{URL: base + "commits.atom", Title: name + ": commits"},
		{URL: base + "tags.atom", Title: name + ": tags"},
	}
	rest := strings.Join(p.parts[min(3, len(p.parts)):], "/")
	switch kind := p.part(2); {
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

func gist(p *place) []Candidate {
	if p.part(0) == "" || p.part(0) == "discover" || strings.HasSuffix(p.Path, ".atom") {
		return nil
	}
	return one("https://gist.github.com/" + p.part(0) + ".atom")
}

func bluesky(p *place) []Candidate {
	if p.part(0) != "profile" || p.part(1) == "" {
		return nil
	}
	return one("https://bsky.app/profile/" + p.part(1) + "/rss")
}

// medium has its feeds below /feed, of people, publications and tags, and those
// of hosts of their own at /feed.
func medium(p *place) []Candidate {
	switch name := p.part(0); {
	case looksLikeFeed(p.String()):
		return nil
	case p.host != "medium.com":
		return one("https://" + p.host + "/feed")
	case name == "tag" && p.part(1) != "":
		return one("https://medium.com/feed/tag/" + p.part(1))
	case name == "" || slices.Contains([]string{"about", "feed", "m", "me", "membership", "p", "plans", "r", "search", "tag", "topics"}, name):
		return nil
	default:
		return one("https://medium.com/feed/" + name)
	}
}

func substack(p *place) []Candidate {
	if looksLikeFeed(p.String()) {
		return nil
	}
	if p.host != "open.substack.com" {
		return one("https://" + p.host + "/feed")
	}
	if p.part(0) == "pub" && p.part(1) != "" {
		return one("https://" + p.part(1) + ".substack.com/feed")
	}
	return nil
}

// tumblr writes a blog as name.tumblr.com and as tumblr.com/name.
func tumblr(p *place) []Candidate {
	if looksLikeFeed(p.String()) {
		return nil
	}
	if p.host != "tumblr.com" {
		if p.part(0) == "tagged" && p.part(1) != "" {
			return one("https://" + p.host + "/tagged/" + p.part(1) + "/rss")
		}
		return one("https://" + p.host + "/rss")
	}
	name := p.part(0)
	if name == "blog" {
		name = p.part(1)
		if name == "view" {
			name = p.part(2)
		}
	}
	name = strings.TrimPrefix(name, "@")
	if name == "" || slices.Contains([]string{"about", "communities", "dashboard", "docs", "explore", "help", "login", "policy", "privacy",
		"register", "search", "settings", "tagged"}, name) {
		return nil
	}
	return one("https://" + name + ".tumblr.com/rss")
}

func wordpress(p *place) []Candidate {
	if looksLikeFeed(p.String()) {
		return nil
	}
	switch p.part(0) {
	case "category", "tag", "author":
		return one("https://" + p.host + "/" + strings.Join(p.parts, "/") + "/feed/")
	}
	return one("https://" + p.host + "/feed/")
}

func blogger(p *place) []Candidate {
	feeds := "https://" + p.host + "/feeds/posts/default"
	switch {
	case looksLikeFeed(p.String()):
		return nil
	case p.part(0) == "search" && p.part(1) == "label" && p.part(2) != "":
		return one(feeds + "/-/" + p.part(2))
	}
	return one(feeds)
}

var appleID = regexp.MustCompile(`/(?:([a-z]{2})/)?podcast/.*\bid(\d+)`)

// applePodcast asks Apple's directory where the podcast itself is.
func applePodcast(p *place) []Candidate {
	m := appleID.FindStringSubmatch(p.Path)
	if m == nil {
		return nil
	}
	address := "https://itunes.apple.com/lookup?entity=podcast&id=" + m[2]
	if m[1] != "" {
		address += "&country=" + m[1]
	}
	return one(address)
}

// groupsIO, mailArchive, freeLists and hyperKitty (Mailman 3, on any host) are
// archives of mailing lists.
func groupsIO(p *place) []Candidate {
	if p.part(0) != "g" || p.part(1) == "" || p.part(2) == "rss" {
		return nil
	}
	return one("https://" + p.host + "/g/" + p.part(1) + "/rss")
}

func mailArchive(p *place) []Candidate {
	if !strings.Contains(p.part(0), "@") || p.part(1) == "maillist.xml" {
		return nil
	}
	return one("https://www.mail-archive.com/" + p.part(0) + "/maillist.xml")
}

func freeLists(p *place) []Candidate {
	if p.part(0) != "archive" && p.part(0) != "list" && p.part(0) != "post" || p.part(1) == "" {
		return nil
	}
	return one("https://www.freelists.org/feed/" + p.part(1))
}

func hyperKitty(p *place) []Candidate {
	i := slices.Index(p.parts, "list")
	if i < 0 || !strings.Contains(p.part(i+1), "@") || p.part(i+2) == "feed" {
		return nil
	}
	u := url.URL{Scheme: p.Scheme, Host: p.Host, Path: "/"}
	return one(u.JoinPath(p.parts[:i+2]...).String() + "/feed/")
}
