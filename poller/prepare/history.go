package prepare

import (
	"math"
	"slices"
)

// Count is what is known of articles of about the same worth.
type Count struct {
	Articles int     // that came
	Bytes    float64 // that preparing all of them was expected to take
	Opened   float64 // of the articles
	Whole    float64 // of those opened, without a request
}

// History is what came and what of it was opened, by the bin of its worth.
type History map[int]Count

// binsPerDoubling is how finely worths are told apart: a fifth of a difference.
const binsPerDoubling = 4

const (
	leastBin = -80 // 2^-20: no chance at all
	mostBin  = 80
)

// bin returns the bin of a worth.
func bin(worth float64) int {
	if !(worth > 0) {
		return leastBin
	}
	return int(math.Max(leastBin, math.Min(mostBin, math.Floor(binsPerDoubling*math.Log2(worth)))))
}

// lower is the least worth of a bin.
func lower(bin int) float64 {
	if bin <= leastBin {
		return 0
	}
	return math.Exp2(float64(bin) / binsPerDoubling)
}

// Came adds an article that came.
func (h History) Came(worth, bytes float64) {
	h.add(bin(worth), Count{Articles: 1, Bytes: finite(bytes)})
}

// Opened adds that an article of a worth was opened, and whether it was whole.
func (h History) Opened(worth float64, whole bool) {
	c := Count{Opened: 1}
	if whole {
		c.Whole = 1
	}
	h.add(bin(worth), c)
}

// Add adds a count to a bin.
func (h History) Add(bin int, c Count) { h.add(max(leastBin, min(mostBin, bin)), c) }

func (h History) add(bin int, c Count) {
	was := h[bin]
	h[bin] = Count{was.Articles + c.Articles, was.Bytes + finite(c.Bytes), was.Opened + finite(c.Opened), was.Whole + finite(c.Whole)}
}

// bins returns the bins, the most valuable first.
func (h History) bins() []int {
	bins := make([]int, 0, len(h))
	for bin := range h {
		bins = append(bins, bin)
	}
	slices.SortFunc(bins, func(a, b int) int { return b - a })
	return bins
}

// priorOpened is how many articles of the least worth count as opened in the beginning, so that little is left out while little is known.
const priorOpened = 2

// Least returns the worth from which articles have to be prepared so that a share goal (0..1) of those opened is whole: a quantile
// of the worth of what was opened. It is 0 while little is known.
func (h History) Least(goal float64) float64 {
	goal = math.Max(0, math.Min(1, goal))
	opened := 0.0
	for _, c := range h {
		opened += c.Opened
	}
	needed, reached := goal*(opened+priorOpened), 0.0
	for _, bin := range h.bins() {
		c := h[bin]
		if reached+c.Opened >= needed && c.Opened > 0 {
			// Within a bin what was opened is taken to lie evenly on the logarithmic scale.
			part := (needed - reached) / c.Opened
			if bin <= leastBin {
				return 0
			}
			return math.Exp2((float64(bin) + 1 - part) / binsPerDoubling)
		}
		reached += c.Opened
	}
	return 0
}

// Point is what preparing everything from a worth on brings.
type Point struct {
	Least float64 // the worth
	Bytes float64 // in all
	Share float64 // of what was opened that would have been whole, 0..1
}

// Curve returns what more bytes bring, from none to everything; nil while nothing was opened.
func (h History) Curve() []Point {
	total := h.Total()
	if total.Opened == 0 {
		return nil
	}
	curve := []Point{{Least: math.Inf(1)}}
	bytes, reached := 0.0, 0.0
	for _, bin := range h.bins() {
		bytes, reached = bytes+h[bin].Bytes, reached+h[bin].Opened
		curve = append(curve, Point{lower(bin), bytes, reached / total.Opened})
	}
	return curve
}

// Total sums up all worths.
func (h History) Total() (sum Count) {
	for _, bin := range h.bins() {
		c := h[bin]
		sum = Count{sum.Articles + c.Articles, sum.Bytes + c.Bytes, sum.Opened + c.Opened, sum.Whole + c.Whole}
	}
	return sum
}

// Through returns a curve that passes through what was achieved: with so many bytes a share of what was opened was whole. Up to there
// the curve is lower or higher by the same factor, since sites refuse, articles come just before a visit and a day's budget ends;
// beyond, what is missing to the whole shrinks by one. curve is not changed.
func Through(curve []Point, bytes, share float64) []Point {
	if len(curve) == 0 || !(bytes >= 0) || !(share >= 0 && share <= 1) {
		return curve
	}
	reached := ShareAt(curve, bytes)
	drawn, least := make([]Point, 0, len(curve)+1), math.Inf(1)
	for _, p := range curve {
		if p.Bytes >= bytes {
			break
		}
		if p.Share = 0; reached > 0 {
			p.Share = min(share, ShareAt(curve, p.Bytes)*share/reached)
		}
		drawn, least = append(drawn, p), p.Least
	}
	beyond := curve[len(drawn):]
	drawn = append(drawn, Point{least, bytes, share})
	for _, p := range beyond {
		if p.Bytes == bytes {
			continue
		}
		p.Share = max(share, 1-(1-p.Share)*(1-share)/max(1-reached, math.SmallestNonzeroFloat64))
		drawn = append(drawn, p)
	}
	return drawn
}

// ShareAt returns the share at a number of bytes, between two points on the line that joins them.
func ShareAt(curve []Point, bytes float64) float64 {
	for i, p := range curve {
		if p.Bytes < bytes {
			continue
		}
		if i == 0 || p.Bytes == bytes {
			for i+1 < len(curve) && curve[i+1].Bytes == bytes {
				i++
			}
			return curve[i].Share
		}
		was := curve[i-1]
		return was.Share + (p.Share-was.Share)*(bytes-was.Bytes)/(p.Bytes-was.Bytes)
	}
	if len(curve) == 0 {
		return 0
	}
	return curve[len(curve)-1].Share
}
