package discover

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/discover/discovertest"
)

// TestSites starts a search on each of our own sites; package poller does the
// same through its client.
func TestSites(t *testing.T) {
	for _, site := range discovertest.Sites(t, "testdata/sites") {
		t.Run(site.Name, func(t *testing.T) {
			web := site.Serve(t)
			found, err := Find(t.Context(), site.Find, getter(&http.Client{Transport: web}))
			var got []string
			for _, c := range found {
				got = append(got, c.URL+" "+c.Title)
			}
			if d := cmp.Diff(site.Feeds, got); d != "" {
				t.Errorf("%v %s", err, d)
			}
			if asked := web.Requests(); len(asked) != site.Requests {
				t.Errorf("%d requests:\n%s", len(asked), strings.Join(asked, "\n"))
			}
			if site.None != "" && (!errors.Is(err, ErrNoFeed) || !strings.Contains(err.Error(), site.None)) {
				t.Errorf("%v, want %q", err, site.None)
			}
			if len(found) == 1 && found[0].Page == nil {
				t.Error("a single feed was not fetched")
			}
		})
	}
}

// TestPlatform lists addresses of large sites and the first feed that follows
// from them, "" for none.
func TestPlatform(t *testing.T) {
	for in, want := range map[string]string{
		"https://www.youtube.com/channel/UCabc":                    "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
		"https://m.youtube.com/channel/UCabc/videos":               "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
		"https://youtube.com/playlist?list=PLx":                    "https://www.youtube.com/feeds/videos.xml?playlist_id=PLx",
		"https://www.youtube.com/user/ann":                         "https://www.youtube.com/feeds/videos.xml?user=ann",
		"https://www.youtube.com/watch?v=x":                        "",
		"https://www.youtube.com/watch?v=x&list=RDx":               "",
		"https://www.youtube.com/feeds/videos.xml?channel_id=UCab": "",
		"https://www.youtube.com/":                                 "",
		"https://old.reddit.com/r/golang/":                         "https://www.reddit.com/r/golang/.rss",
		"https://www.reddit.com/":                                  "https://www.reddit.com/.rss",
		"https://www.reddit.com/r/golang/.rss":                     "",
		"https://www.reddit.com/settings":                          "",
		"https://www.reddit.com/r/rss/comments/1abc/why/":          "https://www.reddit.com/r/rss/comments/1abc/why/.rss",
		"https://github.com/":                                      "",
		"https://github.com/explore":                               "",
		"https://github.com/orgs/golang/repositories":              "https://github.com/golang.atom",
		"https://github.com/atom/atom":                             "https://github.com/atom/atom/releases.atom",
		"https://github.com/golang/go.git":                         "https://github.com/golang/go/releases.atom",
		"https://github.com/golang/go/blob/master/README.md":       "https://github.com/golang/go/releases.atom",
		"https://github.com/golang/go/commits":                     "https://github.com/golang/go/commits.atom",
		"https://github.com/golang/go/commits/master/src/net":      "https://github.com/golang/go/commits/master/src/net.atom",
		"https://github.com/golang/go/tags":                        "https://github.com/golang/go/tags.atom",
		"https://github.com/golang/go/wiki/Home":                   "https://github.com/golang/go/wiki.atom",
		"https://github.com/golang/go/releases.atom":               "",
		"https://gist.github.com/ann/0123":                         "https://gist.github.com/ann.atom",
		"https://notgithub.com/golang/go":                          "",
		"https://bsky.app/profile/ann.example":                     "https://bsky.app/profile/ann.example/rss",
		"https://bsky.app/search":                                  "",
		"https://medium.com/":                                      "",
		"https://medium.com/feed/@ann":                             "",
		"https://medium.com/golangspec/a-post-0123":                "https://medium.com/feed/golangspec",
		"https://substack.com/home":                                "",
		"https://tulips.substack.com/feed/podcast/1.rss":           "",
		"https://tulips.substack.com":                              "https://tulips.substack.com/feed",
		"https://www.tumblr.com/blog/view/tulips/7":                "https://tulips.tumblr.com/rss",
		"https://www.tumblr.com/dashboard":                         "",
		"https://tulips.tumblr.com/rss":                            "",
		"https://tulips.wordpress.com/category/spring/":            "https://tulips.wordpress.com/category/spring/feed/",
		"https://tulips.wordpress.com/comments/feed/":              "",
		"https://tulips.blogspot.com.br/atom.xml":                  "",
		"https://tulips.blogspot.com/feeds/comments/default":       "",
		"https://podcasts.apple.com/us/genre/podcasts/id26":        "",
		"https://itunes.apple.com/us/podcast/x/id123":              "https://itunes.apple.com/lookup?entity=podcast&id=123&country=us",
		"https://garden.groups.io/g/tulips":                        "https://garden.groups.io/g/tulips/rss",
		"https://www.mail-archive.com/faq.html":                    "",
		"http://lists.example/hyperkitty/list/a@lists.example/":    "http://lists.example/hyperkitty/list/a@lists.example/feed/",
		"https://lists.example/archives/list/a@b.example/feed/":    "",
		"https://example.org/r/golang":                             "",
	} {
		got := ""
		if list := platformFeeds(in); len(list) > 0 {
			got = list[0].URL
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
