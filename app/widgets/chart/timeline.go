package chart

import (
	"cmp"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/look"
)

// Timeline is a plot of marks in lanes over time, with shaded spans behind them.
type Timeline struct {
	From, To time.Time // in the zone that is shown
	Now      time.Time // a line across; zero for none
	Lanes    []Lane    // from the top down
	Spans    []Span

	packed      []placed // for packedIn
	packedIn    fyne.Size
	stopsOfLane [][]int // the stops of each lane in order of time, spans last
}

// Lane is a row of marks.
type Lane struct {
	Name   string
	Height float32 // relative to that of other lanes; 0: 1
	Kinds  []Kind
}

// Kind is marks of one look.
type Kind struct {
	Name  string
	Ink   Ink
	Marks []Mark
}

// Mark is an event.
type Mark struct {
	At   time.Time
	Size float32 // of the largest that is drawn, 0 to 1; 0 is the smallest that can be seen
	Text func() string
}

// Span is a time that is shaded.
type Span struct {
	Name     string // its key
	Ink      Ink
	From, To time.Time
	Text     func() string
}

// placed is a mark with its place.
type placed struct {
	lane, kind, mark int
	at               point
	radius           float32
}

// The radius of marks.
const (
	leastRadius = 2.2
	mostRadius  = 5.5
)

func (t *Timeline) axes() (x, y Axis, columns, rows []string) {
	for _, l := range t.Lanes {
		rows = append(rows, l.Name)
	}
	return Axis{Unit: Instant, Lo: float64(t.From.Unix()), Hi: float64(t.To.Unix()), Zone: t.From.Location(), Exact: true}, Axis{}, nil, rows
}

func (t *Timeline) x(f *frame, at time.Time) float32 {
	return f.x.at(float64(at.UnixNano()) / 1e9)
}

// laneAt returns the top and the height of a lane.
func (t *Timeline) laneAt(f *frame, lane int) (top, height float32) {
	total, before := float32(0), float32(0)
	for i, l := range t.Lanes {
		h := cmp.Or(l.Height, 1)
		if i < lane {
			before += h
		}
		total += h
	}
	unit := f.size.Height / max(1, total)
	return before * unit, cmp.Or(t.Lanes[lane].Height, 1) * unit
}

// pack places the marks: each in the first row of its lane in which it touches no other, the middle
// row first, so that a crowd grows to both sides. Where no row is free it stands in the one that has
// been free for longest.
func (t *Timeline) pack(f *frame) []placed {
	if t.packed != nil && t.packedIn == f.size {
		return t.packed
	}
	t.packed, t.packedIn = t.packed[:0], f.size
	t.order()
	for lane := range t.Lanes {
		top, height := t.laneAt(f, lane)
		rows := max(1, int((height-4)/(2*leastRadius+1.6)))
		if rows%2 == 0 {
			rows--
		}
		free := make([]float32, rows)
		for i := range free {
			free[i] = -1e9
		}
		var marks []placed
		for k, kind := range t.Lanes[lane].Kinds {
			for m, mark := range kind.Marks {
				radius := leastRadius + (min(mostRadius, height/2-2)-leastRadius)*min(1, max(0, mark.Size))
				marks = append(marks, placed{lane, k, m, point{x: t.x(f, mark.At)}, radius})
			}
		}
		slices.SortStableFunc(marks, func(a, b placed) int { return cmp.Compare(a.at.x, b.at.x) })
		gap := (height - 4) / float32(rows)
		for i := range marks {
			m := &marks[i]
			spread := int(math.Ceil(float64(m.radius/gap - 0.5))) // rows to each side that it covers
			best, since := rows/2, float32(math.MaxFloat32)
			for n := range rows {
				row := rows/2 + (n+1)/2*(1-2*(n%2))
				if row-spread < 0 || row+spread >= rows {
					continue
				}
				latest := slices.Max(free[row-spread : row+spread+1])
				if latest < since {
					best, since = row, latest
				}
				if latest <= m.at.x-m.radius {
					break
				}
			}
			m.at.y = top + 2 + gap*(float32(best)+0.5)
			for row := max(0, best-spread); row <= min(rows-1, best+spread); row++ {
				free[row] = m.at.x + m.radius + 0.8
			}
		}
		t.packed = append(t.packed, marks...)
	}
	return t.packed
}

// order numbers the stops: the marks lane by lane in order of time, then the spans.
func (t *Timeline) order() {
	if t.stopsOfLane != nil {
		return
	}
	n := 0
	for _, l := range t.Lanes {
		var stops []int
		for _, k := range l.Kinds {
			for range k.Marks {
				stops = append(stops, n)
				n++
			}
		}
		t.stopsOfLane = append(t.stopsOfLane, stops)
	}
	var spans []int
	for range t.Spans {
		spans = append(spans, n)
		n++
	}
	t.stopsOfLane = append(t.stopsOfLane, spans)
}

func (t *Timeline) draw(b *brush, f *frame) {
	for _, s := range t.Spans {
		from, to := max(0, t.x(f, s.From)), min(f.size.Width, t.x(f, s.To))
		if to > from {
			b.area(s.Ink, 0.35, rectangle(from, 0, to-from, f.size.Height))
		}
	}
	f.grid(b)
	var between []path
	for lane := range t.Lanes[min(1, len(t.Lanes)):] {
		top, _ := t.laneAt(f, lane+1)
		between = append(between, line(0, b.sharp(top), f.size.Width, b.sharp(top)))
	}
	b.stroke(b.color(look.ColorFrame, 0.7), 1, nil, between...)
	if !t.Now.IsZero() {
		x := b.sharp(t.x(f, t.Now))
		b.stroke(b.color(look.ColorText, 1), 1.5, nil, line(x, 0, x, f.size.Height))
	}
	packed := t.pack(f)
	for lane, l := range t.Lanes {
		for k, kind := range l.Kinds {
			var at []point
			var radius []float32
			for _, m := range packed {
				if m.lane == lane && m.kind == k {
					at, radius = append(at, m.at), append(radius, m.radius)
				}
			}
			b.marks(kind.Ink, at, radius)
		}
	}
}

func (t *Timeline) keys() (all []Key) {
	seen := map[string]bool{}
	add := func(k Key) {
		if !seen[k.Name] {
			seen[k.Name] = true
			all = append(all, k)
		}
	}
	for _, l := range t.Lanes {
		for _, k := range l.Kinds {
			if len(k.Marks) > 0 {
				add(Key{k.Name, k.Ink, KeyMark})
			}
		}
	}
	for _, s := range t.Spans {
		add(Key{s.Name, s.Ink, KeyArea})
	}
	return all
}

func (t *Timeline) stops() int {
	n := len(t.Spans)
	for _, l := range t.Lanes {
		for _, k := range l.Kinds {
			n += len(k.Marks)
		}
	}
	return n
}

// reach is how far from a mark the mouse may be.
const reach = 9

func (t *Timeline) at(f *frame, p fyne.Position) int {
	packed := t.pack(f)
	nearest, distance := -1, float32(math.MaxFloat32)
	for i, m := range packed {
		dx, dy := m.at.x-p.X, m.at.y-p.Y
		if d := dx*dx + dy*dy; d < distance && d < (m.radius+reach)*(m.radius+reach) {
			nearest, distance = i, d
		}
	}
	if nearest >= 0 {
		return nearest
	}
	for i, s := range t.Spans {
		if t.x(f, s.From) <= p.X && p.X < t.x(f, s.To) {
			return len(packed) + i
		}
	}
	return -1
}

// laneOf returns the lane of a stop, and its place in it.
func (t *Timeline) laneOf(stop int) (lane, place int) {
	t.order()
	for lane, stops := range t.stopsOfLane {
		if len(stops) > 0 && stop >= stops[0] && stop <= stops[len(stops)-1] {
			return lane, stop - stops[0]
		}
	}
	return 0, 0
}

// timeOf returns when a stop is. The stops of a lane are in order of time.
func (t *Timeline) timeOf(stop int) time.Time {
	if s := t.span(stop); s != nil {
		return s.From
	}
	m := t.sorted()[stop]
	return t.Lanes[m.lane].Kinds[m.kind].Marks[m.mark].At
}

// sorted returns the marks in the order of their stops, with or without places.
func (t *Timeline) sorted() []placed {
	if t.packed == nil {
		t.pack(newFrame(t, fyne.NewSize(1000, 100), 40, 16))
	}
	return t.packed
}

func (t *Timeline) span(stop int) *Span {
	if n := t.stops() - len(t.Spans); stop >= n {
		return &t.Spans[stop-n]
	}
	return nil
}

func (t *Timeline) move(stop int, key fyne.KeyName) int {
	t.order()
	if stop < 0 {
		return max(0, t.nearest(-1, t.Now))
	}
	lane, place := t.laneOf(stop)
	stops := t.stopsOfLane[lane]
	way := 1
	switch key {
	case fyne.KeyLeft:
		return stops[max(0, place-1)]
	case fyne.KeyRight:
		return stops[min(len(stops)-1, place+1)]
	case fyne.KeyUp:
		way = -1
	}
	for l := lane + way; l >= 0 && l < len(t.stopsOfLane); l += way {
		if len(t.stopsOfLane[l]) > 0 {
			return t.nearest(l, t.timeOf(stop))
		}
	}
	return stop
}

// nearest returns the stop of a lane that is nearest in time, of all lanes if it is -1; -1 for none.
func (t *Timeline) nearest(lane int, to time.Time) int {
	best, distance := -1, time.Duration(math.MaxInt64)
	for l, stops := range t.stopsOfLane {
		if lane >= 0 && l != lane {
			continue
		}
		for _, s := range stops {
			if d := t.timeOf(s).Sub(to).Abs(); d < distance {
				best, distance = s, d
			}
		}
	}
	return best
}

func (t *Timeline) place(f *frame, stop int) (fyne.Position, fyne.Size) {
	if s := t.span(stop); s != nil {
		from, to := max(0, t.x(f, s.From)), min(f.size.Width, t.x(f, s.To))
		return fyne.NewPos(from, 0), fyne.NewSize(max(0, to-from), f.size.Height)
	}
	m := t.pack(f)[stop]
	r := m.radius + 3
	return fyne.NewPos(m.at.x-r, m.at.y-r), fyne.NewSize(2*r, 2*r)
}

func (t *Timeline) readout(stop int) string {
	var text func() string
	if s := t.span(stop); s != nil {
		text = s.Text
	} else {
		m := t.sorted()[stop]
		text = t.Lanes[m.lane].Kinds[m.kind].Marks[m.mark].Text
	}
	if text == nil {
		return ""
	}
	return text()
}

func (t *Timeline) table() [][]string {
	rows := [][]string{{"time", "until", "lane", "kind", "size", "text"}}
	for _, m := range t.sorted() {
		lane := t.Lanes[m.lane]
		kind := lane.Kinds[m.kind]
		mark := kind.Marks[m.mark]
		text := ""
		if mark.Text != nil {
			text = mark.Text()
		}
		rows = append(rows, []string{mark.At.Format(time.RFC3339), "", lane.Name, kind.Name, cell(float64(mark.Size)), text})
	}
	for _, s := range t.Spans {
		text := ""
		if s.Text != nil {
			text = s.Text()
		}
		rows = append(rows, []string{s.From.Format(time.RFC3339), s.To.Format(time.RFC3339), "", s.Name, "", text})
	}
	return rows
}
