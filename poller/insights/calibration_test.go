package insights

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"kairos/poller"
)

// Expectations stored day by day are compared with what came, and it is told where they are off.
func TestCalibration(t *testing.T) {
	l := newLife(t)
	l.steady(20)
	expect := func(visits, articles float64) {
		l.write(func(exec func(string, ...any)) {
			exec("DELETE FROM expectation")
			for d := 15; d >= 0; d-- {
				from := ago(float64(d)).Add(-12 * time.Hour)
				exec("INSERT INTO expectation VALUES (?, ?, ?, ?, ?)", from.Format(time.DateOnly), from.Unix(), from.Add(day).Unix(), visits, articles)
			}
		})
	}
	expect(2, 8)
	c, err := l.Calibration(t.Context(), 14)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Days) != 14 { // the last ones: that of today is not over
		t.Fatalf("%d days", len(c.Days))
	}
	for _, d := range c.Days {
		if d.Visits != 2 || d.Articles != 4 {
			t.Errorf("%+v", d)
		}
	}
	if c.Visits.Code != FitClose || c.Visits.Came != 28 || c.Visits.Miss != 0 || c.Articles.Code != FewerCame || int(c.Articles.Miss+0.5) != 4 {
		t.Errorf("%+v %+v", c.Visits, c.Articles)
	}
	expect(0.1, 4)
	if c, err = l.Calibration(t.Context(), 14); err != nil || c.Visits.Code != MoreCame || c.Articles.Code != FitClose {
		t.Errorf("%+v %+v (%v)", c.Visits, c.Articles, err)
	}
	if c, err = l.Calibration(t.Context(), 5); err != nil || c.Visits.Code != FitUnknown {
		t.Errorf("%+v (%v)", c.Visits, err)
	}
	expect(2, 4)
	if c, err = l.Calibration(t.Context(), 7); err != nil || len(c.Days) != 7 || c.Visits.Code != FitClose {
		t.Errorf("%+v (%v)", c.Visits, err)
	}
	// Days of which not all visits are known tell nothing of predictions.
	if _, err := l.log.Forget(t.Context(), ago(6), ago(4), l.now); err != nil {
		t.Fatal(err)
	}
	if c, err = l.Calibration(t.Context(), 30); err != nil || len(c.Days) != 12 || c.Visits.Miss != 0 {
		t.Errorf("%d days, %+v (%v)", len(c.Days), c.Visits, err)
	}
}

// Visits that plans foresaw are compared with those that came by parts of the day and by the time since the last one. Plans whose
// day is not over, or of which not all visits are known, tell nothing.
func TestBands(t *testing.T) {
	l := newLife(t)
	l.steady(20) // visits at 00:30 and 12:30
	bins := poller.ForeseenBins()
	l.write(func(exec func(string, ...any)) {
		for d := 15; d >= 0; d-- {
			at := ago(float64(d)).Add(-2 * time.Hour) // 10:00, after the visit of 00:30
			visits := make([]float64, len(bins))
			visits[10], visits[16+10] = 1, 0.5 // from 12:30 on, and between midnight and one
			stored, err := json.Marshal(visits)
			if err != nil {
				t.Fatal(err)
			}
			exec("INSERT INTO foreseen VALUES (?, ?, ?)", at.Unix(), at.Add(-9*time.Hour-30*time.Minute).Unix(), string(stored))
		}
		exec("INSERT INTO foreseen VALUES (?, 0, '[1]')", ago(3).Unix()) // of another version
	})
	check := func(what string, bands []Band, want ...Band) {
		t.Helper()
		if len(bands) != len(want) {
			t.Fatalf("%s: %v", what, bands)
		}
		for i, b := range bands {
			if b.Came != want[i].Came || math.Abs(b.Expected-want[i].Expected) > 1e-9 {
				t.Errorf("%s, %g to %g h: %+v, want %+v", what, b.From, b.To, b, want[i])
			}
		}
	}
	c, err := l.Calibration(t.Context(), 30)
	if err != nil {
		t.Fatal(err)
	}
	check("by day", c.ByDay, Band{Expected: 7, Came: 14}, Band{}, Band{Expected: 14, Came: 14}, Band{})
	check("since the last", c.BySince, Band{}, Band{}, Band{}, Band{}, Band{Expected: 14, Came: 14}, Band{Expected: 7, Came: 14})
	if b := (Band{Expected: 100, Came: 50}); !b.Known() || b.Off() != 0.5 || (&Band{Came: 100}).Known() || (&Band{Expected: 5, Came: 5}).Known() {
		t.Errorf("%+v", b)
	}
	if _, err := l.log.Forget(t.Context(), ago(6), ago(4), l.now); err != nil {
		t.Fatal(err)
	}
	if c, err = l.Calibration(t.Context(), 30); err != nil || c.ByDay[2].Came != 11 {
		t.Errorf("%+v (%v)", c.ByDay, err)
	}
}
