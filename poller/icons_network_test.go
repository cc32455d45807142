package poller

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
)

// unplugged is a network that has no route while it is out.
type unplugged struct {
	http.RoundTripper
	out bool
}

func (u *unplugged) RoundTrip(r *http.Request) (*http.Response, error) {
	if u.out {
		return nil, &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}
	}
	return u.RoundTripper.RoundTrip(r)
}

// Icons that were not fetched for lack of a network are fetched when it is back, not a month
// later; where it looked like an unknown name, with the feed's first answer a day later.
func TestIconsOffline(t *testing.T) {
	for _, c := range []struct {
		name  string
		again time.Duration
	}{{"route", 3 * time.Hour}, {"name", 36 * time.Hour}} {
		w := newIconWorld(t)
		cable := w.wire()
		line := &unplugged{RoundTripper: cable}
		w.client = fetch.New(fetch.Options{Now: w.clock.Now, Transport: line, Spacing: w.space})
		w.web.posting("/feed", time.Hour)
		posting, version := w.web.page["/feed"], uint8(100)
		w.web.site(t, &version)
		w.web.on("/feed", func(out http.ResponseWriter, r *http.Request) {
			posting(out, r)
			line.out, cable.dead["a.example"] = c.name == "route", true // once this answer is there
		})
		f := w.subscribe(reader.Feed{URL: "http://a.example/feed"})
		w.settled()
		if w.shade(f.ID) != -1 {
			t.Fatal("the network is not cut")
		}
		line.out, cable.dead["a.example"] = false, false
		w.web.on("/feed", posting)
		w.live(c.again)
		if w.shade(f.ID) != 100 || w.stateOf(f.ID).Failures > 0 {
			t.Errorf("%s: the icon is %d, %+v", c.name, w.shade(f.ID), w.stateOf(f.ID))
		}
	}
}

// A program that has just started fetches no icons until a feed has answered, as it does
// not know whether there is a network.
func TestIconsWaitForAnAnswer(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	w.saver(SaverOn)
	f := w.subscribePaths("/feed")[0]
	w.settled()
	w.restart()
	w.saver(SaverOff)
	w.settled()
	if got := w.web.requests(); len(got) != 1 {
		t.Errorf("asked for %v", got)
	}
	w.clock.add(2 * time.Minute)
	w.byHand(f.ID)
	w.settled()
	if w.shade(f.ID) != 100 {
		t.Error("there is no icon")
	}
}

// A busy server is left alone for as long as it asks, by its feeds too, and its icon is
// fetched as rarely as any other.
func TestRetryAfterAppliesToIcons(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	page, busy := w.web.page["/"], true
	w.web.on("/", func(out http.ResponseWriter, r *http.Request) {
		if busy {
			out.Header().Set("Retry-After", "7200")
			out.WriteHeader(http.StatusTooManyRequests)
			return
		}
		page(out, r)
	})
	f := w.subscribePaths("/feed")[0]
	w.settled()
	w.restart()
	w.turn()
	if until := w.client.BlockedUntil(fetch.Host(f.URL)); until.Sub(monday) < 2*time.Hour {
		t.Errorf("after a restart the host is free at %s", until)
	}
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/]" {
		t.Errorf("asked for %s", got)
	}
	busy = false
	w.live(32 * day)
	asks := w.web.requests()
	if free := asks[0].at.Sub(monday); free < 2*time.Hour {
		t.Errorf("%s is asked for after %s", asks[0].path, free)
	}
	if got := fmt.Sprint(forIcons(asks)); got != "[/ /icon.png]" || w.shade(f.ID) != 100 {
		t.Errorf("asked for %s", got)
	}
	for _, a := range asks {
		if a.path == "/" && a.at.Sub(monday) < 30*day {
			t.Errorf("the page is asked for again after %s", a.at.Sub(monday))
		}
	}
}

// No icon is fetched from a host that wants to be left alone.
func TestIconsOfABlockedHost(t *testing.T) {
	w := newIconWorld(t)
	c := w.wire()
	w.web.posting("/feed", time.Hour)
	posting, version := w.web.page["/feed"], uint8(100)
	w.web.site(t, &version)
	w.web.on("/feed", func(out http.ResponseWriter, r *http.Request) {
		if r.Host == "b.example" {
			out.Header().Set("Retry-After", "3600")
			out.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		posting(out, r)
	})
	_ = c
	a := w.subscribe(reader.Feed{URL: "http://a.example/feed", Site: "http://b.example/"})
	w.client.SetHostState("b.example", fetch.HostState{BlockedUntil: monday.Add(3 * time.Hour), LastRefusal: monday})
	w.live(2 * time.Hour)
	if got := forIcons(w.web.requests()); len(got) > 0 {
		t.Errorf("asked for %v", got)
	}
	w.live(3 * day)
	if w.shade(a.ID) != 100 {
		t.Error("there is no icon afterwards")
	}
}

// Requests for icons keep the spacing between requests to a host, and feeds go first.
func TestIconsAreSpaced(t *testing.T) {
	w := (&world{t: t, space: time.Second, icons: true}).begin()
	version := uint8(100)
	w.web.site(t, &version)
	for i := range 5 {
		path := fmt.Sprint("/feed", i)
		w.web.posting(path, time.Hour)
		w.subscribePaths(path)
	}
	w.settled()
	asks := w.web.requests()
	for i, a := range asks[1:] {
		if gap := a.at.Sub(asks[i].at); gap < time.Second {
			t.Errorf("%s after %s", a.path, gap)
		}
	}
	if got := fmt.Sprint(forIcons(asks[5:])); got != "[/ /icon.png]" {
		t.Errorf("after the feeds %s, in all %v", got, asks)
	}
}

// Servers that delay icons delay no feed.
func TestIconsDelayNoFeed(t *testing.T) {
	w := newIconWorld(t)
	w.wire()
	came, seen, more := make(chan struct{}), make(chan string, 100), 0
	w.web.on("/feed", func(out http.ResponseWriter, r *http.Request) {
		if r.Host == "new.example" {
			more = len(seen)
			close(came)
		}
		fmt.Fprint(out, rss(r.Host, monday))
	})
	w.web.on("/", func(out http.ResponseWriter, r *http.Request) {
		seen <- r.Host
		select {
		case <-came:
		case <-r.Context().Done():
		}
	})
	for i := range 40 {
		w.subscribe(reader.Feed{URL: fmt.Sprintf("http://%d.example/feed", i)})
	}
	w.byHand()
	if _, err := w.loop.step(t.Context(), w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	for range dispatch.MaxIdle {
		<-seen
	}
	f := w.subscribe(reader.Feed{URL: "http://new.example/feed"})
	if o := w.byHand(f.ID)[0]; o.Result != Stored {
		t.Errorf("%+v", o)
	}
	if more > 0 {
		t.Errorf("%d more icons were asked for meanwhile", more)
	}
}

// A page of the web causes no request to the local network.
func TestIconInTheLocalNetwork(t *testing.T) {
	w := newIconWorld(t)
	w.wire()
	w.web.posting("/feed", time.Hour)
	w.web.says("/", `<link rel=icon href="http://192.168.0.1/icon.png"><link rel=icon href="http://router.lan/icon.png">`)
	for _, path := range []string{"/icon.png", "/favicon.ico"} {
		w.web.says(path, painted(t, 100))
	}
	f := w.subscribe(reader.Feed{URL: "http://a.example/feed"})
	w.settled()
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/ /favicon.ico]" || w.shade(f.ID) != 100 {
		t.Errorf("asked for %s", got)
	}
	w.web.says("/feed/lan", strings.Replace(rss("Feed", monday), "<item>",
		"<link>http://router.lan/</link><image><url>http://10.0.0.1/icon.png</url></image><item>", 1))
	w.subscribe(reader.Feed{URL: "http://b.example/feed/lan"})
	w.settled()
	if got := forIcons(w.web.requests()); len(got) > 0 {
		t.Errorf("asked for %v", got)
	}
}

// A feed whose address belongs to no site has no icon, and causes no error.
func TestFeedWithoutASiteHasNoIcon(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.subscribePaths("/feed")
	odd := w.subscribe(reader.Feed{URL: "http:feed"})
	w.exec("INSERT INTO poll (subject, address, tried, fetched) VALUES (?1, 'http:feed', ?2, ?2)", odd.ID, monday.Unix())
	w.settled()
	if w.shade(odd.ID) != -1 || w.number("SELECT count(*) FROM feed_icon WHERE feed = ?", odd.ID) != 1 {
		t.Error("it is looked for")
	}
}

// No icon is fetched for a feed that is removed, paused, failing or a file. An icon that
// belongs to no feed any more is deleted.
func TestFeedsThatGetNoIcon(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	w.wire()
	version := uint8(100)
	w.web.site(t, &version)
	for _, path := range []string{"/feed", "/feed/paused", "/feed/fails"} {
		w.web.posting(path, time.Hour)
	}
	file := t.TempDir() + "/feed.xml"
	if err := os.WriteFile(file, []byte(rss("File", monday)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.saver(SaverOn)
	paused := w.subscribe(reader.Feed{URL: "http://paused.example/feed/paused"})
	fails := w.subscribe(reader.Feed{URL: "http://fails.example/feed/fails"})
	w.subscribe(reader.Feed{URL: "http://never.example/feed/none"})
	w.subscribe(reader.Feed{URL: "file:" + file})
	w.settled()
	paused.Paused = true
	w.update(paused)
	w.web.on("/feed/fails", http.NotFound)
	w.clock.add(5 * time.Minute)
	w.byHand(fails.ID)
	w.saver(SaverOff)
	gone := w.subscribe(reader.Feed{URL: "http://gone.example/feed"})
	w.settled()
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/ /icon.png]" || w.shade(gone.ID) != 100 {
		t.Errorf("asked for %s", got)
	}
	w.exec("DELETE FROM feed WHERE id = ?", gone.ID)
	w.subscribe(reader.Feed{URL: "http://other.example/feed"})
	w.live(61 * day)
	if n := w.number("SELECT count(*) FROM icon WHERE source LIKE '%gone%'"); n != 0 {
		t.Errorf("%d icons of a feed that is gone", n)
	}
}

// A clock that was set forward and back again does not postpone icons for a year.
func TestIconsAfterTheClockIsSetBack(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	w.clock.add(365 * day)
	w.subscribePaths("/feed")
	w.settled()
	w.web.requests()
	w.clock.add(-365 * day)
	w.live(32 * day)
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/icon.png]" {
		t.Errorf("asked for %s", got)
	}
}
