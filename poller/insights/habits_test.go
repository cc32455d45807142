package insights

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// dayOf is a rate over a day in bins of five minutes with hills of so many visits at hours.
func dayOf(ground float64, hills map[float64]float64) []float64 {
	levels := make([]float64, 288)
	for k := range levels {
		levels[k] = ground
		for hour, visits := range hills {
			x := (float64(k)/12 - hour) / 0.4
			levels[k] += visits * math.Exp(-x*x/2) / (0.4 * math.Sqrt(2*math.Pi))
		}
	}
	return levels
}

func TestPeaks(t *testing.T) {
	quarters := func(levels []float64) (out []float64) {
		for k := 0; k < len(levels); k += 3 {
			out = append(out, (levels[k]+levels[k+1]+levels[k+2])/3)
		}
		return out
	}
	for want, levels := range map[string][]float64{
		"[7.5 20]":    dayOf(0.1, map[float64]float64{7.5: 0.9, 20: 0.6}),
		"[]":          dayOf(0.3, nil),
		"[7 12.5 17]": dayOf(0, map[float64]float64{2: 0.2, 7: 1, 12.5: 1, 17: 1}),
		"[0]":         dayOf(0, map[float64]float64{0: 1, 24: 1}),
	} {
		got := peaks(quarters(levels))
		for i := range got {
			got[i] = math.Mod(math.Round(got[i]*2)/2, rate.Hours)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("peaks %v, want %s", got, want)
		}
	}
}

// Whoever came three times on each day of five weeks and then went away comes three times a day, at the times that are expected.
func TestHabitsAfterDaysAway(t *testing.T) {
	ctx := t.Context()
	first := time.Date(2026, 10, 14, 0, 0, 0, 0, time.UTC)
	now := first.AddDate(0, 0, 40).Add(12*time.Hour + 12*time.Minute)
	store, err := reader.Open(ctx, t.TempDir(), first, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	log := useraccess.New(store)
	for n := range 36 {
		for _, minute := range []int{7*60 + 30, 12*60 + 40, 19*60 + 5} {
			if _, err := log.Record(ctx, first.AddDate(0, 0, n).Add(time.Duration(minute)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	h, err := New(store, log, func() time.Time { return now }).Habits(ctx)
	if err != nil {
		t.Fatal(err)
	}
	clock := func(hours []float64) (out []string) {
		for _, x := range hours {
			out = append(out, first.Add(time.Duration(math.Round(x*60))*time.Minute).Format("15:04"))
		}
		return out
	}
	if h.PerDay != 3 || fmt.Sprint(clock(h.Usual[0]), clock(h.Usual[1])) != "[07:30 12:40 19:05] [07:30 12:40 19:05]" {
		t.Errorf("%v times a day, on workdays at %v, on weekends at %v", h.PerDay, clock(h.Usual[0]), clock(h.Usual[1]))
	}
	if len(h.Expected) != 3 || h.Expected[0].At.Format("15:04") != "12:40" || h.Expected[1].At.Format("15:04") != "19:05" {
		t.Errorf("expected %v", h.Expected)
	}
	if next, err := log.NextVisit(ctx, now); err != nil || !next.Equal(h.Expected[0].At) {
		t.Errorf("next visit %v, %v", next, err)
	}
}

// What is told of three days, and on them, is what the log says: the learned rate is still broad then.
func TestHabitsOfFewDays(t *testing.T) {
	ctx, monday := t.Context(), time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		minutes [3][]int // of each day
		want    string   // the usual hours
	}{
		{[3][]int{{452, 748, 1304}, {446, 755, 1309}, {455, 750, 1300}}, "[07:30 12:30 21:45]"},
		{[3][]int{{430, 765, 1290}, {470, 740, 1325}, {452, 750, 1304}}, "[07:30 12:30 21:45]"},
		{[3][]int{{445, 1262}, {455, 1258}, {450, 1265}}, "[07:30 21:00]"},
		{[3][]int{{483}, {478}, {480}}, "[08:00]"},
	} {
		now := monday.AddDate(0, 0, 3).Add(6 * time.Hour)
		store, err := reader.Open(ctx, t.TempDir(), now, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		log := useraccess.New(store)
		for day, minutes := range c.minutes {
			for _, m := range minutes {
				if _, err := log.Record(ctx, monday.AddDate(0, 0, day).Add(time.Duration(m)*time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
		}
		h, err := New(store, log, func() time.Time { return now }).Habits(ctx)
		if err != nil {
			t.Fatal(err)
		}
		usual, expected := []string{}, []string{}
		for _, x := range h.Usual[0] {
			usual = append(usual, monday.Add(time.Duration(math.Round(x*60))*time.Minute).Format("15:04"))
		}
		for _, e := range h.Expected {
			expected = append(expected, e.At.Format("15:04"))
		}
		if fmt.Sprint(usual) != c.want || fmt.Sprint(expected) != c.want {
			t.Errorf("of %v: usually %v, expected %v; want %s", c.minutes, usual, expected, c.want)
		}
	}
}

// With nothing stored there is nothing wrong; with a week of visits and nights they are told.
func TestHabitsAndDay(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	store, err := reader.Open(ctx, t.TempDir(), now, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	clock := func() time.Time { return now }
	log := useraccess.New(store)
	p := poller.New(store, log, poller.Options{Now: clock})
	in := New(store, log, clock)
	if h, d := habitsAndDay(ctx, t, in, p); h.Learned != 0 || h.Awake[0] != nil || h.Awake[1] != nil || len(d.Fetches)+len(d.Planned)+len(d.Asleep) != 0 || len(h.Expected) == 0 {
		t.Errorf("of a new user: %+v, %+v", h, d)
	}
	for n := 7; n >= 0; n-- {
		morning := now.AddDate(0, 0, -n).Add(-5 * time.Hour)
		if _, err := log.Record(ctx, morning.Add(30*time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := log.NoteAwake(ctx, morning, morning.Add(min(16*time.Hour, now.Sub(morning)))); err != nil {
			t.Fatal(err)
		}
	}
	err = store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO saving (since, until) VALUES (?, ?), (?, 0)", now.Add(-30*time.Hour).Unix(), now.Add(-20*time.Hour).Unix(), now.Add(-time.Hour).Unix())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h, d := habitsAndDay(ctx, t, in, p)
	if len(d.Saved) != 2 || !d.Saved[0].From.Equal(d.From) || d.Saved[0].To.Sub(d.From) != 4*time.Hour || !d.Saved[1].To.Equal(now) {
		t.Errorf("battery saver was on %v", d.Saved)
	}
	if h.Learned != 8 || h.MadeToday != 1 || h.Awake[0] == nil || h.Awake[0][2] > h.Awake[0][12] {
		t.Errorf("%d visits, %d today, awake %v", h.Learned, h.MadeToday, h.Awake)
	}
	if len(d.Visits) != 1 || len(d.Asleep) < 2 {
		t.Fatalf("visits %v, asleep %v", d.Visits, d.Asleep)
	}
	if s := d.Asleep[0]; s.From.Format("15:04") != "23:00" || s.To.Format("15:04") != "07:00" {
		t.Errorf("slept %v", s)
	}
	if s := d.Asleep[1]; !s.From.After(now) || s.From.Hour() != 23 || s.To.Hour() != 7 {
		t.Errorf("will sleep %v", s)
	}
}

func habitsAndDay(ctx context.Context, t *testing.T, in *Insights, p *poller.Poller) (Habits, Day) {
	t.Helper()
	h, err := in.Habits(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d, err := in.Day(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return h, d
}

// What is told about weekends is what was seen on weekends: their curve leans on that of workdays.
func TestHabitsOfWeekends(t *testing.T) {
	ctx, monday := t.Context(), time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		days    int // since monday
		come    func(d time.Time) []int
		awake   func(d time.Time) (from, to int)
		hint    *useraccess.Hint
		on      [2]Presence
		usual   string // hours, rounded down
		weekend string // awake
	}{
		"at work only":             {28, weekdayHours([]int{8, 17}, nil), weekdaySpan(7, 19, 0, 0), nil, [2]Presence{Comes, StaysAway}, "[8 17] []", "[]"},
		"late on weekends":         {28, weekdayHours([]int{8}, []int{11}), weekdaySpan(7, 19, 10, 23), nil, [2]Presence{Comes, Comes}, "[8] [11]", "[[10 23]]"},
		"never on workdays":        {28, weekdayHours(nil, []int{11}), weekdaySpan(7, 19, 10, 23), nil, [2]Presence{StaysAway, Comes}, "[] [11]", "[[10 23]]"},
		"before the first weekend": {5, weekdayHours([]int{8, 12, 17}, nil), weekdaySpan(7, 19, 0, 0), nil, [2]Presence{Comes, NotKnown}, "[8 12 17] []", "unknown"},
		"by a hint":                {28, weekdayHours([]int{8}, nil), weekdaySpan(7, 19, 0, 0), &useraccess.Hint{Minute: 11 * 60, Days: useraccess.Weekends}, [2]Presence{Comes, Comes}, "[8] [11]", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			now := monday.AddDate(0, 0, c.days).Add(-time.Minute)
			store, err := reader.Open(ctx, t.TempDir(), now, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			log := useraccess.New(store)
			for n := range c.days {
				d := monday.AddDate(0, 0, n)
				for _, hour := range c.come(d) {
					if _, err := log.Record(ctx, d.Add(time.Duration(hour)*time.Hour+5*time.Minute)); err != nil {
						t.Fatal(err)
					}
				}
				if from, to := c.awake(d); to > from {
					if err := log.NoteAwake(ctx, d.Add(time.Duration(from)*time.Hour), d.Add(time.Duration(to)*time.Hour)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if c.hint != nil {
				if _, err := log.AddHint(ctx, *c.hint, now); err != nil {
					t.Fatal(err)
				}
			}
			h, err := New(store, log, func() time.Time { return now }).Habits(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var usual [2][]int
			for kind := range usual {
				usual[kind] = []int{}
				for _, hour := range h.Usual[kind] {
					usual[kind] = append(usual[kind], int(hour)) // of a visit five minutes past, or in the middle of its hour
				}
			}
			if got := fmt.Sprint(usual[0], usual[1]); got != c.usual || h.On != c.on {
				t.Errorf("usual %s, on %v; want %s, %v", got, h.On, c.usual, c.on)
			}
			weekend := "unknown"
			if h.Awake[1] != nil {
				weekend = fmt.Sprint(AwakeSpans(h.Awake[1]))
			}
			if weekend != c.weekend || h.Awake[0] == nil || fmt.Sprint(AwakeSpans(h.Awake[0])) != "[[7 19]]" {
				t.Errorf("awake on workdays %v, on weekends %s", AwakeSpans(h.Awake[0]), weekend)
			}
		})
	}
}

func weekdayHours(workday, weekend []int) func(time.Time) []int {
	return func(d time.Time) []int { return [][]int{workday, weekend}[kindOf(d)] }
}

func weekdaySpan(from, to, weekendFrom, weekendTo int) func(time.Time) (int, int) {
	return func(d time.Time) (int, int) {
		if kindOf(d) == 1 {
			return weekendFrom, weekendTo
		}
		return from, to
	}
}

func TestAwakeSpans(t *testing.T) {
	at := func(hours ...int) []float64 {
		day := make([]float64, 24)
		for _, h := range hours {
			day[h] = 0.9
		}
		return day
	}
	for want, chances := range map[string][]float64{"[]": at(), "[[9 12] [20 22]]": at(9, 10, 11, 20, 21), "[[22 25]]": at(22, 23, 0), "[[0 24]]": rate.AlwaysOn.Workday()} {
		if got := fmt.Sprint(AwakeSpans(chances)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Visits are counted by the hour on the clock they were made on.
func TestVisits(t *testing.T) {
	l := newLife(t)
	tokyo := time.FixedZone("", 9*3600)
	l.visit(ago(100), ago(7), ago(1), ago(1).Add(time.Hour).In(tokyo))
	v, err := l.Visits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Visits) != 3 || v.ByHour[1][12] != 1 || v.ByHour[0][12] != 1 || v.ByHour[0][22] != 1 || v.Most != 1 {
		t.Errorf("%+v", v)
	}
	if !v.From.Equal(ago(7)) || !slices.Equal(codes(v.Notes), []Code{OtherZone}) {
		t.Errorf("from %s, %+v", v.From, v.Notes)
	}
}

// When the machine is awake is told after three days.
func TestAwakeIsToldLate(t *testing.T) {
	l := newLife(t)
	for _, c := range []struct {
		since float64
		known bool
	}{{0.001, false}, {2, false}, {4, true}} {
		l.write(func(exec func(string, ...any)) {
			exec("DELETE FROM awake")
			exec("INSERT INTO awake (since, at, until) VALUES (?1, ?1, ?2)", ago(c.since).Unix(), noon.Unix())
		})
		if h, err := l.Habits(t.Context()); err != nil || (h.Awake[0] != nil) != c.known {
			t.Errorf("%v days: %v (%v)", c.since, h.Awake, err)
		}
	}
}
