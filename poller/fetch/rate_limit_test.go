package fetch

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// headerOf reads lines "Name: value".
func headerOf(lines string) http.Header {
	h := http.Header{}
	for line := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			h.Add(name, strings.TrimSpace(value))
		}
	}
	return h
}

func TestParseRateLimit(t *testing.T) {
	in := func(d time.Duration) string { return strconv.FormatInt(epoch.Add(d).Unix(), 10) }
	for lines, want := range map[string]rateLimit{
		"":                                  {},
		`RateLimit-Policy: "p";q=60;w=3600`: {pace: time.Minute, holds: policyFor},
		`RateLimit-Policy: "burst";q=10;w=10, "day";q=48;w=86400`:                  {pace: 30 * time.Minute, holds: policyFor},
		"RateLimit-Policy: 60;w=3600":                                              {pace: time.Minute, holds: policyFor},
		`RateLimit-Policy: "p";q=1;w=86400`:                                        {pace: maxPace, holds: policyFor},
		`RateLimit-Policy: "p";q=0;w=3600`:                                         {},
		`RateLimit-Policy: "p";q=5`:                                                {},
		`RateLimit: "p";r=10;t=600`:                                                {pace: time.Minute, holds: 10 * time.Minute},
		`RateLimit: "p";r=0;t=600`:                                                 {blocked: 10 * time.Minute},
		"RateLimit: limit=100, remaining=20, reset=600":                            {pace: 30 * time.Second, holds: 10 * time.Minute},
		"RateLimit: limit=100, remaining=0, reset=50":                              {blocked: 50 * time.Second},
		"RateLimit-Remaining: 5\nRateLimit-Reset: 300":                             {pace: time.Minute, holds: 5 * time.Minute},
		"X-Ratelimit-Used: 1\nX-Ratelimit-Remaining: 99.0\nX-Ratelimit-Reset: 594": {pace: 6 * time.Second, holds: 594 * time.Second},
		"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: " + in(20*time.Minute):       {blocked: 20 * time.Minute},
		"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: " + in(-20*time.Minute):      {},
		"X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 9000000":                     {blocked: maxRetryAfter},
		"X-RateLimit-Remaining: 0":                                                 {},
		"X-RateLimit-Remaining: -1\nX-RateLimit-Reset: 60":                         {},
		"X-RateLimit-Remaining: many\nX-RateLimit-Reset: soon":                     {},
		"X-RateLimit-Remaining: NaN\nX-RateLimit-Reset: Inf":                       {},
		`RateLimit: "p";r=1e300;t=600, ;;;=;r=3;t`:                                 {},
		`RateLimit-Policy: "p";q=1e-9;w=1e14`:                                      {pace: maxPace, holds: policyFor},
	} {
		if got := parseRateLimit(headerOf(lines), epoch); got != want {
			t.Errorf("%s: %+v, want %+v", lines, got, want)
		}
	}
}

func FuzzParseRateLimit(f *testing.F) {
	f.Add(`"p";q=60;w=3600`, `"p";r=10;t=600`, "99.0", "594")
	f.Add("60;w=3600", "limit=100, remaining=0, reset=50", "0", "1795000000")
	f.Fuzz(func(t *testing.T, policy, limit, remaining, reset string) {
		h := http.Header{}
		h.Set("RateLimit-Policy", policy)
		h.Set("RateLimit", limit)
		h.Set("X-RateLimit-Remaining", remaining)
		h.Set("X-RateLimit-Reset", reset)
		l := parseRateLimit(h, epoch)
		if l.pace < 0 || l.pace > maxPace || l.holds < 0 || l.holds > maxRetryAfter || l.blocked < 0 || l.blocked > maxRetryAfter {
			t.Fatalf("%+v", l)
		}
	})
}

// A server that says how often it may be asked is asked no more often: the pace holds for its group until it ends, across a
// restart, and what has used up its quota is left alone, as after Retry-After.
func TestRateLimit(t *testing.T) {
	header := headerOf("")
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		fmt.Fprint(w, "x")
	})
	k := &clock{epoch}
	c := client(t, Options{Now: k.now, Spacing: time.Second})
	group := Group(Host(s.URL))
	mustDo(t, c, Request{URL: s.URL + "/a"})
	if c.Pace(group) != 0 || c.Spacing(group) != time.Second {
		t.Fatalf("nothing was asked for: pace %v, spacing %v", c.Pace(group), c.Spacing(group))
	}
	header = headerOf(`RateLimit-Policy: "p";q=4;w=3600`)
	mustDo(t, c, Request{URL: s.URL + "/a"})
	if c.Pace(group) != 15*time.Minute || c.Spacing(group) != maxSpacing {
		t.Errorf("pace %v, spacing %v", c.Pace(group), c.Spacing(group))
	}
	states, version := c.HostStates()
	again := client(t, Options{Now: k.now, Spacing: time.Second})
	again.SetHostState(group, states[group])
	if again.Pace(group) != 15*time.Minute {
		t.Errorf("after a restart the pace is %v", again.Pace(group))
	}
	mustDo(t, c, Request{URL: s.URL + "/a"})
	if _, now := c.HostStates(); now != version {
		t.Error("the same pace is stored again")
	}
	header = headerOf("")
	k.at = k.at.Add(policyFor)
	mustDo(t, c, Request{URL: s.URL + "/a"})
	if c.Pace(group) != 0 || c.Spacing(group) != time.Second {
		t.Errorf("a day later: pace %v, spacing %v", c.Pace(group), c.Spacing(group))
	}
	header = headerOf(`RateLimit: "p";r=0;t=900`)
	mustDo(t, c, Request{URL: s.URL + "/a"})
	if until := c.BlockedUntil(Host(s.URL)); !until.Equal(k.at.Add(15 * time.Minute)) {
		t.Errorf("with its quota used up it is blocked until %v", until)
	}
	wantCode(t, c, Request{URL: s.URL + "/b"}, Waiting)
}

// A 429 that names no Retry-After but when its quota is renewed is left alone until then.
func TestRateLimitOfA429(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", "300")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	k := &clock{epoch}
	c := client(t, Options{Now: k.now})
	if _, e := wantCode(t, c, Request{URL: s.URL}, Busy); e.RetryAfter != 5*time.Minute {
		t.Errorf("retry after %v", e.RetryAfter)
	}
}
