package poller

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/lab"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// twinDays is how long twins live: long enough for the turn of a dormant feed to come.
const twinDays = 8

// twinFeed is a feed of a trace: when it posts, and what it asks for.
type twinFeed struct {
	posts   []int64 // ascending, no two in a second
	maxAge  time.Duration
	channel string // elements
	every   time.Duration
	weight  float64

	failing    []traces.Span // the server answers with an error
	retryAfter time.Duration // it asks for then
}

// twinTrace is what happens to a loop and to its twin in the lab.
type twinTrace struct {
	feeds    []twinFeed
	accesses []int64 // ascending
	budget   string
	days     int
	window   int // items the feeds show; 0: twinWindow
	readings []policy.Reading
	asleep   []traces.Span
	zone     *time.Location // of the wall clock; nil: UTC
	saver    []traces.Span  // battery saver is on
	signs    []traces.Sign  // ascending
}

// twinWindow is how many items the feeds show.
const twinWindow = lab.DefaultWindow

// syntheticTwin is a trace made up from a seed, with a feed of every kind that the
// schedule treats differently.
func syntheticTwin(seed uint64, days int) twinTrace {
	r := rand.New(rand.NewPCG(seed, 14))
	tr := twinTrace{budget: Fresh, days: days}
	end := monday.Add(time.Duration(days+1) * day)
	posts := func(perDay float64, from, to time.Time) []int64 {
		var at []int64
		for t := from; ; {
			t = t.Add(time.Duration((1 + r.ExpFloat64()/perDay*86400) * float64(time.Second)))
			if !t.Before(to) {
				return at
			}
			if h := t.Hour(); h >= 6 && h < 22 || r.IntN(4) == 0 {
				at = append(at, t.Unix())
			}
		}
	}
	add := func(f twinFeed, perDay float64) {
		f.posts = posts(perDay, monday.Add(-time.Duration(20/perDay*24)*time.Hour-30*day), end)
		tr.feeds = append(tr.feeds, f)
	}
	for _, perDay := range []float64{60, 30, 20, 12, 9, 7, 5, 4, 3, 2, 1, 1, 0.5, 0.3} {
		add(twinFeed{}, perDay)
	}
	add(twinFeed{maxAge: 2 * time.Hour}, 15)
	add(twinFeed{maxAge: 20 * time.Hour}, 15)
	add(twinFeed{channel: "<ttl>180</ttl>"}, 15)
	add(twinFeed{channel: "<ttl>4320</ttl>"}, 15)
	add(twinFeed{channel: "<skipHours><hour>11</hour><hour>12</hour><hour>13</hour><hour>19</hour></skipHours>"}, 15)
	add(twinFeed{channel: "<skipDays><day>Saturday</day><day>Wednesday</day></skipDays>"}, 15)
	add(twinFeed{every: 45 * time.Minute}, 0.2)
	add(twinFeed{every: 5 * time.Hour}, 0.2)
	add(twinFeed{every: 3 * day}, 0.2)
	add(twinFeed{weight: 2}, 3)
	add(twinFeed{weight: 0.5}, 3)
	// One falls silent for a while and then posts in a burst, one has long been silent, one longer.
	burst := slices.Concat(posts(2, monday.Add(-20*day), monday.Add(2*day)), posts(150, monday.Add(3*day+2*time.Hour), monday.Add(3*day+7*time.Hour)))
	tr.feeds = append(tr.feeds, twinFeed{posts: burst},
		twinFeed{posts: posts(0.3, monday.Add(-140*day), monday.Add(-40*day))},
		twinFeed{posts: posts(0.3, monday.Add(-600*day), monday.Add(-400*day))})
	for d := monday.Truncate(day).Add(day); d.Before(end); d = d.Add(day) {
		tr.asleep = append(tr.asleep, traces.Span{From: d.Add(time.Hour).Unix(), To: d.Add(6*time.Hour).Unix() + int64(r.IntN(600))})
	}
	tr.accesses = slices.DeleteFunc(visitsOf(r, monday.Add(-20*day), end), tr.sleeps)
	return tr
}

// sleeps reports whether the machine does at an instant.
func (tr *twinTrace) sleeps(at int64) bool {
	return slices.ContainsFunc(tr.asleep, func(s traces.Span) bool { return s.From <= at && at <= s.To })
}

// awake is when the machine does not sleep.
func (tr *twinTrace) awake() (spans []traces.Span) {
	from := monday.Unix() // when the loop begins
	for _, s := range tr.asleep {
		spans, from = append(spans, traces.Span{From: from, To: s.From}), s.To
	}
	return append(spans, traces.Span{From: from, To: lab.Never})
}

// visitsOf are accesses in the morning, at noon and in the evening.
func visitsOf(r *rand.Rand, from, to time.Time) (at []int64) {
	for d := from.Truncate(day); d.Before(to); d = d.Add(day) {
		for _, h := range []float64{7.5, 8.2, 12.4, 13, 18.5, 20, 21.6} {
			if r.IntN(5) > 0 {
				at = append(at, d.Add(time.Duration((h+0.5*r.NormFloat64())*float64(time.Hour))).Unix())
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	return slices.DeleteFunc(at, func(a int64) bool { return a < from.Unix() || a >= to.Unix() })
}

// read makes up what is read at the accesses from an instant on: some feeds have
// something unread, of some of those something is opened.
func (tr *twinTrace) read(seed uint64, from int64) {
	r := rand.New(rand.NewPCG(seed, 41))
	for _, at := range tr.accesses {
		if at <= from {
			continue
		}
		reading := policy.Reading{At: at}
		for i := range tr.feeds {
			switch {
			case r.IntN(3) == 0:
			case r.IntN(len(tr.feeds)) > i:
				reading.Read = append(reading.Read, i)
			default:
				reading.Passed = append(reading.Passed, i)
			}
		}
		tr.readings = append(tr.readings, reading)
	}
}

// twin is a real loop, with SQLite and HTTP, under a virtual clock, and what its twin in the
// lab starts from.
type twin struct {
	*world
	trace twinTrace
	ids   []int64 // of the feeds, as the trace has them
	start time.Time
	end   time.Time
	state policy.State // that both start in, and what the loop met with
}

// newTwin subscribes to the feeds of a trace, fetches them for the first time, and notes the
// state in which both start.
func newTwin(t *testing.T, tr twinTrace) *twin {
	t.Helper()
	if tr.zone == nil {
		tr.zone = time.UTC
	}
	tw := &twin{world: newWorld(t), trace: tr}
	tw.clock.set(tw.clock.Now().In(tr.zone))
	for i, f := range tr.feeds {
		path := fmt.Sprintf("/%02d", i)
		tw.web.on(path, tw.serve(path, f))
		tw.ids = append(tw.ids, tw.subscribe(reader.Feed{URL: tw.web.address(path), Every: f.every, Weight: f.weight}).ID)
	}
	tw.setBudget(tr.budget)
	tw.settled()
	var past []time.Time
	for _, at := range tr.accesses {
		if at <= tw.clock.Now().Unix() {
			past = append(past, time.Unix(at, 0).In(tr.zone))
		}
	}
	if _, err := tw.planner.log.Import(t.Context(), past, tw.clock.Now()); err != nil {
		t.Fatal(err)
	}
	tw.clock.add(time.Minute)
	tw.start = tw.clock.Now()
	tw.end = tw.start.Add(time.Duration(tr.days) * day)
	tw.Changed()
	in, err := tw.planner.inputs(t.Context(), tw.start)
	if err != nil {
		t.Fatal(err)
	}
	if in.Method, err = tw.planner.method(t.Context()); err != nil {
		t.Fatal(err)
	}
	visits, err := tw.planner.log.Visits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Feeds) != len(tr.feeds) {
		t.Fatalf("%d feeds, want %d", len(in.Feeds), len(tr.feeds))
	}
	tw.state = policy.State{Inputs: in, Visits: visits, Interests: make([]rate.Interest, len(in.Feeds)), Readings: tw.placed(tr.readings), Budgets: tr.budgets(int(in.Budget))}
	return tw
}

// budgets are the changes that battery saver makes to a budget.
func (tr *twinTrace) budgets(perDay int) (changes []policy.BudgetChange) {
	for _, s := range tr.saver {
		changes = append(changes, policy.BudgetChange{At: s.From, PerDay: min(perDay, SaverPerFeed*len(tr.feeds)), Saving: true},
			policy.BudgetChange{At: s.To, PerDay: perDay})
	}
	return changes
}

// placed are readings with the feeds' places in the inputs.
func (tw *twin) placed(readings []policy.Reading) (placed []policy.Reading) {
	in, err := tw.planner.inputs(tw.t.Context(), tw.start)
	if err != nil {
		tw.t.Fatal(err)
	}
	places := func(of []int) (at []int) {
		for _, i := range of {
			at = append(at, slices.IndexFunc(in.Feeds, func(f schedule.Feed) bool { return f.ID == tw.ids[i] }))
		}
		return at
	}
	for _, r := range readings {
		if r.At > tw.start.Unix() {
			placed = append(placed, policy.Reading{At: r.At, Read: places(r.Read), Passed: places(r.Passed)})
		}
	}
	return placed
}

// serve answers with the last posts of a feed.
func (tw *twin) serve(path string, f twinFeed) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		now := tw.clock.Now()
		if slices.ContainsFunc(f.failing, func(s traces.Span) bool { return s.From <= now.Unix() && now.Unix() < s.To }) {
			refuse(out, f.retryAfter)
			return
		}
		n, _ := slices.BinarySearch(f.posts, now.Unix()+1)
		var dates []time.Time
		for _, at := range f.posts[max(0, n-cmp.Or(tw.trace.window, twinWindow)):n] {
			dates = append(dates, time.Unix(at, 0))
		}
		slices.Reverse(dates)
		if f.maxAge > 0 {
			out.Header().Set("Cache-Control", fmt.Sprintf("max-age=%d", int(f.maxAge.Seconds())))
		}
		out.Header().Set("Date", now.UTC().Format(http.TimeFormat))
		fmt.Fprint(out, strings.Replace(rss(path, dates...), "<channel>", "<channel>"+f.channel, 1))
	}
}

// refuse answers with an error.
func refuse(out http.ResponseWriter, retryAfter time.Duration) {
	if retryAfter == 0 {
		out.WriteHeader(http.StatusInternalServerError)
		return
	}
	out.Header().Set("Retry-After", fmt.Sprint(int(retryAfter.Seconds())))
	out.WriteHeader(http.StatusServiceUnavailable)
}

// live lets the real loop run to the end and returns its background fetches by feed, in the
// order of the inputs.
func (tw *twin) live() [][]int64 {
	tw.t.Helper()
	accesses := slices.DeleteFunc(slices.Clone(tw.trace.accesses), func(at int64) bool { return at <= tw.start.Unix() })
	signs := slices.DeleteFunc(slices.Clone(tw.trace.signs), func(s traces.Sign) bool { return s.At <= tw.start.Unix() })
	readings, asleep, budgets := tw.trace.readings, tw.trace.asleep, tw.state.Budgets
	for now := tw.start; now.Before(tw.end); {
		for len(asleep) > 0 && asleep[0].To <= now.Unix() {
			asleep = asleep[1:]
		}
		if len(asleep) > 0 && asleep[0].From <= now.Unix() {
			now = time.Unix(asleep[0].To, 0)
		}
		tw.clock.set(now.In(tw.trace.zone))
		for len(budgets) > 0 && budgets[0].At <= now.Unix() {
			tw.saver(map[bool]Saver{true: SaverOn, false: SaverOff}[budgets[0].Saving])
			budgets = budgets[1:]
		}
		for len(signs) > 0 && signs[0].At < now.Unix() {
			tw.clock.set(time.Unix(signs[0].At, 0).In(tw.trace.zone))
			if err := tw.NoteSign(tw.t.Context(), signs[0].Kind); err != nil {
				tw.t.Fatal(err)
			}
			signs = signs[1:]
			tw.clock.set(now.In(tw.trace.zone))
		}
		var next time.Time
		if len(accesses) > 0 && now.Unix() == accesses[0]+1 {
			at := accesses[0]
			accesses = accesses[1:]
			for len(readings) > 0 && readings[0].At < at {
				readings = readings[1:]
			}
			var r policy.Reading
			if len(readings) > 0 && readings[0].At == at {
				r = readings[0]
			}
			next = tw.visit(time.Unix(at, 0).In(tw.trace.zone), r)
		} else {
			next = tw.look()
		}
		if len(accesses) > 0 && time.Unix(accesses[0]+1, 0).Before(next) {
			next = time.Unix(accesses[0]+1, 0)
		}
		if len(budgets) > 0 && time.Unix(budgets[0].At, 0).Before(next) {
			next = time.Unix(budgets[0].At, 0)
		}
		if len(signs) > 0 && time.Unix(signs[0].At+1, 0).Before(next) {
			next = time.Unix(signs[0].At+1, 0)
		}
		if most := now.Add(4 * time.Minute); next.After(most) {
			next = most
		}
		if len(asleep) > 0 {
			if last := time.Unix(asleep[0].From-1, 0); now.Before(last) && next.After(last) {
				next = last // the loop would tick now or then
			}
		}
		now = later(next, now.Add(time.Second))
	}
	return tw.background()
}

// look lets the loop do what is due, and returns when it wants to look again; after a fetch
// when its timer rings.
func (tw *twin) look() time.Time {
	tw.t.Helper()
	next := tw.clock.Now().Add(day)
	for range 20 {
		at := tw.turn()
		if at.Before(next) && at.After(tw.clock.Now()) {
			next = at
		}
		outcomes := tw.outcomes()
		tw.noteAnswers(outcomes)
		if ring := tw.clock.Now().Add(tick); len(outcomes) > 0 && ring.Before(next) {
			next = ring
		}
		select {
		case <-tw.signals.wake:
		default:
			return next
		}
	}
	tw.t.Fatal("the loop keeps waking itself")
	return next
}

// noteAnswers notes what fetches got.
func (tw *twin) noteAnswers(outcomes []Outcome) {
	for i := range outcomes {
		o := &outcomes[i]
		feed := slices.IndexFunc(tw.state.Inputs.Feeds, func(f schedule.Feed) bool { return f.ID == o.Feed })
		s := tw.stateOf(o.Feed)
		tw.state.Answers = append(tw.state.Answers, policy.Answer{Feed: feed, At: o.At.Unix(), Failed: o.Result == Failed || o.Result == Waiting,
			Unasked: o.Result == Waiting, NotBefore: s.NotBefore, HostUntil: tw.planner.client.BlockedUntil(fetch.Host(tw.web.address("/"))),
			Cost: o.cost(), Learned: s.answers})
	}
}

// visit is what the window does when its user comes: it is opened, the access is logged, and
// something is read.
func (tw *twin) visit(at time.Time, r policy.Reading) time.Time {
	tw.t.Helper()
	tw.Opened()
	first := tw.look()
	if fresh, err := tw.planner.log.Record(tw.t.Context(), at); !fresh || err != nil {
		tw.t.Fatalf("the access at %s: %v, %v", at, fresh, err)
	}
	tw.Accessed()
	next := tw.look()
	note := func(of []int, evidence useraccess.Evidence) {
		for _, i := range of {
			reading := useraccess.Reading{At: at, Feed: tw.ids[i], Article: at.Unix(), Evidence: evidence} // another one each time
			if _, err := tw.planner.log.NoteReadings(tw.t.Context(), at, reading); err != nil {
				tw.t.Fatal(err)
			}
		}
	}
	note(r.Read, useraccess.Read)
	note(r.Passed, useraccess.Passed)
	if first.Before(next) {
		return first
	}
	return next
}

// background are the fetches that the budget paid for since the start.
func (tw *twin) background() [][]int64 {
	tw.t.Helper()
	done := make([][]int64, len(tw.state.Inputs.Feeds))
	for i, f := range tw.state.Inputs.Feeds {
		rows, err := tw.store.Read().Query("SELECT at FROM ledger WHERE subject = ? AND background = 1 AND at >= ? AND at < ? ORDER BY at", f.ID, tw.start.Unix(), tw.end.Unix())
		if err != nil {
			tw.t.Fatal(err)
		}
		for rows.Next() {
			var at int64
			if err := rows.Scan(&at); err != nil {
				tw.t.Fatal(err)
			}
			done[i] = append(done[i], at)
		}
		if err := rows.Err(); err != nil {
			tw.t.Fatal(err)
		}
	}
	return done
}

// reasons counts why they happened.
func (tw *twin) reasons() map[Code]int {
	count := map[Code]int{}
	for _, c := range []Code{Planned, TopUp, CatchUp, Presence, Burst, Retry} {
		count[c] = tw.number("SELECT count(*) FROM ledger WHERE reason = ? AND background = 1 AND at >= ?", string(c), tw.start.Unix())
	}
	return count
}

// replay is what the lab makes of the same trace under these rules, from this state.
func (tw *twin) replay(rules schedule.Rules, state policy.State, end int64) [][]int64 {
	tw.t.Helper()
	u := &traces.User{ID: "twin", Zone: tw.trace.zone, Accesses: tw.trace.accesses, Presence: tw.trace.signs, Awake: tw.trace.awake()}
	for _, f := range state.Inputs.Feeds {
		i := slices.Index(tw.ids, f.ID)
		u.Feeds = append(u.Feeds, traces.Feed{ID: fmt.Sprint(f.ID), Posts: tw.trace.feeds[i].posts})
	}
	w := lab.NewWorldBetween(tw.start.Unix(), end, u, lab.Protocol{Warmup: 700 * day, Weeks: 1, Relearn: day})
	fetches, err := w.Fetches(tw.t.Context(), policy.TwinFrom(rules, state), 0)
	if err != nil {
		tw.t.Fatal(err)
	}
	for _, a := range state.Answers {
		if a.Unasked {
			fetches[a.Feed] = slices.DeleteFunc(fetches[a.Feed], func(at int64) bool { return at == a.At })
		}
	}
	return fetches
}

// firstDifference says where the fetches of two runs part; "" if they don't.
func (tw *twin) firstDifference(loop, lab [][]int64) string {
	type fork struct {
		feed, at int
		when     int64
	}
	var first *fork
	for i := range loop {
		for k := range max(len(loop[i]), len(lab[i])) {
			a, b := at(loop[i], k), at(lab[i], k)
			if a == b {
				continue
			}
			if f := (fork{i, k, min(a, b)}); first == nil || f.when < first.when {
				first = &f
			}
			break
		}
	}
	if first == nil {
		return ""
	}
	when := func(of []int64) string {
		if first.at >= len(of) {
			return "never"
		}
		return time.Unix(of[first.at], 0).UTC().Format("Mon 02 15:04:05")
	}
	return fmt.Sprintf("fetch %d of feed %d: in the loop %s, in the lab %s", first.at, tw.state.Inputs.Feeds[first.feed].ID,
		when(loop[first.feed]), when(lab[first.feed]))
}

func at(of []int64, k int) int64 {
	if k < len(of) {
		return of[k]
	}
	return 1 << 62
}
