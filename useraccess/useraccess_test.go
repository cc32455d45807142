package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// testFile is a File with nothing but the tables of this package.
type testFile struct{ db *sql.DB }

func (f testFile) Read() *sql.DB { return f.db }

func (f testFile) Write(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it has nothing to do
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func newLog(t testing.TB) *Log {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "log.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	for _, step := range Steps {
		if _, err := db.Exec(step); err != nil {
			t.Fatal(err)
		}
	}
	return New(testFile{db})
}

func record(t testing.TB, l *Log, at time.Time) {
	t.Helper()
	if added, err := l.Record(t.Context(), at); err != nil || !added {
		t.Fatalf("Record of %v: %t, %v", at, added, err)
	}
}

func markOpened(t testing.TB, l *Log, at time.Time, feed int64) {
	t.Helper()
	if _, err := l.NoteReadings(t.Context(), at, Reading{at, feed, at.UnixNano(), Read}); err != nil {
		t.Fatal(err)
	}
}

// mornings returns accesses at eight o'clock local time on some days from a day on.
func mornings(loc *time.Location, day time.Time, days int) (times []time.Time) {
	for i := range days {
		times = append(times, time.Date(day.Year(), day.Month(), day.Day()+i, 8, 0, 0, 0, loc))
	}
	return times
}

// level returns the expected number of accesses in the hour from at.
func level(t testing.TB, l *Log, now, at time.Time) float64 {
	t.Helper()
	o, err := l.Outlook(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	return o.Usual.Sample(at, time.Hour, 1, now.Location())[0]
}

func loadZone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("skipped: no time zones:", err)
	}
	return loc
}

func TestRecordListTouchClear(t *testing.T) {
	l := newLog(t)
	if last, err := l.LastUse(t.Context()); err != nil || !last.IsZero() {
		t.Errorf("last use of an empty log: %v %v", last, err)
	}
	kolkata := time.FixedZone("", 5*3600+1800)
	first, second := noon, noon.Add(3*time.Hour).In(kolkata)
	record(t, l, first)
	record(t, l, second)
	if added, err := l.Record(t.Context(), second.Add(300*time.Millisecond)); added || err != nil {
		t.Errorf("a second access in the same second: %t %v", added, err)
	}
	touch := func(at time.Time) {
		t.Helper()
		if err := l.Touch(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	touch(second.Add(5 * time.Minute))
	touch(second.Add(14 * time.Minute))
	touch(second.Add(2 * time.Minute))
	touch(first.Add(time.Minute))
	touch(first.Add(-time.Minute))
	touch(second.Add(24 * time.Minute)) // too late to belong to the access

	log, err := l.List(t.Context())
	if err != nil || len(log) != 2 {
		t.Fatal(log, err)
	}
	if a := log[0]; !a.At.Equal(first) || !a.Until.Equal(first.Add(time.Minute)) {
		t.Errorf("%+v", a)
	}
	if a := log[1]; !a.At.Equal(second) || !a.Until.Equal(second.Add(14*time.Minute)) || a.At.Format("15:04") != "20:30" {
		t.Errorf("%+v", a)
	}
	if last, err := l.LastUse(t.Context()); err != nil || !last.Equal(second.Add(14*time.Minute)) {
		t.Errorf("last use %v %v", last, err)
	}

	markOpened(t, l, second, 1)
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if log, err := l.List(t.Context()); err != nil || len(log) != 0 {
		t.Errorf("after Clear: %v %v", log, err)
	}
	empty := newLog(t)
	for h := range 24 {
		at := noon.Add(time.Duration(h) * time.Hour)
		if a, b := level(t, l, noon, at), level(t, empty, noon, at); a != b {
			t.Errorf("after Clear hour %d is %v, of an empty log %v", h, a, b)
		}
	}
	if got, err := l.Interests(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("after Clear there is interest: %v (%v)", got, err)
	}
	if got, err := l.Readings(t.Context(), time.Time{}); err != nil || len(got) > 0 {
		t.Errorf("after Clear there are readings: %v (%v)", got, err)
	}
}

func TestImportAddsUnknownAccesses(t *testing.T) {
	l := newLog(t)
	times := mornings(time.UTC, noon.AddDate(0, 0, -20), 20)
	record(t, l, times[3])
	n, err := l.Import(t.Context(), append(times, times[5]), noon)
	if err != nil || n != 19 {
		t.Errorf("%d added (%v), want 19", n, err)
	}
	if n, err := l.Import(t.Context(), nil, noon); n != 0 || err != nil {
		t.Error(n, err)
	}
	// Recording the same accesses one by one leads to the same rate.
	other := newLog(t)
	for _, at := range times {
		record(t, other, at)
	}
	for h := range 24 {
		at := noon.Add(time.Duration(h) * time.Hour)
		if a, b := level(t, l, noon, at), level(t, other, noon, at); math.Abs(a-b) > 1e-9*b {
			t.Errorf("hour %d: %v after Import, %v after Record", h, a, b)
		}
	}
}

func TestRateFollowsAccesses(t *testing.T) {
	l := newLog(t)
	for _, at := range mornings(time.UTC, noon.AddDate(0, 0, -30), 30) {
		record(t, l, at)
	}
	day := noon.Truncate(24 * time.Hour)
	if eight, three := level(t, l, noon, day.Add(8*time.Hour)), level(t, l, noon, day.Add(15*time.Hour)); eight < 5*three {
		t.Errorf("after a month of accesses at eight: %v at eight, %v at three", eight, three)
	}
	if now, later := level(t, l, noon, day.Add(8*time.Hour)), level(t, l, noon.AddDate(0, 0, 40), day.Add(8*time.Hour)); later > now/2 {
		t.Errorf("after forty days without an access the rate is %v, was %v", later, now)
	}
}

func TestRateFollowsTheWallClock(t *testing.T) {
	berlin, newYork := loadZone(t, "Europe/Berlin"), loadZone(t, "America/New_York")
	l := newLog(t)
	winter := time.Date(2026, 2, 20, 0, 0, 0, 0, berlin)
	for _, at := range mornings(berlin, winter, 60) { // across the change of 29 March
		record(t, l, at)
	}
	for name, loc := range map[string]*time.Location{"at home": berlin, "abroad": newYork} {
		now := time.Date(2026, 4, 22, 0, 0, 0, 0, loc)
		best, most := -1, 0.0
		for h := range 24 {
			if x := level(t, l, now, now.Add(time.Duration(h)*time.Hour)); x > most {
				best, most = h, x
			}
		}
		if best != 8 && best != 7 {
			t.Errorf("%s the most likely hour is %d", name, best)
		}
	}
	again := newLog(t)
	if _, err := again.Import(t.Context(), mornings(berlin, winter, 60), winter.AddDate(0, 0, 61)); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 4, 22, 0, 0, 0, 0, berlin)
	eight := now.Add(8 * time.Hour)
	if a, b := level(t, l, now, eight), level(t, again, now, eight); math.Abs(a-b) > 0.02*b {
		t.Errorf("%v after Record, %v after Import", a, b)
	}
}

func TestWrongClockDoesNotSpoilTheRate(t *testing.T) {
	times := mornings(time.UTC, noon.AddDate(0, 0, -30), 30)
	sound := newLog(t)
	for _, at := range times {
		record(t, sound, at)
	}
	for name, wrong := range map[string]time.Time{"in the future": noon.AddDate(4, 0, 0), "days back": noon.AddDate(0, 0, -32), "an hour back": times[14].Add(-time.Hour)} {
		l := newLog(t)
		for i, at := range times {
			if i == 15 {
				record(t, l, wrong)
			}
			record(t, l, at)
		}
		eight := noon.Truncate(24 * time.Hour).Add(8 * time.Hour)
		if a, b := level(t, l, noon, eight), level(t, sound, noon, eight); math.Abs(a-b) > 0.1*b {
			t.Errorf("with one access %s the rate is %v instead of %v", name, a, b)
		}
	}
}

// Recording an access does not read the whole log: its allocations do not depend on the length of
// the log.
func TestRecordDoesNotReadTheLog(t *testing.T) {
	cost := func(before int) float64 {
		l := newLog(t)
		var times []time.Time
		for i := range before {
			times = append(times, noon.Add(-time.Duration(i)*2*time.Hour))
		}
		if _, err := l.Import(t.Context(), times, noon); err != nil {
			t.Fatal(err)
		}
		at := noon
		return testing.AllocsPerRun(20, func() {
			at = at.Add(3 * time.Hour)
			record(t, l, at)
		})
	}
	few, many := cost(10), cost(5000)
	if many > few+100 {
		t.Errorf("Record takes %v allocations after 10 accesses and %v after 5,000", few, many)
	}
}

func BenchmarkRecord(b *testing.B) {
	l := newLog(b)
	for i := 0; b.Loop(); i++ {
		record(b, l, noon.Add(time.Duration(i)*time.Hour))
	}
}

func BenchmarkImportOfYears(b *testing.B) {
	var times []time.Time
	for i := range 5 * 365 * 10 {
		times = append(times, noon.Add(-time.Duration(i)*2*time.Hour))
	}
	for b.Loop() {
		l := newLog(b)
		if n, err := l.Import(b.Context(), times, noon); err != nil || n != len(times) {
			b.Fatal(fmt.Sprint(n), err)
		}
	}
}

// Time in which learning is switched off is not time without accesses: neither while it lasts, nor
// afterwards, nor when the log is learned from again.
func TestLearningOffIsNotAbsence(t *testing.T) {
	l := newLog(t)
	for _, at := range mornings(time.UTC, noon.AddDate(0, 0, -30), 30) {
		record(t, l, at)
	}
	perDay := func(now time.Time) float64 {
		t.Helper()
		o, err := l.Outlook(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		return o.Usual.Mean() * 24
	}
	set := func(on bool, at time.Time) {
		t.Helper()
		if err := l.SetLearning(t.Context(), on, at); err != nil {
			t.Fatal(err)
		}
	}
	off, on := noon.Add(-3*time.Hour), noon.AddDate(0, 0, 21)
	before := perDay(off)
	set(false, off)
	set(false, off.Add(time.Hour))
	check := func(when string, now time.Time) {
		t.Helper()
		if got := perDay(now); math.Abs(got-before) > 0.2*before {
			t.Errorf("%s: %.3f accesses a day are expected, %.3f before", when, got, before)
		}
	}
	check("while it is off", on)
	set(true, on)
	set(true, on.Add(time.Minute))
	check("when it is on again", on)
	record(t, l, on.Add(20*time.Hour))
	check("a day later", on.Add(21*time.Hour))
	grown, _ := l.Visits(t.Context())
	if _, err := l.Import(t.Context(), nil, on.Add(21*time.Hour)); err != nil {
		t.Fatal(err)
	}
	again, err := l.Visits(t.Context())
	if a, b := grown.Tally.Exposure(), again.Tally.Exposure(); err != nil || !again.UpTo.Equal(grown.UpTo) || math.Abs(a-b) > 1e-3*a {
		t.Errorf("learned again: %v h up to %v, want %v h up to %v (%v)", b, again.UpTo, a, grown.UpTo, err)
	}
	// An access imported into the pause does not count; nor does a clock set back break anything.
	if _, err := l.Import(t.Context(), []time.Time{noon.AddDate(0, 0, 7)}, on.Add(21*time.Hour)); err != nil {
		t.Fatal(err)
	}
	check("with an access imported into the pause", on.Add(21*time.Hour))
	set(false, on.AddDate(0, 0, 2))
	set(true, on)
	check("switched on under a clock set back", on.Add(21*time.Hour))
	set(false, on.AddDate(0, 0, 2))
	if err := l.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if o, err := l.Outlook(t.Context(), on.AddDate(0, 0, 9)); err != nil || math.Abs(o.Usual.Mean()*24-9) > 1e-6 {
		t.Errorf("after Clear %v accesses a day are expected (%v)", o.Usual.Mean()*24, err)
	}
}
