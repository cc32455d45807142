package traces

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Synthetic returns a small made-up set: a few people with a daily rhythm, each with feeds
// whose rates follow a power law. It is the same every time.
func Synthetic() *Set { return SyntheticWeeks(10) }

// SyntheticWeeks is Synthetic over another time.
func SyntheticWeeks(weeks int) *Set {
	const users, feeds = 6, 20
	set := &Set{End: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC).Unix()}
	r := rand.New(rand.NewPCG(2007, 8))
	start := set.End - int64(weeks)*weekSeconds
	for u := range users {
		zone := 60 * (r.IntN(20) - 8)
		user := User{ID: fmt.Sprintf("person %d", u+1), Zone: time.FixedZone("", zone*60)}
		user.Accesses = slices.Compact(visits(r, start, set.End, float64(zone)/60, 2+12*r.Float64()))
		for f := range feeds {
			// The busiest posts 20 times a day, the k-th busiest k^1.8 times as rarely.
			rate := 20 * math.Pow(float64(f+1), -1.8)
			peak, depth := 24*r.Float64(), 0.9*r.Float64()
			posts := poisson(r, start, set.End, rate/24*(1+depth), func(t int64) float64 {
				return (1 + depth*math.Cos(2*math.Pi*(hourOfDay(t)-peak)/24)) / (1 + depth)
			})
			user.Feeds = append(user.Feeds, Feed{ID: fmt.Sprintf("feed %d.%d", u+1, f+1), Posts: posts})
		}
		set.Users = append(set.Users, user)
	}
	return set
}

// visits returns accesses in the morning, at noon and in the evening, few at night; zone is
// in hours ahead of UTC.
func visits(r *rand.Rand, start, end int64, zone, perDay float64) []int64 {
	shape := func(t int64) float64 {
		h, s := math.Mod(hourOfDay(t)+zone+24, 24), 0.02
		for _, peak := range []float64{7.5, 12.5, 20.5} {
			d := h - peak
			s += math.Exp(-d * d / 2)
		}
		return min(1, s)
	}
	mean := 0.0
	for q := range 96 {
		mean += shape(int64(q)*900) / 96
	}
	return poisson(r, start, end, perDay/24/mean, shape)
}

func hourOfDay(t int64) float64 { return float64(t%daySeconds) / 3600 }

// poisson draws the events of an inhomogeneous Poisson process: peak events an hour, thinned
// by a shape between 0 and 1 (Lewis & Shedler 1979).
func poisson(r *rand.Rand, start, end int64, peak float64, shape func(t int64) float64) []int64 {
	var at []int64
	for t := float64(start); ; {
		if t += r.ExpFloat64() / peak * 3600; t >= float64(end) {
			return at
		}
		if r.Float64() < shape(int64(t)) {
			at = append(at, int64(t))
		}
	}
}
