package poller

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

const year = 365 * day

// jumper is a world whose clock jumps.
func jumper(t *testing.T, feeds int) *history {
	h := &history{world: newWorld(t)}
	for i := range feeds {
		h.web.posting(fmt.Sprint("/", i), time.Duration(1+i)*time.Hour)
		h.subscribePaths(fmt.Sprint("/", i))
	}
	h.pass(day)
	return h
}

// right checks that the plan is one for now: made now, with instants of the next two days for
// every feed, and that nothing stored lies in the future.
func (h *history) right(what string) {
	h.t.Helper()
	h.settled()
	at := h.clock.Now()
	if made := h.planner.madeAt; at.Sub(made) > plan.ReplanInterval || made.After(at) {
		h.t.Errorf("%s: the plan is of %s, it is %s", what, made, at)
	}
	planned := map[int64]bool{}
	for _, i := range h.instants() {
		if planned[i.Feed] = true; i.At.After(at.Add(3 * day)) {
			h.t.Errorf("%s: planned for %s, it is %s", what, i.At, at)
		}
	}
	feeds := h.number("SELECT count(*) FROM feed")
	if len(planned) < feeds*2/3 {
		h.t.Errorf("%s: %d of %d feeds are planned", what, len(planned), feeds)
	}
	if n := h.number("SELECT count(*) FROM poll WHERE max(tried, fetched, since) > ?", at.Add(tick).Unix()); n > 0 {
		h.t.Errorf("%s: of %d feeds is known what is still to come", what, n)
	}
}

// rates returns the posting rates learned of the feeds, in posts a day.
func (h *history) rates() (rates []float64) {
	for feed := range int64(h.number("SELECT count(*) FROM feed")) {
		rates = append(rates, h.stateOf(feed+1).posts.Tally.Posterior(rate.FeedPrior).Mean()*24)
	}
	return rates
}

// calm checks the day since: no feed was fetched twice within 15 minutes, each was fetched,
// and most of the budget was spent.
func (h *history) calm(since time.Duration, budget int) {
	h.t.Helper()
	all := 0
	for feed, at := range h.asked {
		last := time.Duration(-1)
		for _, t := range at {
			if t < since {
				continue
			}
			if all++; last >= 0 && t-last < rules.MinGap {
				h.t.Errorf("feed %d is fetched %s after it was", feed, t-last)
			}
			last = t
		}
		if last < 0 {
			h.t.Errorf("feed %d is not fetched for a day", feed)
		}
	}
	if all < budget/2 || all > 3*budget {
		h.t.Errorf("%d fetches in a day, the budget is %d", all, budget)
	}
}

// Whatever the clock does, set by its user or by a dead battery: no burst, no starvation, and
// the plan is right again at once.
func TestClockJumps(t *testing.T) {
	slowWithRace(t)
	for name, jumps := range map[string][]time.Duration{
		"a year on":             {year},
		"a year back":           {-year},
		"a year on and back":    {year, -year},
		"a year back and on":    {-year, year},
		"an hour on and back":   {time.Hour, -time.Hour},
		"three days of suspend": {3 * day},
	} {
		t.Run(name, func(t *testing.T) {
			h := jumper(t, 6)
			since, learned := h.told, h.rates()
			for i, d := range jumps {
				if i > 0 {
					h.pass(40 * time.Minute)
				}
				since = h.told
				h.clock.add(d)
				h.right(d.String())
				if !h.planner.madeAt.Equal(h.clock.Now()) {
					t.Errorf("%s: the plan is that of %s", d, h.planner.madeAt)
				}
			}
			h.pass(90 * time.Minute)
			h.right("an hour and a half later")
			h.pass(day - 90*time.Minute)
			h.calm(since, 6*BalancedPerFeed)
			for i, now := range h.rates() {
				if before := learned[i]; now < before/3 || now > before*3 {
					t.Errorf("feed %d: %.2f posts a day were believed, now %.2f", i+1, before, now)
				}
			}
		})
	}
}

// A Retry-After received while the clock was a year ahead ends when the clock is corrected.
func TestRetryAfterWithAWrongClock(t *testing.T) {
	w, f := one(t)
	posting := w.web.page["/a"]
	w.clock.add(year)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "7200")
		out.WriteHeader(http.StatusTooManyRequests)
	})
	w.byHand(f.ID)
	w.settled()
	w.web.on("/a", posting)
	w.clock.add(-year)
	w.live(2 * day)
	w.web.requests()
	w.live(day)
	if n := len(w.web.requests()); n < 4 {
		t.Errorf("%d fetches a day, the budget is 8", n)
	}
	if space := w.client.Spacing(groupOf(f.URL)); space > 10*time.Second {
		t.Errorf("requests are %s apart, two days after a refusal", space)
	}
}

// Around the hour that daylight saving skips or repeats nothing is fetched twice or forgotten,
// and what is read at 07:40 is fetched within the two hours before 07:40 of the wall clock; how
// long before depends on the last plan.
func TestDaylightSaving(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("skipped: no zones")
	}
	for _, day1 := range []time.Time{time.Date(2026, 3, 29, 0, 0, 0, 0, berlin), time.Date(2026, 10, 25, 0, 0, 0, 0, berlin)} {
		t.Run(day1.Month().String(), func(t *testing.T) {
			h := &history{world: newWorld(t)}
			h.web.posting("/a", 20*time.Minute)
			f := h.subscribePaths("/a")[0]
			h.setBudget("4")
			for d := -28; d < 0; d++ {
				at := day1.AddDate(0, 0, d).Add(7*time.Hour + 40*time.Minute)
				if _, err := h.planner.log.Record(t.Context(), at); err != nil {
					t.Fatal(err)
				}
			}
			h.clock.set(day1.Add(-12 * time.Hour))
			h.pass(36 * time.Hour) // through the night in question
			ready := false
			for _, at := range h.asked[f.ID] {
				wall := day1.Add(at - 12*time.Hour)
				minute := wall.Hour()*60 + wall.Minute()
				ready = ready || wall.Day() == day1.Day() && minute >= 5*60+40 && minute < 7*60+40
			}
			if !ready {
				t.Errorf("fetched at %v after %s: not before 07:40", h.asked[f.ID], day1.Add(-12*time.Hour))
			}
			h.right("the day after")
		})
	}
}
