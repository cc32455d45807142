package verbs

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
)

// hostileText sets the title of a terminal and its clipboard, moves its cursor by ESC and by C1, and shows a name backwards.
const hostileText = "pic\u202egpj.exe\x1b]0;owned\a\x1b]52;c;ZWNobw==\x1b\\\x1b[2J\u009b31m\x7f\r"

func hostileFeed(t testing.TB) []byte {
	feed, err := json.Marshal(map[string]any{"version": "https://jsonfeed.org/version/1.1", "title": hostileText, "home_page_url": "https://site.test/" + hostileText,
		"items": []any{map[string]any{"id": hostileText, "url": "https://site.test/" + hostileText, "title": hostileText, "content_html": "<p>" + hostileText + "&#27;]0;x&#7;</p>",
			"date_published": "2026-01-02T03:04:05Z", "authors": []any{map[string]any{"name": hostileText}},
			"attachments": []any{map[string]any{"url": "https://site.test/" + hostileText, "mime_type": hostileText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return feed
}

// Nothing that a feed, its server or a list of subscriptions says steers the terminal.
func TestOutputIsPrintable(t *testing.T) {
	c, feed := newCommand(t), hostileFeed(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			w.Header()["Content-Type"] = []string{hostileText}
			w.Write([]byte(hostileText)) //nolint:errcheck // the client reads it
			return
		}
		w.Header().Set("Content-Type", "application/feed+json")
		w.Write(feed) //nolint:errcheck // the client reads it
	}))
	defer s.Close()
	c.file("feed.json", string(feed))
	c.file("list.opml", `<opml><body><outline text="`+hostileText+`" xmlUrl="mailto:`+hostileText+`"/><outline text="`+hostileText+`" xmlUrl="https://site.test/`+hostileText+`"/></body></opml>`)
	for _, verb := range [][]string{{"add", s.URL + "/feed"}, {"add", s.URL + "/bad"}, {"add", hostileText}, {"import", "list.opml"}, {"feeds"}, {"feeds", "1"},
		{"articles"}, {"articles", "--content"}, {"parse", "feed.json"}, {"parse", hostileText}, {"plan"}, {"export"}, {"fetch"}, {hostileText}, {"label", "add", hostileText, "1"}} {
		for _, args := range [][]string{verb, append(verb, "--json")} {
			r := c.try(args...)
			if r.out+r.err == "" {
				t.Errorf("%q says nothing", args)
			}
			for _, char := range r.out + r.err {
				if unicode.IsControl(char) && char != '\n' && char != '\t' || char >= '\u202a' && char <= '\u202e' || char >= '\u2066' && char <= '\u2069' {
					t.Errorf("%q prints %q in %q", args, char, r.out+r.err)
					break
				}
			}
		}
	}
	if title := c.lines("articles")[0]["title"]; title != "picgpj.exe]0;owned]52;c;ZWNobw==\\[2J›31m" {
		t.Errorf("%q", title)
	}
	if text := c.do("articles", "--content", "--json"); strings.Contains(text, `\u001b`) {
		t.Errorf("control characters are stored: %s", text)
	}
}
