package poller

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/icon"
)

// painted is a picture of one colour.
func painted(t testing.TB, shade uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range img.Pix {
		img.Pix[i] = shade
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shade is the colour of a feed's icon, -1 if it has none.
func (w *world) shade(feed int64) int {
	w.t.Helper()
	icons, err := w.Icons(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	pic, ok := icons[feed]
	if !ok {
		return -1
	}
	raw, err := w.IconPNG(w.t.Context(), pic)
	if err != nil {
		w.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Dx() != icon.Size {
		w.t.Fatal(err)
	}
	return int(color.GrayModel.Convert(img.At(9, 9)).(color.Gray).Y)
}

// site gives the web a page that names /icon.png, which is of that version.
func (w *web) site(t testing.TB, version *uint8) {
	w.says("/", `<html><head><link rel="icon" href="/icon.png"></head>`)
	w.on("/icon.png", func(out http.ResponseWriter, r *http.Request) {
		tag := fmt.Sprintf(`W/"icon %d"`, *version)
		out.Header().Set("ETag", tag)
		out.Header().Set("Last-Modified", "Yesterday, as it came")
		if r.Header.Get("If-None-Match") == tag {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(out, painted(t, *version))
	})
}

// forIcons are the paths of requests that were not for feeds.
func forIcons(asks []ask) (paths []string) {
	for _, a := range asks {
		if !strings.HasPrefix(a.path, "/feed") {
			paths = append(paths, a.path)
		}
	}
	return paths
}

// iconLines are the ledger's lines of icons, the oldest first.
func (w *world) iconLines() (lines []Outcome) {
	w.t.Helper()
	all, err := w.Ledger(w.t.Context(), 0, 10000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, o := range slices.Backward(all) {
		if o.Reason == Icon {
			lines = append(lines, o)
		}
	}
	return lines
}

// An icon comes after the feed, in the background, and stands in the ledger beside the
// budget.
func TestIconComesAfterTheFeed(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	f := w.subscribePaths("/feed")[0]
	w.settled()
	asks := w.web.requests()
	if got := fmt.Sprint(forIcons(asks)); got != "[/ /icon.png]" || asks[0].path != "/feed" || len(asks) != 3 {
		t.Errorf("asked for %v", asks)
	}
	if got := w.shade(f.ID); got != 100 {
		t.Errorf("the icon is %d", got)
	}
	for _, a := range asks {
		if a.path == "/icon.png" && (!strings.HasPrefix(a.header.Get("Accept"), "image/") || a.header.Get("If-None-Match") != "") {
			t.Errorf("sent %v", a.header)
		}
	}
	lines := w.iconLines()
	if len(lines) != 2 || lines[0].Result != None || lines[1].Result != Stored || lines[1].Status != 200 || lines[1].Bytes == 0 ||
		lines[1].Why != "the icon of 127.0.0.1:"+w.web.URL[strings.LastIndexByte(w.web.URL, ':')+1:] || lines[1].Feed != f.ID {
		t.Errorf("%+v", lines)
	}
	if s, err := w.Status(t.Context()); err != nil || s.Spent != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, o := range w.outcomes() {
		if o.Reason == Icon {
			t.Errorf("told of %+v", o)
		}
	}
	r, err := w.Report(t.Context(), f.ID)
	if err != nil || r.Month.Fetches != 1 || r.Last.Reason != First || len(r.Days[len(r.Days)-1].Lines) != 3 {
		t.Errorf("%+v, last %+v, %v", r.Month, r.Last, err)
	}
	if words := lines[0].Words() + ", " + lines[1].Words(); words != "the page that may name it, an icon" {
		t.Errorf("the ledger says %s", words)
	}
}

// An icon is asked for once in 30 days, with its own validators as they came; a 304
// leaves it as it is, and another picture takes its place.
func TestIconsAreMonthly(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	f := w.subscribePaths("/feed")[0]
	w.live(15 * day)
	w.restart()
	first := w.number("SELECT changed FROM icon")
	w.live(50 * day)
	if lines := w.iconLines(); len(lines) != 1 || lines[0].Result != Unchanged || lines[0].Status != http.StatusNotModified {
		t.Errorf("the month before: %+v", lines)
	}
	version = 200
	w.live(30 * day)
	var at []time.Time
	for _, a := range w.web.requests() {
		switch {
		case strings.HasPrefix(a.path, "/feed"):
			if tag := a.header.Get("If-None-Match"); strings.Contains(tag, "icon") || a.header.Get("If-Modified-Since") != "" {
				t.Errorf("the feed is asked with %v", a.header)
			}
		case a.path == "/icon.png":
			if at = append(at, a.at); len(at) > 1 && (a.header.Get("If-None-Match") != `W/"icon 100"` ||
				a.header.Get("If-Modified-Since") != "Yesterday, as it came") {
				t.Errorf("sent %v", a.header)
			}
		case len(at) > 0:
			t.Errorf("%s is asked for again", a.path)
		}
	}
	if len(at) != 4 {
		t.Fatalf("asked %d times in 95 days: %v", len(at), at)
	}
	for i, later := range at[1:] {
		if gap := later.Sub(at[i]); gap < 30*day || gap > 31*day {
			t.Errorf("asked again after %s", gap)
		}
	}
	if got := w.shade(f.ID); got != 200 {
		t.Errorf("the icon is %d", got)
	}
	if lines := w.iconLines(); len(lines) != 1 || lines[0].Result != Stored {
		t.Errorf("the last month: %+v", lines)
	}
	if now := w.number("SELECT changed FROM icon"); int64(now) != at[3].Unix() || int64(first) != at[0].Unix() {
		t.Errorf("changed %d, then %d", first, now)
	}
}

// A site without an icon is asked once in a month, and that is no fault of its feed.
func TestMissingIconIsNoFault(t *testing.T) {
	slowWithRace(t)
	for name, page := range map[string]http.HandlerFunc{
		"nothing": http.NotFound,
		"pages":   func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, "<html>no such thing") },
		"errors":  func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusInternalServerError) },
		"breaks":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newIconWorld(t)
			// A request whose kept connection turns out to be closed is sent again.
			w.web.Config.SetKeepAlivesEnabled(false)
			w.web.posting("/feed", time.Hour)
			w.web.on("/", page)
			w.web.on("/favicon.ico", page)
			f := w.subscribePaths("/feed")[0]
			w.live(65 * day)
			count := map[string]int{}
			for _, path := range forIcons(w.web.requests()) {
				count[path]++
			}
			if count["/"] != 3 || count["/favicon.ico"] > 3 {
				t.Errorf("asked for %v", count)
			}
			if s := w.stateOf(f.ID); s.Failures > 0 || s.Said != "" || w.shade(f.ID) != -1 {
				t.Errorf("%+v", s)
			}
			if n := w.number("SELECT coalesce(sum(faults), 0) FROM ledger_day") + w.number("SELECT count(*) FROM ledger WHERE result = 'fault'"); n > 0 {
				t.Errorf("%d faults", n)
			}
		})
	}
}

// An icon that cannot be had any more is shown still, and looked for from the start.
func TestIconThatVanishes(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	version := uint8(100)
	w.web.site(t, &version)
	f := w.subscribePaths("/feed")[0]
	w.settled()
	w.web.on("/icon.png", http.NotFound)
	w.live(31 * day)
	if got := w.shade(f.ID); got != 100 {
		t.Errorf("the icon is %d", got)
	}
	w.web.says("/favicon.ico", painted(t, 50))
	w.web.requests()
	w.live(30 * day)
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/icon.png / /favicon.ico]" || w.shade(f.ID) != 50 {
		t.Errorf("asked for %s, the icon is %d", got, w.shade(f.ID))
	}
}

// A picture that comes in full each time, and is the same, is not another one.
func TestSameIconAgain(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.web.says("/favicon.ico", painted(t, 100))
	w.subscribePaths("/feed")
	w.settled()
	before := w.number("SELECT changed FROM icon")
	w.live(31 * day)
	if got := len(forIcons(w.web.requests())); got != 3 || w.number("SELECT changed FROM icon") != before {
		t.Errorf("%d requests, changed at %d, then at %d", got, before, w.number("SELECT changed FROM icon"))
	}
}

// Feeds of one site share its icon and ask for it once; one that names a picture for
// itself has that, if it is one.
func TestFeedsShareIcons(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	version := uint8(100)
	w.web.site(t, &version)
	w.web.says("/face.png", painted(t, 30))
	var feeds []reader.Feed
	for i, image := range []string{"", "", "/face.png", "/face.png", "/none.png", "/", ""} {
		body := rss("Feed", monday)
		if image != "" {
			body = strings.Replace(body, "<item>", "<image><url>"+w.web.address(image)+"</url></image><item>", 1)
		}
		path := fmt.Sprint("/feed", i)
		w.web.says(path, body)
		feeds = append(feeds, w.subscribePaths(path)...)
	}
	w.settled()
	asks := forIcons(w.web.requests())
	slices.Sort(asks)
	if got := fmt.Sprint(asks); got != "[/ /face.png /icon.png /none.png]" {
		t.Errorf("asked for %s", got)
	}
	for i, want := range []int{100, 100, 30, 30, 100, 100, 100} {
		if got := w.shade(feeds[i].ID); got != want {
			t.Errorf("the icon of feed %d is %d, want %d", i, got, want)
		}
	}
	w.live(20 * day)
	late := w.subscribePaths("/feed0?late")[0]
	w.settled()
	if got := forIcons(w.web.requests()); len(got) > 0 || w.shade(late.ID) != 100 {
		t.Errorf("asked for %v, the icon is %d", got, w.shade(late.ID))
	}
	w.live(45 * day)
	asks = forIcons(w.web.requests())
	count := map[string]int{}
	for _, path := range asks {
		count[path]++
	}
	if count["/icon.png"] != 2 || count["/face.png"] != 2 || count["/none.png"] != 2 || count["/"] != 0 {
		t.Errorf("two months later asked for %v", count)
	}
}

// A picture whose address changes each time is asked for no more than another.
func TestIconOfManyAddresses(t *testing.T) {
	slowWithRace(t)
	w := newIconWorld(t)
	w.web.on("/feed", func(out http.ResponseWriter, _ *http.Request) {
		now := w.clock.Now()
		fmt.Fprint(out, strings.Replace(rss("Feed", now), "<item>", fmt.Sprintf("<image><url>%s?%d</url></image><item>", w.web.address("/face.png"), now.Unix()), 1))
	})
	w.web.says("/face.png", painted(t, 30))
	f := w.subscribePaths("/feed")[0]
	w.live(100 * day)
	if got := forIcons(w.web.requests()); len(got) != 4 || w.shade(f.ID) != 30 {
		t.Errorf("in 100 days asked for %v", got)
	}
	if n := w.number("SELECT count(*) FROM icon"); n > 3 {
		t.Errorf("%d icons are kept", n)
	}
}

// Nothing is asked for while saving, while fetching is paused, and without a network.
func TestIconsWait(t *testing.T) {
	for name, c := range map[string]struct{ wait, goOn func(w *world) }{
		"saver":   {func(w *world) { w.saver(SaverOn) }, func(w *world) { w.saver(SaverOff) }},
		"battery": {func(w *world) { w.saver(SaverAuto); w.SetSupply(Supply{Battery: true}) }, func(w *world) { w.SetSupply(Supply{}) }},
		"paused":  {func(w *world) { w.setBudget("0") }, func(w *world) { w.setBudget(Balanced) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newIconWorld(t)
			w.web.posting("/feed", time.Hour)
			version := uint8(100)
			w.web.site(t, &version)
			f := w.subscribePaths("/feed")[0]
			c.wait(w)
			w.live(2 * day)
			if got := forIcons(w.web.requests()); len(got) > 0 || w.stateOf(f.ID).Fetched.IsZero() {
				t.Errorf("asked for %v", got)
			}
			c.goOn(w)
			w.live(day)
			if w.shade(f.ID) != 100 {
				t.Error("there is no icon afterwards")
			}
		})
	}
}

func (w *world) saver(s Saver) {
	w.t.Helper()
	if err := w.SetSaver(w.t.Context(), s); err != nil {
		w.t.Fatal(err)
	}
}

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

// A network that goes is no reason to do without icons for a month: they are asked for
// when it is back, or where it cannot be told from a name that is not known, with the feed's first
// answer a day later.
func TestIconsOffline(t *testing.T) {
	for _, c := range []struct {
		name  string
		again time.Duration
	}{{"route", 3 * time.Hour}, {"name", 36 * time.Hour}} {
		w := newIconWorld(t)
		cable := w.wire()
		line := &unplugged{RoundTripper: cable}
		w.client = fetch.New(fetch.Options{Now: w.clock.Now, Transport: line, Space: w.space})
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

// A program that has just begun does not know whether there is a network until a feed
// answers.
func TestIconsFollowAnAnswer(t *testing.T) {
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

// A server that is busy is left alone for as long as it says, by its feeds too, and is
// asked for its icon no sooner than another one.
func TestRetryAfterBindsIcons(t *testing.T) {
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
	if until := w.client.HostFree(fetch.Host(f.URL)); until.Sub(monday) < 2*time.Hour {
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

// A host that is to be left alone is asked for no icon either.
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
	w.client.Remember("b.example", fetch.Memory{Until: monday.Add(3 * time.Hour), At: monday})
	w.live(2 * time.Hour)
	if got := forIcons(w.web.requests()); len(got) > 0 {
		t.Errorf("asked for %v", got)
	}
	w.live(3 * day)
	if w.shade(a.ID) != 100 {
		t.Error("there is no icon afterwards")
	}
}

// Requests for icons keep the space between requests to a host, and feeds go first.
func TestIconsAreSpaced(t *testing.T) {
	w := newSpacedWorld(t, time.Second)
	w.icons, w.Poller.icons = true, true
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

// Servers that keep icons back keep no feed back.
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
	if _, err := w.step(t.Context(), w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	for range idlers {
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

// A page of the web does not make us ask this machine's network.
func TestIconInAPrivateNetwork(t *testing.T) {
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

// A feed whose address tells no site has no icon, and that is all.
func TestIconOfNoSite(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.subscribePaths("/feed")
	odd := w.subscribe(reader.Feed{URL: "http:feed"})
	w.exec("INSERT INTO poll (feed, address, tried, fetched) VALUES (?1, 'http:feed', ?2, ?2)", odd.ID, monday.Unix())
	w.settled()
	if w.shade(odd.ID) != -1 || w.number("SELECT count(*) FROM feed_icon WHERE feed = ?", odd.ID) != 1 {
		t.Error("it is looked for")
	}
}

// What is removed, paused, fails or is a file is asked for no icon, and an icon nobody
// has any more goes.
func TestWhoGetsNoIcon(t *testing.T) {
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

// A clock that was set forward and back again does not put icons off for a year.
func TestIconsAfterAClockSetBack(t *testing.T) {
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
