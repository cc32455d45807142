package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
	"kairos/reader/readertest"
)

// replay returns a table on a set as JSON rows and as text.
func replay(t *testing.T, table string, set *traces.Set, p lab.Protocol) (rows []map[string]any, text string) {
	t.Helper()
	if table != "polite" { // only that has goroutines of its own
		readertest.SkipWithRace(t)
	}
	r, err := Run(t.Context(), table, set, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out, lines bytes.Buffer
	if err := errors.Join(r.WriteTable(&out), r.WriteJSON(&lines)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines.String()) {
		row := map[string]any{}
		if err := json.Unmarshal([]byte(line), &row); err != nil || row["table"] != table {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, row)
	}
	return rows, out.String()
}

// protocol returns a table's own protocol, with another number of weeks if that is not 0.
func protocol(t *testing.T, table string, weeks int) lab.Protocol {
	t.Helper()
	p, err := Protocol(table)
	if err != nil {
		t.Fatal(err)
	}
	if weeks > 0 {
		p.Weeks = weeks
	}
	return p
}

// checkSearches checks the rows of the searches, and returns their number: the exact schedule is
// never worse as the rates expect it.
func checkSearches(t *testing.T, rows []map[string]any) (n int) {
	t.Helper()
	for _, r := range rows {
		if r["search"] == nil {
			continue
		}
		n++
		excess, worst, feeds := r["excess"].(float64), r["worst"].(float64), r["feeds"].(float64)
		if excess < -1e-9 || worst < excess*(1-1e-6)-1e-9 || feeds < 1 || r["even"].(float64) > feeds {
			t.Errorf("a search beats the exact schedule, or its counts are wrong: %v", r)
		}
		if r["rates"] == posterior && r["search"] != "refined" && excess > 0.05 {
			t.Errorf("on smooth rates a search exceeds the least cost by %v: %v", excess, r)
		}
	}
	return n
}

func TestSiaTables(t *testing.T) {
	rows, text := replay(t, "sia", traces.Synthetic().Sample(2), protocol(t, "sia", 2))
	mean := map[string]float64{}
	for _, r := range rows {
		if r["search"] != nil {
			continue
		}
		interval, age := r["interval_h"].(float64), r["mean_age_h"].(float64)
		mean[fmt.Sprint(r["policy"], " ", interval)] = age
		if r["policy"] == "uniform" && (math.Abs(age-interval/2) > 0.05*interval || r["max_age_h"].(float64) > interval+0.1 || r["to_uniform"] != 1.0) {
			t.Errorf("equal intervals of %v h: %v", interval, r)
		}
		if r["policy"] == "scheduling only" && interval == 24 && math.Abs(r["max_age_h"].(float64)-24) > 1 {
			t.Errorf("a fetch a day at a fixed time: %v", r)
		}
	}
	if len(mean) != 5*4 {
		t.Errorf("%d policies and intervals: %v", len(mean), mean)
	}
	for _, interval := range []string{"6", "8", "12", "24"} {
		// Rates of a power law: a split by the posts must be worth much.
		for _, p := range []string{"allocation only ", "combined ", "exact split and schedule "} {
			if m := mean[p+interval]; !(m < 0.9*mean["uniform "+interval]) {
				t.Errorf("%s%s h: %v h, uniform %v h", p, interval, m, mean["uniform "+interval])
			}
		}
	}
	if n := checkSearches(t, rows); n != 2*2*4 {
		t.Errorf("%d searches", n)
	}
	for _, want := range []string{"Table II", "24 h", "the paper", "645"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Figure 8: the age policy of Cho & Garcia-Molina has the longer delay where fetches are few.
func TestCGMTables(t *testing.T) {
	rows, text := replay(t, "cgm", traces.Synthetic().Sample(2), protocol(t, "cgm", 2))
	mean := map[string]float64{}
	for _, r := range rows {
		mean[fmt.Sprint(r["policy"], " ", r["interval_h"])] = r["mean_age_h"].(float64)
	}
	for _, interval := range []string{"10", "12", "16", "24"} {
		if ours, age := mean["combined "+interval], mean["cgm-age "+interval]; !(0 < ours && ours < age) {
			t.Errorf("every %s h: %v h, CGM03 %v h", interval, ours, age)
		}
	}
	if !strings.Contains(text, "35 % longer") {
		t.Error(text)
	}
}

func TestFeedsTables(t *testing.T) {
	rows, text := replay(t, "feeds", traces.Synthetic().Sample(2), protocol(t, "feeds", 4))
	sum := map[string]float64{}
	for _, r := range rows {
		sum[r["figure"].(string)] += r["y"].(float64)
	}
	posts := 0.0
	set := traces.Synthetic().Sample(2)
	for _, u := range set.Users {
		for _, f := range u.Feeds {
			posts += float64(len(traces.Between(f.Posts, set.End-6*7*daySeconds, set.End)))
		}
	}
	if sum["Figure 3 weekly"] != posts || math.Abs(sum["Figure 11"]-100) > 1e-6 || sum["Table I"] < 1 || sum["Figure 7"] == 0 || sum["Figure 10"] == 0 {
		t.Errorf("%v, %v posts", sum, posts)
	}
	if !strings.Contains(text, "host 1") {
		t.Error(text)
	}
}

// Hubs: the more feeds have one the less delay; if all do there is none, and a request is a post.
func TestPushTables(t *testing.T) {
	rows, _ := replay(t, "push", traces.Synthetic().Sample(2), protocol(t, "push", 1))
	before := math.Inf(1)
	for _, r := range rows {
		if age := r["mean_age_h"].(float64); age > before*1.05 {
			t.Errorf("%v after %v h", r, before)
		} else {
			before = age
		}
	}
	if last := rows[len(rows)-1]; last["hub_share"] != 1.0 || last["mean_age_h"] != 0.0 || last["requests_a_feed_day"] != last["requests_for_an_hour"] {
		t.Errorf("%v", last)
	}
	if got := budgetFor(1, []float64{1, 4, 16}, []float64{8, 2, 0.5}); math.Abs(got-8) > 1e-9 {
		t.Errorf("an hour needs a budget of %v, want 8", got)
	}
}

func TestCurvesTables(t *testing.T) {
	rows, _ := replay(t, "curves", traces.Synthetic(), protocol(t, "curves", 0))
	if len(rows) != 8*24 {
		t.Errorf("%d rows", len(rows))
	}
	set, p := traces.Synthetic(), protocol(t, "curves", 0)
	report, err := Run(t.Context(), "curves", set, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	pictures, err := report.writeMarkdown(&page, "x")
	if err != nil || len(pictures) != 1 || !strings.Contains(page.String(), "](x-1.png)") {
		t.Errorf("%d pictures, %v:\n%s", len(pictures), err, page.String())
	}
}

func TestHeParkerTables(t *testing.T) {
	set, o := traces.Synthetic(), protocol(t, "he-parker", 0)
	for i := range set.Users {
		set.Users[i].Feeds = set.Users[i].Feeds[:3]
	}
	feeds := len((&study{set: set, protocol: o}).frequentFeeds())
	rows, text := replay(t, "he-parker", set, o)
	opens, before := map[string]bool{}, 0.0
	for _, r := range rows {
		if r["search"] != nil {
			continue
		}
		opens[r["user"].(string)] = true
		if x := r["opens_a_day"].(float64); x < before {
			t.Errorf("%v after %v opens a day", x, before)
		} else {
			before = x
		}
		// The exact policy may save up to two days' worth.
		if got, most := r["fetches"].(float64), 3*7*float64(feeds); got > most || got < most-2*3*float64(feeds) {
			t.Errorf("%v fetches, want %v", got, most)
		}
	}
	if len(opens) != 6 || checkSearches(t, rows) != 2*4 {
		t.Errorf("%d people, %d searches", len(opens), checkSearches(t, rows))
	}
	for _, want := range []string{"Table 1", "Table 2", "Table 3", "Figure 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	set.Users = set.Users[:5]
	if _, err := Run(t.Context(), "he-parker", set, o, nil); err == nil || !strings.Contains(err.Error(), "5") {
		t.Errorf("five people: %v", err)
	}
}

// Of twelve users with 1 … 12 opens a day the six are the 2nd, 4th … 12th.
func TestSixUsersAtTheQuantiles(t *testing.T) {
	monday := labtest.Monday
	s := &study{set: &traces.Set{End: monday + 21*daySeconds}, protocol: heParkerProtocol, table: "he-parker"}
	for n := 12; n > 0; n-- {
		u := traces.User{ID: fmt.Sprint(n)}
		for i := range int64(21 * n) {
			u.Accesses = append(u.Accesses, monday+1+i*21*daySeconds/int64(21*n))
		}
		s.set.Users = append(s.set.Users, u)
	}
	s.set.Users = append(s.set.Users, traces.User{ID: "left before the test", Accesses: []int64{monday + 1}})
	active, err := s.activeUsers()
	if err != nil || len(active) != 12 {
		t.Fatalf("%d people: %v", len(active), err)
	}
	var got []string
	for _, i := range quantiles(len(active)) {
		got = append(got, active[i].user.ID)
	}
	if want := strings.Fields("2 4 6 8 10 12"); !slices.Equal(got, want) {
		t.Errorf("the six users are %v, want %v", got, want)
	}
	if x := active[11].opens; math.Abs(x-12) > 0.01 {
		t.Errorf("12 opens a day count as %v", x)
	}
}

func TestWindowTables(t *testing.T) {
	o := protocol(t, "window", 1)
	o.Warmup = 14 * day
	rows, _ := replay(t, "window", traces.Synthetic().Sample(1), o)
	if len(rows) != 5+2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	for i, days := range []float64{1, 2, 4, 7, 14, 7, 14} {
		if r := rows[i]; r["history_days"] != days || !(r["mean_age_h"].(float64) > 0) || r["figure"] != map[bool]float64{true: 9, false: 12}[i < 5] {
			t.Errorf("row %d: %v", i, r)
		}
	}
	if short, long := rows[0]["mean_age_h"].(float64), rows[4]["mean_age_h"].(float64); !(long < short) {
		t.Errorf("%v h after a day of history, %v h after two weeks", short, long)
	}
}

// Histograms count the posts of their history and none before it.
func TestHistogramsCountTheirHistory(t *testing.T) {
	rates := func(history time.Duration, posts ...float64) float64 {
		v := labtest.World(28*day, []float64{1}, posts).View()
		_, posting := policy.Histograms(history)(v)
		sum := 0.0
		for _, x := range posting(0) {
			sum += x * lab.Bin.Hours()
		}
		return sum
	}
	if got := rates(2*day, -49, -24); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("a post in two days is %v a day", got)
	}
	if got := rates(4*day, -49, -24); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("two posts in four days are %v a day", got)
	}
	if got := rates(2*day, -49); got != 0 {
		t.Errorf("a post before the history counts: %v", got)
	}
}

// UNPOLITE ≥ POLITE ≥ DELAYED in what is fresh, and nobody is asked more often than allowed.
func TestPolite(t *testing.T) {
	s := &study{ctx: t.Context(), set: traces.Synthetic(), protocol: protocol(t, "polite", 4), table: "polite"}
	w, err := newPoliteWorld(s, politeDeal{3, 1, "draw 1"}, 120)
	if err != nil || len(w.sources) != 120 || w.hosts != 3 {
		t.Fatalf("%d sources on %d hosts: %v", len(w.sources), w.hosts, err)
	}
	w.gap, w.hours = 0.25, 200*24
	full := 0
	for _, share := range politeShares {
		r, curves, err := w.row(s, share)
		if err != nil || len(curves) != 4 {
			t.Fatal(err)
		}
		const sampling = 0.02
		if r.Polite > r.Unpolite+1e-9 || r.Delayed > r.Polite+sampling || r.Opt > r.Polite+sampling || r.Opt < r.Polite-0.1 {
			t.Errorf("the bounds do not hold: %+v", r)
		}
		if r.Sent > 1.01 || r.OptSent > 1.01 || r.Sent < 0.5 {
			t.Errorf("the shares of the budget that were sent are %v and %v", r.Sent, r.OptSent)
		}
		if r.OptWait > r.Wait+1e-9 {
			t.Errorf("requests wait longer under OPT_POLITE: %+v", r)
		}
		full += r.Full
	}
	if full == 0 {
		t.Error("no host is ever full")
	}
}

// By hand: one source fetched every five hours; and two that ask for more than their host allows.
func TestCrawl(t *testing.T) {
	s := &study{ctx: t.Context()}
	w := &politeWorld{gap: 1, hours: 2000 * politeSample, span: 400 * politeSample,
		sources: []published.Source{{Weight: 1, Posting: 0.1, Host: "h"}}, posts: [][]float64{{0.5}}}
	c := w.crawl(s, []float64{0.2003})
	if want := (1 - math.Exp(-0.4993)) / 0.4993; math.Abs(mean(c.fresh[10:])-want) > 0.01 {
		t.Errorf("fresh for %v of the time, want %v", mean(c.fresh[10:]), want)
	}
	if c.fresh[0] != 0 || mean(c.real[1:]) < 1-1e-9 || c.wait != 0 || math.Abs(c.sent-w.hours*0.2003) > 1 {
		t.Errorf("%v at first, %v on the posts, %v requests, waited %v h", c.fresh[0], mean(c.real[1:]), c.sent, c.wait)
	}
	w.sources, w.posts, w.hours = append(w.sources, w.sources[0]), [][]float64{nil, nil}, 1000
	c = w.crawl(s, []float64{1, 1})
	if c.sent < 999 || c.sent > 1001 || math.Abs(c.wait/c.sent-250) > 5 {
		t.Errorf("%v requests in 1000 h, waited %v h each", c.sent, c.wait/c.sent)
	}
}

func TestZipf(t *testing.T) {
	const n = 4
	count := map[int]int{}
	for i := range 25000 {
		count[zipf((float64(i)+0.5)/25000, n, 1)]++
	}
	for k, want := range []int{0, 12000, 6000, 4000, 3000} {
		if d := count[k] - want; d < -1 || d > 1 {
			t.Errorf("host %d has %d of 25000 feeds, want %d", k, count[k], want)
		}
	}
	alike := map[int]int{}
	for i := range 1000 {
		alike[zipf((float64(i)+0.5)/1000, n, 0)]++
	}
	if alike[1] != 250 || alike[4] != 250 {
		t.Errorf("dealt alike: %v", alike)
	}
}

// What the page says follows the numbers.
func TestWords(t *testing.T) {
	rows := map[string][]float64{"alike": {1, 9, 9, 9, 9, 9}, "root": {2, 3, 8, 8, 8, 8}, "cube": {3, 3, 7, 7, 7, 7}}
	names := []string{"alike", "root", "cube"}
	if got, want := leastOf(names, func(r, u int) float64 { return rows[names[r]][u] }),
		"cube in sum; alike for u1, root for u2, cube for u2, u3, u4, u5 and u6"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := leastOf(names[2:], func(_, u int) float64 { return rows["cube"][u] }), "cube in sum; cube for all six"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	of := func(name string) func(int) float64 { return func(u int) float64 { return rows[name][u] } }
	if got, want := shareOf(of("cube"), of("alike")), "0.74 in sum, 0.33 to 3.00 by user, less for 5 of 6"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := rangeOf([]float64{0.291, 0.294}); got != "0.29" {
		t.Error(got)
	}
	if got := points(-0.0002) + ", " + pointsRange([]float64{-0.04, 1.26}) + ", " + pointsRange([]float64{0.01, -0.01}); got != "0.0, 0.0 to 1.3, 0.0" {
		t.Error(got)
	}
	if got := rangeOf(nil); got != "none" {
		t.Error(got)
	}
	// A table whose order is not the paper's, and whose standard deviation rises.
	sia := siaTable{names: []string{"uniform", "scheduling only", "allocation only", "combined"}}
	for _, age := range []float64{4, 3, 2, 1} {
		for range siaBudgets {
			sia.rows = append(sia.rows, lab.Row{MeanAge: age, SDAge: 1})
		}
	}
	if got := sia.order(); !strings.Contains(got, "order holds:") {
		t.Error(got)
	}
	sia.at("combined", 1).MeanAge = 5
	if got := sia.order(); !strings.Contains(got, "holds at 3 of 4") {
		t.Error(got)
	}
	if got := sia.extremes(); !strings.Contains(got, "does not rise") {
		t.Error(got)
	}
	sia.at("allocation only", 3).SDAge = 2
	if got := sia.extremes(); !strings.Contains(got, "rises by the split") {
		t.Error(got)
	}
	if got := flatFrom([]int{1, 2, 4}, []lab.Row{{MeanAge: 2}, {MeanAge: 1.02}, {MeanAge: 1}}); got != 2 {
		t.Errorf("flat from %d", got)
	}
}

// A power law is found again, in ranges of a factor of two, too.
func TestPowerLaw(t *testing.T) {
	var perDay []float64
	for i := range 20000 {
		perDay = append(perDay, math.Pow(1-(float64(i)+0.5)/20000, -1/0.8)/100)
	}
	fit := fitLine(rateDensity(perDay[:19000])) // the last have ranges with a feed or two
	if math.Abs(fit.slope+1.8) > 0.1 || fit.explained < 0.99 {
		t.Errorf("%+v", fit)
	}
	c := fit.curve(rateDensity(perDay))
	if len(c.X) != 2 || !(c.Y[0] > c.Y[1]) {
		t.Errorf("%+v", c)
	}
}

// The fetches of the papers' policies, too, do not depend on later posts and accesses.
func TestPoliciesIgnoreTheFuture(t *testing.T) {
	readertest.SkipWithRace(t)
	set := labtest.Small()
	p := lab.Protocol{Warmup: 14 * day, Weeks: 2, Relearn: week}
	for _, p.Frozen = range []bool{false, true} {
		for _, h := range heParkerPolicies(p.Warmup) {
			h.policy.Name = h.rates + ", " + h.split + ", " + h.schedule
			labtest.CheckIgnoresFuture(t, set, &set.Users[1], p, h.policy, 7*daySeconds+600, 3)
		}
	}
}

func TestAggregateHasEveryFeedOnce(t *testing.T) {
	a, b, c := traces.Feed{ID: "a", Posts: []int64{1}}, traces.Feed{ID: "b", Posts: []int64{2}}, traces.Feed{ID: "c", Posts: []int64{3}}
	set := &traces.Set{End: 9, Users: []traces.User{{Feeds: []traces.Feed{c, a}}, {Feeds: []traces.Feed{b, c}}}}
	var got []string
	for _, f := range aggregate(set).Users[0].Feeds {
		got = append(got, f.ID)
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v", got)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Protocol("best"); err == nil || !strings.Contains(err.Error(), "cgm, curves, feeds, he-parker, polite, push, sia, window") {
		t.Errorf("an unknown table: %v", err)
	}
	if _, err := Run(t.Context(), "best", traces.Synthetic(), lab.DefaultProtocol, nil); err == nil {
		t.Error("an unknown table is replayed")
	}
	for name, table := range tables {
		o := table.protocol
		o.Weeks = 10
		if _, err := Run(t.Context(), name, traces.Synthetic(), o, nil); err == nil || !strings.Contains(err.Error(), "too short") {
			t.Errorf("%s on ten weeks that are all tested: %v", name, err)
		}
		o = table.protocol
		o.Warmup = time.Hour
		if _, err := Run(t.Context(), name, traces.Synthetic(), o, nil); err == nil || !strings.Contains(err.Error(), "warm-up") {
			t.Errorf("%s after a warm-up of an hour: %v", name, err)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		o = table.protocol
		o.Weeks = min(o.Weeks, 2)
		if _, err := Run(canceled, name, traces.Synthetic(), o, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context: %v", name, err)
		}
	}
	silence := traces.Synthetic().Sample(1)
	silence.End += 9 * 7 * daySeconds
	o := protocol(t, "sia", 4)
	o.Warmup = 12 * week
	if _, err := Run(t.Context(), "sia", silence, o, nil); err == nil || !strings.Contains(err.Error(), "posted") {
		t.Errorf("no posts: %v", err)
	}
	one := traces.Synthetic().Sample(1)
	one.Users[0].Feeds = one.Users[0].Feeds[:1]
	if _, err := Run(t.Context(), "polite", one, protocol(t, "polite", 1), nil); err == nil {
		t.Error("the table polite accepts a single feed")
	}
}
