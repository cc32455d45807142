// Package taste learns which articles a person reads: what authors, categories, the words of titles, age, length and the number
// of feeds that carry a story change about the interest in a feed. It does no input or output and reads no clock.
//
// A Model is learned from observations in the order of time (Model.Learn) and tells the probability that an Article is read
// (Model.Chance), why (Model.Reasons), and an order of articles (Order). It is Bayesian probit regression as in Graepel,
// Candela, Borchert and Herbrich, "Web-scale Bayesian click-through rate prediction" (ICML 2010), §3: each feature has a
// weight that is normally distributed and independent of the others, the weights of an article add up, and one observation
// updates them in closed form. The interest in the feed (rate.Interest) is the origin that they add to, and what they add counts in
// full only once enough was seen.
package taste

import (
	"math"
	"slices"
	"time"
)

// Article is what a model looks at.
type Article struct {
	Feed      int64
	Title     string
	Author    string
	Published time.Time
	Words     int // of its text; 0: unknown
	Carriers  int // feeds that carry the story, itself among them

	Categories []string // that its feed files it under
}

// Kind is what a feature is about.
type Kind uint8

const (
	Word Kind = iota // of the title, folded
	Author
	Age      // when it was read, or is looked at
	Length   // of the text
	Carriers // feeds that carry the story
	Category // that the feed files it under, folded
)

var kindCodes = [...]string{Word: "word", Author: "author", Age: "age", Length: "length", Carriers: "carriers", Category: "category"}

// Code names a kind where it is stored and printed.
func (k Kind) Code() string { return kindCodes[k] }

// KindOf returns the kind of a code; ok is false if there is none.
func KindOf(code string) (k Kind, ok bool) {
	at := slices.Index(kindCodes[:], code)
	return Kind(max(0, at)), at >= 0
}

// Feature is what articles may have in common.
type Feature struct {
	Kind Kind
	Text string // the word, the author, the category, or one of the codes of the other kinds
}

// Weight is what is known of a feature, in standard deviations of the noise: above 0 articles with it are read more often
// than others of their feeds.
type Weight struct {
	Mean, Variance float64
	At             time.Time // of the last observation
	Seen           float64   // how often it was observed, older times counting less
	Read, Passed   int       // articles with it
	Asked          bool      // the user asked for more or fewer articles with it
}

const (
	// halfLife is how long it takes until an observation counts for half. It is that of the interest in feeds.
	halfLife = 60 * 24 * time.Hour
	// maxFeatures bounds the memory of a model; those that say least are dropped.
	maxFeatures = 20_000
)

// variance is that of a weight nothing is known of.
func (k Kind) variance() float64 {
	if k == Word {
		return wordVariance
	}
	return otherVariance
}

const (
	wordVariance  = 0.1
	otherVariance = 0.4
)

// Model is what was learned. A Model is used by one goroutine at a time.
type Model struct {
	weights map[Feature]Weight
	ignored map[Feature]bool
	written map[Feature]string // names of authors and categories, as they were written last
}

// NewModel returns a model that has learned nothing, and never will of the features that are ignored.
func NewModel(ignored ...Feature) *Model {
	m := &Model{weights: map[Feature]Weight{}, ignored: map[Feature]bool{}, written: map[Feature]string{}}
	for _, f := range ignored {
		m.ignored[f] = true
	}
	return m
}

// Chance returns the probability that an article is read that is looked at now. It is above 0 and below 1.
func (m *Model) Chance(a Article, f Feed, now time.Time) float64 {
	return m.judge(a, f, now).chance()
}

// Learn takes into account that an article was read at a time, or passed over.
func (m *Model) Learn(a Article, feed Feed, at time.Time, read bool) {
	m.observe(a, feed, at, read, func(w *Weight) {
		if read {
			w.Read++
		} else {
			w.Passed++
		}
	})
}

// Ask takes into account that the user wants more articles like one, or fewer, as much as a reading. Where what was learned still says
// the contrary, it is not trusted more for that: the article would become less likely, or likelier, in spite of the wish.
func (m *Model) Ask(a Article, feed Feed, at time.Time, more bool) {
	before := m.Chance(a, feed, at)
	m.observe(a, feed, at, more, func(w *Weight) { w.Asked = true })
	if after := m.Chance(a, feed, at); after == before || after > before == more {
		return
	}
	for _, f := range m.features(a, at) {
		if w, known := m.weights[f]; known {
			w.Seen--
			m.weights[f] = w
		}
	}
}

// observe moves the weights of an article to where it is likelier, or less likely, and notes why.
func (m *Model) observe(a Article, feed Feed, at time.Time, read bool, note func(*Weight)) {
	j := m.judge(a, feed, at)
	sign := -1.0
	if read {
		sign = 1
	}
	total := j.total()
	v, w := correction(sign * j.mean / total)
	for i, f := range j.features {
		known := j.weights[i]
		known.Mean += sign * known.Variance / total * v
		known.Variance *= 1 - known.Variance/(total*total)*w
		note(&known)
		known.Seen++
		known.At = at
		m.weights[f] = known
	}
	m.noteNames(a)
	if len(m.weights) > maxFeatures {
		m.prune()
	}
}

// judgement is what a model knows of an article.
type judgement struct {
	features       []Feature
	weights        []Weight // parallel
	origin         float64  // the interest in the feed, on the scale of probits
	mean, variance float64
	seen           float64 // articles that tell something of this one: how often the feature was seen that was seen most
}

func (m *Model) judge(a Article, feed Feed, now time.Time) judgement {
	j := judgement{features: m.features(a, now)}
	for _, f := range j.features {
		w := m.weight(f, now)
		j.weights = append(j.weights, w)
		j.mean += w.Mean
		j.variance += w.Variance
		j.seen = max(j.seen, w.Seen)
	}
	j.origin, _ = feed.origin()
	j.mean += j.origin * j.total()
	return j
}

// total is the standard deviation of what decides, the noise of variance 1 included.
func (j judgement) total() float64 { return math.Sqrt(1 + j.variance) }

func (j judgement) chance() float64 {
	interest := cumulative(j.origin)
	return interest + trust(j.seen)*(cumulative(j.mean/j.total())-interest)
}

// trustedFrom is as many articles as the interest in a feed is worth before anything was seen of it.
const trustedFrom = 4

// trust is how much the weights count beside the interest in the feed. Taken alone they are too sure while little was seen: the
// words, the author and the length of the same few articles each seem to say something of their own. With it a chance is at most
// the mean of the Beta distribution that the interest would have if all articles that were seen had been read, and at least
// that if none had.
func trust(seen float64) float64 { return seen / (seen + trustedFrom) }

// weight returns what is known of a feature now: older observations count less.
func (m *Model) weight(f Feature, now time.Time) Weight {
	prior := f.Kind.variance()
	w, known := m.weights[f]
	if !known {
		return Weight{Variance: prior, At: now}
	}
	if age := now.Sub(w.At); age > 0 {
		kept := math.Exp2(-float64(age) / float64(halfLife))
		precision := kept/w.Variance + (1-kept)/prior
		w.Mean, w.Variance, w.Seen = kept*w.Mean/w.Variance/precision, 1/precision, kept*w.Seen
	}
	return w
}

// correction returns v and w of Graepel and others (2010), §3.2: by how much an observation moves and narrows the weights.
func correction(t float64) (v, w float64) {
	if t < -30 { // the quotient tends to −t, and both of its parts to 0
		v = -t
	} else {
		v = density(t) / cumulative(t)
	}
	return v, v * (v + t)
}

func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

func cumulative(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
