package taste

import (
	"hash/fnv"
	"math"
	"slices"
	"time"
)

// Collection holds what a model looks at of many articles, in some eighty bytes each, to order them. It is used by one
// goroutine at a time.
type Collection struct {
	rows      map[int64]int32
	feedRows  map[int64]int32
	feeds     []int32
	published []int64
	end       []uint32 // of each article's features
	features  []uint32 // hashes of those that last
	carriers  []uint8  // of each article: a row of carrierCodes
}

// NewCollection returns an empty collection.
func NewCollection() *Collection {
	return &Collection{rows: map[int64]int32{}, feedRows: map[int64]int32{}}
}

// Len returns how many articles there are.
func (c *Collection) Len() int { return len(c.feeds) }

// Has reports whether an article is there.
func (c *Collection) Has(id int64) bool {
	_, there := c.rows[id]
	return there
}

// Add adds an article that is not there yet.
func (c *Collection) Add(id int64, a Article) {
	c.rows[id] = int32(len(c.feeds))
	for _, f := range lasting(a) {
		if f.Kind != Carriers { // other feeds may still bring the story
			c.features = append(c.features, f.hash())
		}
	}
	c.carriers = append(c.carriers, carrierCode(a.Carriers))
	feed, known := c.feedRows[a.Feed]
	if !known {
		feed = int32(len(c.feedRows))
		c.feedRows[a.Feed] = feed
	}
	c.feeds, c.published, c.end = append(c.feeds, feed), append(c.published, a.Published.Unix()), append(c.end, uint32(len(c.features)))
}

// SetCarriers sets how many feeds carry the story of each article. Those of the others are carried once.
func (c *Collection) SetCarriers(carriers map[int64]int) {
	clear(c.carriers)
	for id, n := range carriers {
		if row, there := c.rows[id]; there {
			c.carriers[row] = carrierCode(n)
		}
	}
}

// carrierCodes are the texts of the feature Carriers, the usual one first.
var carrierCodes = [...]string{"", Several, Many}

func carrierCode(n int) uint8 { return uint8(slices.Index(carrierCodes[:], carriers(n))) }

// hash stands for a feature. Of twenty thousand that are learned and fifty thousand others hardly two have the same.
func (f Feature) hash() uint32 {
	h := fnv.New32a()
	h.Write([]byte{byte(f.Kind)})
	h.Write([]byte(f.Text))
	if f.Kind == Word {
		return h.Sum32() | wordBit
	}
	return h.Sum32() &^ wordBit
}

// wordBit is set in the hashes of words.
const wordBit = 1

const (
	// explored is every how many places one goes to what may turn out likelier: of a feed that is never seen nobody learns
	// that it is worth reading.
	explored = 10
	// exploredPlaces is how far down there are such places.
	exploredPlaces = 1000
)

// Order sorts articles by the probability that they are read, as a model and the interest in feeds tell it now. Every tenth
// place goes to the one of the rest that is likeliest if what is not known of it turns out well. Equals keep their order, and
// what is not in the collection comes last.
func (c *Collection) Order(m *Model, feeds map[int64]Feed, ids []int64, now time.Time) []int64 {
	s := c.newScorer(m, feeds, now)
	likeliest, hopeful := make([]uint64, len(ids)), make([]uint64, len(ids))
	for i, id := range ids {
		mean, upper := float32(math.Inf(-1)), float32(math.Inf(-1))
		if row, there := c.rows[id]; there {
			mean, upper = s.score(row)
		}
		likeliest[i], hopeful[i] = sortKey(mean, i), sortKey(upper, i)
	}
	slices.Sort(likeliest)
	return explore(ids, likeliest, smallest(hopeful, min(len(ids), exploredPlaces)))
}

// sortKey packs a score and the place of an article so that higher scores come first, and of equal ones the earlier place.
func sortKey(score float32, place int) uint64 {
	bits := math.Float32bits(score)
	if bits>>31 == 0 {
		bits |= 1 << 31
	} else {
		bits = ^bits
	}
	return uint64(^bits)<<32 | uint64(uint32(place))
}

// smallest returns the n smallest keys in their order.
func smallest(keys []uint64, n int) []uint64 {
	best := make([]uint64, 0, 2*n)
	limit := uint64(math.MaxUint64)
	for _, key := range keys {
		if key >= limit {
			continue
		}
		if best = append(best, key); len(best) == cap(best) {
			slices.Sort(best)
			best, limit = best[:n], best[n-1]
		}
	}
	slices.Sort(best)
	return best[:min(n, len(best))]
}

// explore lists the likeliest, and in each tenth of the first places the most hopeful of those that are not listed yet.
func explore(ids []int64, likeliest, hopeful []uint64) []int64 {
	order := make([]int64, 0, len(ids))
	listed := make([]bool, len(ids))
	list := func(key uint64) {
		order = append(order, ids[uint32(key)])
		listed[uint32(key)] = true
	}
	for _, key := range likeliest {
		if len(order) >= exploredPlaces {
			hopeful = nil
		}
		if len(hopeful) > 0 && len(order)%explored == explored-1 {
			hopeful = slices.DeleteFunc(hopeful, func(key uint64) bool { return listed[uint32(key)] })
			if len(hopeful) > 0 {
				list(hopeful[0])
			}
		}
		if !listed[uint32(key)] {
			list(key)
		}
	}
	return order
}
