package story

import "slices"

// Reports of offices, exchanges and leagues are one text in which other names and numbers are filled in for each place, company or
// match: word by word they go along with each other, but for places here and there. Two tellings of one story do so for long
// stretches, or not at all.
const (
	// So many places make a report of a template if leastAlong of the words are common; with each place more alongPerPlace less is
	// enough.
	leastReplaced = 3
	// If no title has a name of the other, fewer such places are enough, where there are names or numbers.
	leastFilledIn = 2
	leastAlong    = 0.7
	alongPerPlace = 0.06
	// replacedEvery is how many common words there are at most to such a place. In stretches as long as editedEvery editors
	// change a word now and then, too: there places with neither a name nor a number count half.
	replacedEvery = 16
	editedEvery   = 6
	// maxReplaced is how many words long what is filled in may be.
	maxReplaced = 5
)

// isFilledIn reports whether texts are one template that was filled in otherwise.
func isFilledIn(a, b *Profile) bool {
	l, title := align(a.leadWords, b.leadWords), align(a.titleWords, b.titleWords)
	if 2*title.common >= title.shorter {
		l.filled, l.edited = l.filled+title.filled, l.edited+title.edited
	}
	places := float64(l.filled + l.edited)
	if l.common >= editedEvery*(l.filled+l.edited) {
		places = float64(l.filled) + float64(l.edited)/2
	}
	along := float64(l.common) / float64(max(1, l.shorter))
	if l.filled >= leastFilledIn && along >= leastAlong && tellOthers(a.titleWords, b.titleWords) {
		return true
	}
	return places >= leastReplaced && places*replacedEvery >= float64(l.common) && along >= leastAlong-alongPerPlace*(places-leastReplaced)
}

// tellOthers reports whether both titles have names, and none in common.
func tellOthers(a, b []wordInPlace) bool {
	named := func(w wordInPlace) bool { return w.name }
	shared := func(w wordInPlace) bool {
		return w.name && slices.ContainsFunc(b, func(o wordInPlace) bool { return o.hash == w.hash })
	}
	return slices.ContainsFunc(a, named) && slices.ContainsFunc(b, named) && !slices.ContainsFunc(a, shared)
}

// alignment is how two texts go along with each other, word by word.
type alignment struct {
	common  int // words that both have in the same order
	filled  int // places between these where each text has a few of its own, a name or a number among them
	edited  int // such places without
	shorter int // words of the shorter text
}

// align finds the longest common sequence of words, the same whichever text comes first.
func align(a, b []wordInPlace) (l alignment) {
	if slices.CompareFunc(a, b, func(x, y wordInPlace) int { return compare(x.hash, y.hash) }) > 0 {
		a, b = b, a
	}
	l.shorter = min(len(a), len(b))
	width := len(b) + 1
	best := make([]uint8, (len(a)+1)*width) // of what follows; maxInPlace fits
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].hash == b[j].hash {
				best[i*width+j] = best[(i+1)*width+j+1] + 1
			} else {
				best[i*width+j] = max(best[(i+1)*width+j], best[i*width+j+1])
			}
		}
	}
	i, j, fromA, fromB := 0, 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].hash == b[j].hash:
			l.addPlace(a[fromA:i], b[fromB:j])
			l.common++
			i, j = i+1, j+1
			fromA, fromB = i, j
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	l.addPlace(a[fromA:], b[fromB:])
	return l
}

// addPlace counts a place where texts differ, by what each has there.
func (l *alignment) addPlace(a, b []wordInPlace) {
	if len(a) == 0 || len(b) == 0 || len(a) > maxReplaced || len(b) > maxReplaced {
		return
	}
	tells := func(w wordInPlace) bool { return w.tells }
	if slices.ContainsFunc(a, tells) || slices.ContainsFunc(b, tells) {
		l.filled++
	} else {
		l.edited++
	}
}
