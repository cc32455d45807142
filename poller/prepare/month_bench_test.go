package prepare

import (
	"math"
	"math/rand/v2"
	"testing"

	"kairos/poller/prepare/preparetest"
	"kairos/useraccess/rate"
	"kairos/useraccess/taste"
)

// learned prepares by what is learned on the way: two visits a day, judged shortly before each.
func learned(sites []preparetest.Site, posts []*preparetest.Post, goal float64) (s preparetest.Spent, curve []Point) {
	model, history := taste.NewModel(), History{}
	interests, costs := make([]rate.Interest, len(sites)), make([]Cost, len(sites))
	random := rand.New(rand.NewPCG(1, 1))
	for len(posts) > 0 {
		visit, came, later := preparetest.Visit(posts)
		posts = later
		least := history.Least(goal)
		var all []Candidate
		for i, p := range came {
			interest := interests[p.Site].Chance(visit, sites[p.Site].PerDay)
			c := Candidate{ID: int64(i), Chance: model.Chance(p.Article, taste.Feed{Interest: interest}, visit),
				Bytes: costs[p.Site].PageBytes() + preparetest.Pictures*costs[p.Site].PictureBytes(), Requests: 1 + preparetest.Pictures}
			history.Came(c.Worth(), c.Cost())
			all = append(all, c)
		}
		prepared := map[int64]bool{}
		for _, c := range Choose(all, least, Allowance{math.MaxFloat64, math.MaxInt}) {
			p := came[c.ID]
			prepared[c.ID] = !sites[p.Site].Refuses
			s.Bytes += float64(preparetest.Pictures * p.Picture)
			if !sites[p.Site].Refuses {
				s.Bytes += float64(p.Page)
				costs[p.Site].SawPage(p.Page)
			}
			costs[p.Site].SawPicture(p.Picture)
		}
		for i, p := range came {
			feed := taste.Feed{Interest: interests[p.Site].Chance(visit, sites[p.Site].PerDay)}
			switch {
			case p.Read:
				s.Opened++
				if prepared[int64(i)] {
					s.Whole++
				}
				history.Opened(all[i].Worth(), prepared[int64(i)])
				model.Learn(p.Article, feed, visit, true)
				interests[p.Site] = interests[p.Site].After(visit, 1, 0)
			case random.IntN(2) == 0: // the other half is not looked at, from which nothing is learned
				model.Learn(p.Article, feed, visit, false)
				interests[p.Site] = interests[p.Site].After(visit, 0, 1)
			}
		}
	}
	return s, history.Curve()
}

// BenchmarkMonth reads a month of 100 feeds. whole-% is how much of what was opened was whole without a request; bytes-ratio is what
// preparing took beside who knows the probabilities and has as much whole; the other figures are of fetching everything, and of
// what was opened alone, in the same unit. It makes no requests: BenchmarkMonthOverHTTP of the poller does.
func BenchmarkMonth(b *testing.B) {
	for b.Loop() {
		var share, ratio, everything, opening, most, read float64
		const people = 8
		for seed := range uint64(people) {
			sites, posts := preparetest.Month(seed, 100)
			got, _ := learned(sites, posts, Goal)
			best := preparetest.Knowing(sites, posts, got.Share())
			all, opened := preparetest.Extremes(posts)
			share, ratio = share+got.Share()/people, ratio+got.Bytes/best.Bytes/people
			most = max(most, got.Bytes/best.Bytes)
			everything, opening, read = everything+all.Bytes/best.Bytes/people, opening+opened.Bytes/best.Bytes/people, read+float64(opened.Opened)/float64(len(posts))/people
		}
		b.ReportMetric(100*share, "whole-%")
		b.ReportMetric(ratio, "bytes-ratio")
		b.ReportMetric(most, "worst-ratio")
		b.ReportMetric(everything, "everything-ratio")
		b.ReportMetric(opening, "on-opening-ratio")
		b.ReportMetric(100*read, "read-%")
	}
}
