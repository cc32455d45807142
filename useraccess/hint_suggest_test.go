package useraccess

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestSuggestHints(t *testing.T) {
	zone := time.FixedZone("", 3600)
	r := rand.New(rand.NewPCG(1, 2))
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, zone)
	var read []time.Time
	for d := range 28 {
		day := monday.AddDate(0, 0, d)
		visit := func(hour, minute int) {
			for k := range 4 {
				read = append(read, day.Add(time.Duration(hour)*time.Hour+time.Duration(minute+k*3+r.IntN(8))*time.Minute).UTC())
			}
		}
		visit(21, 0)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			visit(7, 30)
		}
		if r.IntN(3) == 0 {
			visit(r.IntN(20), 0)
		}
	}
	hints := SuggestHints(read, zone)
	var texts []string
	for _, h := range hints {
		texts = append(texts, h.String())
	}
	if len(hints) != 2 {
		t.Fatalf("%v", texts)
	}
	for _, want := range []struct {
		minute int
		days   Days
	}{{7*60 + 30, Workdays}, {21 * 60, EveryDay}} {
		if !slices.ContainsFunc(hints, func(h Hint) bool { return h.Days == want.days && apart(h.Minute, want.minute) <= 10 }) {
			t.Errorf("%v lack %d", texts, want.minute)
		}
	}
	if hints := SuggestHints(read[:12], zone); len(hints) != 0 {
		t.Errorf("three days are no habit: %v", hints)
	}
	if hints := SuggestHints(nil, zone); hints != nil {
		t.Errorf("%v", hints)
	}
}
