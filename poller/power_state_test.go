package poller

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan"
	"kairos/reader"
)

func TestSavingReasons(t *testing.T) {
	tests := []struct {
		saver  Saver
		power  PowerState
		saving bool
		why    string
	}{
		{SaverAuto, PowerState{}, false, "[]"},
		{SaverAuto, PowerState{NoNetwork: true}, false, "[]"},
		{SaverAuto, PowerState{Battery: true}, true, "[battery]"},
		{SaverAuto, PowerState{PowerSaver: true}, true, "[power-saver]"},
		{SaverAuto, PowerState{Metered: true}, true, "[metered]"},
		{SaverAuto, PowerState{true, true, true, true}, true, "[battery power-saver metered]"},
		{SaverOn, PowerState{}, true, "[]"},
		{SaverOn, PowerState{Battery: true}, true, "[]"},
		{SaverOff, PowerState{true, true, true, true}, false, "[]"},
	}
	for _, tt := range tests {
		b := Budget{Normal: Balanced, Saver: tt.saver, Power: tt.power}
		if b.Saving() != tt.saving || fmt.Sprint(b.SavingReasons()) != tt.why {
			t.Errorf("%s, %+v: saving %v, %v", tt.saver, tt.power, b.Saving(), b.SavingReasons())
		}
		if want := map[bool]int{true: 20, false: 80}[tt.saving]; b.PerDay(10) != want {
			t.Errorf("%s, %+v: %d a day, not %d", tt.saver, tt.power, b.PerDay(10), want)
		}
	}
}

// Each change of the power state replans at the loop's next step.
func TestPowerStateReplans(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	if err := w.SetSaver(t.Context(), SaverAuto); err != nil {
		t.Fatal(err)
	}
	w.settled()
	for _, s := range []PowerState{{Battery: true}, {}, {PowerSaver: true}, {}, {Metered: true}, {Battery: true, Metered: true}, {}} {
		w.clock.add(30 * time.Second)
		w.SetPowerState(s)
		w.settled()
		want := 40
		if s != (PowerState{}) {
			want = 10
		}
		if st, err := w.Status(t.Context()); err != nil || st.PerDay != want || st.Planned > want*3/2 || st.Budget.Power != s {
			t.Errorf("%+v: %+v, %v", s, st, err)
		}
		w.planner.mu.Lock()
		if !w.planner.madeAt.Equal(w.clock.Now()) || w.planner.basis.Budget != float64(want) {
			t.Errorf("%+v: planned at %s for %v a day", s, w.planner.madeAt, w.planner.basis.Budget)
		}
		w.planner.mu.Unlock()
		made := w.clock.Now()
		w.clock.add(10 * time.Second)
		w.SetPowerState(s) // no news
		w.settled()
		w.planner.mu.Lock()
		if !w.planner.madeAt.Equal(made) {
			t.Errorf("%+v: remade for nothing", s)
		}
		w.planner.mu.Unlock()
	}
}

// saverFeeds are many, so that a burst of them is seen.
const saverFeeds = 30

// saverWorld has these feeds, half a day behind it, and an automatic saver.
func saverWorld(t *testing.T) *world {
	w := newWorld(t)
	for i := range saverFeeds {
		w.web.posting(fmt.Sprint("/", i), time.Duration(i%12+1)*time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	if err := w.SetSaver(t.Context(), SaverAuto); err != nil {
		t.Fatal(err)
	}
	w.settled()
	w.live(12 * time.Hour)
	w.web.requests()
	return w
}

// busiest is the most requests that came within so long.
func busiest(asks []ask, within time.Duration) (most int) {
	for i := range asks {
		n := 0
		for _, a := range asks[i:] {
			if a.at.Sub(asks[i].at) < within {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// After hours of saving most feeds are out of date: they are fetched gradually, not all at
// once, and the start of saving causes no fetch.
func TestFetchesResumeGraduallyAfterSaving(t *testing.T) {
	slowWithRace(t)
	w := saverWorld(t)
	w.SetPowerState(PowerState{Battery: true})
	w.live(30 * time.Minute)
	if n := len(w.web.requests()); n > saverFeeds/3 {
		t.Errorf("%d fetches as saving begins", n)
	}
	w.live(5 * time.Hour)
	w.web.requests()
	w.SetPowerState(PowerState{})
	w.live(time.Hour)
	asks := w.web.requests()
	if n := busiest(asks, 5*time.Minute); n > 6 {
		t.Errorf("%d fetches within 5 minutes as saving ends", n)
	}
	asked := map[string]int{}
	for _, a := range asks {
		asked[a.path]++
	}
	if len(asked) < saverFeeds*2/3 {
		t.Errorf("%d of %d feeds are up to date again", len(asked), saverFeeds)
	}

	// A plug that is loose, or a key that is played with, is no reason either.
	w.SetPowerState(PowerState{Battery: true})
	w.live(5 * time.Hour)
	w.web.requests()
	for i := range 20 {
		w.SetPowerState(PowerState{Battery: i%2 == 1})
		w.live(45 * time.Second)
	}
	if n := busiest(w.web.requests(), 5*time.Minute); n > 6 {
		t.Errorf("%d fetches within 5 minutes of a loose plug", n)
	}
}

// What the opened window asks for does not wait for the ramp.
func TestOpenedWindowDoesNotWaitForTheRamp(t *testing.T) {
	w := saverWorld(t)
	if err := w.SetMethod(t.Context(), plan.Exact); err != nil { // which tops up for a little delay
		t.Fatal(err)
	}
	w.SetPowerState(PowerState{Battery: true})
	w.live(5 * time.Hour)
	w.SetPowerState(PowerState{})
	w.settled()
	w.web.requests()
	w.Opened()
	w.settled()
	if n := len(w.web.requests()); n < saverFeeds/2 {
		t.Errorf("%d fetches as the window is opened", n)
	}
}

// While the system reports no network none is tried; when it reports one again it is probed at
// once. Feeds of this machine are fetched meanwhile.
func TestUnplugged(t *testing.T) {
	w, c, feeds := wired(t, "a", "b", "c")
	w.web.posting("/here", time.Hour)
	here := w.subscribe(reader.Feed{URL: "http://localhost/here"})
	w.settled()
	w.live(time.Hour)
	c.cut = true // but for this machine
	c.here = true
	w.SetPowerState(PowerState{NoNetwork: true})
	w.settled()
	w.web.requests()
	w.outcomes()
	w.Opened()
	w.live(9 * time.Hour)
	count := map[string]int{}
	for _, o := range w.outcomes() {
		if o.Feed != here.ID {
			t.Errorf("tried without a network: %+v", o)
		}
		count[o.Title]++
	}
	if n := count["/here"]; n < 2 || n > 9 {
		t.Errorf("this machine's own feed was fetched %d times in 9 h", n)
	}
	for _, f := range feeds {
		if s := w.stateOf(f.ID); s.Failures != 0 || !s.Message.IsZero() {
			t.Errorf("feed %d is blamed: %+v", f.ID, s)
		}
	}
	if s, err := w.Status(t.Context()); err != nil || !s.Offline {
		t.Errorf("status: %+v, %v", s, err)
	}
	if o := w.byHand(feeds[0].ID); o[0].Result != Offline || w.stateOf(feeds[0].ID).Failures != 0 {
		t.Errorf("by hand: %+v", o)
	}

	c.cut = false
	w.outcomes()
	w.SetPowerState(PowerState{})
	w.turn()
	if out := w.outcomes(); len(out) != 1 || out[0].Reason != Probe || out[0].Feed == here.ID || out[0].Result == Offline {
		t.Errorf("back: %+v", out)
	}
	w.settled()
	reasons := map[Code]int{}
	for _, o := range w.outcomes() {
		if o.Feed != here.ID {
			reasons[o.Reason]++
		}
	}
	if reasons[Probe] != 0 || reasons[TopUp]+reasons[CatchUp] != 2 {
		t.Errorf("once the probe is answered: %v", reasons)
	}
	if s, _ := w.Status(t.Context()); s.Offline {
		t.Error("still offline")
	}
}

// A network that the system reports is not believed until a server answers.
func TestPluggedInWithoutAnAnswer(t *testing.T) {
	w, c, _ := wired(t, "a", "b", "c")
	w.live(time.Hour)
	c.cut = true
	w.SetPowerState(PowerState{NoNetwork: true})
	w.live(3 * time.Hour)
	w.outcomes()
	w.SetPowerState(PowerState{})
	w.live(2 * time.Minute)
	out := w.outcomes()
	if len(out) < 2 || slices.ContainsFunc(out, func(o Outcome) bool { return o.Reason != Probe || o.Result != Offline }) {
		t.Errorf("%+v", out)
	}
	for range 3 {
		w.SetPowerState(PowerState{NoNetwork: true})
		w.clock.add(5 * time.Second)
		w.settled()
		if out := w.outcomes(); len(out) != 0 {
			t.Errorf("gone again: %+v", out)
		}
		if w.SetPowerState(PowerState{}); len(w.signals.wake) == 0 {
			t.Error("the loop is not woken up")
		}
		w.settled()
		if out := w.outcomes(); len(out) != 1 || out[0].Reason != Probe {
			t.Errorf("there again, it is probed at once: %+v", out)
		}
	}
}

// If all feeds are on this machine no network is needed, and without one the loop does not
// stay awake.
func TestUnpluggedOnThisMachine(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/a", 47*time.Minute) // at no regular time: something may wait at any
	w.subscribePaths("/a")
	if err := w.SetMethod(t.Context(), plan.Exact); err != nil { // which tops up for a little delay
		t.Fatal(err)
	}
	w.SetPowerState(PowerState{NoNetwork: true})
	w.settled()
	w.live(day)
	if n := len(w.web.requests()); n < 7 {
		t.Errorf("%d fetches in a day", n)
	}
	// Whether a top-up is worth it follows from when the last fetch was.
	topUp := func(o Outcome) bool { return o.Reason == TopUp }
	var out []Outcome
	for end := w.clock.Now().Add(day); w.clock.Now().Before(end) && !slices.ContainsFunc(out, topUp); {
		w.live(40 * time.Minute)
		w.outcomes()
		w.Opened()
		w.settled()
		out = w.outcomes()
	}
	if !slices.ContainsFunc(out, topUp) {
		t.Errorf("as the window is opened: %+v", out)
	}
	if s, err := w.Status(t.Context()); err != nil || s.Offline {
		t.Errorf("%+v, %v", s, err)
	}
	// A feed beyond it is neither tried nor blamed, and wakes nobody up.
	f := w.subscribe(reader.Feed{URL: "http://far.invalid/a"})
	next := w.settled()
	if s := w.stateOf(f.ID); !s.Tried.IsZero() || s.Failures > 0 {
		t.Errorf("%+v", s)
	}
	if wait := next.Sub(w.clock.Now()); wait < tick {
		t.Errorf("without a network the loop wakes up after %s", wait)
	}
	if s, err := w.Status(t.Context()); err != nil || !s.Offline {
		t.Errorf("%+v, %v", s, err)
	}
}

// A server's answer overrides the system's report, until the system reports something new.
func TestAnswerOverridesTheSystem(t *testing.T) {
	w, _, feeds := wired(t, "a", "b")
	w.SetPowerState(PowerState{NoNetwork: true})
	w.clock.add(time.Hour)
	w.settled()
	if n := len(w.web.requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	// One that was asked before proves nothing.
	answer := w.web.page["/b"]
	w.web.on("/b", func(out http.ResponseWriter, r *http.Request) {
		w.SetPowerState(PowerState{})
		w.clock.add(time.Second)
		w.SetPowerState(PowerState{NoNetwork: true})
		answer(out, r)
	})
	if o := w.byHand(feeds[1].ID); o[0].Result == Offline {
		t.Errorf("by hand: %+v", o)
	}
	w.web.on("/b", answer)
	w.web.requests()
	w.live(8 * time.Hour)
	if n := len(w.web.requests()); n != 0 {
		t.Errorf("%d requests after an answer to what was asked before", n)
	}
	if o := w.byHand(feeds[0].ID); o[0].Result == Offline {
		t.Errorf("by hand: %+v", o)
	}
	w.live(8 * time.Hour)
	got := map[string]int{}
	for _, a := range w.web.requests() {
		got[a.path]++
	}
	if got["/a"] < 2 || got["/b"] < 2 {
		t.Errorf("%v", got)
	}
}

// A request under way when the network was lost blames no feed, even if the network is back
// when the request fails; a later failure does.
func TestNetworkLostDuringARequest(t *testing.T) {
	w, f := one(t)
	far := f
	far.URL = "http://far.example/a"
	w.wire()
	w.update(far)
	w.live(time.Hour)
	during := func() {}
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		during()
		panic(http.ErrAbortHandler)
	})
	for name, then := range map[string]func(){
		"gone": func() { w.SetPowerState(PowerState{NoNetwork: true}) },
		"and back": func() {
			w.SetPowerState(PowerState{NoNetwork: true})
			w.clock.add(5 * time.Second)
			w.SetPowerState(PowerState{})
		},
	} {
		during = then
		w.clock.add(time.Hour)
		if o := w.byHand(f.ID)[0]; o.Result != Offline || o.Message.Code != NetworkLost || w.stateOf(f.ID).Failures > 0 {
			t.Errorf("%s: %+v", name, o)
		}
		during = func() {}
		w.SetPowerState(PowerState{})
	}
	w.clock.add(time.Hour)
	if o := w.byHand(f.ID)[0]; o.Result != Failed || w.stateOf(f.ID).Failures != 1 {
		t.Errorf("a server's fault: %+v", o)
	}
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		w.SetPowerState(PowerState{NoNetwork: true})
		http.Error(out, "no", http.StatusInternalServerError)
	})
	w.clock.add(time.Hour)
	if o := w.byHand(f.ID)[0]; o.Result != Failed || w.stateOf(f.ID).Failures != 2 {
		t.Errorf("what the server itself said: %+v", o)
	}
}

func TestOfThisMachine(t *testing.T) {
	for address, want := range map[string]bool{
		"file:/tmp/a.xml": true, "http://127.0.0.1:8080/a": true, "http://127.8.9.1/": true, "https://[::1]:9/a": true,
		"http://localhost/a": true, "http://LocalHost.:80/": true, "http://feeds.localhost/": true, "http://[::ffff:127.0.0.1]/": true,
		"http://192.168.1.4/": false, "http://10.0.0.1/": false, "http://localhost.example/": false, "http://notlocalhost/": false,
		"https://example.org/": false, "http://[fe80::1]/": false, "http://0.0.0.0/": false, ":": false,
	} {
		if got := ofThisMachine(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// The running loop follows a change at once, not at its next tick.
func TestRunFollowsThePowerState(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		w.web.posting(fmt.Sprint("/", i), time.Hour)
		w.subscribePaths(fmt.Sprint("/", i))
	}
	if err := w.SetSaver(t.Context(), SaverAuto); err != nil {
		t.Fatal(err)
	}
	w.settled()
	changes, stop := w.store.Watch()
	defer stop()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	w.SetPowerState(PowerState{Metered: true})
	for planned := 0; planned != 6; {
		<-changes
		planned = w.number("SELECT CAST(per_day AS INTEGER) FROM bucket")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// When battery saver was in force is known for the last day, also after a restart.
func TestTimesOfBatterySaver(t *testing.T) {
	w := saverWorld(t)
	start := w.clock.Now()
	saved := func(want ...[2]time.Duration) {
		t.Helper()
		all, err := w.SavingSince(t.Context(), start)
		if err != nil || len(all) != len(want) {
			t.Fatalf("%v, %v", all, err)
		}
		for i, s := range all {
			from, to := s.From.Sub(start), time.Duration(0)
			if !s.To.IsZero() {
				to = s.To.Sub(start)
			}
			const step = 5 * time.Minute // between two looks of the loop
			if from < want[i][0] || from > want[i][0]+step || to < want[i][1] || to > want[i][1]+step {
				t.Errorf("from %v to %v, want %v", from, to, want[i])
			}
		}
	}
	saved()
	w.SetPowerState(PowerState{Battery: true})
	w.live(2 * time.Hour)
	saved([2]time.Duration{0, 0})
	w.SetPowerState(PowerState{})
	w.live(time.Hour)
	saved([2]time.Duration{0, 2 * time.Hour})
	w.SetPowerState(PowerState{Metered: true})
	w.live(time.Hour)
	w.budget.noted = nil // as after a restart
	w.live(time.Hour)
	saved([2]time.Duration{0, 2 * time.Hour}, [2]time.Duration{3 * time.Hour, 0})
	if n := w.number("SELECT count(*) FROM saving"); n != 2 {
		t.Errorf("%d times are kept", n)
	}
	w.SetPowerState(PowerState{})
	w.live(3 * day)
	w.SetPowerState(PowerState{Battery: true})
	w.live(time.Hour)
	if n := w.number("SELECT count(*) FROM saving"); n != 1 {
		t.Errorf("%d times are kept after days", n)
	}
}
