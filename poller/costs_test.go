package poller

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
)

// large makes a path answer with a document of 200 kB, whatever validators come, as a server does that generates it again each time.
func (w *web) large(path string, every time.Duration) {
	w.on(path, func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, rss(path, since(w.clock.Now().Truncate(every), every, 15)...), "<!--", w.clock.Now(), strings.Repeat("x", 200_000), "-->")
	})
}

// charged sums up what background fetches took out of the budget in some time.
func (w *world) charged(from, to time.Time) (sum float64) {
	w.t.Helper()
	if err := w.store.Read().QueryRow("SELECT coalesce(sum(coalesce(cost, requests)), 0) FROM ledger WHERE background = 1 AND at >= ? AND at < ?",
		from.Unix(), to.Unix()).Scan(&sum); err != nil {
		w.t.Fatal(err)
	}
	return sum
}

// While battery saver is in force a feed whose server sends a large document each time is asked less often than one that posts
// alike and answers 304; in any days fetches cost no more than those days earn and the bucket holds. Otherwise each fetch counts
// as one.
func TestSaverCountsBytes(t *testing.T) {
	const pairs = 6
	w := newWorld(t)
	w.setBudget(fmt.Sprint(4 * 2 * pairs))
	var cheap, dear []int64
	for i := range pairs {
		every := time.Duration(5+4*i) * time.Hour
		w.web.posting(fmt.Sprint("/small/", i), every)
		w.web.large(fmt.Sprint("/large/", i), every)
		cheap = append(cheap, w.subscribePaths(fmt.Sprint("/small/", i))[0].ID)
		dear = append(dear, w.subscribePaths(fmt.Sprint("/large/", i))[0].ID)
	}
	w.settled()
	w.live(2 * day)
	if n := w.number("SELECT count(*) FROM ledger WHERE cost IS NOT NULL"); n != 0 {
		t.Errorf("%d fetches cost something else than one with the normal budget", n)
	}
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	begin := w.clock.Now()
	const days = 5
	w.live(days * day)
	end := w.clock.Now()

	small, large := w.stateOf(cheap[0]), w.stateOf(dear[0])
	if c := small.Cost(); c > 0.8 {
		t.Errorf("a feed that answers 304 costs %v: %+v", c, small.answers)
	}
	if c := large.Cost(); c != schedule.MostCost {
		t.Errorf("a feed of 200 kB costs %v: %+v", c, large.answers)
	}
	fetches := func(ids []int64) (n int) {
		for _, id := range ids {
			n += w.number("SELECT count(*) FROM ledger WHERE background = 1 AND subject = ? AND at >= ?", id, begin.Unix())
		}
		return n
	}
	if s, l := fetches(cheap), fetches(dear); s < l*3/2 || l == 0 {
		t.Errorf("%d fetches of feeds that answer 304, %d of large ones", s, l)
	}
	perDay := float64(2 * pairs * SaverPerFeed)
	// Fetches that begin together may each cost more than was expected of them; the bucket is overdrawn then, and waits.
	const surprise = 2 * pairs * (schedule.MostCost - schedule.LeastCost)
	for from := begin; from.Before(end); from = from.Add(6 * time.Hour) {
		for d := 1; from.AddDate(0, 0, d).Before(end); d++ {
			if sum := w.charged(from, from.AddDate(0, 0, d)); sum > perDay*float64(d+2)+surprise {
				t.Errorf("fetches of %d days from %v cost %v at %v a day", d, from, sum, perDay)
			}
		}
	}
	if sum := w.charged(begin.Add(day), end) / (days - 1); sum > 1.2*perDay || sum < 0.7*perDay {
		t.Errorf("fetches cost %v a day of %v", sum, perDay)
	}
	status, err := w.Status(t.Context())
	if want := w.charged(end.Add(-day), end.Add(time.Second)); err != nil || math.Abs(float64(status.Spent)-want) > 1 {
		t.Errorf("the status tells %d spent, the ledger %v, %v", status.Spent, want, err)
	}
	w.restart()
	if again := w.stateOf(dear[0]); again.answers != large.answers {
		t.Errorf("%+v was kept of %+v", again.answers, large.answers)
	}
}

// Servers that answer 304 and the document by turns, nothing at all, or with a clock that jumps, lead to costs within their
// bounds.
func TestCostsOfOddServers(t *testing.T) {
	w := newWorld(t)
	turn := 0
	w.web.on("/turns", func(out http.ResponseWriter, _ *http.Request) {
		if turn++; turn%2 == 0 {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		out.Header().Set("ETag", `"1"`)
		fmt.Fprint(out, rss("turns", w.clock.Now()))
	})
	w.web.on("/empty", func(http.ResponseWriter, *http.Request) {})
	w.web.large("/large", time.Hour)
	feeds := w.subscribePaths("/turns", "/empty", "/large", "/missing")
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	w.settled()
	w.live(2 * day)
	w.clock.add(-30 * day)
	w.live(day)
	w.clock.add(60 * day)
	w.live(day)
	for _, f := range feeds {
		s := w.stateOf(f.ID)
		if c := s.Cost(); c != 0 && !(c >= schedule.LeastCost && c <= schedule.MostCost) {
			t.Errorf("%s costs %v", f.URL, c)
		}
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE cost IS NOT NULL AND NOT (cost BETWEEN ? AND ?)", schedule.LeastCost, schedule.MostCost); n != 0 {
		t.Errorf("%d fetches cost what none may", n)
	}
	var days float64
	if err := w.store.Read().QueryRow("SELECT days FROM bucket").Scan(&days); err != nil || !(days <= 2 && days > -5) {
		t.Errorf("%v days' worth are left, %v", days, err)
	}
}

// What a data folder of before has in its ledger is learned from when it is opened.
func TestAnswersAreLearnedFromTheLedger(t *testing.T) {
	step := 0
	for i, s := range Steps {
		if strings.Contains(s, "ADD COLUMN document_size") {
			step = i
		}
	}
	dir := t.TempDir()
	rooms := func(steps int) []reader.Room {
		return []reader.Room{{Name: "useraccess", Steps: useraccess.Steps}, {Name: "poller", Steps: Steps[:steps]}}
	}
	before, err := reader.Open(t.Context(), dir, monday, rooms(step)...)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	err = before.Write(t.Context(), func(tx *sql.Tx) error {
		for i := range 3 {
			id, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: fmt.Sprintf("http://%d.example/", i)}, monday)
			if err != nil {
				return err
			}
			ids = append(ids, id)
			_, err = tx.Exec("INSERT INTO poll (feed, address) VALUES (?, ?)", id, fmt.Sprintf("http://%d.example/", i))
			if err != nil {
				return err
			}
		}
		line := func(n int, feed int64, result Result, status, bytes int) (err error) {
			for range n {
				_, one := tx.Exec("INSERT INTO ledger (feed, at, reason, why, background, result, status, new, bytes, took, said) VALUES (?, ?, 'plan', '', 1, ?, ?, 0, ?, 0, '')",
					feed, monday.Unix(), string(result), status, bytes)
				err = errors.Join(err, one)
			}
			return err
		}
		return errors.Join(line(60, ids[0], Unchanged, 304, 0), line(20, ids[0], Stored, 200, 4000), line(3, ids[1], Unchanged, 200, 300_000),
			line(5, ids[1], Failed, 500, 100), line(5, ids[2], Failed, 0, 0))
	})
	if err != nil {
		t.Fatal(err)
	}
	before.Close()
	store, err := reader.Open(t.Context(), dir, monday, rooms(len(Steps))...)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	records := &records{store: store, db: store.Prepared()}
	want := []schedule.Answers{{Full: 4, NotModified: 12, Size: 4000, Opened: 1}, {Full: 3, Size: 300_000, Opened: 1}, {}}
	for i, id := range ids {
		if s, err := records.state(t.Context(), id); err != nil || s.answers != want[i] {
			t.Errorf("%+v, %v, want %+v", s.answers, err, want[i])
		}
	}
}
