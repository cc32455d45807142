package poller

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kairos/poller/lab/traces"
	"kairos/reader"
	"kairos/useraccess"
)

// World is a world for the tests of packages that import this one.
type World struct{ *world }

// NewWorld returns a world.
func NewWorld(t testing.TB) World {
	t.Helper()
	return World{newWorld(t)}
}

// NewWorldWithFeed returns a world with the feed /a, which posts every hour, fetched once.
func NewWorldWithFeed(t *testing.T) (World, reader.Feed) {
	t.Helper()
	w, f := one(t)
	return World{w}, f
}

// NewWorldWithRedirect returns a world with a feed that is redirected to an address.
func NewWorldWithRedirect(t *testing.T, code int, to string) (World, reader.Feed) {
	t.Helper()
	w, f := moving(t, code, to)
	return World{w}, f
}

// The following give access to the world's methods.

func (w World) On(path string, page http.HandlerFunc)        { w.web.on(path, page) }
func (w World) Posting(path string, every time.Duration)     { w.web.posting(path, every) }
func (w World) Page(path string) http.HandlerFunc            { return w.web.page[path] }
func (w World) Address(path string) string                   { return w.web.address(path) }
func (w World) SubscribeTo(f reader.Feed) reader.Feed        { w.t.Helper(); return w.subscribe(f) }
func (w World) SubscribePaths(paths ...string) []reader.Feed { return w.subscribePaths(paths...) }
func (w World) Update(f reader.Feed)                         { w.t.Helper(); w.update(f) }
func (w World) Exec(query string, args ...any)               { w.t.Helper(); w.exec(query, args...) }
func (w World) Now() time.Time                               { return w.clock.Now() }
func (w World) SetNow(t time.Time)                           { w.clock.set(t) }
func (w World) Advance(d time.Duration)                      { w.clock.add(d) }
func (w World) Live(d time.Duration)                         { w.t.Helper(); w.live(d) }
func (w World) Settled()                                     { w.t.Helper(); w.settled() }
func (w World) Restart()                                     { w.t.Helper(); w.restart() }
func (w World) ByHand(ids ...int64) []Outcome                { w.t.Helper(); return w.byHand(ids...) }
func (w World) Outcomes() []Outcome                          { return w.outcomes() }
func (w World) StateOf(feed int64) State                     { w.t.Helper(); return w.stateOf(feed) }
func (w World) PlanNow() *Plan                               { w.t.Helper(); return w.plan() }
func (w World) ChooseBudget(normal string)                   { w.t.Helper(); w.setBudget(normal) }

// Asking makes a path a feed with response headers and elements of its channel.
func (w World) Asking(path string, every time.Duration, header map[string]string, channel string) {
	w.web.asking(path, every, header, channel)
}

// FetchRepeatedly fetches a feed n times, days apart.
func (w World) FetchRepeatedly(f reader.Feed, days, n int) []Outcome { return w.fetches(f, days, n) }

// Life is a real loop with SQLite and HTTP under a virtual clock, on which a person reads feeds that
// show so many items.
type Life struct{ twin *twin }

// NewLife returns a life of so many days in which feeds post and the person comes at these times, in
// Unix seconds. Those before Monday are known at its start.
func NewLife(t *testing.T, posts [][]int64, accesses []int64, budget string, days, window int) Life {
	t.Helper()
	tr := twinTrace{accesses: accesses, budget: budget, days: days, window: window}
	for _, at := range posts {
		tr.feeds = append(tr.feeds, twinFeed{posts: at})
	}
	tr.read(3, monday.Unix())
	return Life{newTwin(t, tr)}
}

// Sleep lets the machine sleep in these spans, and the person come at these times only. It returns
// when it is awake.
func (l Life) Sleep(asleep []traces.Span, accesses []int64) []traces.Span {
	l.twin.trace.asleep, l.twin.trace.accesses = asleep, accesses
	return l.twin.trace.awake()
}

// Live lets the loop run to the end, and returns its background fetches by feed, in the order given.
func (l Life) Live() [][]int64 {
	l.twin.t.Helper()
	fetches := make([][]int64, len(l.twin.ids))
	for i, at := range l.twin.live() {
		fetches[slices.Index(l.twin.ids, l.twin.state.Inputs.Feeds[i].ID)] = at
	}
	l.twin.clock.set(l.twin.end)
	return fetches
}

func (l Life) Start() time.Time     { return l.twin.start }
func (l Life) End() time.Time       { return l.twin.end }
func (l Life) Store() *reader.Store { return l.twin.store }
func (l Life) Log() *useraccess.Log { return l.twin.planner.log }
func (l Life) Now() time.Time       { return l.twin.clock.Now() }

// Monday is where the clocks of the tests begin.
var Monday = monday

// SlowWithRace skips a slow test under the race detector.
var SlowWithRace = slowWithRace
