package discover

import (
	"net/url"
	"strings"
)

// usualPaths returns where feeds mostly are, most frequent first: beside the
// page, then at the root of the site.
func usualPaths(page string, base *url.URL) []string {
	u, err := url.Parse(page)
	if err != nil {
		return nil
	}
	if base == nil {
		base = u
	}
	var list []string
	add := func(path string) {
		ref := *u
		ref.Path, ref.RawPath, ref.RawQuery, ref.Fragment = path, "", "", ""
		list = append(list, ref.String())
	}
	if dir := strings.TrimRight(u.Path, "/"); dir != "" && !strings.Contains(dir[strings.LastIndexByte(dir, '/'):], ".") {
		add(dir + "/feed")
		add(dir + "/feed.xml")
	}
	for _, path := range []string{"/feed", "/rss", "/atom.xml", "/feed.xml", "/index.xml", "/rss.xml", "/feed.json"} {
		add(path)
	}
	return list
}

// knownFeed returns the feed that follows from the address alone at a few
// large sites whose pages do not name it, or hide it from programs.
func knownFeed(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(u.Host), "www."), "m.")
	path := strings.Trim(u.Path, "/")
	parts := strings.Split(path, "/")
	switch host {
	case "youtube.com":
		const feeds = "https://www.youtube.com/feeds/videos.xml?"
		switch {
		case len(parts) >= 2 && parts[0] == "channel":
			return feeds + "channel_id=" + url.QueryEscape(parts[1])
		case path == "playlist" && u.Query().Get("list") != "":
			return feeds + "playlist_id=" + url.QueryEscape(u.Query().Get("list"))
		}
	case "reddit.com", "old.reddit.com", "new.reddit.com":
		if len(parts) >= 2 && (parts[0] == "r" || parts[0] == "user") && !strings.HasSuffix(path, ".rss") {
			return "https://www.reddit.com/" + path + "/.rss"
		}
	}
	return ""
}
