// Package prepare decides which articles are brought whole, text and pictures, before they are read, when that begins, and which
// of them go when there is no room. What it costs and how often it was of use is learned (History). It does no I/O and reads no
// clock: poller/preparer carries out what it decides, and a benchmark measures the same code.
package prepare

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Candidate is an article that may be prepared.
type Candidate struct {
	ID       int64
	Chance   float64 // that it is read at one of the coming visits
	Bytes    float64 // that preparing it is expected to take
	Requests int     // the same
}

// requestBytes is how many bytes a request counts for beside its body: headers, and the trouble of a server.
const requestBytes = 4 << 10

// Cost is what preparing an article is expected to take, in bytes.
func (c *Candidate) Cost() float64 {
	return math.Max(1, finite(c.Bytes)) + requestBytes*float64(max(0, c.Requests))
}

// Worth is the probability per megabyte that preparing an article is of use.
func (c *Candidate) Worth() float64 { return worth(c.Chance, c.Cost()) }

// worth is the worth of what is read with a probability and costs so many bytes.
func worth(chance, bytes float64) float64 {
	return math.Min(1, finite(chance)) * (1 << 20) / math.Max(1, finite(bytes))
}

// finite returns x, or 0 where it is no positive number.
func finite(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	return x
}

// fadingVisits is after how many visits an article that was not opened is half as likely to be read.
const fadingVisits = 1

// Faded is the probability that an article is read now, if it was chance when it came and there were visits since.
func Faded(chance float64, visits int) float64 {
	return finite(chance) * math.Exp2(-float64(max(0, visits))/fadingVisits)
}

// Allowance is what may still be spent.
type Allowance struct {
	Bytes    float64
	Requests int
}

// Choose returns the candidates that are worth it, the most valuable first, as far as the allowance reaches: one that does not fit
// gives way to the next that does. Equals stay in their order.
func Choose(all []Candidate, least float64, left Allowance) []Candidate {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Worth(), a.Worth()) })
	var chosen []Candidate
	for _, c := range all {
		if c.Worth() < least || c.Worth() == 0 {
			break
		}
		if c.Requests > left.Requests || c.Cost() > left.Bytes {
			continue
		}
		left.Requests, left.Bytes = left.Requests-c.Requests, left.Bytes-c.Cost()
		chosen = append(chosen, c)
	}
	return chosen
}

const (
	// Ahead is how long before a visit preparing begins: a hundred articles of one site take an hour at its pace.
	Ahead = 3 * time.Hour
	// enoughVisits is how many visits must be expected in that time: fewer are worth waiting for what comes until then.
	enoughVisits = 0.05
)

// Begins reports whether preparing begins, given how many visits are expected within Ahead.
func Begins(visits float64) bool { return visits >= enoughVisits }

// Goal is the share of the articles opened that should be whole.
const Goal = 0.93
