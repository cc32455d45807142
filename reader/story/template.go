package story

import "slices"

// Reports of weather services, exchanges and leagues are made from templates: for each place, company or match other names and numbers
// are filled into the same text. Word by word two such reports are the same, except for a gap here and there. Two articles about one
// story have long stretches in common, or none.
const (
	// leastGaps are the gaps that two reports of one template have at least, where they have leastCommon of the words in common. With
	// each gap more, lessPerGap less is enough.
	leastGaps   = 3
	leastCommon = 0.7
	lessPerGap  = 0.06
	// leastFilled are the gaps with names or numbers that are enough if both titles have names, and none in common.
	leastFilled = 2
	// gapEvery is how many common words there are to a gap at most. Editors change a word now and then, too: if there are as many
	// as editedEvery to a gap, those with neither a name nor a number count half.
	gapEvery    = 16
	editedEvery = 6
	// maxGap is how many words a gap may have.
	maxGap = 5
)

// fillTemplate reports whether two articles fill the same template differently.
func fillTemplate(a, b *Profile) bool {
	l, title := align(a.leadWords, b.leadWords), align(a.titleWords, b.titleWords)
	if 2*title.common >= title.shorter {
		l.filled, l.edited = l.filled+title.filled, l.edited+title.edited
	}
	gaps := float64(l.filled + l.edited)
	if l.common >= editedEvery*(l.filled+l.edited) {
		gaps = float64(l.filled) + float64(l.edited)/2
	}
	common := float64(l.common) / float64(max(1, l.shorter))
	if l.filled >= leastFilled && common >= leastCommon && haveOtherNames(a.titleWords, b.titleWords) {
		return true
	}
	return gaps >= leastGaps && gaps*gapEvery >= float64(l.common) && common >= leastCommon-lessPerGap*(gaps-leastGaps)
}

// haveOtherNames reports whether both titles have names, and none in common.
func haveOtherNames(a, b []wordInPlace) bool {
	named := func(w wordInPlace) bool { return w.name }
	shared := func(w wordInPlace) bool {
		return w.name && slices.ContainsFunc(b, func(o wordInPlace) bool { return o.hash == w.hash })
	}
	return slices.ContainsFunc(a, named) && slices.ContainsFunc(b, named) && !slices.ContainsFunc(a, shared)
}

// alignment is what two texts have in common, word by word.
type alignment struct {
	common  int // words that both have in the same order
	filled  int // gaps between these where each text has a few of its own, a name or a number among them
	edited  int // gaps without
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
			l.addGap(a[fromA:i], b[fromB:j])
			l.common++
			i, j = i+1, j+1
			fromA, fromB = i, j
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	l.addGap(a[fromA:], b[fromB:])
	return l
}

// addGap counts a gap, by the words that each text has there.
func (l *alignment) addGap(a, b []wordInPlace) {
	if len(a) == 0 || len(b) == 0 || len(a) > maxGap || len(b) > maxGap {
		return
	}
	tells := func(w wordInPlace) bool { return w.tells }
	if slices.ContainsFunc(a, tells) || slices.ContainsFunc(b, tells) {
		l.filled++
	} else {
		l.edited++
	}
}
