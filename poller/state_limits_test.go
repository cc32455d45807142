package poller

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
)

// asking serves a feed that posts every so often, with headers and with elements of
// its channel.
func (w *web) asking(path string, every time.Duration, header map[string]string, channel string) {
	w.on(path, func(out http.ResponseWriter, _ *http.Request) {
		for k, v := range header {
			out.Header().Set(k, v)
		}
		now := w.clock.Now()
		out.Header().Set("Date", now.UTC().Format(http.TimeFormat))
		body := rss(path, since(now.Truncate(every), every, 15)...)
		at := len(`<?xml version="1.0"?><rss version="2.0"><channel>`)
		fmt.Fprint(out, body[:at], channel, body[at:])
	})
}

// closest returns the least time between two of the requests.
func closest(asks []ask) time.Duration {
	least := 1000 * day
	for i := 1; i < len(asks); i++ {
		least = min(least, asks[i].at.Sub(asks[i-1].at))
	}
	return least
}

// lived returns the requests in two days to a feed that posts every ten minutes, with a budget
// of a fetch every six minutes.
func lived(t *testing.T, header map[string]string, channel string) (*world, reader.Feed, []ask) {
	t.Helper()
	w := newWorld(t)
	w.web.asking("/a", 10*time.Minute, header, channel)
	f := w.subscribePaths("/a")[0]
	w.setBudget("240")
	w.live(2 * day)
	asks := w.web.requests()
	if len(asks) < 2 {
		t.Fatalf("%d requests in two days", len(asks))
	}
	return w, f, asks
}

func TestServerAsksForAGap(t *testing.T) {
	slowWithRace(t)
	expires := monday.Add(3 * time.Hour).Format(http.TimeFormat) // of the first answer; in the past of later ones
	tests := map[string]struct {
		header    map[string]string
		channel   string
		least     time.Duration
		most      time.Duration // between the first two requests, 0: any
		firstOnly bool
	}{
		"nothing":                 {nil, "", rules.MinGap, time.Hour, false},
		"max-age":                 {map[string]string{"Cache-Control": "max-age=7200"}, "", 2 * time.Hour, 4 * time.Hour, false},
		"max-age less Age":        {map[string]string{"Cache-Control": "max-age=7200", "Age": "3600"}, "", time.Hour, 2 * time.Hour, false},
		"max-age of years":        {map[string]string{"Cache-Control": "max-age=500000000"}, "", rules.MaxAgeCap, rules.MaxAgeCap + 4*time.Hour, false},
		"Expires":                 {map[string]string{"Expires": expires}, "", 3 * time.Hour, 6 * time.Hour, true},
		"Expires beside max-age":  {map[string]string{"Expires": expires, "Cache-Control": "max-age=1800"}, "", 30 * time.Minute, 2 * time.Hour, true},
		"Expires 0":               {map[string]string{"Expires": "0"}, "", rules.MinGap, time.Hour, false},
		"no-cache":                {map[string]string{"Cache-Control": "no-cache, no-store, max-age=0"}, "", rules.MinGap, time.Hour, false},
		"an old Last-Modified":    {map[string]string{"Last-Modified": "Tue, 15 Nov 1994 12:45:26 GMT"}, "", rules.MinGap, time.Hour, false},
		"ttl":                     {nil, "<ttl>180</ttl>", 3 * time.Hour, 6 * time.Hour, false},
		"ttl of a year":           {nil, "<ttl>525600</ttl>", rules.TTLCap, rules.TTLCap + 12*time.Hour, false},
		"sy, four times a day":    {nil, sy("daily", 4), 6 * time.Hour, 12 * time.Hour, false},
		"sy, as WordPress writes": {nil, sy("hourly", 1), rules.MinGap, 50 * time.Minute, false},
		"sy, four times an hour":  {nil, sy("hourly", 4), rules.MinGap, 50 * time.Minute, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, asks := lived(t, tt.header, tt.channel)
			first := asks[1].at.Sub(asks[0].at)
			if tt.firstOnly {
				asks = asks[:2]
			}
			if got := closest(asks); got < tt.least || first > tt.most {
				t.Errorf("closest %s of %s, the first gap is %s of %s", got, tt.least, first, tt.most)
			}
		})
	}
}

func sy(period string, frequency int) string {
	return fmt.Sprintf(`<updatePeriod xmlns="http://purl.org/rss/1.0/modules/syndication/">%s</updatePeriod>`+
		`<updateFrequency xmlns="http://purl.org/rss/1.0/modules/syndication/">%d</updateFrequency>`, period, frequency)
}

func TestSkippedHoursAndDays(t *testing.T) {
	channel := "<skipHours><hour>24</hour><hour>7</hour><hour>8</hour><hour>9</hour><hour>18</hour></skipHours><skipDays><day>Tuesday</day></skipDays>"
	w := newWorld(t)
	w.web.asking("/a", 10*time.Minute, nil, channel)
	f := w.subscribe(reader.Feed{URL: w.web.address("/a"), Every: 30 * time.Minute})
	w.setBudget("240")
	for range 12 { // window and sleep at any hour
		w.live(7*time.Hour + 10*time.Minute)
		w.clock.add(3*time.Hour + 20*time.Minute)
		w.Opened()
	}
	hours, days := map[int]int{}, map[time.Weekday]int{}
	for _, a := range w.web.requests()[1:] {
		hours[a.at.UTC().Hour()]++
		days[a.at.UTC().Weekday()]++
	}
	if hours[0]+hours[7]+hours[8]+hours[9]+hours[18]+days[time.Tuesday] > 0 || len(hours) < 15 || len(days) != 5 {
		t.Errorf("fetched at the hours %v, on the days %v", hours, days)
	}
	// The plan itself keeps clear of them, whatever makes it.
	for _, m := range []plan.Method{plan.Exact, plan.HeParker} {
		pl, err := w.Plan(t.Context(), m)
		if err != nil || len(pl.Feeds[0].Instants) < 10 {
			t.Fatal(pl, err)
		}
		for _, i := range pl.Feeds[0].Instants {
			if (schedule.Skips{Hours: 1<<0 | 1<<7 | 1<<8 | 1<<9 | 1<<18, Days: 1 << time.Tuesday}).Contains(i.At) {
				t.Errorf("%s: planned at %s", m, i.At)
			}
		}
	}
	// By hand they are set aside.
	w.clock.set(time.Date(2026, 4, 14, 7, 30, 0, 0, time.UTC))
	if o := w.byHand(f.ID)[0]; o.Status != http.StatusOK {
		t.Errorf("by hand: %+v", o)
	}
}

// A fetch that fails just before a skipped hour is retried after it.
func TestRetryAvoidsSkippedHours(t *testing.T) {
	channel := "<skipHours><hour>10</hour><hour>11</hour><hour>12</hour></skipHours>"
	w := newWorld(t)
	w.web.asking("/a", 10*time.Minute, nil, channel)
	w.subscribePaths("/a")
	w.settled()
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusInternalServerError) })
	w.live(8 * time.Hour)
	asks := w.web.requests()
	if len(asks) < 3 || slices.ContainsFunc(asks, func(a ask) bool { h := a.at.UTC().Hour(); return h >= 10 && h <= 12 }) {
		t.Errorf("%v", asks)
	}
}

// A feed that posts rarely is fetched once an hour at most; one that posts often, or whose
// server or user asks for more, more often.
func TestCalmFeeds(t *testing.T) {
	slowWithRace(t)
	tests := map[string]struct {
		every  time.Duration // it posts
		header map[string]string
		wish   time.Duration
		least  time.Duration
	}{
		"a blog":             {50 * time.Hour, nil, 0, rules.CalmGap},
		"news":               {10 * time.Minute, nil, 0, rules.MinGap},
		"its server's word":  {50 * time.Hour, map[string]string{"Cache-Control": "max-age=900"}, 0, rules.MinGap},
		"its reader's wish":  {50 * time.Hour, nil, 30 * time.Minute, rules.MinGap},
		"a year-old archive": {400 * day, nil, 0, 7 * day},
		"silent for a month": {32 * day, nil, 0, 12 * time.Hour},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.clock.set(time.Date(2026, 3, 1, 9, 0, 30, 0, time.UTC))
			posts := since(w.clock.Now().Add(-tt.every).Truncate(time.Minute), tt.every, 15)
			w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
				for k, v := range tt.header {
					out.Header().Set(k, v)
				}
				if tt.every < time.Hour {
					posts = since(w.clock.Now().Truncate(tt.every), tt.every, 15)
				}
				fmt.Fprint(out, rss("/a", posts...))
			})
			w.subscribe(reader.Feed{URL: w.web.address("/a"), Every: tt.wish, Weight: 100}) // worth the cost of its fetches
			w.setBudget("1000")
			for range 10 {
				w.live(9 * time.Hour)
				w.Opened()
			}
			asks := w.web.requests()
			if got := closest(asks); got < tt.least || tt.least < rules.CalmGap && got >= rules.CalmGap {
				t.Errorf("closest %s, at least %s; %d requests", got, tt.least, len(asks))
			}
		})
	}
}

// A 304 renews the freshness clock, and what it says of its own age counts.
func TestNotModifiedRenewsFreshness(t *testing.T) {
	w := newWorld(t)
	age, body := "max-age=3600", rss("A", since(monday, time.Minute, 15)...)
	w.web.on("/a", func(out http.ResponseWriter, r *http.Request) {
		if age != "" {
			out.Header().Set("Cache-Control", age)
		}
		out.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(out, body)
	})
	f := w.subscribePaths("/a")[0]
	w.settled()
	for _, step := range []struct {
		says string
		want time.Duration
	}{{"max-age=14400", 4 * time.Hour}, {"", 4 * time.Hour}, {"max-age=7200", 2 * time.Hour}} {
		age = step.says
		w.clock.add(5 * time.Hour)
		if o := w.byHand(f.ID)[0]; o.Result != Unchanged {
			t.Fatalf("%+v", o)
		}
		s := w.stateOf(f.ID)
		if got := s.allowed(w.clock.Now()).Sub(w.clock.Now()); got < step.want-time.Second || got > step.want {
			t.Errorf("a 304 with %q leaves the feed alone for %s, not %s", step.says, got, step.want)
		}
	}
}
