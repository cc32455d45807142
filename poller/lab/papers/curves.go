package papers

import (
	"cmp"
	"fmt"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
)

// curvesRow is one hour of a learned curve.
type curvesRow struct {
	Table     string  `json:"table"`
	Curve     string  `json:"curve"`
	Hour      int     `json:"hour"` // of the average day: UTC for feeds, the wall clock for users
	Histogram float64 `json:"histogram"`
	Posterior float64 `json:"posterior"` // 1/h, like the histogram
}

// shownCurves is the number of feeds and of users drawn.
const shownCurves = 4

// curvesTables draws He & Parker's Figure 3: the posting patterns of four feeds and the access
// patterns of four users, as learned from two weeks.
func curvesTables(s *study) error {
	users, err := s.activeUsers()
	if err != nil {
		return err
	}
	feeds := s.frequentFeeds()
	if len(feeds) == 0 {
		return fmt.Errorf("table %s needs feeds that post every day", s.table)
	}
	slices.SortStableFunc(feeds, func(a, b traces.Feed) int { return cmp.Compare(len(s.learned(b)), len(s.learned(a))) })
	drawn := part{title: "He & Parker, Figure 3: posting patterns of four feeds and access patterns of four users"}
	for k, f := range evenlySpaced(feeds, shownCurves) {
		u := traces.User{ID: "all", Zone: users[0].user.Zone, Feeds: []traces.Feed{f}}
		v := lab.NewWorld(s.set, &u, s.protocol).View()
		_, counted := policy.Histograms(s.protocol.Warmup)(v)
		_, learned := policy.Posterior(v)
		drawn.graphs = append(drawn.graphs, s.curve(fmt.Sprintf("feed %d: posts an hour, UTC", k+1), hourly(counted(0), 0), hourly(learned(0), 0)))
	}
	for k, i := range quantiles(len(users)) {
		if k == 0 || k == heParkerUsers-1 {
			continue // four of the six of Tables 1 to 3
		}
		u := users[i].user
		v := lab.NewWorld(s.set, &u, s.protocol).View()
		counted, _ := policy.Histograms(s.protocol.Warmup)(v)
		learned, _ := policy.Posterior(v)
		offset := v.UTCOffset().Hours()
		drawn.graphs = append(drawn.graphs, s.curve(fmt.Sprintf("u%d: accesses an hour, wall clock", k+1), hourly(counted, offset), hourly(learned, offset)))
	}
	drawn.notes = []string{
		"Red: the paper's histogram of two weeks, joined linearly. Blue: the posterior that Kairos starts from after the same two weeks; it also tells weekdays from weekends, of which this is the average.",
		"In the paper accesses lie in the early morning, around noon and in the late evening. Ours do as far as two weeks of one person show; most of the histogram's teeth are chance, and its gaps would be hours in which nothing can happen.",
	}
	s.report.parts = append(s.report.parts, drawn)
	return nil
}

// hourly returns the rate by hour of a clock that is so many hours ahead, from bins of a UTC day.
func hourly(bins []float64, ahead float64) []float64 {
	y := make([]float64, 24)
	for b, x := range bins {
		h := (b*24/len(bins) + int(ahead) + 48) % 24
		y[h] += x * 24 / float64(len(bins))
	}
	return y
}

func (s *study) curve(name string, counted, learned []float64) picture.Graph {
	x := make([]float64, 24)
	for h := range 24 {
		x[h] = float64(h) + 0.5
		s.report.rows = append(s.report.rows, curvesRow{s.table, name, h, counted[h], learned[h]})
	}
	return picture.Graph{Title: name, X: "hour of the day", Step: 6, Curves: []picture.Curve{{Name: "histogram", X: x, Y: counted}, {Name: "posterior", X: x, Y: learned}}}
}
