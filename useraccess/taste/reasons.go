package taste

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// Reason is a feature of an article that says something about it.
type Reason struct {
	Feature
	Effect       float64 // its part in what the chance differs from the interest in the feed, −1 to 1
	Read, Passed int     // articles with it
	Asked        bool    // the user asked for more or fewer articles with it
}

// leastEffect is from where on a feature is a reason.
const leastEffect = 0.02

// Reasons returns what about an article makes it likelier or less likely to be read than others of its feed, by the size of
// the effect. The effects of all features, also of those that are too small to be a reason, add up to what the chance differs from
// the interest in the feed: each has its part of the way from there, as by integrated gradients (Sundararajan, Taly and Yan,
// "Axiomatic attribution for deep networks", ICML 2017, §3). So a chance that nothing much lowers, being near 1, has its reasons, too.
func (m *Model) Reasons(a Article, feed Feed, now time.Time) []Reason {
	j := m.judge(a, feed, now)
	perWeight, differs := j.slope(), j.chance()-cumulative(j.origin)
	all := make([]Reason, 0, len(j.features))
	for i, f := range j.features {
		w := j.weights[i]
		all = append(all, Reason{Feature: f, Effect: w.Mean * perWeight, Read: w.Read, Passed: w.Passed, Asked: w.Asked})
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	says := func(r Reason) bool { return math.Abs(r.Effect) >= leastEffect }
	if !slices.ContainsFunc(all, says) && math.Abs(differs) >= leastEffect { // many that are small: the first of them stands for all
		says = func(r Reason) bool { return r.Effect*differs > 0 }
		first := slices.IndexFunc(all, says)
		return all[first : first+1]
	}
	return slices.DeleteFunc(all, func(r Reason) bool { return !says(r) })
}

// slope is by how much the chance rises for each unit of the weights, in the mean over the way from the interest in the feed.
func (j judgement) slope() float64 {
	moved := j.mean - j.origin*j.total()
	if math.Abs(moved) < 1e-9 {
		return trust(j.seen) * density(j.origin) / j.total()
	}
	return (j.chance() - cumulative(j.origin)) / moved
}

// Learned is a feature with what is known of it.
type Learned struct {
	Named
	Weight
}

// Named is a feature with the name that people write it by: that of authors and categories is folded in the feature itself.
type Named struct {
	Feature
	Written string
}

// Named returns a feature as it was written last.
func (m *Model) Named(f Feature) Named { return Named{f, cmp.Or(m.written[f], f.Text)} }

// noteNames notes how the names in an article are written, also those that are not learned.
func (m *Model) noteNames(a Article) {
	note := func(kind Kind, name string) {
		if f := (Feature{kind, foldName(name)}); f.Text != "" {
			m.written[f] = cut(strings.Join(strings.Fields(name), " "), maxWord)
		}
	}
	note(Author, a.Author)
	for _, name := range a.Categories[:min(len(a.Categories), maxCategories)] {
		note(Category, name)
	}
}

// certainty is how surely a weight is not zero, in standard deviations.
func (w Weight) certainty() float64 { return math.Abs(w.Mean) / math.Sqrt(w.Variance) }

// leastCertainty is from where on a feature is known to matter.
const leastCertainty = 0.5

// Learned returns the features that are known to matter, the surest first.
func (m *Model) Learned(now time.Time) []Learned {
	var all []Learned
	for f := range m.weights {
		if w := m.weight(f, now); w.certainty() >= leastCertainty {
			all = append(all, Learned{m.Named(f), w})
		}
	}
	slices.SortFunc(all, func(a, b Learned) int {
		return cmp.Or(cmp.Compare(b.certainty(), a.certainty()), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return all
}

// prune drops the quarter of the features that say least.
func (m *Model) prune() {
	type entry struct {
		Feature
		certainty float64
	}
	all := make([]entry, 0, len(m.weights))
	for f, w := range m.weights {
		all = append(all, entry{f, w.certainty()})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.certainty, b.certainty), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	for _, e := range all[:len(all)/4] {
		delete(m.weights, e.Feature)
		delete(m.written, e.Feature)
	}
}
