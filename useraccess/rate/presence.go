package rate

import (
	"math"
	"slices"
	"time"
)

// Sign is a kind of sign, given by the desktop, that the user may be about to open the reader.
type Sign string

// The kinds of signs.
const (
	Unlock  Sign = "unlock"  // of the screen
	Return  Sign = "return"  // to a machine that was idle
	Resume  Sign = "resume"  // of the machine from sleep
	Plugged Sign = "plugged" // into the mains
)

// Signs lists all kinds.
var Signs = []Sign{Unlock, Return, Resume, Plugged}

const (
	// SignHorizon is how long after a sign an opening may have been foretold by it.
	SignHorizon = time.Hour
	// SignPause is the time in which signs of one kind are one sign.
	SignPause = 5 * time.Minute
	// signHalfLife is the half-life of what signs have foretold.
	signHalfLife = 45 * 24 * time.Hour
	// signsEnd is how unlikely openings without any sign between them must be for signs not to come any more.
	signsEnd = 0.001
)

// signDelays are the ends in minutes of the bins of the delay between a sign and an opening. What follows before
// the first cannot be prepared for.
var signDelays = [...]float64{0.25, 1, 3, 5, 10, 15, 20, 30, 60}

// delayBins is the number of bins of the delay.
const delayBins = len(signDelays) - 1

// Presence counts what openings of the reader followed which signs, for each kind of sign, hour of the day and
// delay, beside how many were expected anyway; older ones count for less. At any time one sign at most leads:
// the latest, unless an earlier one foretells more. The zero Presence has seen none. It can be stored as JSON.
type Presence struct {
	At       time.Time           `json:"at"`       // the counts are as of then
	Openings float64             `json:"openings"` // since the first sign, foretold or not
	Unsigned int                 `json:"unsigned"` // openings since the last sign
	Kinds    map[Sign]*SignTally `json:"kinds,omitempty"`
	Leading  LeadingSign         `json:"leading,omitzero"`
	Latest   map[Sign]time.Time  `json:"latest,omitempty"` // sign of each kind

	model  *presenceModel // of the counts; nil: they have changed since
	weekly *presenceModel // by which it is decided which sign leads, of the first sign of a week; nil: there is none
	week   int64
}

// SignTally is what followed the signs of one kind while they led.
type SignTally struct {
	Opened   [Hours]float64            `json:"opened"`   // openings, by the hour of the sign
	AtOnce   float64                   `json:"at_once"`  // openings before the first bin of the delay
	Expected [Hours]float64            `json:"expected"` // those expected anyway
	Delayed  [delayBins]float64        `json:"delayed"`  // openings, by their delay
	Base     [delayBins]float64        `json:"base"`     // those expected anyway
	Risk     [Hours][delayBins]float64 `json:"risk"`     // signs that no opening had followed before the bin; parts of a bin count in part
}

// LeadingSign is the sign that leads; the zero LeadingSign means that no sign leads.
type LeadingSign struct {
	Kind     Sign      `json:"kind"`
	At       time.Time `json:"at"`
	Expected float64   `json:"expected"` // openings in the horizon by the outlook without signs
}

// Expected returns how many events the outlook expects in some time from a time on, on the wall clock of its zone.
func (o Outlook) Expected(from time.Time, in time.Duration) (events float64) {
	const bins = 12
	for _, x := range o.Sample(from, in/bins, bins, from.Location()) {
		events += x * (in / bins).Hours()
	}
	return events
}

// Sign notes a sign, in the zone of the user's wall clock. expected is the number of openings that the outlook
// expects in the SignHorizon after it, by what is known without signs. It reports whether the sign counts: one that
// soon follows another of its kind does not.
func (p *Presence) Sign(kind Sign, at time.Time, expected float64) bool {
	if !slices.Contains(Signs, kind) {
		return false
	}
	p.advance(at)
	if last, there := p.Latest[kind]; there && at.Sub(last) < SignPause {
		return false
	}
	if p.Latest == nil {
		p.Latest = map[Sign]time.Time{}
	}
	p.Latest[kind], p.Unsigned = at, 0
	model := p.ofWeek(at)
	leads, other := model.foretold(p.Leading.Kind, p.Leading.At), model.foretold(kind, at)
	if leads.left(at) > other.left(at) {
		return true
	}
	p.endLeading(at, false)
	p.model = nil
	p.Leading = LeadingSign{Kind: kind, At: at, Expected: count(expected)}
	return true
}

// Access notes that the reader was opened.
func (p *Presence) Access(at time.Time) {
	if p.At.IsZero() {
		return // nothing was watched yet
	}
	p.advance(at)
	p.model = nil
	p.Openings++
	p.Unsigned++
	p.endLeading(at, true)
}

// advance brings the counts to a later time. After the clock was set back they count as they did before.
func (p *Presence) advance(at time.Time) {
	switch since := at.Sub(p.At); {
	case p.At.IsZero():
	case since < -SignPause:
		p.Leading, p.Latest = LeadingSign{}, map[Sign]time.Time{}
	case since < 0:
		return
	default:
		if p.Leading.Kind != "" && at.Sub(p.Leading.At) >= SignHorizon {
			p.endLeading(at, false)
		}
		p.model = nil
		weight := decay{at, signHalfLife}.weight(p.At)
		p.Openings *= weight
		for _, t := range p.Kinds {
			t.scale(weight)
		}
	}
	p.At = at
}

func (t *SignTally) scale(x float64) {
	t.AtOnce *= x
	for h := range Hours {
		t.Opened[h] *= x
		t.Expected[h] *= x
		for j := range t.Risk[h] {
			t.Risk[h][j] *= x
		}
	}
	for j := range t.Delayed {
		t.Delayed[j] *= x
		t.Base[j] *= x
	}
}

// endLeading counts what followed the sign that leads, up to a time: an opening, another sign, or nothing.
func (p *Presence) endLeading(at time.Time, opened bool) {
	lead := p.Leading
	if p.Leading = (LeadingSign{}); lead.Kind == "" {
		return
	}
	t := p.Kinds[lead.Kind]
	if t == nil {
		t = &SignTally{}
		if p.Kinds == nil {
			p.Kinds = map[Sign]*SignTally{}
		}
		p.Kinds[lead.Kind] = t
	}
	minutes, hour := at.Sub(lead.At).Minutes(), lead.At.Hour()
	if opened && minutes >= 0 && minutes <= signDelays[0] {
		t.AtOnce++
	}
	for j := range delayBins {
		from, to := signDelays[j], signDelays[j+1]
		if minutes <= from {
			break
		}
		part := min(1, (minutes-from)/(to-from))
		base := lead.Expected * part * (to - from) / SignHorizon.Minutes()
		t.Risk[hour][j] += part
		t.Base[j] += base
		t.Expected[hour] += base
		if opened && minutes <= to {
			t.Delayed[j]++
			t.Opened[hour]++
		}
	}
}

// Foretelling returns what the signs so far tell about the hours after now.
func (p *Presence) Foretelling(now time.Time) Foretelling {
	m := p.learned()
	if math.Pow(1-m.share, float64(p.Unsigned)) < signsEnd {
		return Foretelling{} // the desktop gives no signs any more
	}
	out := Foretelling{Share: m.share, late: m.late}
	since := now.Sub(p.Leading.At)
	if p.Leading.Kind != "" && since >= 0 && since < SignHorizon {
		f := m.foretold(p.Leading.Kind, p.Leading.At)
		out.Sign, out.Chance, out.foretold = p.Leading, f.left(now), f
	}
	return out
}

// learned returns the model of the counts.
func (p *Presence) learned() *presenceModel {
	if p.model == nil {
		m := p.learn()
		p.model = &m
	}
	return p.model
}

// ofWeek returns the model with which the week of a sign began.
func (p *Presence) ofWeek(at time.Time) *presenceModel {
	if n := at.Unix() / (week * 3600); p.weekly == nil || n != p.week {
		p.weekly, p.week = p.learned(), n
	}
	return p.weekly
}
