package schedule

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// Point is what a budget is expected to bring, on an average day of the coming weeks.
type Point struct {
	Budget  float64 // fetches a day, all feeds together
	Fetches float64 // of these worth making; of feeds, as the rest: none of accounts
	Posts   float64 // a day
	Ready   float64 // share of the posts that are fetched, and not lost, when the user first comes after them
	Lost    float64 // share of the posts that leave their feeds unseen
	// Late is how late the posts are that are neither ready nor lost, on average: from the post to its fetch.
	Late time.Duration
}

// MeanLate is Late over all posts that are not lost, those that are ready counted as on time.
func (p Point) MeanLate() time.Duration {
	if p.Lost >= 1 {
		return p.Late
	}
	return time.Duration(max(0, 1-p.Ready/(1-p.Lost)) * float64(p.Late))
}

// What a forecast assumes beyond the circle of the average day, since the coming hours are planned better: again at each
// access and in quiet times, by the days as they come. The numbers were chosen on half 1 of the panel; poller/RESULTS.md has the
// calibration on half 2.
const (
	// surprise is the share of the accesses that take the plan by surprise: at an access it knows that others will follow.
	surprise = 0.8
	// dispersion is how unevenly feeds post beyond chance: the number of posts between two fetches has the variance
	// mean + dispersion·mean². Poisson posts would be lost too seldom, by half at 4 fetches a feed a day.
	dispersion = 0.3
)

// forecastBins is the grain of a forecast. The delay is 2 % larger than in bins of five minutes, and
// the curves take a tenth of the time.
const forecastBins = 96

// forecastBin is how long a bin of a forecast is, in hours.
const forecastBin = 24.0 / forecastBins

// Seen is what the last weeks have brought.
type Seen struct {
	Days    float64 // that were watched
	Visits  int
	Fetches float64 // a day
	Ready   float64 // share of the posts, lost ones included
}

// Forecast returns what each of some budgets, ascending, is expected to bring, by what is known now, where a fetch has
// proven worth so many of the average user's, and corrected by what was seen.
func (s *Scheduler) Forecast(ctx context.Context, in Inputs, budgets []float64, worth float64, seen Seen) (Curve, error) {
	problem, access := s.longRun(&in)
	given := make([]float64, len(budgets))
	for k, b := range budgets {
		given[k] = b * worth
	}
	results, err := plan.SolveBudgets(ctx, problem, in.Method, given)
	if err != nil {
		return nil, err
	}
	curve := func(access []float64) Curve {
		absent := newAbsence(access, in.Access.Hazard)
		points := make(Curve, len(budgets))
		for k := range results {
			points[k] = pointOf(in.Feeds, &problem, &results[k], absent)
			points[k].Budget = budgets[k]
			points[k].Fetches /= worth
		}
		return points
	}
	expected := curve(access)
	if seen.Visits == 0 || seen.Days <= 0 {
		return expected, nil
	}
	// The budget would hardly be split otherwise for more or fewer visits.
	return expected.corrected(curve(times(access, seen)), seen), nil
}

// times returns λc of the average day with as many visits as were seen.
func times(access []float64, seen Seen) []float64 {
	perDay := 0.0
	for _, x := range access {
		perDay += x * forecastBin
	}
	out := slices.Clone(access)
	for k := range out {
		out[k] *= float64(seen.Visits) / seen.Days / perDay
	}
	return out
}

// longRun is the budget to be split on the average day of the coming weeks, and λc of that day.
func (s *Scheduler) longRun(in *Inputs) (problem plan.Problem, access []float64) {
	if in.Posting == nil {
		in.Posting = func(f *Feed) rate.Rate { return f.Posts.longRun() }
	}
	if !in.Method.TakesCharges() {
		in.Method = plan.Exact // the papers' methods have no curve of all budgets
	}
	p := s.begin(in)
	problem = p.problemOf(forecastBins)
	problem.Level = false // a single day may have more
	access = p.usualCircle(forecastBins)
	if usual := in.Access.Usual.Mean(); in.Access.LongRun > 0 && usual > 0 {
		for k := range access {
			access[k] *= in.Access.LongRun / usual
			problem.Access[k] *= in.Access.LongRun / usual
		}
	}
	return problem, access
}

// pointOf sums up a split of the budget over the feeds, in the order of the problem.
func pointOf(feeds []Feed, problem *plan.Problem, r *plan.Result, absent absence) (p Point) {
	var late lateness
	for i := range r.Feeds {
		f, c := &problem.Feeds[i], &r.Feeds[i]
		if feeds[i].Account {
			continue // an account: whether its articles are there depends on its server, too
		}
		posts := 0.0
		for _, x := range f.Posting {
			posts += x * forecastBin
		}
		p.Posts += posts
		if c.Every == 0 || len(c.At) == 0 {
			continue
		}
		p.Fetches += float64(len(c.At)) / float64(c.Every)
		ready, lost := absent.ready(f, c, &late)
		p.Ready, p.Lost = p.Ready+ready, p.Lost+lost
	}
	p.Late = late.mean()
	if p.Posts > 0 {
		p.Ready, p.Lost = p.Ready/p.Posts, p.Lost/p.Posts
	}
	return p
}

// absence tells how probably a fetch is not too late: that nobody comes from one bin to a later one whom the plan
// did not foresee.
type absence struct{ *rate.Absence }

func newAbsence(access []float64, hazard rate.Hazard) absence { return absence{hazard.Absence(access)} }

func (a absence) chance(from, to int) float64 { return math.Pow(a.Chance(from, to), surprise) }

// lateness sums up posts that are neither ready nor lost, and the bins from each of them to its fetch.
type lateness struct{ posts, bins float64 }

func (l *lateness) mean() time.Duration {
	if l.posts <= 0 {
		return 0
	}
	return time.Duration(l.bins / l.posts * forecastBin * float64(time.Hour))
}

// ready returns the number of a feed's posts a day that are fetched, and not lost, at the first access after them, and adds how
// late the others are.
func (a absence) ready(f *plan.Feed, c *plan.Cycle, late *lateness) (ready, lost float64) {
	n := len(f.Posting)
	for i, from := range c.At {
		to := c.At[0] + c.Every*n
		if i+1 < len(c.At) {
			to = c.At[i+1]
		}
		later := 0.0 // posts between t and the fetch
		after := 1.0 // chance that nobody comes between the end of bin t and the fetch
		for t := to - 1; t >= from; t-- {
			x := f.Posting[t%n] * forecastBin
			before := a.chance(t, to)
			kept := 1.0
			if f.Window > 0 {
				kept -= plan.AtLeast(later+x/2, f.Window, dispersion)
			}
			ready += x * (before + after) / 2 * kept
			missed := x * (1 - (before+after)/2) * kept / float64(c.Every)
			late.posts, late.bins = late.posts+missed, late.bins+missed*(float64(to-t)-0.5)
			lost += x * (1 - kept)
			later, after = later+x, before
		}
	}
	return ready / float64(c.Every), lost / float64(c.Every)
}

// Curve is what budgets are expected to bring, by ascending budgets.
type Curve []Point

// At returns what a budget is expected to bring, between the points of the curve; outside of them the nearest one's.
func (c Curve) At(perDay float64) Point {
	if len(c) == 0 {
		return Point{Budget: perDay}
	}
	n, _ := slices.BinarySearchFunc(c, perDay, func(p Point, x float64) int { return cmp.Compare(p.Budget, x) })
	switch {
	case n == len(c):
		p := c[n-1]
		p.Budget = perDay
		return p
	case n == 0:
		p := c[0]
		p.Budget, p.Fetches = perDay, min(p.Fetches, perDay)
		return p
	}
	return c[n-1].towards(c[n], math.Log(perDay/c[n-1].Budget)/math.Log(c[n].Budget/c[n-1].Budget))
}

// towards returns what lies a share of the way to another point, along the logarithm of the budget.
func (p Point) towards(q Point, share float64) Point {
	mix := func(a, b float64) float64 { return a + share*(b-a) }
	return Point{Budget: p.Budget * math.Pow(q.Budget/p.Budget, share), Fetches: mix(p.Fetches, q.Fetches), Posts: mix(p.Posts, q.Posts),
		Ready: mix(p.Ready, q.Ready), Lost: mix(p.Lost, q.Lost), Late: time.Duration(mix(float64(p.Late), float64(q.Late)))}
}

// Least returns the point of the least budget that keeps what is asked; ok is false if none on the curve does, and
// the point is the last one.
func (c Curve) Least(keeps func(Point) bool) (p Point, ok bool) {
	for i := range c {
		if !keeps(c[i]) {
			continue
		}
		if i == 0 {
			return c[0], true
		}
		lo, hi := 0.0, 1.0
		for range 30 {
			if mid := (lo + hi) / 2; keeps(c[i-1].towards(c[i], mid)) {
				hi = mid
			} else {
				lo = mid
			}
		}
		return c[i-1].towards(c[i], hi), true
	}
	if len(c) > 0 {
		p = c[len(c)-1]
	}
	return p, false
}

// toldVisits is how many visits tell as much of what fetches bring as the forecast does. On half 1 of the panel 15 to 60 were
// alike and better than 0 and 7, and the first power of the ratio in which corrected fades as good as any of 1/2, 2 and 4.
const toldVisits = 20

// corrected returns the curve moved by what was ready beyond or below the curve of the visits that were seen: that is what
// the model does not know of this person and these feeds, such as feeds that post more at once than they show. How often the
// person came is no part of it, as that changes. The fewer visits tell it, and the further a budget is from the fetches
// made, the less the curve moves: at twice or half of them by half as much.
func (c Curve) corrected(then Curve, seen Seen) Curve {
	made, _ := then.Least(func(p Point) bool { return p.Fetches >= seen.Fetches })
	if made.Fetches <= 0 {
		return c
	}
	shift := float64(seen.Visits) / float64(seen.Visits+toldVisits) * (seen.Ready - made.Ready)
	out, least := slices.Clone(c), 0.0
	for i := range out {
		p := &out[i]
		fade := min(p.Fetches/made.Fetches, made.Fetches/p.Fetches)
		p.Ready = max(least, min(1, p.Ready+fade*shift)) // more fetches never bring less
		least = p.Ready
	}
	return out
}

// A forecast is as uncertain as a share of so many articles that were counted: with 70 what was realized lay within the range
// 33 times of 39 on half 1 of the panel, with 100 31 times, and on half 2 64 and 56 times of 75.
const (
	worthCounted = 70
	fourOfFive   = 1.2816 // standard deviations to each side of the middle, of a normal distribution
)

// Range returns between what shares ready lies four times in five: Wilson's interval.
func (p Point) Range() (low, high float64) {
	const z2 = fourOfFive * fourOfFive / worthCounted
	middle := (p.Ready + z2/2) / (1 + z2)
	side := math.Sqrt(p.Ready*(1-p.Ready)*z2+z2*z2/4) / (1 + z2)
	return middle - side, middle + side
}

// usualVisits is how many visits tell as much of what fetches are worth as was known before.
const usualVisits = 7

// Worth returns by what factor fetches, so many a day, were worth more than by the curve, given the number of visits that
// tell so and which points of the curve are as good as what was realized. The fewer visits, the nearer to 1: after seven it
// is the square root of what they alone would tell.
func (c Curve) Worth(fetches float64, visits int, asGood func(Point) bool) float64 {
	made, _ := c.Least(func(p Point) bool { return p.Fetches >= fetches })
	like, _ := c.Least(asGood)
	if made.Budget <= 0 || like.Budget <= 0 {
		return 1
	}
	return math.Pow(like.Budget/made.Budget, float64(visits)/float64(visits+usualVisits))
}
