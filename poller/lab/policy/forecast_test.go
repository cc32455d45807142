package policy

import (
	"math"
	"os"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/schedule"
)

// What the curve of budgets forecasts for the coming three weeks is what exact then realises, on average over people to
// within 3 points of ready at 4 and 8 fetches a feed a day. The soak measures all people of half 2 of the panel, after
// eight weeks of learning; the assumptions of the forecast were chosen on half 1. The weeks end in November: at Christmas,
// where the traces end, people come half as often, which no forecast knows.
func TestForecastIsCalibrated(t *testing.T) {
	skipIfShort(t)
	set, budgets, most := labtest.Panel(t, 0).Half(2), []float64{4}, 4.5
	if os.Getenv("KAIROS_SOAK") != "" {
		budgets, most = []float64{2, 4, 8}, 3
	} else {
		set.Users = set.Users[:3]
	}
	end := set.End - 5*7*daySeconds
	protocol := lab.Protocol{Warmup: 8 * 7 * day, Relearn: day}
	errors := make([][]float64, len(budgets))
	for i := range set.Users {
		u := &set.Users[i]
		w := lab.NewWorldBetween(end-21*daySeconds, end, u, protocol)
		points := forecast(t, w, budgets)
		for k, budget := range budgets {
			fetches, err := w.Fetches(t.Context(), Exact, budget)
			if err != nil {
				t.Fatal(err)
			}
			row := w.Score(fetches)
			errors[k] = append(errors[k], 100*points[k].Ready-row.Ready)
			t.Logf("%s at %v: ready %.1f, realised %.1f; wait %.1f min, realised %.1f; lost %.1f, realised %.1f", u.ID, budget,
				100*points[k].Ready, row.Ready, points[k].Wait.Minutes(), 60*row.Delay/float64(row.Posts), 100*points[k].Lost, 100*float64(row.Lost)/float64(row.Posts))
		}
	}
	for k, budget := range budgets {
		mean, within := 0.0, 0
		for _, e := range errors[k] {
			mean += e / float64(len(errors[k]))
			if math.Abs(e) <= 3 {
				within++
			}
		}
		t.Logf("at %v: %+.1f points on average, %d of %d within 3", budget, mean, within, len(errors[k]))
		if budget > 2 && math.Abs(mean) > most {
			t.Errorf("at %v the forecast is off by %+.1f points on average", budget, mean)
		}
	}
}

// forecast is the curve at the start of a replay.
func forecast(t *testing.T, w *lab.World, perFeed []float64) schedule.Curve {
	t.Helper()
	v := w.View()
	var budgets []float64
	for _, b := range perFeed {
		budgets = append(budgets, b*float64(v.Feeds()))
	}
	x := newExact(v, variant{rules: schedule.Default()}, warmedUp(v, budgets[0]))
	all := make([]int, v.Feeds())
	for i := range all {
		all[i] = i
	}
	c, err := schedule.New(schedule.Default()).Forecast(t.Context(), x.inputs(v, time.Unix(v.Start(), 0).In(v.Zone()), all), budgets, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
