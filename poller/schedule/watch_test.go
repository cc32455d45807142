package schedule

import (
	"testing"
	"time"
)

func TestOccasions(t *testing.T) {
	r := Default()
	late := Due{Instant: Instant{Feed: 1, At: monday.Add(-Overdue - time.Second)}}
	running := late
	running.Running = true
	for name, tt := range map[string]struct {
		change func(l *Observation)
		code   Code
		due    bool
	}{
		"nothing":                        {func(*Observation) {}, "", false},
		"something changed":              {func(l *Observation) { l.Changed = true }, "", true},
		"another budget":                 {func(l *Observation) { l.Budget++ }, "", true},
		"the next slot":                  {func(l *Observation) { l.Now, l.Before = l.Now.Add(4*time.Hour), l.Now.Add(4*time.Hour) }, "", true},
		"another zone":                   {func(l *Observation) { l.Now = l.Now.In(time.FixedZone("", 3600)) }, "", true},
		"the window was opened":          {func(l *Observation) { l.Opened = true }, TopUp, true},
		"the machine slept":              {func(l *Observation) { l.Before = l.Now.Add(-Asleep - time.Second) }, CatchUp, true},
		"an instant has passed":          {func(l *Observation) { l.Due = []Due{late} }, CatchUp, true},
		"an instant passed, in progress": {func(l *Observation) { l.Due = []Due{running} }, "", false},
		"slept, without a network":       {func(l *Observation) { l.Before, l.Offline = l.Now.Add(-day), true }, "", false},
	} {
		l := Observation{Now: monday, Before: monday.Add(-time.Minute), Made: BasisOf(monday, 10), Budget: 10}
		tt.change(&l)
		if code, due := r.Occasion(l); code != tt.code || due != tt.due {
			t.Errorf("%s: %q, %v, want %q, %v", name, code, due, tt.code, tt.due)
		}
	}
}

// The basis changes at NextBasis and not a second before.
func TestNextBasis(t *testing.T) {
	for _, zone := range []int{0, 3600, -5 * 3600, 5*3600 + 1800} {
		now := monday.In(time.FixedZone("", zone))
		for range 20 {
			next := NextBasis(now).In(now.Location())
			if !next.After(now) || BasisOf(next.Add(-time.Second), 1) != BasisOf(now, 1) || BasisOf(next, 1) == BasisOf(now, 1) {
				t.Fatalf("zone %d: after %s comes %s", zone, now, next)
			}
			now = next
		}
	}
}
