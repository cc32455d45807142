package fetch

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestRetryAfterBlocksTheHost(t *testing.T) {
	date := epoch.Add(90 * time.Minute).Format(http.TimeFormat)
	tests := map[string]struct {
		status int
		value  string
		want   time.Duration
	}{
		"seconds":          {429, "120", 2 * time.Minute},
		"date":             {429, date, 90 * time.Minute},
		"503 too":          {503, "3600", time.Hour},
		"503 date":         {503, date, 90 * time.Minute},
		"503 without":      {503, "", 0},
		"503 with nonsese": {503, "-5", 0},
		"429 without":      {429, "", time.Hour},
		"zero":             {429, "0", time.Hour},
		"negative":         {429, "-1", time.Hour},
		"past":             {429, epoch.Add(-time.Hour).Format(http.TimeFormat), time.Hour},
		"words":            {429, "soon", time.Hour},
		"a day":            {429, "86400", 24 * time.Hour},
		"a month":          {429, "2592000", 24 * time.Hour},
		"overflow":         {503, strings.Repeat("9", 40), 24 * time.Hour},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				asked++
				w.Header().Set("Date", epoch.Format(http.TimeFormat))
				if tt.value != "" {
					w.Header().Set("Retry-After", tt.value)
				}
				w.WriteHeader(tt.status)
			})
			k := &clock{epoch}
			c := client(t, Options{Now: k.now})
			res, e := wantCode(t, c, Request{URL: s.URL + "/a"}, Busy)
			if e.RetryAfter != tt.want || res.RetryAfter != tt.want {
				t.Fatalf("retry after %v, %v; want %v", e.RetryAfter, res.RetryAfter, tt.want)
			}
			host := Host(s.URL)
			if tt.want == 0 {
				if !c.BlockedUntil(host).IsZero() {
					t.Error("host is blocked")
				}
				return
			}
			if got := c.BlockedUntil(host); !got.Equal(epoch.Add(tt.want)) {
				t.Errorf("free at %v", got)
			}
			k.at = epoch.Add(tt.want - time.Second)
			res, e = wantCode(t, c, Request{URL: s.URL + "/b", ByUser: true}, Waiting)
			if asked != 1 || e.RetryAfter != time.Second || !res.StartedAt.IsZero() {
				t.Errorf("asked %d times, %v to wait", asked, e.RetryAfter)
			}
			k.at = epoch.Add(tt.want)
			wantCode(t, c, Request{URL: s.URL + "/b"}, Busy)
		})
	}
}

// A date counts by the server's own clock, whatever ours shows.
func TestRetryAfterByTheServersClock(t *testing.T) {
	h := http.Header{"Retry-After": {"Sun, 22 Nov 2026 20:02:00 GMT"}, "Date": {"Sun, 22 Nov 2026 20:00:00 GMT"}}
	if got := parseRetryAfter(h, epoch); got != 2*time.Minute {
		t.Errorf("retry after %v", got)
	}
}

func TestBareRefusalsDouble(t *testing.T) {
	status := 429
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	k := &clock{epoch}
	c := client(t, Options{Now: k.now})
	for _, hours := range []time.Duration{1, 2, 4, 8, 16, 24, 24} {
		_, e := wantCode(t, c, Request{URL: s.URL}, Busy)
		if e.RetryAfter != hours*time.Hour {
			t.Fatalf("wait %v, want %d h", e.RetryAfter, hours)
		}
		k.at = k.at.Add(e.RetryAfter)
	}
	status = 200
	mustDo(t, c, Request{URL: s.URL})
	status = 429
	if _, e := wantCode(t, c, Request{URL: s.URL}, Busy); e.RetryAfter != time.Hour {
		t.Errorf("after a success: %v", e.RetryAfter)
	}
}

func TestBlockBindsRedirects(t *testing.T) {
	asked := false
	end := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	start := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, end.URL, http.StatusFound) })
	c := client(t, Options{})
	c.SetHostState(strings.ToUpper(Host(end.URL)), HostState{BlockedUntil: time.Now().Add(time.Hour)})
	res, e := wantCode(t, c, Request{URL: start.URL}, Waiting)
	if asked || e.URL != end.URL || res.StartedAt.IsZero() {
		t.Errorf("asked %v, error of %s", asked, e.URL)
	}
}

func TestHostStates(t *testing.T) {
	k := &clock{epoch}
	c := New(Options{Now: k.now})
	c.hosts.block("a.example", epoch.Add(2*time.Hour))
	c.hosts.block("a.example", epoch.Add(time.Hour)) // never shortened
	c.SetHostState("b.example", HostState{BlockedUntil: epoch.Add(time.Hour)})
	c.SetHostState("c.example", HostState{BlockedUntil: epoch.Add(-time.Hour)})
	c.hosts.countRefusal("d.example", epoch)
	all, version := c.HostStates()
	if len(all) != 3 || !all["a.example"].BlockedUntil.Equal(epoch.Add(2*time.Hour)) || all["d.example"].Refusals != 1 {
		t.Errorf("states %v", all)
	}
	if _, again := c.HostStates(); again != version {
		t.Error("the version changed without a change")
	}
	c.hosts.backOff("a.example")
	if _, again := c.HostStates(); again == version {
		t.Error("not changed by a refusal")
	}
	k.at = epoch.Add(90 * time.Minute)
	if all, _ := c.HostStates(); len(all) != 2 || !c.BlockedUntil("b.example").IsZero() {
		t.Errorf("later: %v", all)
	}
}

// The spacing grows with 429s of any host of the group, and shrinks by a step a day.
func TestSpacingGrowsWithRefusals(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(429)
	})
	k := &clock{epoch}
	c := client(t, Options{Now: k.now})
	group := Group(Host(s.URL))
	for _, seconds := range []int{1, 4, 16, 64, 256, 300, 300} {
		if got, want := c.Spacing(group), time.Duration(seconds)*time.Second; got != want {
			t.Errorf("space %s, want %s", got, want)
		}
		wantCode(t, c, Request{URL: s.URL}, Busy)
		k.at = k.at.Add(2 * time.Second)
	}
	k.at = k.at.Add(4 * 24 * time.Hour)
	if got := c.Spacing(group); got != 64*time.Second {
		t.Errorf("four quiet days later %s", got)
	}
	k.at = k.at.Add(4 * 24 * time.Hour)
	if got := c.Spacing(group); got != time.Second {
		t.Errorf("eight quiet days later %s", got)
	}
	if got := c.Spacing("reddit.com"); got != time.Minute {
		t.Errorf("Reddit: %s", got)
	}
}

func TestGroup(t *testing.T) {
	for host, want := range map[string]string{
		"www.reddit.com": "reddit.com", "a.tumblr.com": "tumblr.com", "news.bbc.co.uk": "bbc.co.uk", "a.blogspot.com": "blogspot.com",
		"b.github.io": "github.io", "blog.example.org:8080": "example.org", "example.org": "example.org", "localhost": "localhost",
		"127.0.0.1:4000": "127.0.0.1:4000", "[::1]:4000": "[::1]:4000", "co.uk": "co.uk", "": "",
	} {
		if got := Group(host); got != want {
			t.Errorf("Group(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestMaxAge(t *testing.T) {
	at := func(d time.Duration) string { return epoch.Add(d).Format(http.TimeFormat) }
	tests := map[string]struct {
		header []string
		want   time.Duration
	}{
		"nothing":             {nil, 0},
		"max-age":             {[]string{"Cache-Control", "max-age=90"}, 90 * time.Second},
		"less age":            {[]string{"Cache-Control", "max-age=90", "Age", "30"}, time.Minute},
		"older than fresh":    {[]string{"Cache-Control", "max-age=90", "Age", "300"}, 0},
		"among others":        {[]string{"Cache-Control", `public , MAX-AGE="60", s-maxage=1`}, time.Minute},
		"on two lines":        {[]string{"Cache-Control", "public", "Cache-Control", "max-age=60"}, time.Minute},
		"the first counts":    {[]string{"Cache-Control", "max-age=60, max-age=5"}, time.Minute},
		"no-cache":            {[]string{"Cache-Control", "max-age=60, no-cache"}, 0},
		"no-store":            {[]string{"Cache-Control", "no-store", "Expires", at(time.Hour)}, 0},
		"nonsense":            {[]string{"Cache-Control", "max-age=soon", "Expires", at(time.Hour)}, 0},
		"negative":            {[]string{"Cache-Control", "max-age=-1"}, 0},
		"huge":                {[]string{"Cache-Control", "max-age=99999999999999999999"}, 1 << 31 * time.Second},
		"expires":             {[]string{"Expires", at(time.Hour), "Date", at(10 * time.Minute)}, 50 * time.Minute},
		"expires, no date":    {[]string{"Expires", at(time.Hour)}, time.Hour},
		"max-age wins":        {[]string{"Expires", at(time.Hour), "Cache-Control", "max-age=0"}, 0},
		"expires 0":           {[]string{"Expires", "0"}, 0},
		"expires in the past": {[]string{"Expires", at(-time.Hour)}, 0},
	}
	for name, tt := range tests {
		h := http.Header{}
		for i := 0; i < len(tt.header); i += 2 {
			h.Add(tt.header[i], tt.header[i+1])
		}
		if got, said := maxAge(h, epoch); got != tt.want || said != (len(tt.header) > 0) {
			t.Errorf("%s: %v, said %v, want %v", name, got, said, tt.want)
		}
	}
}

func FuzzTimingHeaders(f *testing.F) {
	f.Add("max-age=60", "0", "Sun, 06 Nov 1994 08:49:37 GMT", "120")
	f.Add("max-age==,no-cache", "-1", "", "Sunday, 06-Nov-94 08:49:37 GMT")
	f.Add(`,max-age="`, "99999999999999999999", "x", "1e3")
	f.Fuzz(func(t *testing.T, cache, age, expires, retry string) {
		h := http.Header{"Cache-Control": {cache}, "Age": {age}, "Expires": {expires}, "Retry-After": {retry}}
		if d, said := maxAge(h, epoch); d < 0 || d > 0 && !said {
			t.Errorf("max-age %v", d)
		}
		if d := parseRetryAfter(h, epoch); d < 0 || d > maxRetryAfter {
			t.Errorf("retry after %v", d)
		}
	})
}
