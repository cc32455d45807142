package rate

import "math"

// Prior is what is believed of a source before any event was seen: its mean rate
// is Gamma(Alpha, Beta), its shape that of the population.
//
// The shape is learned from the coarse to the fine, each step a Gamma–Poisson
// posterior mean around the one before, with a strength in events: the hours of the
// day seen through a window of a few hours, then hour by hour, then the level of
// weekends against weekdays, then the hours of each. So a few events move the
// shape a little and broadly, and weekdays and weekends part only as far as the data
// tell them apart.
type Prior struct {
	Alpha float64 // events
	Beta  float64 // hours
	Shape Profile // of mean 1, nowhere 0
	Kappa float64 // strength of the shape: broad hours of the day, in events
	Fine  float64 // of single hours around the broad ones
	Week  float64 // of the weekend's level
	Split float64 // of a difference between the hours of weekdays and weekends
	Width float64 // of the window of the broad hours, hours to its half
	Drift float64 // strength of the long-run level against the recent one, in events; 0: the recent one is not asked

	Again    float64 // excess after an event (Outlook), in events; 0: events know nothing of each other
	Clusters float64 // strength of that, in events
	Quiet    float64 // of the usual rate, apart from clusters
}

// grid is a number for each hour of weekdays and weekends.
type grid [2][Hours]float64

// Posterior is the mean intensity given what was seen: with no data the prior,
// with much the empirical rate of each hour. It is nowhere 0.
func (t Tally) Posterior(p Prior) Profile {
	shape := grid{p.Shape.Weekday, p.Shape.Weekend}
	count := grid(t.Count)
	if events := t.Events(); events > 0 {
		l := learner{count: count, watch: grid(t.Watch), events: events}
		if p.Kappa > 0 {
			l.hours(&shape, p.Kappa, window(p.Width))
		}
		l.hours(&shape, p.Fine, window(0))
		l.days(&shape, p.Week)
		l.cells(&shape, p.Split)
	}
	out := Profile{shape[0], shape[1]}
	out = out.unit()
	return out.scale(t.level(p, out))
}

// level is the mean rate under a shape of mean 1: Gamma–Poisson over all that is
// remembered, then the same again around that over the recent past.
func (t *Tally) level(p Prior, shape Profile) float64 {
	seen := 0.0
	for d, hours := range (grid{shape.Weekday, shape.Weekend}) {
		for h, s := range hours {
			seen += s * t.Watch[d][h]
		}
	}
	long := (p.Alpha + t.Events()) / (p.Beta + seen)
	watched := t.Exposure()
	if p.Drift <= 0 || watched <= 0 {
		return long
	}
	return (p.Drift + t.Recent.Count) / (p.Drift/long + t.Recent.Watch*seen/watched)
}

// learner refines a shape by what was counted.
type learner struct {
	count, watch grid
	events       float64
}

// expect is how many of the events each hour would have under a shape.
func (l *learner) expect(shape *grid) (e grid) {
	sum := 0.0
	for d := range e {
		for h := range Hours {
			e[d][h] = shape[d][h] * l.watch[d][h]
			sum += e[d][h]
		}
	}
	if sum > 0 {
		for d := range e {
			for h := range Hours {
				e[d][h] *= l.events / sum
			}
		}
	}
	return e
}

// share is the part of a week's events that falls in each hour under a shape.
func share(shape *grid) (s grid) {
	sum := 0.0
	for d, n := range [2]float64{weekdays, weekends} {
		for h := range Hours {
			s[d][h] = n * shape[d][h]
			sum += s[d][h]
		}
	}
	for d := range s {
		for h := range Hours {
			s[d][h] /= sum
		}
	}
	return s
}

// gain is the posterior mean of a factor with prior mean 1: k events where e were
// expected, worth `strength` events beforehand.
func gain(strength, k, e float64) float64 {
	if strength+e <= 0 {
		return 1
	}
	return (strength + k) / (strength + e)
}

// hours refines the hours of the day, weekdays and weekends alike.
func (l *learner) hours(shape *grid, strength float64, window []float64) {
	e, s := l.expect(shape), share(shape)
	for h := range Hours {
		var k, x, w float64
		for j, v := range window {
			at := (h + j) % Hours
			k += v * (l.count[0][at] + l.count[1][at])
			x += v * (e[0][at] + e[1][at])
			w += v * (s[0][at] + s[1][at])
		}
		g := gain(strength*w, k, x)
		shape[0][h] *= g
		shape[1][h] *= g
	}
}

// days refines the level of weekdays and weekends.
func (l *learner) days(shape *grid, strength float64) {
	e, s := l.expect(shape), share(shape)
	for d := range shape {
		var k, x, w float64
		for h := range Hours {
			k, x, w = k+l.count[d][h], x+e[d][h], w+s[d][h]
		}
		g := gain(strength*w, k, x)
		for h := range Hours {
			shape[d][h] *= g
		}
	}
}

// cells refines each hour of weekdays and weekends by itself.
func (l *learner) cells(shape *grid, strength float64) {
	e, s := l.expect(shape), share(shape)
	for d := range shape {
		for h := range Hours {
			shape[d][h] *= gain(strength*s[d][h], l.count[d][h], e[d][h])
		}
	}
}

// window is the weight of the hour j hours on (circular), falling to a half at
// width hours; of width 0 only the hour itself.
func window(width float64) []float64 {
	w := make([]float64, Hours)
	w[0] = 1
	for j := 1; j < Hours && width > 0; j++ {
		x := float64(min(j, Hours-j)) / width
		w[j] = math.Exp2(-x * x)
	}
	return w
}
