package taste

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Reason is a feature of an article that says something about it.
type Reason struct {
	Feature
	Effect       float64 // what the chance would be less without it, −1 to 1
	Read, Passed int     // articles with it
	Asked        bool    // the user asked for more or fewer articles with it
}

// leastEffect is from where on a feature is a reason.
const leastEffect = 0.02

// Reasons returns what about an article makes it likelier or less likely to be read than others of its feed, by the size of
// the effect.
func (m *Model) Reasons(a Article, feed Feed, now time.Time) []Reason {
	j := m.judge(a, feed, now)
	chance := j.chance()
	var all []Reason
	for i, f := range j.features {
		w := j.weights[i]
		effect := chance - cumulative((j.mean-w.Mean)/j.total())
		if math.Abs(effect) >= leastEffect {
			all = append(all, Reason{Feature: f, Effect: effect, Read: w.Read, Passed: w.Passed, Asked: w.Asked})
		}
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return all
}

// Learned is a feature with what is known of it.
type Learned struct {
	Feature
	Weight
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
			all = append(all, Learned{f, w})
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
	}
}
