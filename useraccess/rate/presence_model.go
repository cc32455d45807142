package rate

import (
	"math"
	"time"
)

const (
	// signStrength is how many signs that nothing follows a kind starts with. signHourStrength is how many signs in
	// one hour of the day tell as much of it as all other hours do.
	signStrength, signHourStrength = 0.5, 10
	// delayStrength is how many foretold openings the prior of their delays is worth.
	delayStrength = 2
	// baseError is how far, relatively, the number of openings expected anyway may be wrong: so much more or fewer
	// are no evidence that signs foretell any.
	baseError = 0.15
	// priorOdds are the odds that signs foretell anything before any was seen.
	priorOdds = 0.1
	// leastChance is the chance below which a sign foretells nothing, and mostHazard, e⁻⁶ from certainty, the most
	// it foretells.
	leastChance, mostHazard = 0.03, 6
	// mostShare is the largest share of all openings that signs foretell.
	mostShare = 0.99
	// learnRounds is how often the estimates are corrected by each other.
	learnRounds = 12
)

// delays is an increasing function of the delay: its values at the ends of signDelays, joined linearly.
type delays [delayBins + 1]float64

// at returns the value at u minutes.
func (g *delays) at(u float64) float64 {
	if u <= signDelays[0] {
		return 0
	}
	for j := range delayBins {
		if from, to := signDelays[j], signDelays[j+1]; u < to {
			return g[j] + (g[j+1]-g[j])*(u-from)/(to-from)
		}
	}
	return g[delayBins]
}

// shortDelays is the prior of the delay: u minutes have a density in proportion to 1/(u + shortDelay).
var shortDelays = func() (g [delayBins]float64) {
	const shortDelay = 5
	span := math.Log((signDelays[delayBins] + shortDelay) / (signDelays[0] + shortDelay))
	for j := range g {
		g[j] = math.Log((signDelays[j+1]+shortDelay)/(signDelays[j]+shortDelay)) / span
	}
	return g
}()

// signModel is what signs of one kind foretell: openings with the hazard p·g/(1 − p·G), where p is the chance that
// one follows that would not come anyway, and g and G are the density and the distribution of its delay. It is
// constant within each bin of signDelays, and differs by a factor among the hours of the day.
type signModel struct {
	hazard delays             // integrated: −ln(1 − p·G)
	factor [Hours]float64     // by the hour of the sign
	mass   [delayBins]float64 // foretold openings, of those counted
}

// presenceModel is what was learned of all kinds.
type presenceModel struct {
	kinds map[Sign]*signModel
	share float64 // of all openings that signs foretell
	late  delays  // the distribution of the delays of these
}

// learn estimates what each kind foretells. Openings in excess of those expected anyway are foretold; the latter are
// fewer by the share that is foretold, so both are found in turn.
func (p *Presence) learn() (m presenceModel) {
	m.kinds = map[Sign]*signModel{}
	evidence := map[Sign]float64{}
	for round := range learnRounds {
		mass, total, atOnce := [delayBins]float64{}, 0.0, 0.0
		for _, kind := range Signs { // a map has no fixed order, and sums depend on it
			t := p.Kinds[kind]
			if t == nil {
				continue
			}
			if round == 0 || round == learnRounds/2 { // it takes longest, and hardly moves
				evidence[kind] = t.evidence(1 - m.share)
			}
			s := t.learn(1-m.share, evidence[kind])
			if m.kinds[kind] = s; s == nil {
				continue
			}
			atOnce += t.AtOnce
			for j, x := range s.mass {
				mass[j] += x
				total += x
			}
		}
		m.share = min(mostShare, (total+atOnce)/(p.Openings+1))
		if total == 0 {
			break
		}
		sum := 0.0
		for j, x := range mass {
			sum += x
			m.late[j+1] = sum / total
		}
	}
	return m
}

// foretold returns what a sign foretells.
func (m *presenceModel) foretold(kind Sign, at time.Time) foretold {
	s := m.kinds[kind]
	if s == nil {
		return foretold{}
	}
	return foretold{at: at, factor: s.factor[at.Hour()], hazard: &s.hazard}
}

// learn estimates what signs of the kind foretell, where a share of the openings expected without signs comes
// anyway, and what evidence there is that they foretell any; nil if that is nothing.
func (t *SignTally) learn(anyway, evidence float64) *signModel {
	excess := 0.0
	var weights [delayBins]float64
	for j := range delayBins {
		weights[j] = t.Delayed[j] - anyway*t.Base[j]
		excess += weights[j]
	}
	if !(excess > 0) {
		return nil
	}
	risk := t.riskOf()
	s := &signModel{hazard: lifeTable(excess*evidence, &weights, &risk)}
	foretells := false
	for h := range Hours {
		s.factor[h] = t.factorAt(h, anyway, &s.hazard)
		foretells = foretells || s.factor[h] > 0
		for j, r := range t.Risk[h] {
			s.mass[j] += r * s.factor[h] * (s.hazard[j+1] - s.hazard[j])
		}
	}
	if !foretells {
		return nil
	}
	return s
}

// riskOf sums the signs at risk of all hours.
func (t *SignTally) riskOf() (risk [delayBins]float64) {
	for h := range Hours {
		for j, r := range t.Risk[h] {
			risk[j] += r
		}
	}
	return risk
}

// lifeTable returns the hazard, integrated, at which so many openings in all are foretold to signs at risk. They are
// divided among the bins by weights, which are shrunk to the prior.
func lifeTable(openings float64, weights, risk *[delayBins]float64) (hazard delays) {
	sum := float64(delayStrength)
	for _, w := range weights {
		sum += max(0, w)
	}
	for j, w := range weights {
		hazard[j+1] = hazard[j] + openings/sum*(max(0, w)+delayStrength*shortDelays[j])/(risk[j]+signStrength)
	}
	return hazard
}

// factorAt is the factor of the hazard in an hour of the day: the openings in excess over those it would foretell,
// shrunk to 1; 0 if then hardly any are foretold.
func (t *SignTally) factorAt(hour int, anyway float64, hazard *delays) float64 {
	foretold := 0.0
	for j, r := range t.Risk[hour] {
		foretold += r * (hazard[j+1] - hazard[j])
	}
	whole := hazard[delayBins]
	strength := max(0.5, signHourStrength*-math.Expm1(-whole))
	factor := (strength + t.Opened[hour] - anyway*t.Expected[hour]) / (strength + foretold)
	if !(-math.Expm1(-factor*whole) >= leastChance) {
		return 0
	}
	return min(factor, mostHazard/whole)
}

// evidence is the probability that signs foretell openings at all. It compares what is expected if they do not with
// two ways in which they may, of which either is as likely before: alike at all hours of the day, and at one of them.
func (t *SignTally) evidence(anyway float64) float64 {
	var opened, expected, signs, odds float64
	for h := range Hours {
		opened, expected, signs = opened+t.Opened[h], expected+anyway*t.Expected[h], signs+t.Risk[h][0]
		odds += oddsOf(t.Opened[h], anyway*t.Expected[h], t.Risk[h][0]) / Hours
	}
	odds += oddsOf(opened, expected, signs)
	odds *= priorOdds / 2
	return odds / (1 + odds)
}

// oddsOf is how many times as likely a number of openings is if some share of the signs, of which every one is as
// likely, is followed by one that would not come anyway. The counts are Poisson where what comes anyway is known up
// to a factor of 1 ± baseError.
func oddsOf(opened, expected, signs float64) (odds float64) {
	const shares = 10
	if opened <= expected {
		return 0
	}
	variance := baseError * expected * baseError * expected
	none := logCount(opened, expected, variance)
	for k := range shares {
		share := (float64(k) + 0.5) / shares
		odds += math.Exp(min(300, logCount(opened, expected+share*signs, variance)-none)) / shares
	}
	return odds
}

// logCount is the logarithm of the probability of a count by the negative binomial distribution with a mean and a
// variance beyond the mean.
func logCount(n, mean, beyond float64) float64 {
	mean = max(mean, 0.01)
	gamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	if beyond < 1e-6*mean {
		return n*math.Log(mean) - mean - gamma(n+1)
	}
	k := mean * mean / beyond
	return gamma(n+k) - gamma(k) - gamma(n+1) + k*math.Log(k/(k+mean)) + n*math.Log(mean/(k+mean))
}

// foretold is the opening that a sign foretells. The zero foretold means no opening.
type foretold struct {
	at     time.Time
	factor float64
	hazard *delays
}

// absent is the chance that it has not come up to a time.
func (f *foretold) absent(t time.Time) float64 {
	if f.hazard == nil {
		return 1
	}
	return math.Exp(-f.factor * f.hazard.at(t.Sub(f.at).Minutes()))
}

// left is the chance that it comes after now, if no opening has come since the sign.
func (f *foretold) left(now time.Time) float64 {
	return 1 - f.absent(f.at.Add(SignHorizon))/f.absent(now)
}

// Foretelling is what signs of presence tell about the coming hours. The zero Foretelling changes nothing.
type Foretelling struct {
	Share  float64     // of all openings that signs foretell, as far as was learned
	Sign   LeadingSign // the sign that leads now; zero: none
	Chance float64     // that the opening which it foretells is still to come

	late     delays // of all foretold openings
	foretold foretold
}

// Adjust changes the expected rate of openings, in events per hour of bins from a time on, by what is known at now.
// What signs foretell comes after a sign only: of the openings expected u after now by the rest of what is known
// those do not come that a sign before now would have foretold, a share Share·(1 − G(u)). In place of these the sign
// that leads adds its chance, spread over what is left of its delays. Bins before now lose as much as at now.
//
// Of what signs will foretell later a share is left out, too: 0 gives what is expected. A plan that is made again at each
// sign does better if it does not prepare for all of that beforehand.
func (f *Foretelling) Adjust(levels []float64, from time.Time, bin time.Duration, now time.Time, leftOut float64) {
	if f.Share <= 0 && f.Chance <= 0 {
		return
	}
	absent := f.foretold.absent(now)
	last := now.Add(SignHorizon)
	for k := range levels {
		start := from.Add(time.Duration(k) * bin)
		levels[k] *= 1 - f.Share*max(leftOut, 1-f.late.at(start.Add(bin/2).Sub(now).Minutes()))
		if f.foretold.hazard == nil || !start.Before(last) {
			continue
		}
		if start.Before(now) {
			start = now
		}
		if end := from.Add(time.Duration(k+1) * bin); end.After(start) {
			levels[k] += (f.foretold.absent(start) - f.foretold.absent(end)) / absent / bin.Hours()
		}
	}
}
