package useraccess

import (
	"testing"
	"time"

	"kairos/useraccess/rate"
)

var signsStart = time.Date(2026, 3, 2, 7, 0, 0, 0, time.FixedZone("", 3600))

func recordSign(t testing.TB, l *Log, kind rate.Sign, at time.Time) bool {
	t.Helper()
	added, err := l.RecordSign(t.Context(), kind, at)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func signsOf(t testing.TB, l *Log) []Sign {
	t.Helper()
	signs, err := l.Signs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return signs
}

func foretelling(t testing.TB, l *Log, now time.Time) rate.Foretelling {
	t.Helper()
	f, err := l.Foretelling(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// signedWeeks logs a visit 15 minutes after an unlock, at other times every day, and returns the day after.
func signedWeeks(t testing.TB, l *Log, days int) (after time.Time) {
	for n := range days {
		at := signsStart.AddDate(0, 0, n).Add(time.Duration(n*7%12) * time.Hour)
		recordSign(t, l, rate.Unlock, at)
		record(t, l, at.Add(15*time.Minute))
	}
	return signsStart.AddDate(0, 0, days)
}

// What signs foretell is learned from the log, and a sign raises what is expected until the user has come.
func TestSignsForetellVisits(t *testing.T) {
	l := newLog(t)
	if f := foretelling(t, l, signsStart); f.Share != 0 || f.Chance != 0 {
		t.Errorf("an empty log foretells %+v", f)
	}
	now := signedWeeks(t, l, 40).Add(3 * time.Hour)
	if f := foretelling(t, l, now); f.Chance != 0 || f.Share < 0.5 {
		t.Errorf("without a sign: chance %v, share %v", f.Chance, f.Share)
	}
	if !recordSign(t, l, rate.Unlock, now) {
		t.Fatal("not logged")
	}
	if f := foretelling(t, l, now.Add(time.Minute)); f.Chance < 0.6 || f.Sign.Kind != rate.Unlock {
		t.Errorf("after a sign: chance %v of %+v", f.Chance, f.Sign)
	}
	if f := foretelling(t, l, now.Add(-time.Hour)); f.Chance != 0 {
		t.Errorf("with the clock set back: chance %v", f.Chance)
	}
	record(t, l, now.Add(12*time.Minute))
	if f := foretelling(t, l, now.Add(13*time.Minute)); f.Chance != 0 {
		t.Errorf("after the visit: chance %v", f.Chance)
	}
}

// A bus that sends a thousand signs a minute fills no disk, and what is old is forgotten.
func TestSignsAreBounded(t *testing.T) {
	l := newLog(t)
	for i := range 2000 {
		recordSign(t, l, rate.Sign([]rate.Sign{rate.Unlock, rate.Resume, "nonsense"}[i%3]), signsStart.Add(time.Duration(i)*100*time.Millisecond))
	}
	signs := signsOf(t, l)
	if len(signs) != 2 || signs[0].Kind != rate.Unlock || signs[1].Kind != rate.Resume || !signs[0].At.Equal(signsStart) {
		t.Errorf("%+v", signs)
	}
	if _, zone := signs[0].At.Zone(); zone != 3600 {
		t.Errorf("logged in the zone %v", zone)
	}
	if recordSign(t, l, rate.Unlock, signsStart.Add(-rate.SignPause+time.Second)) {
		t.Error("logged, shortly before another, after the clock was set back")
	}
	recordSign(t, l, rate.Plugged, signsStart.Add(signsKept+time.Minute))
	if signs := signsOf(t, l); len(signs) != 1 || signs[0].Kind != rate.Plugged {
		t.Errorf("%+v", signs)
	}
}

// Signs are cleared with the log, and forgotten and taken back with a span of it.
func TestSignsAreForgotten(t *testing.T) {
	l := newLog(t)
	now := signedWeeks(t, l, 30)
	before, chance := signsOf(t, l), foretelling(t, l, now).Share
	from := signsStart.AddDate(0, 0, 10)
	if _, err := l.Forget(t.Context(), from, now, now); err != nil {
		t.Fatal(err)
	}
	if signs := signsOf(t, l); len(signs) != 10 {
		t.Errorf("%d signs left of %d", len(signs), len(before))
	}
	if _, err := l.Restore(t.Context(), from, now); err != nil {
		t.Fatal(err)
	}
	after := signsOf(t, l)
	if len(after) != len(before) || after[20] != before[20] && !after[20].At.Equal(before[20].At) || after[20].expected != before[20].expected {
		t.Errorf("%d signs taken back of %d: %+v, %+v", len(after), len(before), after[20], before[20])
	}
	if again := foretelling(t, l, now).Share; again != chance {
		t.Errorf("share %v, before %v", again, chance)
	}
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if signs := signsOf(t, l); len(signs) > 0 || foretelling(t, l, now) != (rate.Foretelling{}) {
		t.Errorf("after clearing: %+v", signs)
	}
}
