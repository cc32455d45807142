package verbs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// serveHarbour starts a server whose only feed has limits and a hub, until its status changes.
func serveHarbour(t *testing.T, status *int) string {
	feed := rss("Harbour", 3)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/feed" || *status != http.StatusOK {
			w.WriteHeader(max(*status, http.StatusNotFound))
			return
		}
		w.Header().Set("Cache-Control", "max-age=1800")
		w.Header().Set("Link", `<https://hub.test/>; rel="hub"`)
		fmt.Fprint(w, feed)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/feed"
}

// rawTime matches times in RFC 3339.
var rawTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT`)

func TestFeedsInFull(t *testing.T) {
	c, status := newCommand(t), http.StatusOK
	now := time.Now().In(time.FixedZone("", 5*60*60))
	c.now = func() time.Time { return now }
	c.do("add", serveHarbour(t, &status))
	now = now.Add(90 * time.Second)
	c.do("fetch")

	f := c.one("feeds")
	keys(t, "feeds", f, "lastResult since faults advice attention asks keeps hub push plan ledger30")
	month := f["ledger30"].(map[string]any)
	if month["fetches"] != 2.0 || month["withNew"] != 1.0 || month["unchanged"] != 1.0 || month["articles"] != 3.0 ||
		fmt.Sprint(month["byReason"]) != "map[first:1 manual:1]" {
		t.Errorf("ledger: %v", month)
	}
	if f["hub"] != "https://hub.test/" || fmt.Sprint(f["push"]) != fmt.Sprint(f["plan"]) || f["plan"].(map[string]any)["fetchesPerDay"].(float64) < 1 {
		t.Errorf("%v %v %v", f["hub"], f["push"], f["plan"])
	}
	if f["attention"] != false || f["since"] != "" || len(f["asks"].([]any)) != 1 || f["ledger"] != nil {
		t.Errorf("%v", f)
	}
	last := now.Format("15:04") + ", by hand: unchanged (same content)."
	if f["lastResult"] != last {
		t.Errorf("%q, want %q", f["lastResult"], last)
	}
	lines := c.one("feeds", "1")["ledger"].([]any)
	if len(lines) != 2 {
		t.Fatalf("%v", lines)
	}
	keys(t, "ledger", lines[0].(map[string]any), "time reason why result status new bytes ms")
	if l := lines[0].(map[string]any); l["reason"] != "manual" || l["result"] != "unchanged" {
		t.Errorf("the newest: %v", l)
	}

	list, whole := c.do("feeds"), c.do("feeds", "1")
	for _, want := range []string{"Harbour", "last  " + last, "\n      next  "} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	for _, want := range []string{"Last fetch  " + last, "Next fetch  ", "Limits      The server asks Kairos to wait 30 min", "Hub         https://hub.test/",
		"home router", "30 days     2 fetches, 1 with 3 new articles, 1 without, ", "1 first fetch, 1 by hand", "  " + now.Format("15:04:05") + "  manual  "} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	if raw := rawTime.FindString(list + whole); raw != "" || strings.Contains(list, "Needs attention") {
		t.Errorf("%q in\n%s%s", raw, list, whole)
	}
}

// A list of feeds that is followed tells what it names and what came, and nothing of articles, interest or posts.
func TestFollowedListInFull(t *testing.T) {
	c := newCommand(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<opml version="2.0"><head><title>Friends</title></head><body><outline type="rss" text="Ann" xmlUrl="http://ann.example/feed"/></body></opml>`)
	}))
	t.Cleanup(s.Close)
	c.do("add", s.URL+"/list.opml")
	if f := c.one("feeds", "1"); f["title"] != "Friends" || f["list"] != true || f["gapCause"] != "list" {
		t.Errorf("%v", f)
	}
	whole := c.do("feeds", "1")
	for _, want := range []string{"Feeds       It names 1 feed: Ann.", "Changes     No feed has come", "Notes       0 unread of 0", "first fetch: its feeds came.",
		"Kairos waits at least 23 h between two background fetches: a list of feeds changes rarely.", "30 days     1 fetch, 1 without, "} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	for _, never := range []string{"article", "Interest", "posts", "counts as"} {
		if strings.Contains(whole, never) {
			t.Errorf("%q in\n%s", never, whole)
		}
	}
}

func TestFeedsThatNeedAttention(t *testing.T) {
	c, status := newCommand(t), http.StatusOK
	now := time.Now()
	c.now = func() time.Time { return now }
	address := serveHarbour(t, &status)
	c.do("add", address)
	status = http.StatusNotFound
	now = now.Add(time.Hour)
	c.try("fetch")
	if f := c.one("feeds"); f["attention"] != false || f["since"] == "" || f["faults"] != 1.0 || !strings.Contains(fmt.Sprint(f["advice"]), "moved") {
		t.Errorf("%v", f)
	}
	if out := c.do("feeds"); !strings.Contains(out, "failing since ") || strings.Contains(out, "Needs attention") {
		t.Error(out)
	}
	if out := c.do("plan"); !strings.Contains(out, "tried again now and then") || strings.Contains(out, ", fetches") {
		t.Error(out)
	}
	now = now.Add(30 * 24 * time.Hour)
	c.try("fetch")
	if f := c.one("feeds"); f["attention"] != true || f["faults"] != 2.0 {
		t.Errorf("%v", f)
	}
	out := c.do("feeds")
	if _, needs, _ := strings.Cut(out, "\nNeeds attention:\n"); !strings.Contains(needs, "Harbour: failing since ") || !strings.Contains(needs, "new address") {
		t.Error(out)
	}
	status = http.StatusGone
	c.do("set", "1", "url="+address+"?")
	c.try("fetch")
	if f := c.one("feeds"); f["attention"] != true || f["faults"] != 1.0 || f["nextFetch"] != "" {
		t.Errorf("gone: %v", f)
	}
}

// poll prints what it does; with --json a line for each fetch and nothing else.
func TestPollOutput(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.file("list.opml", `<opml><body><outline xmlUrl="`+site+`/posts/a"/></body></opml>`)
	c.do("import", "--local", "list.opml")
	p := c.start("poll", "--for", "50s")
	said := []string{"Alpha", "planned ", "next: "}
	for len(said) > 0 {
		line, more := <-p.lines
		if !more {
			t.Fatalf("nothing like %q: %s", said, p.err.String())
		}
		if strings.Contains(line, said[0]) {
			said = said[1:]
		}
	}
	guest := c.start("poll", "--for", "50s")
	if line := <-guest.lines; !strings.Contains(line, "Kairos is already fetching") {
		t.Errorf("beside an owner: %q", line)
	}
	line := <-guest.lines
	if strings.Contains(line, "planned ") { // the owner may plan just then
		line = <-guest.lines
	}
	if !strings.Contains(line, "next: ") {
		t.Errorf("beside an owner: %q", line)
	}
	guest.end(os.Interrupt)
	if code := p.end(os.Interrupt); code != 0 || p.err.String() != "" {
		t.Errorf("exit %d: %s", code, p.err.String())
	}

	p = c.start("poll", "--for", "50s", "--json")
	c.run("set", "1", "url="+site+"/posts/b")
	l := p.line()
	keys(t, "poll", l, "time feed reason status new spent budget nextFetch nextReason asks")
	if l["reason"] != "first" {
		t.Errorf("%v", l)
	}
	if code := p.end(os.Interrupt); code != 0 || p.err.String() != "" {
		t.Errorf("exit %d: %s", code, p.err.String())
	}
}
