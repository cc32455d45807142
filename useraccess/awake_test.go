package useraccess

import (
	"slices"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

func noteAwake(t *testing.T, l *Log, from, to time.Time) {
	t.Helper()
	if err := l.NoteAwake(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
}

func wakingsOf(t *testing.T, l *Log, now time.Time) []rate.Waking {
	t.Helper()
	w, err := l.Wakings(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w {
		w[i].Since, w[i].From, w[i].To = w[i].Since.UTC(), w[i].From.UTC(), w[i].To.UTC()
	}
	return w
}

func TestAwakeLog(t *testing.T) {
	l := newLog(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	noteAwake(t, l, at(0), at(10))
	for _, minutes := range []int{30, 20} { // it goes on; late news
		if there, err := l.ProlongAwake(t.Context(), at(0), at(minutes)); err != nil || !there {
			t.Fatal(there, err)
		}
	}
	if there, err := l.ProlongAwake(t.Context(), at(1), at(30)); err != nil || there {
		t.Errorf("prolonged what is not in the log: %t, %v", there, err)
	}
	noteAwake(t, l, at(60), at(90))
	want := []rate.Waking{{Since: at(0), From: at(0), To: at(30)}, {Since: at(30), From: at(60), To: at(90)}}
	if got := wakingsOf(t, l, at(90)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := wakingsOf(t, l, at(70)); len(got) != 2 || !got[1].To.Equal(at(70)) {
		t.Errorf("up to 70 minutes: %v", got)
	}
	if err := l.StopWatching(t.Context()); err != nil {
		t.Fatal(err)
	}
	noteAwake(t, l, at(500), at(510))
	if got := wakingsOf(t, l, at(600)); len(got) != 3 || !got[2].Since.Equal(at(500)) {
		t.Errorf("nobody watched until %v: %v", at(500), got)
	}
	later := at(510).Add(awakeKept)
	noteAwake(t, l, later, later.Add(time.Hour))
	if got := wakingsOf(t, l, later.Add(time.Hour)); len(got) != 1 {
		t.Errorf("old ones are kept: %v", got)
	}
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := wakingsOf(t, l, later); len(got) != 0 {
		t.Errorf("after clearing: %v", got)
	}
}

// What was logged under a clock that was wrong goes when the clock is right again.
func TestAwakeLogOfTheFuture(t *testing.T) {
	l := newLog(t)
	noteAwake(t, l, noon.AddDate(3, 0, 0), noon.AddDate(3, 0, 1))
	noteAwake(t, l, noon, noon.Add(time.Hour))
	if got := wakingsOf(t, l, noon.AddDate(9, 0, 0)); len(got) != 1 || !got[0].From.Equal(noon) {
		t.Errorf("%v", got)
	}
}
