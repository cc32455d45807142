package chart

import (
	"image"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
	"kairos/app/widgets"
)

// surface is the plot of a chart with the labels of its axes. It has the focus and the mouse.
type surface struct {
	widget.BaseWidget
	chart   *Chart
	host    Host
	height  float32 // of the plot
	plot    Plot
	stop    int  // that is pointed to, -1 for none
	pinned  bool // by a key or a click: it stays when the mouse leaves
	focused bool
	told    told
}

var (
	_ desktop.Hoverable      = (*surface)(nil)
	_ fyne.Focusable         = (*surface)(nil)
	_ fyne.Tappable          = (*surface)(nil)
	_ fyne.SecondaryTappable = (*surface)(nil)
	_ fyne.Shortcutable      = (*surface)(nil)
)

func newSurface(c *Chart, h Host, height float32) *surface {
	s := &surface{chart: c, host: h, height: height, stop: -1}
	s.ExtendBaseWidget(s)
	return s
}

// set shows a plot. What was pointed to is forgotten, as the stops are others.
func (s *surface) set(p Plot) {
	s.plot, s.stop, s.pinned = p, -1, false
	s.Refresh()
}

// point points to a stop, -1 for none.
func (s *surface) point(stop int) {
	if stop == s.stop {
		return
	}
	s.stop = stop
	s.chart.read()
	s.Refresh()
}

// margins returns the space that the labels need around the plot, and the height of a label.
func (s *surface) margins() (left, top, right, bottom, labelWidth, labelHeight float32) {
	size := textSize(theme.CurrentForWidget(s))
	labelHeight = fyne.MeasureText("M", size, fyne.TextStyle{}).Height
	measure := func(text string) float32 { return fyne.MeasureText(text, size, fyne.TextStyle{}).Width }
	top, bottom = labelHeight/2+2, labelHeight+2
	labelWidth = 34
	if s.plot == nil {
		return 0, top, 0, bottom, labelWidth, labelHeight
	}
	x, y, columns, rows := s.plot.axes()
	if rows != nil {
		for _, r := range rows {
			left = max(left, measure(r))
		}
		left, top = min(left, 0.3*max(240, s.Size().Width)), 2
	} else {
		ticks := y.scaled(s.height, max(2, int(s.height/(2*labelHeight)))).ticks
		for _, t := range ticks {
			left = max(left, measure(y.text(t)))
		}
	}
	for _, c := range columns {
		labelWidth = max(labelWidth, measure(c))
	}
	right = 8
	if columns == nil {
		for _, v := range []float64{x.Lo, x.Hi} {
			labelWidth = max(labelWidth, measure(x.text(v)))
		}
		right = labelWidth / 2
	}
	if named(x) {
		bottom += labelHeight + 4 // beside the frame of the focus
	}
	return left + 6, top, right, bottom, labelWidth, labelHeight
}

// named reports whether the name of an x axis stands below it: that of times goes without saying.
func named(x Axis) bool { return x.Name != "" && x.Unit == Number }

// frame returns the area of the plot and where it begins.
func (s *surface) frame() (*frame, fyne.Position) {
	left, top, right, bottom, labelWidth, labelHeight := s.margins()
	size := fyne.NewSize(max(10, s.Size().Width-left-right), max(10, s.Size().Height-top-bottom))
	return newFrame(s.plot, size, labelWidth, labelHeight), fyne.NewPos(left, top)
}

// labels returns the labels of the axes.
func (s *surface) labels(f *frame, origin fyne.Position) (all []label) {
	left, _, _, _, labelWidth, labelHeight := s.margins()
	x, y, columns, rows := s.plot.axes()
	for i, r := range rows {
		top, height := f.size.Height/float32(len(rows))*float32(i), f.size.Height/float32(len(rows))
		if t, ok := s.plot.(*Timeline); ok {
			top, height = t.laneAt(f, i)
		}
		all = append(all, label{text: r, at: fyne.NewPos(0, origin.Y+top+(height-labelHeight)/2), width: left - 6, align: fyne.TextAlignTrailing})
	}
	if rows == nil {
		for _, t := range f.y.ticks {
			all = append(all, label{text: y.text(t), at: fyne.NewPos(0, origin.Y+f.down(t)-labelHeight/2), width: left - 6, align: fyne.TextAlignTrailing})
		}
	}
	if l, ok := s.plot.(*Lines); ok {
		all = append(all, s.pointLabels(l, f, origin, labelHeight)...)
	}
	below := origin.Y + f.size.Height + 2
	if columns == nil {
		for _, t := range f.x.ticks {
			all = append(all, label{text: x.text(t), at: fyne.NewPos(origin.X+f.x.at(t)-labelWidth, below), width: 2 * labelWidth, align: fyne.TextAlignCenter})
		}
		if named(x) {
			all = append(all, label{text: x.Name, at: fyne.NewPos(origin.X, below+labelHeight), width: f.size.Width, align: fyne.TextAlignCenter})
		}
		return all
	}
	column := f.size.Width / float32(max(1, len(columns)))
	last := float32(-1e9)
	for i, c := range columns {
		middle := origin.X + column*(float32(i)+0.5)
		if c == "" || middle-last < labelWidth+4 {
			continue
		}
		last = middle
		all = append(all, label{text: c, at: fyne.NewPos(middle-labelWidth, below), width: 2 * labelWidth, align: fyne.TextAlignCenter})
	}
	return all
}

// onSeries reports whether one of the lines passes through a rectangle of the plot.
func (l *Lines) onSeries(f *frame, x, y, width, height float32) bool {
	for _, s := range l.Series {
		for i := 1; i < len(s.X); i++ {
			from, to := f.point(s.X[i-1], s.Y[i-1]), f.point(s.X[i], s.Y[i])
			for part := range onSeriesParts {
				share := float32(part) / onSeriesParts
				c := point{from.x + (to.x-from.x)*share, from.y + (to.y-from.y)*share}
				if c.x > x && c.x < x+width && c.y > y && c.y < y+height {
					return true
				}
			}
		}
	}
	return false
}

// onSeriesParts is in how many places between two values a line is looked at.
const onSeriesParts = 16

// pointLabels returns the names of points, each beside its point where it keeps off other names, points and the line across, and
// off the curves if there is such a place, too. One without a place is left out; the first points come first.
func (s *surface) pointLabels(l *Lines, f *frame, origin fyne.Position, height float32) (all []label) {
	size := textSize(theme.CurrentForWidget(s))
	const gap = 7
	now := float32(math.Inf(-1))
	if l.Now != 0 && !math.IsNaN(l.Now) {
		now = f.x.at(l.Now)
	}
	for _, p := range l.Points {
		at := f.point(p.X, p.Y)
		if !isPlace(at) || p.Name == "" {
			continue
		}
		width := fyne.MeasureText(p.Name, size, fyne.TextStyle{}).Width + 2
		free := func(x, y float32) bool {
			for _, o := range all {
				if at := o.at.Subtract(origin); x < at.X+o.width+gap && at.X < x+width+gap && y < at.Y+height && at.Y < y+height {
					return false
				}
			}
			for _, o := range l.Points {
				if c := f.point(o.X, o.Y); c.x > x-gap && c.x < x+width+gap && c.y > y-gap && c.y < y+height+gap && c != at {
					return false
				}
			}
			if x-gap/2 < now && now < x+width+gap/2 {
				return false
			}
			return x >= 0 && x+width <= f.size.Width && y >= -origin.Y && y+height <= f.size.Height-f.foot
		}
		places := []point{{at.x + gap, at.y + 4}, {at.x - gap - width, at.y - height - 4}, {at.x - width/2, at.y + gap + 2},
			{at.x - gap - width, at.y + 6}, {at.x + gap, at.y + 4 + height}, {at.x - gap - width, at.y + 6 + height}, {at.x - width/2, at.y - height - gap},
			{at.x + gap, at.y - height - 4}}
		within := min(max(0, at.x-width/2), f.size.Width-width) // near an edge
		for _, y := range []float32{gap + 2, -height - gap, gap + 2 + height, gap + 2 + 2*height} {
			places = append(places, point{within, at.y + y})
		}
		places = slices.DeleteFunc(places, func(c point) bool { return !free(c.x, c.y) })
		if len(places) == 0 {
			continue
		}
		c := places[max(0, slices.IndexFunc(places, func(c point) bool { return !l.onSeries(f, c.x, c.y, width, height) }))]
		all = append(all, label{text: p.Name, at: origin.AddXY(c.x, c.y), width: width, align: fyne.TextAlignCenter})
	}
	return all
}

// rasterPad is how far marks reach beyond the plot.
const rasterPad = 8

// paint paints the plot and what is close around it in this number of pixels.
func (s *surface) paint(width, height int) image.Image {
	if s.plot == nil || width <= 0 || height <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	f, _ := s.frame()
	b := newBrush(width, height, float32(width)/(f.size.Width+2*rasterPad), rasterPad, func(name fyne.ThemeColorName) color.Color { return widgets.Color(s, name) })
	s.plot.draw(b, f)
	return b.img
}

// stopAt returns the stop under a position of the surface, -1 for none.
func (s *surface) stopAt(at fyne.Position) int {
	if s.plot == nil || s.plot.stops() == 0 {
		return -1
	}
	f, origin := s.frame()
	if p := at.Subtract(origin); p.X >= -6 && p.Y >= -6 && p.X <= f.size.Width+6 && p.Y <= f.size.Height+6 {
		return s.plot.at(f, p)
	}
	return -1
}

// MouseIn implements desktop.Hoverable.
func (s *surface) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *surface) MouseMoved(ev *desktop.MouseEvent) {
	if stop := s.stopAt(ev.Position); stop >= 0 || !s.pinned {
		s.pinned = false
		s.point(stop)
	}
}

// MouseOut implements desktop.Hoverable.
func (s *surface) MouseOut() {
	if !s.pinned {
		s.point(-1)
	}
}

// Tapped pins what is under the mouse, and activates it the second time.
func (s *surface) Tapped(ev *fyne.PointEvent) {
	s.host.Keys.Used()
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	stop := s.stopAt(ev.Position)
	if stop >= 0 && stop == s.stop && s.pinned && s.chart.Activate != nil {
		s.chart.Activate(stop)
		return
	}
	s.pinned = stop >= 0
	s.point(stop)
}

// TappedSecondary shows the menu.
func (s *surface) TappedSecondary(ev *fyne.PointEvent) { s.menu(ev.AbsolutePosition) }

// OpenMenu opens the menu at the beginning of the chart.
func (s *surface) OpenMenu() {
	s.menu(fyne.CurrentApp().Driver().AbsolutePositionForObject(s).AddXY(20, 20))
}

func (s *surface) menu(at fyne.Position) {
	s.host.Keys.Used()
	if s.host.Menu != nil {
		s.host.Menu(s.chart, at)
	}
}

// FocusGained implements fyne.Focusable.
func (s *surface) FocusGained() {
	s.focused = true
	s.Refresh()
	if s.host.Shown != nil {
		s.host.Shown(s.chart.Content)
	}
}

// FocusLost implements fyne.Focusable.
func (s *surface) FocusLost() {
	s.focused, s.pinned = false, false
	s.point(-1)
	s.Refresh()
}

// TypedKey moves what is pointed to with the arrows, and to the ends with Home and End. Where nothing is pointed to, at the
// end, and with every other key, the key is passed on.
func (s *surface) TypedKey(ev *fyne.KeyEvent) {
	if s.plot == nil || s.plot.stops() == 0 {
		s.host.Keys.Key(ev)
		return
	}
	switch ev.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		stop := s.plot.move(s.stop, ev.Name)
		if stop != s.stop && (s.stop >= 0 || ev.Name == fyne.KeyLeft || ev.Name == fyne.KeyRight) {
			s.host.Keys.Used()
			s.pinned = true
			s.point(stop)
			return
		}
	case fyne.KeyHome, fyne.KeyEnd:
		if s.stop >= 0 {
			s.host.Keys.Used()
			s.pinned = true
			s.point(s.endOf(ev.Name))
			return
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		if s.chart.Activate != nil && s.stop >= 0 {
			s.host.Keys.Used()
			s.chart.Activate(s.stop)
			return
		}
	case fyne.KeyEscape:
		if s.stop >= 0 {
			s.pinned = false
			s.point(-1)
			return
		}
	}
	s.host.Keys.Key(ev)
}

// endOf returns the first stop beside the one that is pointed to, or the last.
func (s *surface) endOf(key fyne.KeyName) int {
	way := fyne.KeyLeft
	if key == fyne.KeyEnd {
		way = fyne.KeyRight
	}
	for stop := s.stop; ; {
		next := s.plot.move(stop, way)
		if next == stop {
			return stop
		}
		stop = next
	}
}

// TypedRune passes letters on.
func (s *surface) TypedRune(r rune) { s.host.Keys.Rune(r) }

// TypedShortcut copies the table (Ctrl+C) or saves the picture (Ctrl+S), and passes other shortcuts to the canvas.
func (s *surface) TypedShortcut(shortcut fyne.Shortcut) {
	switch k := shortcut.(type) {
	case *fyne.ShortcutCopy:
		s.host.Keys.Used()
		s.chart.Copy()
		return
	case *desktop.CustomShortcut:
		if k.KeyName == fyne.KeyS && k.Modifier == fyne.KeyModifierShortcutDefault && s.host.Save != nil {
			s.host.Keys.Used()
			if err := s.chart.Save(); err != nil && s.host.Fail != nil {
				s.host.Fail(err)
			}
			return
		}
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(s).(fyne.Shortcutable); ok {
		c.TypedShortcut(shortcut)
	}
}

// leastWidth is the least width of a plot with its labels.
const leastWidth = 220

// CreateRenderer implements fyne.Widget.
func (s *surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{surface: s, cursor: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent)}
	r.raster = canvas.NewRaster(s.paint)
	r.ring.StrokeWidth = 2
	r.cursor.CornerRadius, r.ring.CornerRadius = 2, 4
	r.draw()
	return r
}

type surfaceRenderer struct {
	*surface
	raster       *canvas.Raster
	cursor, ring *canvas.Rectangle
	labels       []*canvas.Text
	objects      []fyne.CanvasObject

	drawn  Plot // in the raster
	ground color.Color
	size   fyne.Size
}

func (r *surfaceRenderer) Destroy() {}

func (r *surfaceRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *surfaceRenderer) MinSize() fyne.Size {
	_, top, _, bottom, _, _ := r.margins()
	return fyne.NewSize(leastWidth, r.height+top+bottom)
}

func (r *surfaceRenderer) Layout(fyne.Size) { r.draw() }

func (r *surfaceRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.surface)
}

// draw brings the objects up to date; the plot is repainted only if it, its size or the theme has
// changed.
func (r *surfaceRenderer) draw() {
	if r.objects == nil {
		r.objects = []fyne.CanvasObject{r.raster, r.cursor, r.ring}
	}
	r.ring.Hidden = !r.focused
	r.ring.StrokeColor = widgets.Color(r.surface, look.ColorAccent)
	r.ring.Resize(r.surface.Size())
	r.cursor.Hidden = r.plot == nil || r.stop < 0
	if r.plot == nil {
		r.raster.Hidden, r.labels, r.drawn = true, nil, nil
		r.objects = []fyne.CanvasObject{r.raster, r.cursor, r.ring}
		return
	}
	f, origin := r.frame()
	r.raster.Hidden = false
	r.raster.Move(origin.SubtractXY(rasterPad, rasterPad))
	r.raster.Resize(f.size.AddWidthHeight(2*rasterPad, 2*rasterPad))
	if !r.cursor.Hidden {
		at, size := r.plot.place(f, r.stop)
		r.cursor.Move(origin.Add(at))
		r.cursor.Resize(size)
		r.cursor.StrokeColor, r.cursor.StrokeWidth, r.cursor.FillColor = widgets.Color(r.surface, look.ColorText), 1.5, color.Transparent
		if size.Width < 3 { // a line
			r.cursor.FillColor, r.cursor.StrokeWidth = r.cursor.StrokeColor, 0
		}
	}
	ground := widgets.Color(r.surface, theme.ColorNameBackground)
	if r.drawn == r.plot && r.ground == ground && r.size == r.surface.Size() {
		return
	}
	if r.drawn != r.plot || r.ground != ground {
		r.raster.Refresh()
	}
	r.drawn, r.ground, r.size = r.plot, ground, r.surface.Size()
	r.setLabels(r.surface.labels(f, origin))
}

func (r *surfaceRenderer) setLabels(all []label) {
	r.labels = r.labels[:min(len(r.labels), len(all))]
	for len(r.labels) < len(all) {
		r.labels = append(r.labels, canvas.NewText("", nil))
	}
	r.objects = []fyne.CanvasObject{r.raster, r.cursor, r.ring}
	size := textSize(theme.CurrentForWidget(r.surface))
	for i, l := range all {
		t := r.labels[i]
		t.Text, t.TextSize, t.Alignment, t.Color = widgets.Ellipsis(l.text, l.width, size, fyne.TextStyle{}), size, l.align, widgets.Color(r.surface, look.ColorMuted)
		t.Move(l.at)
		t.Resize(fyne.NewSize(l.width, t.MinSize().Height))
		t.Refresh()
		r.objects = append(r.objects, t)
	}
}
