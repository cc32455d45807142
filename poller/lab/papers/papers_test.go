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
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// replay returns a table on a set as JSON rows and as text.
func replay(t *testing.T, table string, set *traces.Set, p lab.Protocol) (rows []map[string]any, text string) {
	t.Helper()
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
		mean[fmt.Sprint(r["rates"], " ", r["policy"], " ", interval)] = age
		if want := 40 * 14 * 24 / interval; math.Abs(r["fetches"].(float64)-want) > 41 {
			t.Errorf("%v fetches, want %v: %v", r["fetches"], want, r)
		}
		if r["policy"] == "uniform" && (math.Abs(age-interval/2) > 0.05*interval || r["max_age_h"].(float64) > interval+0.1 || r["to_uniform"] != 1.0) {
			t.Errorf("equal intervals of %v h: %v", interval, r)
		}
	}
	if len(mean) != 8*4 {
		t.Errorf("%d policies and intervals: %v", len(mean), mean)
	}
	for _, interval := range []string{"6", "8", "12", "24"} {
		// Rates of a power law: a split by the posts must be worth much.
		for _, p := range []string{"histogram allocation only ", "histogram combined ", "posterior combined ", "posterior exact "} {
			if m := mean[p+interval]; !(m < 0.9*mean["none uniform "+interval]) {
				t.Errorf("%s%s h: %v h, uniform %v h", p, interval, m, mean["none uniform "+interval])
			}
		}
	}
	if n := checkSearches(t, rows); n != 2*2*4 {
		t.Errorf("%d searches", n)
	}
	for _, want := range []string{"Table II", "Figure 8", "24 h", "In the paper"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestHeParkerTables(t *testing.T) {
	skipIfShort(t)
	set, o := traces.Synthetic(), protocol(t, "he-parker", 0)
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
		if got, most := r["fetches"].(float64), 3*20*7.0; got > most || got < most-2*3*20 {
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
	o.Warmup = 7 * day
	rows, text := replay(t, "window", traces.Synthetic().Sample(2), o)
	if len(rows) != 3*5 {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	for _, r := range rows {
		if r["policy"] == "uniform" && (r["age_to_uniform"] != 1.0 || math.Abs(r["delay_to_uniform"].(float64)-1) > 1e-9) {
			t.Errorf("%v", r)
		}
	}
	if !strings.Contains(text, "7 days") || strings.Contains(text, "14 days") {
		t.Error(text)
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

// UNPOLITE ≤ POLITE ≤ the cost of any requests that keep to the gap, whatever the frequencies
// (Jensen, and the definition of the bounds).
func TestPoliteTables(t *testing.T) {
	rows, text := replay(t, "polite", traces.Synthetic(), protocol(t, "polite", 0))
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	full := 0.0
	for _, r := range rows {
		number := func(name string) float64 {
			if x, ok := r[name].(float64); ok {
				return x
			}
			return math.Inf(1)
		}
		if u, p := number("unpolite"), number("polite"); u > p*(1+1e-9) || p > number("delayed")*(1+1e-9) || p > number("delayed_opt_polite")*(1+1e-9) {
			t.Errorf("the bounds do not hold: %v", r)
		}
		if number("sent") > 1+1e-9 || number("sent_opt_polite") > 1+1e-9 || number("sent") < 0.5 {
			t.Errorf("the shares of the budget that were sent are %v and %v", r["sent"], r["sent_opt_polite"])
		}
		if number("wait_opt_polite_h") > number("wait_h")+1e-9 {
			t.Errorf("requests wait longer under OPT_POLITE: %v", r)
		}
		full += number("hosts_full")
	}
	if full == 0 {
		t.Error("no host is ever full")
	}
	for _, want := range []string{"UNPOLITE", "Figure 4.5", "90 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// By hand: two feeds of one host fetched at equal steps.
func TestPoliteCostsByHand(t *testing.T) {
	w := &politeWorld{horizon: 12, posts: [][]int64{labtest.Hours(1, 2, 5), labtest.Hours(11)}, start: labtest.Monday,
		sources: []plan.Source{{Weight: 1, Posting: 0.5, Access: 0.25, Host: "h"}, {Weight: 1, Posting: 0.1, Access: 0.25, Host: "h"}}}
	s := w.delayed([]float64{1. / 4, 1. / 6}, 1)
	// Planned at 4, 8, 12 and (the second's phase 0) 6, 12: the last waits beyond the end.
	if !slices.Equal(s.at[0], []float64{4, 8, 12}) || !slices.Equal(s.at[1], []float64{6}) || s.sent != 4 || s.wait != 0 {
		t.Fatalf("%+v", s)
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	stale := func(rate, gap float64) float64 { return 1 - (1-math.Exp(-rate*gap))/(rate*gap) }
	near("stale", w.cost(plan.Freshness, s.at), (stale(0.5, 4)+stale(0.1, 12))/2)
	near("delay", w.cost(plan.Exact, s.at), (3*0.125*64/6/12+0.025*12*12*12/6/12)/2)
	near("stale on the traces", w.traceCost(plan.Freshness, s.at), (3.+3+1)/12/2)
	near("delay on the traces", w.traceCost(plan.Exact, s.at), 0.25*(9+4+9+1)/2/12/2)
	near("stale if never fetched", w.cost(plan.Freshness, [][]float64{nil, nil}), 1)
}

func TestZipf(t *testing.T) {
	const n = 4
	count := map[int]int{}
	for i := range 25000 {
		count[zipf((float64(i)+0.5)/25000, n)]++
	}
	for k, want := range []int{0, 12000, 6000, 4000, 3000} {
		if d := count[k] - want; d < -1 || d > 1 {
			t.Errorf("host %d has %d of 25000 feeds, want %d", k, count[k], want)
		}
	}
}

// The fetches of the papers' policies, too, do not depend on later posts and accesses.
func TestPoliciesIgnoreTheFuture(t *testing.T) {
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
	if _, err := Protocol("best"); err == nil || !strings.Contains(err.Error(), "he-parker, polite, sia, window") {
		t.Errorf("an unknown table: %v", err)
	}
	if _, err := Run(t.Context(), "best", traces.Synthetic(), lab.DefaultProtocol, nil); err == nil {
		t.Error("an unknown table is replayed")
	}
	for name, table := range tables {
		o := table.protocol
		o.Weeks = 9
		if _, err := Run(t.Context(), name, traces.Synthetic(), o, nil); err == nil || !strings.Contains(err.Error(), "too short") {
			t.Errorf("%s on ten weeks of which nine are tested: %v", name, err)
		}
		o = table.protocol
		o.Warmup = time.Hour
		if _, err := Run(t.Context(), name, traces.Synthetic(), o, nil); err == nil || !strings.Contains(err.Error(), "warm-up") {
			t.Errorf("%s after a warm-up of an hour: %v", name, err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Run(cancelled, name, traces.Synthetic(), table.protocol, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
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

// skipIfShort skips a test that takes ten times as long with the race detector.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: too long for -short")
	}
}
