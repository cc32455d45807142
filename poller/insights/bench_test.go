package insights

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// crowd is a life with many feeds, fetched perDay times a day for 30 days, and articles of a year: of
// the busiest feed a ninth of posts.
func (l *life) crowd(feeds, perDay, posts int) {
	l.t.Helper()
	r := rand.New(rand.NewPCG(15, 1))
	gap := day / time.Duration(perDay)
	seconds := int64(gap / time.Second)
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO ledger_day VALUES (1, '2025-06-01', 1, 0, 0, 0)")
		exec(`WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ?1)
			INSERT INTO feed (id, url, same, title, added) SELECT id, 'http://a.test/' || id, 'a' || id, 'Feed ' || id, ?2 FROM n`, feeds, ago(365).Unix())
		exec(`WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k + 1 < 30 * ?1)
			INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
			SELECT id, ?2 + k * ?3 + id * ?3 / (?4 + 1), 'plan', '', 1, 'stored', 200, 0, 100, 5, '' FROM n CROSS JOIN feed ORDER BY k, id`,
			perDay, ago(30).Unix(), seconds, feeds)
		// A few feeds post much, most of them little.
		for id := 1; id <= feeds; id++ {
			mean := int64(365*86400) / int64(2+posts/(id+8))
			exec(`WITH RECURSIVE n(k, at) AS (SELECT 0, ?2 + ?5 % ?3 UNION ALL SELECT k + 1, at + 1 + abs((k * 2654435761 + ?5) % (2 * ?3)) FROM n WHERE at < ?4)
				INSERT INTO status (feed, key, published, seen) SELECT ?1, k, at, at - at % ?6 + ?6 + ?1 * ?6 / (?7 + 1) FROM n WHERE at < ?4`,
				id, ago(365).Unix(), mean, noon.Unix(), r.Int64N(1<<30), seconds, feeds)
		}
	})
	var visits []time.Time
	for d := 0.0; d < 60; d += 0.2 + 0.1*r.Float64() {
		visits = append(visits, ago(60-d))
	}
	l.visit(visits...)
}

// BenchmarkRealized is the time to the figures of 30 days, from the file.
func BenchmarkRealized(b *testing.B) {
	for _, c := range []struct{ feeds, perDay int }{{300, 8}, {300, 24}, {5000, 2}} {
		b.Run(fmt.Sprintf("%d feeds at %d a day", c.feeds, c.perDay), func(b *testing.B) {
			l := newLife(b)
			l.crowd(c.feeds, c.perDay, 90000)
			for b.Loop() {
				l.Forget()
				r := l.realize(MostDays)
				if !r.Known {
					b.Fatal(r)
				}
				b.ReportMetric(float64(r.Posts), "posts")
				b.ReportMetric(float64(r.Actual.Requests), "requests")
			}
		})
	}
}

// Of many feeds a sample is read, and told; the numbers are still those of all.
func TestSampledFeeds(t *testing.T) {
	l := newLife(t)
	l.crowd(200, 2, 9000)
	whole := l.realize(MostDays)
	l.Forget()
	mostLines = 2500
	t.Cleanup(func() { mostLines = 100_000 })
	r := l.realize(MostDays)
	if got := codes(r.Notes); len(got) != 1 || got[0] != Sampled || r.Notes[0].Count >= 100 {
		t.Errorf("%+v", r.Notes)
	}
	near := func(what string, got, want, share float64) {
		if got < want*(1-share) || got > want*(1+share) {
			t.Errorf("%s: %v, of all feeds %v", what, got, want)
		}
	}
	near("requests", float64(r.Actual.Requests), float64(whole.Actual.Requests), 0.02)
	if off := r.Actual.Ready - whole.Actual.Ready; off < -6 || off > 6 { // of a few hundred articles
		t.Errorf("ready: %v %%, of all feeds %v %%", r.Actual.Ready, whole.Actual.Ready)
	}
	near("articles", float64(r.Posts), float64(whole.Posts), 0.4)
}

// One opening of the page reads the history once, whatever notes of it each part adds; what is stored meanwhile is read again.
func TestHistoryIsShared(t *testing.T) {
	l := newLife(t)
	l.crowd(20, 2, 900)
	mostLines = 500 // so that all note that it is a sample
	t.Cleanup(func() { mostLines = 100_000 })
	read := func() (*history, []Note) {
		t.Helper()
		r := l.realize(MostDays)
		first := l.recent.history
		costs, err := l.Costs(t.Context(), MostDays)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := l.Calibration(t.Context(), MostDays)
		if err != nil {
			t.Fatal(err)
		}
		if l.recent.history != first {
			t.Error("it was read again")
		}
		if !slices.Equal(codes(costs.Notes), codes(predicted.Notes)) || len(r.Notes) < len(costs.Notes) {
			t.Errorf("%v, %v, %v", r.Notes, costs.Notes, predicted.Notes)
		}
		return first, costs.Notes
	}
	before, notes := read()
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said) VALUES (4, ?, 'plan', '', 1, 'stored', 200, 0, 100, 5, '')", ago(0).Unix())
	})
	after, again := read()
	if after == before {
		t.Error("a new line of the ledger was not read")
	}
	if !slices.Equal(codes(notes), codes(again)) {
		t.Errorf("%v, before %v", again, notes)
	}
	if _, err := l.Costs(t.Context(), 3); err != nil || l.recent.history == after {
		t.Errorf("the history of other days is that of these: %v", err)
	}
}
