package verbs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
)

func rss(title string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<rss version="2.0"><channel><title>%s</title><link>https://site.test/</link>`, title)
	for i := range n {
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%d</guid><title>%s %d</title><link>https://site.test/%d</link><description>&lt;p&gt;text &lt;b&gt;%d&lt;/b&gt;&lt;script&gt;x()&lt;/script&gt;</description><pubDate>%s</pubDate></item>`,
			i, title, i, i, i, time.Now().Add(-time.Duration(i)*time.Hour-time.Minute).UTC().Format(time.RFC1123Z))
	}
	return b.String() + "</channel></rss>"
}

func page(links ...string) string {
	return "<!doctype html><html><head><title>A page</title>" + strings.Join(links, "") + "</head><body><p>words</p></body></html>"
}

func alternate(href, title string) string {
	return fmt.Sprintf(`<link rel="alternate" type="application/rss+xml" href=%q title=%q>`, href, title)
}

// site starts a server with feeds at unusual paths and all kinds of errors.
func site(t testing.TB) string {
	t.Helper()
	type answer struct {
		status int
		kind   string
		body   string
	}
	answers := map[string]answer{
		"/posts/a":  {200, "application/rss+xml", rss("Alpha", 3)},
		"/posts/b":  {200, "application/rss+xml", rss("Beta", 2)},
		"/one":      {200, "text/html", page(alternate("/posts/a", "Alpha"))},
		"/several":  {200, "text/html", page(alternate("/posts/b", "Beta"), alternate("/posts/a", "Alpha"))},
		"/dead":     {200, "text/html", page(alternate("/nothing", "Dead"))},
		"/html":     {200, "text/html", page()},
		"/empty":    {200, "application/rss+xml", ""},
		"/binary":   {200, "application/rss+xml", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\xff", 200)},
		"/broken":   {200, "application/rss+xml", rss("Broken", 5)[:900]},
		"/500":      {500, "text/plain", "sorry"},
		"/401":      {401, "text/plain", "who are you"},
		"/itemless": {200, "application/rss+xml", rss("Itemless", 0)},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := answers[r.URL.Path]
		switch {
		case r.URL.Path == "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case r.URL.Path == "/hang":
			<-r.Context().Done()
		case !ok:
			http.NotFound(w, r)
		default:
			if a.status == 401 {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			}
			w.Header().Set("Content-Type", a.kind)
			w.WriteHeader(a.status)
			w.Write([]byte(a.body))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAddFailures(t *testing.T) {
	c, site := newCommand(t), site(t)
	for address, says := range map[string]string{
		site + "/nothing": "404", site + "/500": "500", site + "/401": "password", site + "/html": "no feed", site + "/empty": "empty",
		site + "/binary": "", site + "/loop": "redirect", site + "/hang": "", site + "/dead": "404",
		"http://127.0.0.1:1/feed": "", "ftp://a.test/feed": "ftp", "not an address": "not an address", "": "no address",
		c.cwd: "", "./missing.xml": "address",
	} {
		r := c.try("add", address)
		if r.code != 1 || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(strings.ToLower(r.err), says) {
			t.Errorf("add %q: exit %d, says %q%q, want one line with %q", address, r.code, r.out, r.err, says)
		}
	}
	if out := c.do("feeds"); out != "" {
		t.Errorf("subscribed to %s", out)
	}
}

func TestAddPagesThatLeadToAFeed(t *testing.T) {
	c, site := newCommand(t), site(t)
	local := c.file("my feed.xml", rss("Local", 1))
	for _, a := range []struct{ address, title string }{
		{site + "/one", "Alpha"}, {"feed:" + site + "/posts/b", "Beta"}, {"my feed.xml", "Local"}, {site + "/itemless", "Itemless"},
	} {
		if got := c.one("add", a.address); got["title"] != a.title {
			t.Errorf("add %s: %v", a.address, got)
		}
	}
	if r := c.try("add", site+"/broken"); r.code != exitDone || !strings.Contains(r.err, "Broken: The feed ends early") || !strings.Contains(r.out, "Broken  3 articles") {
		t.Errorf("a feed that ends early: %+v", r)
	}
	for _, address := range []string{site + "/posts/a", site + "/one", "feed:" + site + "/posts/b/", local, "my feed.xml"} {
		if r := c.try("add", address); r.code != 1 || !strings.Contains(r.err, "lready subscribed") {
			t.Errorf("add %s again: exit %d %q", address, r.code, r.err)
		}
	}
	if n := len(c.lines("feeds")); n != 5 {
		t.Errorf("%d feeds", n)
	}
}

// Older articles of a new feed come in as read, which is said.
func TestAddSaysWhatIsRead(t *testing.T) {
	c := newCommand(t)
	last := "<item><guid>old</guid><title>Old</title><pubDate>Mon, 01 Jan 2001 12:00:00 GMT</pubDate></item></channel>"
	c.file("feed.xml", strings.Replace(rss("Local", 2), "</channel>", last, 1))
	if out := c.do("add", "feed.xml"); !strings.Contains(out, "Local  3 articles (2 unread, older ones marked read)") {
		t.Error(out)
	}
	c.file("new.xml", rss("New", 2))
	if out := c.do("add", "new.xml"); !strings.HasSuffix(out, "New  2 articles\n") {
		t.Error(out)
	}
}

func TestAddSiteWithSeveralFeeds(t *testing.T) {
	c, site := newCommand(t), site(t)
	out := c.do("add", site+"/several")
	if !strings.Contains(out, "Beta") || !strings.Contains(out, "also found: "+site+"/posts/a") {
		t.Error(out)
	}
	c.do("remove", "1")
	got := c.one("add", site+"/several")
	if also, ok := got["also"].([]any); !ok || len(also) != 1 || also[0].(map[string]any)["url"] != site+"/posts/a" || got["title"] != "Beta" {
		t.Errorf("%v", got)
	}
}

func TestAddList(t *testing.T) {
	c, site := newCommand(t), site(t)
	want := site + "/posts/b  Beta\n" + site + "/posts/a  Alpha\n"
	if out := c.do("add", "--list", site+"/several"); out != want {
		t.Errorf("%q, want %q", out, want)
	}
	if got := c.one("add", "--list", site+"/one"); got["title"] != "Alpha" || got["url"] != site+"/posts/a" {
		t.Errorf("%v", got)
	}
	if out := c.do("feeds"); out != "" {
		t.Errorf("subscribed to %s", out)
	}
}

func TestAddGoesOnAfterAFailure(t *testing.T) {
	c, site := newCommand(t), site(t)
	r := c.try("add", site+"/nothing", site+"/posts/a", "--json")
	if r.code != 1 || len(objects(t, r.out)) != 1 || !strings.Contains(r.err, "/nothing") {
		t.Errorf("%+v", r)
	}
}

func TestFailedAddCanBeRepeated(t *testing.T) {
	c := newCommand(t)
	works := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, page(alternate("/posts", "Posts")))
		case works:
			fmt.Fprint(w, rss("Posts", 2))
		default:
			http.Error(w, "no", http.StatusServiceUnavailable)
		}
	}))
	defer s.Close()
	if r := c.try("add", s.URL); r.code != 1 || !strings.Contains(r.err, "503") {
		t.Errorf("%+v", r)
	}
	if out := c.do("feeds"); out != "" {
		t.Error(out)
	}
	works = true
	if got := c.one("add", s.URL); got["new"] != 2.0 {
		t.Errorf("%v", got)
	}
}

// Of a feed that is larger than what is read of it, what was left out is said.
func TestAddTellsWhatWasLeftOut(t *testing.T) {
	huge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		whole := rss("Huge", 3)
		fmt.Fprint(w, strings.Replace(whole, "</channel>", "<item><title>Last</title><description>"+strings.Repeat("all of it ", fetch.MaxBody/10)+"</description></item></channel>", 1))
	}))
	defer huge.Close()
	c := newCommand(t)
	r := c.try("add", huge.URL)
	if r.code != exitDone || !strings.Contains(r.out, "Huge  3 articles") || !strings.Contains(r.err, "Huge: Only the first 17 MB were read: 3 complete articles.") {
		t.Errorf("%+v", r)
	}
}
