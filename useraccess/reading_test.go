package useraccess

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// interestIn returns the counts of a feed.
func interestIn(t testing.TB, l *Log, feed int64) rate.Interest {
	t.Helper()
	i, err := l.Interest(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func noteReadings(t testing.TB, l *Log, now time.Time, readings ...Reading) (changed bool) {
	t.Helper()
	changed, err := l.NoteReadings(t.Context(), now, readings...)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// An article counts once, and to have read it, whenever that was, outweighs to have passed over it.
func TestArticleCountsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		evidence     []Evidence
		read, passed float64
		changes      int
	}{
		"passed twice":             {[]Evidence{Passed, Passed}, 0, 1, 1},
		"read thrice":              {[]Evidence{Read, Read, ReadElsewhere}, 1, 0, 1},
		"read after passing":       {[]Evidence{Passed, Read}, 1, 0, 2},
		"passed after reading":     {[]Evidence{Read, Passed, Passed}, 1, 0, 1},
		"read elsewhere, then too": {[]Evidence{Passed, ReadElsewhere, Read}, 1, 0, 2},
	} {
		l := newLog(t)
		changes := 0
		for _, e := range c.evidence {
			if noteReadings(t, l, noon, Reading{noon, 1, 5, e}) {
				changes++
			}
		}
		if i := interestIn(t, l, 1); i.Read != c.read || i.Passed != c.passed || changes != c.changes {
			t.Errorf("%s: %+v after %d changes", name, i, changes)
		}
		if all, err := l.Interests(t.Context()); err != nil || len(all) != 1 || all[1] != interestIn(t, l, 1) {
			t.Errorf("%s: %v (%v)", name, all, err)
		}
	}
}

// Articles of different feeds are different, whatever their number.
func TestReadingsOfFeedsAreApart(t *testing.T) {
	l := newLog(t)
	noteReadings(t, l, noon, Reading{noon, 1, 5, Read}, Reading{noon, 2, 5, Passed})
	if a, b := interestIn(t, l, 1), interestIn(t, l, 2); a.Read != 1 || a.Passed != 0 || b.Read != 0 || b.Passed != 1 {
		t.Errorf("%+v %+v", a, b)
	}
}

// A clock that was wrong for a time leaves no counts of the future, which would never fade, and loses none.
func TestReadingsUnderAWrongClock(t *testing.T) {
	l := newLog(t)
	wrong := noon.AddDate(10, 0, 0)
	noteReadings(t, l, wrong, Reading{wrong, 1, 1, Passed})
	noteReadings(t, l, noon, Reading{noon, 1, 2, Passed})
	noteReadings(t, l, noon, Reading{noon, 1, 1, Read}) // opened under the wrong clock, read when it was set back
	noteReadings(t, l, noon, Reading{noon.Add(time.Hour), 1, 3, Read})
	if i := interestIn(t, l, 1); i.Read != 2 || i.Passed != 1 || !i.At.Equal(noon) {
		t.Errorf("%+v", i)
	}
	later := noteReadings(t, l, noon.Add(rate.InterestHalfLife), Reading{noon.Add(rate.InterestHalfLife), 1, 4, Read})
	if i := interestIn(t, l, 1); !later || math.Abs(i.Read-2) > 1e-9 || math.Abs(i.Passed-0.5) > 1e-9 {
		t.Errorf("a half-life later: %+v", i)
	}
}

// What is counted one by one is what all that is kept adds up to, in whatever order the days come.
func TestInterestIsTheSumOfReadings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	l, now := newLog(t), noon
	for range 300 {
		now = now.Add(time.Duration(rnd.IntN(36)) * time.Hour)
		noteReadings(t, l, now, Reading{now, 1 + rnd.Int64N(3), rnd.Int64N(150), Evidence(rnd.IntN(3))})
	}
	readings, err := l.Readings(t.Context(), now.Add(-readingsKept))
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]rate.Interest{}
	for _, r := range readings {
		want[r.Feed] = r.after(want[r.Feed])
	}
	for feed, w := range want {
		got := interestIn(t, l, feed).After(now, 0, 0)
		if w = w.After(now, 0, 0); math.Abs(got.Read-w.Read) > 0.05 || math.Abs(got.Passed-w.Passed) > 0.05 {
			t.Errorf("feed %d: %+v, want %+v", feed, got, w)
		}
	}
}

// A forgotten time leaves no interest behind, and what was read since stays when it is taken back.
func TestForgetForgetsReadings(t *testing.T) {
	l := newLog(t)
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	noteReadings(t, l, day(0), Reading{day(0), 1, 1, Read})
	noteReadings(t, l, day(1), Reading{day(1), 1, 2, Passed}, Reading{day(1), 2, 3, Passed})
	if _, err := l.Forget(t.Context(), day(1), day(2), day(3)); err != nil {
		t.Fatal(err)
	}
	if a, b := interestIn(t, l, 1), interestIn(t, l, 2); a.Read != 1 || a.Passed != 0 || b != (rate.Interest{}) {
		t.Errorf("%+v %+v", a, b)
	}
	noteReadings(t, l, day(3), Reading{day(3), 2, 3, Read})
	if _, err := l.Restore(t.Context(), day(1), day(3)); err != nil {
		t.Fatal(err)
	}
	if a, b := interestIn(t, l, 1), interestIn(t, l, 2); a.Passed != 1 || b.Read != 1 || b.Passed != 0 {
		t.Errorf("taken back: %+v %+v", a, b)
	}
}

// What was done with an article is kept for a year or so and no longer; what it adds up to stays.
func TestOldReadingsAreDropped(t *testing.T) {
	l := newLog(t)
	noteReadings(t, l, noon, Reading{noon, 1, 1, Read})
	now := noon.Add(readingsKept + time.Hour)
	noteReadings(t, l, now, Reading{now, 1, 2, Read})
	readings, err := l.Readings(t.Context(), time.Time{})
	if err != nil || len(readings) != 1 || readings[0].Article != 2 {
		t.Errorf("%+v (%v)", readings, err)
	}
	if i := interestIn(t, l, 1); i.Read < 1.01 || i.Read > 1.02 {
		t.Errorf("%+v", i)
	}
}

// Ten thousand articles marked at once are no evidence, whatever was done to them; little by little they are.
func TestBulkIsNoEvidence(t *testing.T) {
	for _, evidence := range []Evidence{Read, ReadElsewhere, Passed} {
		l := newLog(t)
		var many []Reading
		for k := range 10_000 {
			many = append(many, Reading{noon, 1, int64(k), evidence})
		}
		one := Reading{noon.Add(-time.Minute), 1, 20_000, evidence}
		noteReadings(t, l, noon, append(many, one)...)
		if i := interestIn(t, l, 1); i.Read+i.Passed != 1 {
			t.Errorf("%d: %+v", evidence, i)
		}
	}
}

// To note a reading takes as long with a hundred thousand kept as with none.
func BenchmarkNoteReading(b *testing.B) {
	l := newLog(b)
	for k := range 100 {
		batch := make([]Reading, 1000)
		for i := range batch {
			at := noon.Add(time.Duration(-i) * time.Minute)
			batch[i] = Reading{at, int64(i % 100), int64(1000*k + i), Passed}
		}
		noteReadings(b, l, noon, batch...)
	}
	article := int64(1e6)
	for b.Loop() {
		article++
		noteReadings(b, l, noon, Reading{noon, article % 100, article, Read})
	}
}
