package poller

import (
	"context"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/useraccess/rate"
)

// signedWorld is one with some feeds, a small budget and four weeks in which the user was seen. Three times a day there was a
// sign, and after it a visit if it foretells any, otherwise at random.
func signedWorld(t *testing.T, foretells bool) (*world, *cable) {
	t.Helper()
	w, c, _ := wired(t, "a", "b", "c")
	w.setBudget("40")
	log, start := w.planner.log, w.clock.Now().AddDate(0, 0, -28)
	for n := range 28 * 3 {
		at := start.Add(time.Duration(n) * 8 * time.Hour).Add(time.Duration(n*37%240) * time.Minute)
		if added, err := log.RecordSign(t.Context(), rate.Unlock, at); err != nil || !added {
			t.Fatal(added, err)
		}
		visit := at.Add(time.Duration(1+n*17%29) * time.Minute)
		if !foretells {
			visit = start.Add(time.Duration(n) * 8 * time.Hour).Add(time.Duration(n*53%470+5) * time.Minute)
		}
		if _, err := log.Record(t.Context(), visit); err != nil {
			t.Fatal(err)
		}
	}
	w.Changed()
	w.settled()
	w.live(7 * time.Hour)
	w.outcomes()
	return w, c
}

// sign gives a sign, and counts what is fetched for the visit within ten minutes.
func (w *world) sign(kind rate.Sign) (fetched int) {
	w.t.Helper()
	if err := w.NoteSign(w.t.Context(), kind); err != nil {
		w.t.Fatal(err)
	}
	w.live(10 * time.Minute)
	for _, o := range w.outcomes() {
		if o.Reason == Presence {
			fetched++
		}
	}
	return fetched
}

// What a sign foretells is prepared before the visit, out of the budget; other signs, and the same one again, change nothing.
func TestSignsPrepareTheVisit(t *testing.T) {
	slowWithRace(t)
	w, _ := signedWorld(t, true)
	before := w.number("SELECT count(*) FROM ledger WHERE background = 1")
	if n := w.sign(rate.Plugged); n != 0 {
		t.Errorf("%d fetches after a sign of which nothing is known", n)
	}
	if n := w.sign(rate.Unlock); n < 2 {
		t.Errorf("%d fetches before a visit that was foretold", n)
	}
	if n := w.number("SELECT count(*) FROM ledger WHERE background = 1 AND reason = 'presence'"); n < 2 || n > w.number("SELECT count(*) FROM ledger WHERE background = 1")-before {
		t.Errorf("%d fetches are in the ledger", n)
	}
	if err := w.NoteSign(t.Context(), rate.Resume); err != nil {
		t.Fatal(err)
	}
	w.settled()
	for range 1000 {
		w.clock.add(60 * time.Millisecond)
		if err := w.NoteSign(t.Context(), rate.Resume); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-w.signals.wake:
		t.Error("a thousand unlocks a minute wake the loop")
	default:
	}
	if n := w.number("SELECT count(*) FROM presence WHERE at > ?", w.clock.Now().Add(-time.Hour).Unix()); n != 3 {
		t.Errorf("%d signs are logged of the last hour", n)
	}
}

// For somebody for whom signs foretell nothing, nothing happens.
func TestFalseSignsDoNothing(t *testing.T) {
	w, _ := signedWorld(t, false)
	made := w.planner.madeAt
	if err := w.NoteSign(t.Context(), rate.Unlock); err != nil {
		t.Fatal(err)
	}
	w.settled()
	if n := len(w.outcomes()); n != 0 || !w.planner.madeAt.Equal(made) {
		t.Errorf("%d fetches; planned at %v, before at %v", n, w.planner.madeAt, made)
	}
}

// While learning is off nothing is logged, and what was learned before is left out.
func TestSignsWithoutLearning(t *testing.T) {
	w, _ := signedWorld(t, true)
	w.planner.awake.learning = func(context.Context) (bool, error) { return false, nil }
	logged := w.number("SELECT count(*) FROM presence")
	if n := w.sign(rate.Unlock); n != 0 {
		t.Errorf("%d fetches", n)
	}
	if n := w.number("SELECT count(*) FROM presence"); n != logged {
		t.Errorf("%d signs logged", n-logged)
	}
	if in, err := w.planner.inputs(t.Context(), w.clock.Now()); err != nil || in.Signs != (rate.Foretelling{}) {
		t.Errorf("%+v, %v", in.Signs, err)
	}
}

// Without a network a sign waits for it.
func TestSignsWaitForTheNetwork(t *testing.T) {
	w, c := signedWorld(t, true)
	c.cut = true
	w.SetPowerState(PowerState{NoNetwork: true})
	w.settled()
	if n := w.sign(rate.Unlock); n != 0 {
		t.Fatalf("%d fetches without a network", n)
	}
	c.cut = false
	w.SetPowerState(PowerState{})
	w.live(10 * time.Minute)
	prepared := 0
	for _, o := range w.outcomes() {
		if o.Reason == Presence {
			prepared++
		}
	}
	if prepared < 2 {
		t.Errorf("%d fetches for the visit once there was a network", prepared)
	}
}

// Off the plan, a sign is an occasion after the window and a catch-up.
func TestOccasionOfASign(t *testing.T) {
	now := monday
	o := schedule.Observation{Now: now, Before: now, Made: schedule.BasisOf(now, 9), Budget: 9, Foretold: true}
	if code, due := rules.Occasion(o); code != schedule.Presence || !due {
		t.Errorf("%q, %v", code, due)
	}
	o.Opened = true
	if code, _ := rules.Occasion(o); code != schedule.TopUp {
		t.Errorf("with the window opened: %q", code)
	}
	o.Opened, o.Before = false, now.Add(-time.Hour)
	if code, _ := rules.Occasion(o); code != schedule.CatchUp {
		t.Errorf("after sleep: %q", code)
	}
	o.Foretold, o.Before = false, now
	if code, due := rules.Occasion(o); code != "" || due {
		t.Errorf("without a sign: %q, %v", code, due)
	}
}
