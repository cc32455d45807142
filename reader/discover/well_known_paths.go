package discover

import (
	"net/url"
	"strings"
)

// wellKnownPaths returns the addresses where feeds mostly are, the most frequent
// first: below the page, then at the root of the site.
func wellKnownPaths(page *url.URL) []string {
	var list []string
	add := func(path string) {
		u := url.URL{Scheme: page.Scheme, User: page.User, Host: page.Host, Path: path}
		list = append(list, u.String())
	}
	if dir := strings.TrimRight(page.Path, "/"); dir != "" && !strings.Contains(dir[strings.LastIndexByte(dir, '/'):], ".") {
		add(dir + "/feed")
	}
	for _, path := range []string{"/feed", "/rss", "/atom.xml", "/feed.xml", "/index.xml", "/rss.xml", "/feed.json"} {
		add(path)
	}
	return list
}
