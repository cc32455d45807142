package typeset

import (
	"cmp"
	"slices"
	"sort"
)

// Places on a line are distances from its start. The fragments are those of the line.

// OffsetAt returns the byte offset nearest to a place on a line.
func (t *Text) OffsetAt(ln Line, fragments []Fragment, x float32) int {
	if t.Mixed {
		return t.mixedOffsetAt(ln, fragments, x)
	}
	n, end := 0, float32(0)
	for ; n < len(fragments) && x >= (end+fragments[n].X)/2; n++ {
		end = fragments[n].X + fragments[n].Width
	}
	if n == 0 {
		return ln.Start
	}
	return t.offsetIn(&fragments[n-1], x-fragments[n-1].X)
}

// mixedOffsetAt is OffsetAt for a line of several directions.
func (t *Text) mixedOffsetAt(ln Line, fragments []Fragment, x float32) int {
	var near *Fragment
	away := func(f *Fragment) float32 { return max(0, f.X-x, x-f.X-f.Width) }
	for i := range fragments {
		if f := &fragments[i]; near == nil || away(f) < away(near) {
			near = f
		}
	}
	if near == nil {
		return ln.Start
	}
	if t.leftward(near) {
		return t.offsetIn(near, near.X+near.Width-x)
	}
	return t.offsetIn(near, x-near.X)
}

// offsetIn returns the byte offset in a fragment nearest to x. It measures whole prefixes, as letters are kerned.
func (t *Text) offsetIn(f *Fragment, x float32) int {
	s := t.Chars[f.Start:f.End]
	stops := append(clusterStarts(s), len(s))
	face := t.Spans[f.Span].Face
	n := sort.Search(len(stops), func(i int) bool { return face.Width(s[:stops[i]]) >= x })
	switch {
	case n == 0:
		return f.Start
	case n == len(stops):
		return f.End
	}
	left, right := face.Width(s[:stops[n-1]]), face.Width(s[:stops[n]])
	if x-left < right-x {
		n--
	}
	return f.Start + stops[n]
}

// OffsetX returns the place of a byte offset on the line of these fragments.
func (t *Text) OffsetX(fragments []Fragment, off int) float32 {
	n := sort.Search(len(fragments), func(i int) bool { return off < fragments[i].End })
	if n < len(fragments) && off >= fragments[n].Start {
		return t.xOf(&fragments[n], off)
	}
	switch {
	case len(fragments) == 0:
		return 0
	case n == 0:
		return t.xOf(&fragments[0], fragments[0].Start)
	}
	return t.xOf(&fragments[n-1], fragments[n-1].End)
}

// xOf returns the place of a byte offset in a fragment.
func (t *Text) xOf(f *Fragment, off int) float32 {
	w := f.Width
	if off < f.End {
		w = t.Spans[f.Span].Face.Width(t.Chars[f.Start:off])
	}
	if t.leftward(f) {
		return f.X + f.Width - w
	}
	return f.X + w
}

// stretch is a part of a line from left to right.
type stretch struct{ left, right float32 }

// ForStretches calls draw with the places of a line between two offsets, from left to right: one, or several in a text of several
// directions.
func (t *Text) ForStretches(fragments []Fragment, from, to int, draw func(left, right float32)) {
	if !t.Mixed {
		draw(t.OffsetX(fragments, from), t.OffsetX(fragments, to))
		return
	}
	var all []stretch
	blank := t.Spans[0].Face.Width(" ") + 0.1 // what is apart by no more is joined
	for i := range fragments {
		f := &fragments[i]
		if start, end := max(from, f.Start), min(to, f.End); start < end {
			a, b := t.xOf(f, start), t.xOf(f, end)
			all = append(all, stretch{min(a, b), max(a, b)})
		}
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.left, b.left) })
	for i := 0; i < len(all); {
		s := all[i]
		for i++; i < len(all) && all[i].left <= s.right+blank; i++ {
			s.right = max(s.right, all[i].right)
		}
		if s.left < s.right {
			draw(s.left, s.right)
		}
	}
}
