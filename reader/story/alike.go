package story

import (
	"math"
	"slices"
	"time"
)

// Window is how far apart two feeds may publish what is told as one story.
const Window = 48 * time.Hour

const (
	// Two articles tell the same if the words of their titles and beginnings are this much alike. Short ones are alike by chance
	// more easily: leastLead is added to by leadOfShort, divided by the words of the shorter.
	leastLead   = 0.40
	leadOfShort = 2.2
	// leadOfOthers is added where both have numbers and share none.
	leadOfOthers = 0.1
	// leastCrossed is how much of one title the other article has to have: what is alike may be all but the news, such as the
	// thanks for subscribing.
	leastCrossed = 0.25
	// leastEither is how much either of two titles without a common word has to have in the other article: else they are unrelated.
	leastEither = 0.125
	// A report of an agency is told again with other beginnings: this share of the shingles of the shorter text, if that has so
	// many.
	leastShared   = 0.5
	leastShingles = 30
	// Titles that differ in a word or two are those of a column, "Security update for …", unless the texts share so much.
	sharedOfColumn = 0.7
)

// Alike reports whether articles of two feeds, published within Window, tell the same. It is cautious: of what it takes for one
// story hardly anything is two, and of what is one story it may miss some.
func Alike(a, b *Profile) bool {
	if a.language != b.language && a.language != 0 && b.language != 0 {
		return false
	}
	l := compareProfiles(a, b)
	if l.series && a.parts != b.parts || l.crossed < leastCrossed || isColumn(a.titleWords, b.titleWords) && l.shared < sharedOfColumn || areUnrelated(a, b) {
		return false
	}
	least := leastLead + leadOfShort/float64(max(1, min(len(a.lead), len(b.lead))))
	if l.numbers {
		least += leadOfOthers
	}
	if l.lead < least && (l.shared < leastShared || min(len(a.shingles), len(b.shingles)) < leastShingles) {
		return false
	}
	return !fillTemplate(a, b)
}

// isColumn reports whether titles of as many words differ in a few of them, at most a third: those of a column.
func isColumn(a, b []wordInPlace) bool {
	if len(a) != len(b) || len(a) < 3 {
		return false
	}
	others := 0
	for i := range a {
		if a[i].hash != b[i].hash {
			others++
		}
	}
	return others > 0 && others <= len(a)/3
}

const (
	// LeastKeys is how many keys two articles have in common that are worth a comparison.
	LeastKeys   = 2
	keyWords    = 8 // words among the keys of an article
	keyShingles = 4 // shingles among them
)

// Keys returns numbers of which articles that tell the same share some: the words that say most, and the lowest hashes of
// shingles, a sample that is the same for the same text (Broder, "On the resemblance and containment of documents", 1997).
func (p *Profile) Keys() []uint32 {
	words := slices.Clone(p.lead)
	slices.SortFunc(words, func(a, b word) int {
		if a.weight != b.weight {
			return compare(b.weight, a.weight)
		}
		return compare(a.hash, b.hash)
	})
	keys := make([]uint32, 0, keyWords+keyShingles)
	for _, w := range words[:min(len(words), keyWords)] {
		keys = append(keys, w.hash)
	}
	keys = append(keys, p.shingles[:min(len(p.shingles), keyShingles)]...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// likeness is how two articles resemble each other.
type likeness struct {
	lead    float64 // cosine of the words of titles and beginnings, 0 to 1
	crossed float64 // share of the words of either title in the beginning of the other
	shared  float64 // share of the shingles of the shorter text that the other has
	numbers bool    // both have numbers there, and share none
	series  bool    // the titles differ by numbers and dates only, or not at all
}

func compareProfiles(a, b *Profile) likeness {
	l := likeness{series: a.series == b.series}
	l.lead = cosine(a.lead, b.lead)
	l.crossed = max(within(a.title, b.lead), within(b.title, a.lead))
	l.shared = containment(a.shingles, b.shingles)
	l.numbers = a.numbers > 0 && b.numbers > 0 && !shareNumber(a.lead, b.lead)
	return l
}

func shareNumber(a, b []word) (shared bool) {
	eachShared(a, b, func(x, _ word) { shared = shared || x.number })
	return shared
}

// cosine returns the cosine of the weights of words.
func cosine(a, b []word) float64 {
	var product float64
	eachShared(a, b, func(x, y word) { product += float64(x.weight * y.weight) })
	if product == 0 {
		return 0
	}
	return product / math.Sqrt(squares(a)*squares(b))
}

func squares(words []word) (sum float64) {
	for _, w := range words {
		sum += float64(w.weight * w.weight)
	}
	return sum
}

// within returns which share of the weight of words others have.
func within(a, b []word) float64 {
	var all, shared float64
	for _, w := range a {
		all += float64(w.weight)
	}
	eachShared(a, b, func(x, _ word) { shared += float64(x.weight) })
	if all == 0 {
		return 0
	}
	return shared / all
}

// eachShared calls f with the words that both have.
func eachShared(a, b []word, f func(x, y word)) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].hash < b[0].hash:
			a = a[1:]
		case a[0].hash > b[0].hash:
			b = b[1:]
		default:
			f(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
}

// containment returns which share of the shorter list the other has, both sorted.
func containment(a, b []uint32) float64 {
	shorter := min(len(a), len(b))
	if shorter == 0 {
		return 0
	}
	return float64(countShared(a, b)) / float64(shorter)
}
