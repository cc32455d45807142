package verbs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// shortened serves a feed of two articles that end in the middle, and their pages, one of which is refused.
func shortened(t *testing.T) (feed string) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/feed":
			fmt.Fprint(out, "<rss version='2.0'><channel><title>Short</title>")
			for _, name := range []string{"a", "b"} {
				fmt.Fprintf(out, "<item><title>%s</title><guid>%[1]s</guid><link>%s/%[1]s</link><pubDate>%s</pubDate><description>A line…</description></item>",
					name, server.URL, time.Now().UTC().Format(time.RFC1123Z))
			}
			fmt.Fprint(out, "</channel></rss>")
		case "/a":
			fmt.Fprint(out, "<article>", strings.Repeat("<p>The lamplighter walked along the quay and counted the lamps one by one.</p>", 9), "</article>")
		default:
			http.NotFound(out, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/feed"
}

func TestTake(t *testing.T) {
	c := newCommand(t)
	c.do("add", shortened(t), "--folder", "News / Local")
	e := c.one("take", "--estimate")
	keys(t, "take --estimate", e, "articles whole lacking requests bytes left causes byHand files fileBytes")
	if e["articles"] != 2.0 || e["lacking"] != 2.0 || e["requests"] != 8.0 {
		t.Errorf("%v", e)
	}
	got := c.one("take")
	keys(t, "take", got, "articles whole bytes left causes missing byHand files noFiles untried")
	if got["articles"] != 2.0 || got["whole"] != 1.0 || got["left"] != 1.0 || got["causes"].(map[string]any)["refused"] != 1.0 || got["untried"] != 0.0 {
		t.Errorf("%v", got)
	}
	if said := c.do("take"); !strings.HasPrefix(said, "There was nothing to download. 1 article is complete. 1 article was refused by its server. kairos articles") {
		t.Errorf("again: %q", said)
	}
	if e := c.one("take", "-n"); e["lacking"] != 0.0 || e["bytes"] != 0.0 || e["left"] != 1.0 {
		t.Errorf("what is left: %v", e)
	}
	if n := len(c.lines("articles", "--search", "is:incomplete")); n != 1 {
		t.Errorf("%d articles are not whole", n)
	}
	for _, place := range []string{"1", "all", "starred", "folder:News / Local"} {
		c.one("take", place, "-n")
	}
	for _, place := range []string{"99", "nowhere", "folder:", "label:none"} {
		if got := c.try("take", place); got.code == exitDone || strings.TrimSpace(got.err) == "" {
			t.Errorf("%s: %+v", place, got)
		}
	}
}

// Without an answer from anywhere it says why, and a later call begins again.
func TestTakeWithoutAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>Short</title><item><title>a</title><link>http://nobody.test/a</link><description>A line…</description></item></channel></rss>`)
	}))
	t.Cleanup(server.Close)
	c := newCommand(t)
	c.do("add", server.URL+"/feed")
	if got := c.try("take"); got.code != exitSome || !strings.Contains(got.out, "got no answer.") || got.err == "" {
		t.Errorf("%+v", got)
	}
}
