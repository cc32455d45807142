package lab

import (
	"slices"
	"testing"

	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// lookout is a loop that notes when it was woken and which signs it knew then.
type lookout struct {
	woken []int64
	known []int
}

func (l *lookout) Step(v *View) (fetch []int, next int64, err error) {
	l.woken, l.known = append(l.woken, v.Now()), append(l.known, len(v.Presence()))
	if s := v.Presence(); cap(s) != len(s) || len(s) > 0 && s[len(s)-1].At >= v.Now() {
		panic("a sign of the future is known")
	}
	return nil, Never, nil
}

func (*lookout) Fetched(*View, int) bool { return false }

// A loop is woken in the second after each sign, or when the machine wakes after it, and knows those of
// the warm-up from the start.
func TestSignsWakeTheLoop(t *testing.T) {
	const start = 1767571200
	u := &traces.User{ID: "u", Feeds: []traces.Feed{{ID: "a"}}, Accesses: []int64{start + 5000}}
	for _, at := range []int64{-9000, -50, 1000, 1000, 4999, 20000, 90000} {
		u.Presence = append(u.Presence, traces.Sign{At: start + at, Kind: rate.Unlock})
	}
	replayed := func() *lookout {
		l := &lookout{}
		w := NewWorldBetween(start, start+daySeconds, u, Protocol{Warmup: 3600e9, Relearn: day})
		if _, err := w.Fetches(t.Context(), Policy{OwnPace: true, StartLoop: func(*View, float64) Loop { return l }}, 0); err != nil {
			t.Fatal(err)
		}
		for i := range l.woken {
			l.woken[i] -= start
		}
		return l
	}
	if l := replayed(); !slices.Equal(l.woken, []int64{0, 1001, 5000, 5001, 20001}) || !slices.Equal(l.known, []int{1, 3, 4, 4, 5}) {
		t.Errorf("woken at %v, knowing %v signs", l.woken, l.known)
	}
	u.Awake = []traces.Span{{From: start - 7200, To: start + 6000}, {From: start + 30000, To: start + daySeconds}}
	if l := replayed(); !slices.Equal(l.woken, []int64{0, 1001, 5000, 5001, 30000}) {
		t.Errorf("with sleep woken at %v", l.woken)
	}
}
