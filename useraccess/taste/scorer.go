package taste

import (
	"math"
	"time"
)

// Feed is what is known of a feed beside its articles.
type Feed struct {
	Interest  float64 // probability that an article of it is read, above 0 and below 1
	Uncertain float64 // standard deviation of Interest
}

// origin returns the interest on the scale of probits, and what is not known of it.
func (f Feed) origin() (mean, spread float64) {
	interest := leastInterest
	if f.Interest > leastInterest {
		interest = min(f.Interest, 1-leastInterest)
	}
	mean = math.Sqrt2 * math.Erfinv(2*interest-1)
	return mean, f.Uncertain / density(mean)
}

// leastInterest keeps an origin finite.
const leastInterest = 0.001

// scorer scores the articles of collections at a time. It looks up weights by the hashes of features, linearly probed, a
// dozen for each of a hundred thousand articles.
type scorer struct {
	of    *Collection
	slots []slot       // a power of two, at least a quarter of them empty
	feeds []feedOrigin // by row
	age   map[string]slot
	now   time.Time

	carriers [len(carrierCodes)]slot
}

type slot struct {
	hash           uint32
	known          bool
	mean, variance float32
	seen           float32
}

type feedOrigin struct{ mean, variance, chance float32 }

func slotOf(f Feature, w Weight) slot {
	return slot{f.hash(), true, float32(w.Mean), float32(w.Variance), float32(w.Seen)}
}

func (c *Collection) newScorer(m *Model, feeds map[int64]Feed, now time.Time) *scorer {
	size := 64
	for size < 2*(len(m.weights)+len(m.ignored)) {
		size *= 2
	}
	s := &scorer{of: c, slots: make([]slot, size), feeds: make([]feedOrigin, len(c.feedRows)), age: map[string]slot{}, now: now}
	for f := range m.weights {
		s.put(slotOf(f, m.weight(f, now)))
	}
	for f := range m.ignored {
		s.put(slot{hash: f.hash(), known: true})
	}
	for _, text := range []string{DaysOld, WeeksOld} {
		if f := (Feature{Age, text}); !m.ignored[f] {
			s.age[text] = slotOf(f, m.weight(f, now))
		}
	}
	for i, text := range carrierCodes[1:] {
		s.carriers[i+1] = s.find(Feature{Carriers, text}.hash())
	}
	for id, row := range c.feedRows {
		mean, spread := feeds[id].origin()
		s.feeds[row] = feedOrigin{float32(mean), float32(spread * spread), float32(cumulative(mean))}
	}
	return s
}

func (s *scorer) put(one slot) {
	mask := uint32(len(s.slots) - 1)
	at := one.hash & mask
	for s.slots[at].known && s.slots[at].hash != one.hash {
		at = (at + 1) & mask
	}
	s.slots[at] = one
}

// find returns what is known of a feature by its hash.
func (s *scorer) find(hash uint32) slot {
	mask := uint32(len(s.slots) - 1)
	for at := hash & mask; s.slots[at].known; at = (at + 1) & mask {
		if s.slots[at].hash == hash {
			return s.slots[at]
		}
	}
	if hash&1 == wordBit {
		return slot{variance: wordVariance}
	}
	return slot{variance: otherVariance}
}

// score returns the chance of the article in a row of the collection, and on the scale of probits what it may as well be.
func (s *scorer) score(row int32) (chance, upper float32) {
	from := uint32(0)
	if row > 0 {
		from = s.of.end[row-1]
	}
	var sum slot
	for _, hash := range s.of.features[from:s.of.end[row]] {
		sum.add(s.find(hash))
	}
	sum.add(s.carriers[s.of.carriers[row]])
	if old := age(s.now.Sub(time.Unix(s.of.published[row], 0))); old != "" {
		sum.add(s.age[old])
	}
	feed := s.feeds[s.of.feeds[row]]
	total := sqrt(1 + sum.variance)
	mean := sum.mean + feed.mean*total
	chance = feed.chance + float32(trust(float64(sum.seen)))*(float32(cumulative(float64(mean/total)))-feed.chance)
	return chance, (mean + sqrt(sum.variance+feed.variance)) / total
}

func (s *slot) add(one slot) {
	s.mean, s.variance, s.seen = s.mean+one.mean, s.variance+one.variance, max(s.seen, one.seen)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
