package story

import "slices"

// Feeds put the same text around their articles: thanks for subscribing, "The post … appeared first on …", what a paywall shows, the
// sentences of a template. Such text says nothing of what is told, and sites of one publisher have it in common. It is known by the
// articles that share it though their titles have nothing in common.
const (
	// leastBoilerplate is how many shingles two articles share that are taken for more than a quotation: fifteen words in a row.
	leastBoilerplate = 12
	// likeTitles is from which cosine of their words on two titles may be those of one event.
	likeTitles = 0.3
	// leastUnrelated is how many articles with unrelated titles share a text for it to be boilerplate where no feed has it twice.
	leastUnrelated = 4
)

// Neighbor is an article of a feed.
type Neighbor struct {
	Feed    int64
	Profile *Profile
}

// Boilerplate is text that articles share and that tells nothing, as sorted shingles.
type Boilerplate []uint32

// FindBoilerplate returns what of an article's text others of the same days have, too, though they tell something else: two of
// one feed, since that tells a story once, or several whose titles have neither a word in common nor one in the others' texts.
func FindBoilerplate(a Neighbor, others []Neighbor) (b Boilerplate) {
	near := []Neighbor{a}
	for _, o := range others {
		if countShared(a.Profile.shingles, o.Profile.shingles) >= leastBoilerplate {
			near = append(near, o)
		}
	}
	for i, one := range near {
		for _, other := range near[:i] {
			if one.Feed == other.Feed && haveOtherTitles(one.Profile, other.Profile) {
				b = append(b, intersection(one.Profile.shingles, other.Profile.shingles)...)
			}
		}
	}
	b = append(b, sharedByUnrelated(near)...)
	slices.Sort(b)
	return slices.Compact(b)
}

// haveOtherTitles reports whether two titles of a feed are those of two articles, not of one and its update.
func haveOtherTitles(a, b *Profile) bool {
	if len(a.title) == 0 || len(b.title) == 0 {
		return false
	}
	return cosine(a.title, b.title) < likeTitles || a.series == b.series && a.parts != b.parts
}

// sharedByUnrelated returns the shingles that several articles have of which no two are about the same.
func sharedByUnrelated(near []Neighbor) []uint32 {
	var unrelated []*Profile
	for _, one := range near {
		if !slices.ContainsFunc(unrelated, func(p *Profile) bool { return !areUnrelated(p, one.Profile) }) {
			unrelated = append(unrelated, one.Profile)
		}
	}
	if len(unrelated) < leastUnrelated {
		return nil
	}
	var all, shared []uint32
	for _, p := range unrelated {
		all = append(all, p.shingles...)
	}
	slices.Sort(all)
	for i := leastUnrelated - 1; i < len(all); i++ {
		if all[i] == all[i-leastUnrelated+1] {
			shared = append(shared, all[i])
		}
	}
	return shared
}

// areUnrelated reports whether two titles have no word in common, and one of them none with the other's text.
func areUnrelated(a, b *Profile) bool {
	common := false
	eachShared(a.title, b.title, func(_, _ word) { common = true })
	return !common && min(within(a.title, b.lead), within(b.title, a.lead)) < leastEither
}

// Without returns the profile of an article without boilerplate.
func (p *Profile) Without(b Boilerplate) *Profile {
	rest := *p
	if rest.shingles = difference(p.shingles, b); len(rest.shingles) == len(p.shingles) {
		return p
	}
	covered := make([]bool, len(p.leadWords))
	var hashes [2 * shingleWords]uint32
	for i, w := range p.leadWords {
		copy(hashes[1:], hashes[:len(hashes)-1])
		hashes[0] = w.hash
		length := shingleLength(w.pair)
		if i+1 < length {
			continue
		}
		if _, known := slices.BinarySearch(b, shingle(hashes[:length])); known {
			for at := i + 1 - length; at <= i; at++ {
				covered[at] = true
			}
		}
	}
	var words []wordInPlace
	for i, w := range p.leadWords {
		if !covered[i] {
			words = append(words, w)
		}
	}
	rest.setLead(words)
	return &rest
}

// Belongs reports whether an article that is like one of a story belongs to it: if it is like at least as many others of it as it is
// not, so that a story does not go from one thing to the next. Those with little text do not count where they are not like it.
func Belongs(a *Profile, others []*Profile) bool {
	like, unlike := 1, 0
	for _, o := range others {
		if Alike(a, o) {
			like++
		} else if len(o.shingles) >= leastShingles {
			unlike++
		}
	}
	return like >= unlike
}

// countShared returns how many numbers two sorted lists have in common.
func countShared(a, b []uint32) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// intersection returns the numbers that two sorted lists have in common.
func intersection(a, b []uint32) (both []uint32) {
	for _, n := range a {
		if _, shared := slices.BinarySearch(b, n); shared {
			both = append(both, n)
		}
	}
	return both
}

// difference returns the numbers of a sorted list that another does not have.
func difference(a, b []uint32) []uint32 {
	rest := make([]uint32, 0, len(a))
	for _, n := range a {
		if _, shared := slices.BinarySearch(b, n); !shared {
			rest = append(rest, n)
		}
	}
	return rest
}
