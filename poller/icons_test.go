package poller

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/icon"
)

// painted returns a picture of one color.
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

// shade returns the color of a feed's icon, -1 if it has none.
func (w *world) shade(feed int64) int {
	w.t.Helper()
	icons, err := w.Icons().ByFeed(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	pic, ok := icons[feed]
	if !ok {
		return -1
	}
	raw, err := w.Icons().PNG(w.t.Context(), pic)
	if err != nil {
		w.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Dx() != icon.Size {
		w.t.Fatal(err)
	}
	return int(color.GrayModel.Convert(img.At(9, 9)).(color.Gray).Y)
}

// site makes the web serve a page that names /icon.png, in a version.
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

// forIcons returns the paths of requests that were not for feeds.
func forIcons(asks []ask) (paths []string) {
	for _, a := range asks {
		if !strings.HasPrefix(a.path, "/feed") {
			paths = append(paths, a.path)
		}
	}
	return paths
}

// iconLines returns the ledger's lines of icons, the oldest first.
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

// An icon is fetched after its feed, in the background; it is in the ledger but not paid for
// by the budget.
func TestIconIsFetchedAfterTheFeed(t *testing.T) {
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
		lines[1].Cause.Site != strings.TrimPrefix(w.web.URL, "http://") || lines[1].Feed != f.ID {
		t.Errorf("%+v", lines)
	}
	if s, err := w.Status(t.Context()); err != nil || s.Spent != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, o := range w.outcomes() {
		if o.Reason == Icon {
			t.Errorf("told about %+v", o)
		}
	}
	s, err := w.Snapshot(t.Context(), f.ID)
	all, ledgerErr := w.LedgerSince(t.Context(), f.ID, monday)
	if err != nil || ledgerErr != nil || s.Last[f.ID].Reason != First || len(all) != 3 {
		t.Errorf("last %+v, %d lines, %v, %v", s.Last[f.ID], len(all), err, ledgerErr)
	}
	if page, icon := lines[0], lines[1]; page.Result != None || !page.Message.IsZero() || icon.Result != Stored {
		t.Errorf("the ledger says %s", words)
	}
}

// An icon is fetched once in 30 days, with its own validators byte for byte; a 304 keeps it,
// and a different picture replaces it.
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

// A site without an icon is asked once a month, and its feed does not count as failing.
func TestMissingIconIsNoFailure(t *testing.T) {
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
			w.live(33 * day)
			count := map[string]int{}
			for _, path := range forIcons(w.web.requests()) {
				count[path]++
			}
			if count["/"] != 2 || count["/favicon.ico"] > 2 {
				t.Errorf("asked for %v", count)
			}
			if s := w.stateOf(f.ID); s.Failures > 0 || !s.Message.IsZero() || w.shade(f.ID) != -1 {
				t.Errorf("%+v", s)
			}
			if n := w.number("SELECT coalesce(sum(faults), 0) FROM ledger_day") + w.number("SELECT count(*) FROM ledger WHERE result = 'fault'"); n > 0 {
				t.Errorf("%d faults", n)
			}
		})
	}
}

// An icon that is not found any more is still shown, and searched for from the start.
func TestIconNoLongerFound(t *testing.T) {
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

// The same picture in full again does not count as a change.
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

// Feeds of one site share its icon, which is fetched once; a feed that names a picture for
// itself has that, if it can be used.
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

// A picture whose address changes each time is fetched as rarely as any other.
func TestIconWithChangingAddress(t *testing.T) {
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

// No icon is fetched while saving, while fetching is paused, or without a network.
func TestIconsWaitWhileSavingOrPaused(t *testing.T) {
	for name, c := range map[string]struct{ wait, goOn func(w *world) }{
		"saver":   {func(w *world) { w.saver(SaverOn) }, func(w *world) { w.saver(SaverOff) }},
		"battery": {func(w *world) { w.saver(SaverAuto); w.SetPowerState(PowerState{Battery: true}) }, func(w *world) { w.SetPowerState(PowerState{}) }},
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

// Blogs in folders of a host that has no page of its own have the icons that their pages name.
func TestIconOfAFolder(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.web.says("/blog/", `<html><head><link rel="icon" href="icon.png"></head>`)
	w.web.on("/blog/icon.png", func(out http.ResponseWriter, r *http.Request) { io.WriteString(out, painted(t, 100)) })
	f := w.subscribe(reader.Feed{URL: w.web.address("/feed"), Site: w.web.address("/blog/")})
	w.settled()
	if got := fmt.Sprint(forIcons(w.web.requests())); got != "[/ /favicon.ico /blog/ /blog/icon.png]" || w.shade(f.ID) != 100 {
		t.Errorf("asked for %s, the icon is %d", got, w.shade(f.ID))
	}
}

// A picture of 20 MB and redirects without end are given up, and the site's other icon is taken.
func TestIconsThatDoNotEnd(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.web.says("/", `<html><head><link rel="icon" href="/large.png"><link rel="icon" href="/round"></head>`)
	sent := 0
	w.web.on("/large.png", func(out http.ResponseWriter, r *http.Request) {
		chunk := bytes.Repeat([]byte{1}, 64<<10)
		for range 20 << 20 / len(chunk) {
			n, err := out.Write(chunk)
			if sent += n; err != nil {
				return
			}
		}
	})
	w.web.on("/round", func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, "/round?"+strconv.Itoa(len(r.URL.RawQuery)+1)+r.URL.RawQuery, http.StatusFound)
	})
	w.web.on("/favicon.ico", func(out http.ResponseWriter, r *http.Request) { io.WriteString(out, painted(t, 100)) })
	f := w.subscribePaths("/feed")[0]
	w.settled()
	if got := forIcons(w.web.requests()); len(got) > 20 || w.shade(f.ID) != 100 {
		t.Errorf("asked for %v, the icon is %d", got, w.shade(f.ID))
	}
	if sent > 8<<20 {
		t.Errorf("%d bytes were sent", sent)
	}
}
