package poller

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// soak reports whether long tests run in their full length.
var soak = os.Getenv("KAIROS_SOAK") != ""

// quick reports whether tests are to be short: SQLite is in Go, which -race slows tenfold.
var quick = raceEnabled && !soak

// slowWithRace skips a test of days or weeks under -race: one goroutine after another, under
// a virtual clock, has no races to find.
func slowWithRace(t testing.TB) {
	t.Helper()
	if quick {
		t.Skip("skipped: slow with -race")
	}
}

// history drives a world through random events and records every background fetch in a time
// that only runs forward, whatever the clock says.
type history struct {
	*world
	r      *rand.Rand
	told   time.Duration             // the true time
	spends []time.Duration           // background fetches, in true time
	asked  map[int64][]time.Duration // all fetches of a feed
	limits []limit
}

// limit is a budget and since when it is in force.
type limit struct {
	from time.Duration
	m    int
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{world: newWorld(t), r: rand.New(rand.NewPCG(seed, 7))}
	for i := range 3 + h.r.IntN(8) {
		h.web.posting(fmt.Sprint("/", i), time.Duration(1+h.r.IntN(100))*time.Hour)
		h.subscribePaths(fmt.Sprint("/", i))
	}
	h.cut(4 + h.r.IntN(60))
	return h
}

func (h *history) cut(m int) {
	h.setBudget(strconv.Itoa(m))
	h.limits = append(h.limits, limit{h.told, m})
}

// pass lets the loop live for a while and notes what it fetched.
func (h *history) pass(d time.Duration) {
	for end := h.told + d; h.told < end; {
		next := h.settled()
		for _, o := range h.outcomes() {
			if o.isCharged() {
				h.spends = append(h.spends, h.told)
			}
			if h.asked == nil {
				h.asked = map[int64][]time.Duration{}
			}
			h.asked[o.Feed] = append(h.asked[o.Feed], h.told)
			if o.Result == Failed {
				h.t.Errorf("%+v", o)
			}
		}
		step := min(max(next.Sub(h.clock.Now()), time.Second), 4*time.Minute, end-h.told)
		h.told += step
		h.clock.add(step)
	}
}

// event is something that happens to a poller.
func (h *history) event() {
	switch h.r.IntN(9) {
	case 0:
		h.restart()
	case 1: // sleep
		d := time.Duration(h.r.Int64N(int64(30 * time.Hour)))
		h.told += d
		h.clock.add(d)
	case 2: // a closed program
		d := time.Duration(h.r.Int64N(int64(3 * day)))
		h.told += d
		h.clock.add(d)
		h.restart()
	case 3: // the clock is set back
		h.clock.add(-time.Duration(h.r.Int64N(int64(2*day))) * time.Duration(1+h.r.IntN(2)*180))
	case 4:
		h.cut(h.r.IntN(80))
	case 5:
		h.Opened()
	case 6:
		h.Changed()
	case 7:
		h.clock.set(h.clock.Now().In(time.FixedZone("", (h.r.IntN(24)-12)*3600)))
	case 8:
		for _, o := range h.byHand() {
			if o.Reason.Background() {
				h.t.Errorf("by hand: %+v", o)
			}
		}
	}
}

// check holds the background fetches against the budgets in force when each began:
// over any time of d days no more than d + 2 days' worth of them.
func (h *history) check(seed uint64) {
	h.t.Helper()
	worth := func(at time.Duration) float64 {
		k, _ := slices.BinarySearchFunc(h.limits, at, func(l limit, at time.Duration) int {
			if l.from <= at {
				return -1
			}
			return 1
		})
		return 1 / float64(h.limits[k-1].m)
	}
	for i, from := range h.spends {
		spent := 0.0
		for _, at := range h.spends[i:] {
			spent += worth(at)
			if most := float64(at-from)/float64(day) + 2 + worth(at); spent > most {
				h.t.Fatalf("seed %d: from %s to %s background fetches worth %.3f days, there were %.3f", seed, from, at, spent, most)
			}
		}
	}
}

func TestBudgetIsNeverExceeded(t *testing.T) {
	runs, events := 8, 15
	switch {
	case soak:
		runs, events = 60, 40
	case quick:
		runs, events = 3, 8
	}
	total := 0
	for seed := range uint64(runs) {
		h := newHistory(t, seed)
		for range events {
			h.pass(time.Duration(h.r.Int64N(int64(8 * time.Hour))))
			h.event()
		}
		h.pass(time.Hour)
		h.check(seed)
		total += len(h.spends)
	}
	if total < runs*events {
		t.Errorf("only %d background fetches in %d histories", total, runs)
	}
}

func TestWeek(t *testing.T) {
	slowWithRace(t)
	feeds, days := 50, 7
	if quick {
		feeds, days = 12, 2
	}
	w := newWorld(t)
	every := map[string]time.Duration{}
	for i := range feeds {
		path := fmt.Sprint("/", i)
		every[path] = 40 * time.Minute * time.Duration(1+i*i/2)
		w.web.posting(path, every[path])
		w.subscribePaths(path)
	}
	w.settled()
	w.live(6 * time.Hour)
	w.web.requests()
	articles := w.number("SELECT count(*) FROM status")
	budget := 8 * feeds
	all := 0
	for d := range days {
		w.live(day)
		n := len(w.web.requests())
		all += n
		if n > budget*12/10 || n < budget*85/100 {
			t.Errorf("day %d: %d fetches, the budget is %d", d, n, budget)
		}
	}
	t.Logf("%d fetches, the budget is %d", all, days*budget)
	if all < days*budget*95/100 || all > (days+2)*budget {
		t.Errorf("%d fetches in %d days, the budget is %d", all, days, days*budget)
	}
	posts, end := 0, w.clock.Now()
	for _, e := range every {
		posts += int(end.Truncate(e).Sub(end.Add(-time.Duration(days)*day).Truncate(e)) / e)
	}
	got := w.number("SELECT count(*) FROM status") - articles
	t.Logf("%d of %d posts arrived", got, posts)
	if got < posts*97/100-feeds {
		t.Errorf("%d articles arrived of %d posts", got, posts)
	}
	if n := w.number("SELECT count(*) FROM ledger"); n < feeds*(8*days) {
		t.Errorf("%d lines in the ledger", n)
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE result NOT IN ('stored', 'unchanged')"); n != 0 {
		t.Errorf("%d fetches went wrong", n)
	}
}
