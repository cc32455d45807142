package poller

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
)

func TestFirstDayDistinguishesNewsAndBlog(t *testing.T) {
	w := newWorld(t)
	w.web.says("/news", rss("News", since(monday.Add(-10*time.Minute), 20*time.Minute, 30)...))
	w.web.says("/blog", rss("Blog", since(monday.Add(-72*time.Hour), 15*day, 12)...))
	feeds := w.subscribePaths("/news", "/blog")
	w.settled()

	pl := w.plan()
	news, blog := pl.Feeds[1], pl.Feeds[0] // by title
	if news.Feed.ID != feeds[0].ID {
		t.Fatalf("feeds are %q and %q", news.Feed.Title, blog.Feed.Title)
	}
	if news.Posting < 40 || blog.Posting > 0.2 {
		t.Errorf("posts a day: news %.2f (72 in truth), blog %.3f (0.07 in truth)", news.Posting, blog.Posting)
	}
	perDay := func(f FeedPlan) float64 { return float64(len(f.Cycle.At)) / float64(f.Cycle.Every) }
	if perDay(news) < 3*perDay(blog) {
		t.Errorf("fetches a day: news %.2f, blog %.2f", perDay(news), perDay(blog))
	}
	if n, b := len(news.Instants), len(blog.Instants); n < 12 || b > n/3 {
		t.Errorf("instants in 48 h: news %d, blog %d", n, b)
	}
	if total := perDay(news) + perDay(blog); total > 16 || total < 15 {
		t.Errorf("%.2f fetches a day in all, the budget is 16", total)
	}
}

func TestSaverShrinksThePlan(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	within := func() (n int) {
		for _, i := range w.instants() {
			if i.At.Before(monday.Add(day)) {
				n++
			}
		}
		return n
	}
	before := within()
	if before < 35 || before > 50 {
		t.Errorf("%d instants in the coming 24 h, the budget is 40", before)
	}
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	w.settled()
	if after := within(); after < 8 || after > 15 { // each costs 0.7 at least
		t.Errorf("with battery saver %d instants in the coming 24 h, the budget is 10", after)
	}
	if err := w.SetSaver(t.Context(), SaverAuto); err != nil {
		t.Fatal(err)
	}
	w.settled()
	if again := within(); again != before {
		t.Errorf("automatic, on mains: %d instants, before %d", again, before)
	}
	w.SetPowerState(PowerState{Battery: true})
	w.settled()
	if after := within(); after > 15 {
		t.Errorf("automatic, on battery: %d instants", after)
	}
}

func TestEveryInstantHasAReason(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/often", time.Hour)
	w.web.posting("/seldom", 30*day)
	w.web.posting("/asked", 30*day)
	w.subscribePaths("/often", "/seldom")
	w.subscribe(reader.Feed{URL: w.web.address("/asked"), Every: 6 * time.Hour})
	w.settled()
	at := w.instants()
	if len(at) == 0 {
		t.Fatal("nothing is planned")
	}
	asked := 0
	for _, i := range at {
		if i.Reason.Code != schedule.Planned || !i.Reason.Visit.IsZero() || i.Reason.Posts == 0 { // nobody has come yet
			t.Errorf("feed %d at %s: %+v", i.Feed, i.At, i.Reason)
		}
		if i.Reason.Every == 6*time.Hour {
			asked++
		}
	}
	if asked < 2 { // of some five or six: those that are worth a fetch anyway do as well
		t.Errorf("%d instants are said to be asked for: %v", asked, at)
	}
}

func TestAtLeastEvery(t *testing.T) {
	slowWithRace(t)
	w := newWorld(t)
	w.web.posting("/asked", 100*day)
	w.web.posting("/news", 10*time.Minute)
	f := w.subscribe(reader.Feed{URL: w.web.address("/asked"), Every: 5 * time.Hour, Weight: 0.01})
	w.subscribePaths("/news")
	w.settled()
	w.web.requests()
	last := w.clock.Now()
	for range 30 {
		w.live(2*time.Hour + 7*time.Minute)
		w.restart() // plans again each time
		for _, a := range w.web.requests() {
			if a.path != "/asked" {
				continue
			}
			if gap := a.at.Sub(last); gap > 5*time.Hour+schedule.MaxOffset {
				t.Errorf("%s between two fetches, 5 h are asked for", gap)
			}
			last = a.at
		}
	}
	if gap := w.clock.Now().Sub(last); gap > 5*time.Hour+schedule.MaxOffset {
		t.Errorf("no fetch of feed %d for %s", f.ID, gap)
	}
}

func TestPlansOfAnySize(t *testing.T) {
	slowWithRace(t)
	for _, c := range []struct {
		feeds  int
		budget string
	}{
		{0, Balanced}, {0, "0"}, {0, "5"}, {1, Balanced}, {1, "0"}, {1, "1"}, {1, "1000"}, {1, Fresh}, {60, "1"}, {60, "3"}, {300, Balanced}, {1000, Balanced},
	} {
		t.Run(fmt.Sprintf("%d feeds, %s", c.feeds, c.budget), func(t *testing.T) {
			if c.feeds > 100 && quick {
				t.Skip("skipped: slow with -race")
			}
			w := newWorld(t)
			for i := range c.feeds {
				w.web.posting(fmt.Sprint("/", i), time.Duration(i+1)*time.Hour)
				w.subscribePaths(fmt.Sprint("/", i))
			}
			w.setBudget(c.budget)
			w.settled()
			pl := w.plan()
			at := w.instants()
			slices.SortFunc(at, func(a, b Instant) int { return a.At.Compare(b.At) })
			b := plan.Bucket{PerDay: pl.Budget, Days: plan.UsualLevel, At: w.clock.Now()}
			for _, i := range at {
				if b = b.AsOf(i.At).Spend(1); b.Level() < -1e-6 {
					t.Fatalf("at %s there is nothing left of the budget of %v", i.At, pl.Budget)
				}
			}
			within := 0
			for _, i := range at {
				if i.At.Before(w.clock.Now().Add(day)) {
					within++
				}
			}
			budget := int(pl.Budget)
			most := min(budget, 48*c.feeds) // a fetch more would not save what it costs: some post on the hour
			if budget < c.feeds {
				most = 0 // all have just been fetched, it will be days before one is worth it
			}
			if within < most*3/4 || most > 0 && len(at) == 0 {
				t.Errorf("%d instants in 24 h, %d in all, the budget is %d", within, len(at), budget)
			}
		})
	}
}

func TestRestartPlansTheSame(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.web.posting(fmt.Sprint("/", i), time.Duration(i*i+1)*time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.settled()
	w.live(5 * time.Hour)
	w.Changed()
	w.settled()
	before := w.instants()
	for slices.ContainsFunc(before, func(i Instant) bool { return i.At.Before(w.clock.Now().Add(time.Minute)) }) { // it would be due after the restart
		w.live(time.Minute)
		before = w.instants()
	}
	w.web.requests()
	w.clock.add(3 * time.Second)
	w.restart()
	w.settled()
	if asked := w.web.requests(); len(asked) != 0 {
		t.Errorf("a quick restart fetches %d feeds", len(asked))
	}
	after := w.instants()
	key := func(i Instant) [2]int64 { return [2]int64{i.Feed, i.At.Unix()} }
	there := map[[2]int64]bool{}
	for _, i := range before {
		there[key(i)] = true
	}
	same := 0
	for _, i := range after {
		if there[key(i)] {
			same++
		}
	}
	if math.Abs(float64(same-len(before))) > 0.01*float64(len(before)) || len(after) > len(before)+3 {
		t.Errorf("of %d instants %d are where they were, %d in all", len(before), same, len(after))
	}
}

func TestRestartKeepsWhatIsDue(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	w.subscribePaths("/a")
	w.settled()
	next := w.instants()[0]
	w.web.requests()
	w.clock.set(next.At.Add(2 * time.Second))
	// The process dies between taking an instant and storing what it brought.
	if _, err := w.loop.step(canceled(t), w.clock.Now()); err == nil {
		t.Log("the step saw nothing of the end")
	}
	w.restart()
	w.settled()
	if asked := w.web.requests(); len(asked) != 1 {
		t.Errorf("after the restart %d requests for the instant that had come", len(asked))
	}
}

func TestPlanMethods(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	w.web.posting("/b", 9*time.Hour)
	w.subscribePaths("/a", "/b")
	w.settled()
	for _, m := range []plan.Method{plan.Exact, plan.HeParker, plan.Sia, plan.Uniform} {
		pl, err := w.Plan(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if pl.Method != m || pl.Delay <= 0 || len(pl.Feeds[0].Instants) == 0 {
			t.Errorf("%s: delay %v, %d instants", m, pl.Delay, len(pl.Feeds[0].Instants))
		}
	}
}

// A feed with a cycle of several days keeps its day however often the plan is rebuilt, and
// is not fetched a second time.
func TestRareFeedsKeepTheirDays(t *testing.T) {
	slowWithRace(t)
	w := newWorld(t)
	for i := range 10 {
		w.web.posting(fmt.Sprint("/", i), 100*day)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	w.setBudget("2")
	w.settled()
	for _, f := range w.plan().Feeds {
		if f.Cycle.Every != 5 {
			t.Fatalf("feed %d has a cycle of %d days", f.Feed.ID, f.Cycle.Every)
		}
	}
	w.web.requests()
	days := 30
	if quick {
		days = 10
	}
	for range days * 6 {
		w.live(4 * time.Hour)
		w.Changed()
	}
	count, all := map[string]int{}, 0
	for _, a := range w.web.requests() {
		count[a.path]++
		all++
	}
	if all < 2*days*90/100-2 {
		t.Errorf("%d fetches in %d days, the budget is 2 a day", all, days)
	}
	for i := range 10 {
		if n := count[fmt.Sprint("/", i)]; n < days/5-2 || n > days/5+2 {
			t.Errorf("feed %d was fetched %d times in %d days, its cycle is 5 days", i, n, days)
		}
	}
}

func TestZoneAndDaylightSaving(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("skipped: no zones")
	}
	w := newWorld(t)
	w.web.posting("/a", time.Hour)
	w.subscribePaths("/a")
	w.clock.set(time.Date(2026, 3, 27, 12, 0, 0, 0, berlin)) // the clocks change on the 29th
	w.settled()
	w.web.requests()
	for d := range 4 {
		w.live(day)
		if n := len(w.web.requests()); n < 6 || n > 11 {
			t.Errorf("day %d: %d fetches, the budget is 8", d, n)
		}
	}
	w.clock.set(w.clock.Now().In(time.FixedZone("far", 11*3600)))
	w.settled()
	if n := len(w.web.requests()); n > 0 {
		t.Errorf("a change of zone fetches %d feeds", n)
	}
	if _, zone := w.clock.Now().Zone(); w.planner.basis.Zone != zone {
		t.Errorf("the plan is made for the zone %d, it is %d", w.planner.basis.Zone, zone)
	}
	w.live(day)
	if n := len(w.web.requests()); n < 5 || n > 11 {
		t.Errorf("in the new zone: %d fetches, the budget is 8", n)
	}
}
