package poller

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
)

// Every row of MANNERS.md names tests that exist, and there are forty of them.
func TestMannersAreTested(t *testing.T) {
	table, err := os.ReadFile("MANNERS.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$`)
	test := regexp.MustCompile("`(poller|dispatch|fetch|handoff|icons|parse|schedule|scrape)\\.(Test\\w+)`")
	folder := map[string]string{"poller": ".", "dispatch": "dispatch", "fetch": "fetch", "handoff": "handoff", "icons": "icons", "schedule": "schedule", "parse": "../reader/parse", "scrape": "../reader/scrape"}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| #") {
			continue
		}
		cells := row.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if cells == nil {
			t.Errorf("not a row: %s", line)
			continue
		}
		if rows++; cells[1] != fmt.Sprint(rows) {
			t.Errorf("row %s stands in the place of %d", cells[1], rows)
		}
		named := test.FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("row %d has no test: %s", rows, cells[2])
		}
		for _, n := range named {
			if !declared(t, folder[n[1]], n[2]) {
				t.Errorf("row %d: there is no test %s.%s", rows, n[1], n[2])
			}
		}
	}
	if rows != 47 {
		t.Errorf("%d rows of 47", rows)
	}
}

// declared reports whether a folder's tests have a function.
func declared(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f os.DirEntry) bool {
		if !strings.HasSuffix(f.Name(), "_test.go") {
			return false
		}
		text, err := os.ReadFile(folder + "/" + f.Name())
		return err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)")
	})
}

// In weeks of plan, sleep, refreshes and restarts only the first request is unconditional.
// Validators of a failed response change nothing.
func TestOnlyTheFirstRequestIsUnconditional(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	posting := w.web.page["/a"]
	var says atomic.Int32
	w.web.on("/a", func(out http.ResponseWriter, r *http.Request) {
		status := int(says.Load())
		if status == 0 {
			posting(out, r)
			return
		}
		out.Header().Set("ETag", `"of an error"`)
		out.Header().Set("Last-Modified", "never")
		if status == http.StatusTooManyRequests {
			out.Header().Set("Retry-After", "60")
		}
		if status == -1 {
			panic(http.ErrAbortHandler)
		}
		out.WriteHeader(status)
		if status == http.StatusOK {
			io.WriteString(out, "<html><body>Please log in</body></html>")
		}
	})
	f := w.subscribePaths("/a")[0]
	w.settled()
	for _, status := range []int32{0, 429, 500, 503, 403, -1, 200, 0} {
		says.Store(status)
		w.live(30 * time.Hour)
		w.byHand(f.ID)
		w.restart()
		w.clock.add(day)
		w.Opened()
	}
	w.live(2 * day)
	asks := w.web.requests()
	bare := 0
	for _, a := range asks {
		tag := a.header.Get("If-None-Match")
		if tag == "" {
			bare++
		} else if !regexp.MustCompile(`^"\d+"$`).MatchString(tag) || a.header.Get("If-Modified-Since") != "" {
			t.Errorf("sent %v", a.header)
		}
	}
	if bare != 1 || asks[0].header.Get("If-None-Match") != "" || len(asks) < 50 {
		t.Errorf("%d of %d requests are unconditional", bare, len(asks))
	}
}

func TestValidatorsEndWithTheAddress(t *testing.T) {
	w, f := one(t)
	w.web.posting("/b", time.Hour)
	f.URL = w.web.address("/b")
	w.update(f)
	w.settled()
	if a := w.web.requests(); len(a) != 1 || a[0].header.Get("If-None-Match") != "" {
		t.Errorf("%v", a)
	}
}

// After a failure of any kind the feed waits half an hour, then twice as long each time, up
// to a day, and none is tried twice at once.
func TestFailuresBackOff(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 451, 500, 502, 503, -1} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			w, f := one(t)
			// A request whose kept connection turns out to be closed is sent again.
			w.web.Config.SetKeepAlivesEnabled(false)
			w.client.CloseIdle()
			w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
				if status < 0 {
					panic(http.ErrAbortHandler)
				}
				out.WriteHeader(status)
			})
			w.live(6 * day)
			asks := w.web.requests()
			for i, a := range asks[1:] {
				if gap, least := a.at.Sub(asks[i].at), min(firstBackOff<<min(i, 6), maxBackOff); gap < least {
					t.Errorf("try %d after %s, back-off is %s", i+1, gap, least)
				}
			}
			if s := w.stateOf(f.ID); len(asks) < 7 || len(asks) > 11 || s.Failures != len(asks) {
				t.Errorf("%d requests, %d faults", len(asks), s.Failures)
			}
		})
	}
}

// Feeds that failed together do not come back together.
func TestBackOffHasJitter(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	for i := range 20 {
		w.web.on(fmt.Sprint("/", i), func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(502) })
	}
	w.clock.add(time.Hour)
	w.byHand()
	apart := map[time.Time]bool{}
	states, err := w.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		apart[s.NotBefore] = true
	}
	if len(apart) < 15 {
		t.Errorf("20 feeds come back at %d instants", len(apart))
	}
}

// The count of a host's refusals without Retry-After outlives a restart.
func TestBareRefusalsSurviveARestart(t *testing.T) {
	w, f := one(t)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusTooManyRequests) })
	for _, hours := range []time.Duration{1, 2, 4} {
		w.clock.add(day)
		asked := w.clock.Now()
		w.byHand(f.ID)
		w.restart()
		if o := w.byHand(f.ID)[0]; o.Result != Waiting {
			t.Errorf("%+v", o)
		}
		if got := w.client.BlockedUntil(fetch.Host(f.URL)).Sub(asked); got < hours*time.Hour || got > hours*time.Hour+2*time.Second {
			t.Errorf("left alone for %s, want %d h", got, hours)
		}
	}
}

// One poll makes one connection, even if it breaks at once.
func TestNoRetryWithinAPoll(t *testing.T) {
	w := newWorld(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	came := make(chan struct{}, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			came <- struct{}{}
			c.Close()
		}
	}()
	w.subscribe(reader.Feed{URL: "http://" + l.Addr().String() + "/"})
	w.settled()
	w.live(25 * time.Minute)
	if n := len(came); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// A response that is not a feed replaces nothing.
func TestPageInsteadOfAFeed(t *testing.T) {
	for name, page := range map[string]http.HandlerFunc{
		"a page": func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("ETag", `"page"`)
			io.WriteString(out, "<html><body>Please log in</body></html>")
		},
		"a challenge": func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Cf-Mitigated", "challenge")
			io.WriteString(out, rss("Not the feed", monday))
		},
		"nothing": func(http.ResponseWriter, *http.Request) {},
	} {
		t.Run(name, func(t *testing.T) {
			w, f := one(t)
			before, articles := w.stateOf(f.ID), w.number("SELECT count(*) FROM article")
			w.web.on("/a", page)
			w.clock.add(5 * time.Minute)
			o := w.byHand(f.ID)[0]
			s := w.stateOf(f.ID)
			if o.Result != Failed || s.validators != before.validators || s.digest != before.digest || !s.NotBefore.After(w.clock.Now()) {
				t.Errorf("%+v\n%+v", o, s)
			}
			if got := w.feed(f.ID); got.URL != f.URL || got.Title != "/a" || w.number("SELECT count(*) FROM article") != articles {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A captive portal blames no feed: one probe at a time is sent until it is over, then fetching
// resumes. A redirect to a page is treated like a 511.
func TestCaptivePortal(t *testing.T) {
	for _, status := range []int{http.StatusFound, http.StatusNetworkAuthenticationRequired} {
		w, _, feeds := wired(t, "a", "b", "c")
		w.web.on("/sign-in", func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "text/html")
			io.WriteString(out, "<html><body>Welcome to the hotel</body></html>")
		})
		pages := map[string]http.HandlerFunc{}
		for _, name := range []string{"/a", "/b", "/c"} {
			pages[name] = w.web.page[name]
			w.web.on(name, func(out http.ResponseWriter, r *http.Request) {
				out.Header().Set("Location", "http://portal.hotel/sign-in")
				out.WriteHeader(status)
			})
		}
		w.clock.add(time.Hour)
		w.live(6 * time.Hour)
		if s, err := w.Status(t.Context()); err != nil || !s.Offline {
			t.Errorf("%d: status %+v, %v", status, s, err)
		}
		asks := w.web.requests()
		for _, o := range w.outcomes()[3:] {
			if o.Reason != Probe {
				t.Errorf("%d: %+v", status, o)
			}
		}
		if len(asks) > 120 {
			t.Errorf("%d: %d requests to a portal", status, len(asks))
		}
		for path, page := range pages {
			w.web.on(path, page)
		}
		w.live(20 * time.Minute)
		for _, f := range feeds {
			if s := w.stateOf(f.ID); s.Failures > 0 || w.clock.Now().Sub(s.Fetched) > 20*time.Minute {
				t.Errorf("%d: feed %d: %+v", status, f.ID, s)
			}
		}
	}
}

// All requests look the same: a GET without cookies, referrer, pragma or anything added to the
// address, with a User-Agent that names Kairos.
func TestRequestHeaders(t *testing.T) {
	w := newWorld(t)
	var odd []string
	w.web.on("/a", func(out http.ResponseWriter, r *http.Request) {
		http.SetCookie(out, &http.Cookie{Name: "id", Value: "1"})
		if r.Method != http.MethodGet || r.RequestURI != "/a?b=2&a=%20" {
			odd = append(odd, r.Method+" "+r.RequestURI)
		}
		fmt.Fprint(out, rss("A", since(w.clock.Now(), time.Hour, 3)...))
	})
	w.subscribePaths("/a?b=2&a=%20")
	w.live(2 * day)
	w.byHand()
	asks := w.web.requests()
	for _, a := range asks {
		for _, name := range []string{"Cookie", "Referer", "Cache-Control", "Pragma", "Range"} {
			if a.header.Get(name) != "" {
				odd = append(odd, name)
			}
		}
		if got := a.header.Get("User-Agent"); got != "Kairos/test (desktop feed reader)" {
			odd = append(odd, got)
		}
	}
	if len(odd) > 0 || len(asks) < 5 {
		t.Errorf("%d requests, odd: %v", len(asks), odd)
	}
}

// A program that is restarted often does not repeat recent requests.
func TestRestartFetchesNothingAgain(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		w.web.posting(fmt.Sprint("/", i), time.Minute)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.setBudget("5000") // anything is worth its price
	w.settled()
	w.web.requests()
	for range 5 {
		w.clock.add(2 * time.Minute)
		w.restart()
		w.Opened()
		w.settled()
	}
	if n := len(w.web.requests()); n != 0 {
		t.Errorf("%d requests within ten minutes of the last", n)
	}
}

// Two installations do not fetch at the same time, nor exactly at clock marks. That two choose the same offset happens once in a
// hundred times.
func TestInstallationsHaveDifferentOffsets(t *testing.T) {
	seconds := map[int]int{}
	live := func() []ask {
		w := newWorld(t)
		w.web.posting("/a", time.Hour)
		w.subscribePaths("/a")
		w.live(3 * day)
		asked := w.web.requests()[1:]
		for _, a := range asked {
			seconds[int(a.at.Sub(a.at.Truncate(schedule.Bin)).Seconds())]++
		}
		return asked
	}
	one := live()
	apart := 0
	for tries := 0; tries < 4 && apart < len(one)/2; tries++ {
		apart = 0
		for i, a := range live() {
			if i < len(one) && !one[i].at.Equal(a.at) {
				apart++
			}
		}
	}
	if apart < len(one)/2 || seconds[0] > 0 {
		t.Errorf("%d of %d apart, seconds after the mark: %v", apart, len(one), seconds)
	}
}
