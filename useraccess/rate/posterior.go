package rate

import (
	"math"
	"sync"
	"time"
)

// Prior is the rate expected of a source before any event was seen: its mean is Gamma(Alpha,
// Beta), or a mixture of such (Busier), its shape that of the population.
//
// The shape is learned from coarse to fine. Each step is a Gamma–Poisson posterior mean around the
// step before, with a strength in events: the hours of the day seen through a window of a few
// hours, then hour by hour, then the level of weekends against weekdays, then the hours of each.
// So a few events move the shape a little and broadly, and weekdays and weekends differ only as
// far as the data tell them apart.
type Prior struct {
	Alpha float64 // events
	Beta  float64 // hours
	// Busier is how many kinds of busier sources there are, each ten times as busy and a tenth as many as the one before: the mean is
	// Gamma(Alpha, Beta/10ᵏ) with a weight of 10⁻ᵏ, k ≤ Busier. One Gamma distribution takes a day to believe in a post a minute.
	Busier int
	Shape  Profile // of mean 1, nowhere 0

	HalfLife time.Duration // of data

	BroadStrength   float64 // of the broad hours of the day, in events
	BroadWidth      float64 // hours from the middle of their window to its half
	HourStrength    float64 // of single hours around the broad ones, in events
	WeekendStrength float64 // of the weekend's level, in events
	SplitStrength   float64 // of the difference between hours of weekdays and weekends, in events
	LevelStrength   float64 // of the long-run level against the recent one, in events; 0: the recent one is ignored

	Hazard *HazardPrior // since the last event; nil: events are independent

	Classes bool // a source is compared to its class (Tally.Own)
}

// grid is a number for each hour of weekdays and weekends.
type grid [2][Hours]float64

// Posterior returns the mean rate given the tally: without data the prior, with many data the
// empirical rate of each hour. It is nowhere 0.
func (t Tally) Posterior(p Prior) Profile { return t.posterior(&p, 0) }

func (t *Tally) posterior(p *Prior, silence time.Duration) Profile {
	shape := grid{p.Shape.Weekday, p.Shape.Weekend}
	count := grid(t.Count)
	if events := t.Events(); events > 0 {
		l := learner{count: count, watch: grid(t.Watch), events: events}
		if p.BroadStrength > 0 {
			l.refineHours(&shape, p.BroadStrength, hourWeights(p.BroadWidth))
		}
		l.refineHours(&shape, p.HourStrength, oneHour)
		l.refineDayKinds(&shape, p.WeekendStrength)
		l.refineCells(&shape, p.SplitStrength)
	}
	out := Profile{shape[0], shape[1]}
	out = out.normalized()
	return out.scaled(t.level(p, out, silence))
}

// level returns the mean rate under a shape of mean 1: the Gamma–Poisson posterior mean over the
// whole tally, then, around that, over the recent past. A tally forgets for how long a source has
// been silent; the means do not, from longPause on.
func (t *Tally) level(p *Prior, shape Profile, silence time.Duration) float64 {
	silence = max(0, silence-longPause)
	seen := 0.0
	for d, hours := range (grid{shape.Weekday, shape.Weekend}) {
		for h, s := range hours {
			seen += s * t.Watch[d][h]
		}
	}
	long := p.Level(t.Events(), seen+forgotten(silence, p.HalfLife).Hours())
	watched := t.Exposure()
	if p.LevelStrength <= 0 || watched <= 0 {
		return long
	}
	recent := max(t.Recent.Watch, silence.Hours())
	return (p.LevelStrength + t.Recent.Count) / (p.LevelStrength/long + recent*seen/watched)
}

// Level returns the posterior mean rate, in events per hour, of a source with so many events in some hours: the mean of what each kind
// of sources expects, by how likely these events are of it.
func (p *Prior) Level(events, hours float64) float64 {
	sum, all, best := 0.0, 0.0, math.Inf(-1)
	for k := range p.Busier + 1 {
		tenth := math.Pow10(-k)
		beta := p.Beta * tenth
		// The likelihood is negative binomial; what all kinds have in common is left out.
		log := math.Log(tenth) + p.Alpha*math.Log(beta/(beta+hours))
		if events > 0 && hours > 0 {
			log += events * math.Log(hours/(beta+hours))
		}
		if log > best {
			scale := math.Exp(best - log)
			sum, all, best = sum*scale, all*scale, log
		}
		weight := math.Exp(log - best)
		sum += weight * (p.Alpha + events) / (beta + hours)
		all += weight
	}
	return sum / all
}

// longPause is the silence after which a source comes back too seldom to be expected by what it was.
// Counting shorter ones, too, makes the delay on traces a tenth larger at 2 fetches per feed and day.
const longPause = 30 * 24 * time.Hour

// forgotten returns how much of a time just past is forgotten.
func forgotten(past, halfLife time.Duration) time.Duration {
	if halfLife <= 0 {
		return 0
	}
	mean := float64(halfLife) / math.Ln2
	return past - time.Duration(mean*(1-math.Exp2(-float64(past)/float64(halfLife))))
}

// learner refines a shape by counts.
type learner struct {
	count, watch grid
	events       float64
}

// expected returns how many of the events each hour would have under a shape.
func (l *learner) expected(shape *grid) (e grid) {
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

// weekShare returns the part of a week's events that falls in each hour under a shape.
func weekShare(shape *grid) (s grid) {
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

// posteriorFactor returns the posterior mean of a factor with prior mean 1 and a strength in
// events, given k events where e were expected.
func posteriorFactor(strength, k, e float64) float64 {
	if strength+e <= 0 {
		return 1
	}
	return (strength + k) / (strength + e)
}

// refineHours refines the hours of the day, weekdays and weekends alike.
func (l *learner) refineHours(shape *grid, strength float64, window []float64) {
	e, s := l.expected(shape), weekShare(shape)
	for h := range Hours {
		var k, x, w float64
		for j, v := range window {
			at := (h + j) % Hours
			k += v * (l.count[0][at] + l.count[1][at])
			x += v * (e[0][at] + e[1][at])
			w += v * (s[0][at] + s[1][at])
		}
		g := posteriorFactor(strength*w, k, x)
		shape[0][h] *= g
		shape[1][h] *= g
	}
}

// refineDayKinds refines the level of weekdays and weekends.
func (l *learner) refineDayKinds(shape *grid, strength float64) {
	e, s := l.expected(shape), weekShare(shape)
	for d := range shape {
		var k, x, w float64
		for h := range Hours {
			k, x, w = k+l.count[d][h], x+e[d][h], w+s[d][h]
		}
		g := posteriorFactor(strength*w, k, x)
		for h := range Hours {
			shape[d][h] *= g
		}
	}
}

// refineCells refines each hour of weekdays and weekends separately.
func (l *learner) refineCells(shape *grid, strength float64) {
	e, s := l.expected(shape), weekShare(shape)
	for d := range shape {
		for h := range Hours {
			shape[d][h] *= posteriorFactor(strength*s[d][h], l.count[d][h], e[d][h])
		}
	}
}

// hourWeights returns the weight of the hour j hours away (circular), which falls to a half at width
// hours. It is shared and never changes.
func hourWeights(width float64) []float64 {
	if w, ok := hourWindows.Load(width); ok {
		return w.([]float64)
	}
	w := make([]float64, Hours)
	for j := range w {
		x := float64(min(j, Hours-j)) / width
		w[j] = math.Exp2(-x * x)
	}
	hourWindows.Store(width, w)
	return w
}

var (
	hourWindows sync.Map       // those in use by their width
	oneHour     = []float64{1} // the window of nothing but the hour itself
)
