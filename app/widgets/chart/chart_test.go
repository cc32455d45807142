package chart

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
)

func newTestChart(t testing.TB, p Plot, height float32) *Chart {
	c := New(Host{Keys: widgets.Keys{Used: func() {}, Key: func(*fyne.KeyEvent) {}, Rune: func(rune) {}}}, "A chart", height)
	c.SetPlot(p, "Nothing is pointed to.")
	w := test.NewTempWindow(t, c.Content)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(480, c.Content.MinSize().Height))
	return c
}

// sampleLines has two lines with bands, one of them broken, a point and two rows of marks.
func sampleLines() *Lines {
	l := &Lines{X: Axis{Unit: Clock, Lo: 0, Hi: 24, Name: "time of day"}, Y: Axis{Lo: 0, Hi: 1.9, Name: "visits an hour"}, Now: 13.5}
	for k, name := range []string{"workdays", "weekends"} {
		s := Series{Name: name, Ink: Ink{Color: look.ColorAccent}}
		if k == 1 {
			s.Ink = Ink{Color: theme.ColorNameWarning, Dash: Dashed}
		}
		for i := range 288 {
			x := float64(i) / 12
			y := 0.1 + 1.4*math.Exp(-(x-7.5-3*float64(k))*(x-7.5-3*float64(k))/2) + 0.6*math.Exp(-(x-20)*(x-20)/8)
			if k == 1 && i > 150 && i < 160 {
				y = math.NaN()
			}
			s.X, s.Y, s.Lo, s.Hi = append(s.X, x), append(s.Y, y), append(s.Lo, 0.7*y), append(s.Hi, 1.2*y)
		}
		l.Series = append(l.Series, s)
		l.Rugs = append(l.Rugs, Rug{name, Ink{Color: s.Ink.Color, Shape: []Shape{Bar, Ring}[k]}, []float64{7.4, 7.6, 12, 20.1}})
	}
	l.Points = []Point{{"now", Ink{Color: look.ColorText, Shape: Diamond}, 13.5, 0.5}}
	return l
}

func sampleBars() *Bars {
	return &Bars{Y: Axis{Unit: Percent, Lo: 0, Hi: 100}, Name: "days", Groups: []string{"7 days", "30 days"}, Series: []BarSeries{
		{Name: "Kairos", Ink: Ink{Color: look.ColorAccent}, Values: []float64{94, 91}},
		{Name: "equal intervals", Ink: Ink{Color: look.ColorMuted, Pattern: Rising}, Values: []float64{82, math.NaN()}},
		{Name: "expected", Ink: Ink{Color: look.ColorText}, Mark: true, Values: []float64{90, 88}, Lo: []float64{85, 80}, Hi: []float64{95, 92}},
	}}
}

func sampleHeat() *Heat {
	h := &Heat{Name: "visits", Ink: Ink{Color: look.ColorAccent}, EveryColumn: 3}
	for c := range 24 {
		h.Columns = append(h.Columns, fmt.Sprintf("%02d:00", c))
	}
	for r, day := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"} {
		h.Rows = append(h.Rows, day)
		row := make([]float64, 24)
		row[7+r/5*3], row[8], row[20] = 8, 3, float64(r)
		h.Values = append(h.Values, row)
	}
	return h
}

var start = time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)

func sampleTimeline() *Timeline {
	mark := func(hours float64, size float32, text string) Mark {
		return Mark{start.Add(time.Duration(hours * float64(time.Hour))), size, func() string { return text }}
	}
	tl := &Timeline{From: start.Add(-24 * time.Hour), To: start.Add(24 * time.Hour), Now: start}
	tl.Lanes = []Lane{
		{Name: "Visits", Kinds: []Kind{{"made", Ink{Color: look.ColorText, Shape: Bar}, []Mark{mark(-4.5, 1, "visit 1"), mark(-16, 1, "visit 0")}}}},
		{Name: "Fetches", Height: 2, Kinds: []Kind{
			{"new articles", Ink{Color: look.ColorAccent, Shape: Disc}, nil},
			{"nothing new", Ink{Color: look.ColorMuted, Shape: Ring}, nil},
			{"failed", Ink{Color: theme.ColorNameWarning, Shape: Cross}, []Mark{mark(-3, 0.5, "failed 0")}}}},
		{Name: "Planned", Height: 2, Kinds: []Kind{{"planned", Ink{Color: look.ColorAccent, Shape: Diamond}, nil}}},
	}
	for i := range 60 {
		k := &tl.Lanes[1].Kinds[i%2]
		k.Marks = append(k.Marks, mark(-24+float64(i)*0.4, 0.3, fmt.Sprint("fetch ", i)))
		p := &tl.Lanes[2].Kinds[0]
		p.Marks = append(p.Marks, mark(float64(i*i%23)+0.1+0.013*float64(i), float32(i%5)/4, fmt.Sprint("planned ", i)))
	}
	tl.Spans = []Span{{"asleep", Ink{Color: look.ColorMuted, Pattern: Rising}, start.Add(-13 * time.Hour), start.Add(-6 * time.Hour), func() string { return "asleep 23:00 to 06:00" }},
		{"battery saver", Ink{Color: look.ColorStar, Pattern: Dotted}, start.Add(6 * time.Hour), start.Add(9 * time.Hour), func() string { return "saver" }}}
	return tl
}

func samples() map[string]Plot {
	return map[string]Plot{"lines": sampleLines(), "bars": sampleBars(), "heat": sampleHeat(), "timeline": sampleTimeline()}
}

// Charts look as they did: the pictures may differ by a little in how edges are smoothed.
func TestGoldenPictures(t *testing.T) {
	test.NewTempApp(t)
	for _, variant := range []string{"light", "dark", "sepia"} {
		fyne.CurrentApp().Settings().SetTheme(look.New(look.Variants[variant]))
		for name, p := range samples() {
			c := newTestChart(t, p, 150)
			c.surface.point(c.surface.plot.move(-1, fyne.KeyRight))
			file := filepath.Join("testdata", name+"-"+variant+".png")
			got := fyne.CurrentApp().Driver().CanvasForObject(c.surface).Capture()
			if *widgetstest.Update {
				write(t, file, got)
				continue
			}
			if d := difference(t, file, got); d > 0.004 {
				failed := filepath.Join(t.ArtifactDir(), filepath.Base(file))
				write(t, failed, got)
				t.Errorf("%s differs by %.2f %% of its pixels: see %s", file, 100*d, failed)
			}
		}
	}
}

func write(t *testing.T, name string, img image.Image) {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference returns the share of pixels that differ visibly.
func difference(t *testing.T, file string, got image.Image) float64 {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: run the test with -update", err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Errorf("%s is %v, now %v", file, want.Bounds(), got.Bounds())
		return 1
	}
	n := 0
	for y := want.Bounds().Min.Y; y < want.Bounds().Max.Y; y++ {
		for x := want.Bounds().Min.X; x < want.Bounds().Max.X; x++ {
			r, g, b, _ := want.At(x, y).RGBA()
			r2, g2, b2, _ := got.At(x, y).RGBA()
			if apart := func(a, b uint32) bool { return max(a, b)-min(a, b) > 0x2800 }; apart(r, r2) || apart(g, g2) || apart(b, b2) {
				n++
			}
		}
	}
	return float64(n) / float64(want.Bounds().Dx()*want.Bounds().Dy())
}

// What is painted at a stop is found under the mouse there, and the arrow keys lead to every stop.
func TestHitting(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for name, p := range samples() {
		c := newTestChart(t, p, 150)
		f, _ := c.surface.frame()
		missed := 0
		for stop := range p.stops() {
			at, size := p.place(f, stop)
			if got := p.at(f, at.AddXY(size.Width/2, size.Height/2)); got != stop {
				missed++
			}
			if p.readout(stop) == "" {
				t.Errorf("%s: stop %d has nothing to read out", name, stop)
			}
		}
		// Marks may lie on each other where time is short.
		if missed > p.stops()/20 || name != "timeline" && missed > 0 {
			t.Errorf("%s: %d of %d stops are not found in their places", name, missed, p.stops())
		}
		reached := map[int]bool{}
		first := p.move(-1, fyne.KeyRight)
		next := []int{first}
		for len(next) > 0 {
			stop := next[0]
			next = next[1:]
			if reached[stop] {
				continue
			}
			reached[stop] = true
			for _, k := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown} {
				next = append(next, p.move(stop, k))
			}
		}
		if len(reached) != p.stops() {
			t.Errorf("%s: the arrows reach %d of %d stops", name, len(reached), p.stops())
		}
	}
}

func TestPointing(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	var passed []fyne.KeyName
	copied, entered := "", -1
	c := New(Host{Keys: widgets.Keys{Used: func() {}, Key: func(ev *fyne.KeyEvent) { passed = append(passed, ev.Name) }, Rune: func(rune) {}},
		Copy: func(text string) { copied = text }}, "Bars", 100)
	c.Activate = func(stop int) { entered = stop }
	w := test.NewTempWindow(t, c.Content)
	if c.Content.Visible() {
		t.Error("a chart without a plot is shown")
	}
	c.SetPlot(sampleBars(), "resting")
	w.Resize(fyne.NewSize(400, 200))
	says := func(want string) {
		t.Helper()
		if c.Readout() != want {
			t.Errorf("reads out %q, want %q", c.Readout(), want)
		}
	}
	says("resting")
	s := c.surface
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(350, 50)}})
	says("30 days: Kairos 91, expected 88")
	s.MouseOut()
	says("resting")
	w.Canvas().Focus(c.Focusable())
	for _, k := range []fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeySpace, fyne.KeyReturn} {
		s.TypedKey(&fyne.KeyEvent{Name: k})
	}
	says("30 days: Kairos 91, expected 88")
	if fmt.Sprint(passed) != "[Right Space]" || entered != 1 {
		t.Errorf("passed on %v, entered %d", passed, entered)
	}
	s.MouseOut()
	says("30 days: Kairos 91, expected 88")
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	says("resting")
	s.TypedShortcut(&fyne.ShortcutCopy{Clipboard: test.NewClipboard()})
	if want := "days,Kairos,equal intervals,expected,expected (low),expected (high)\n7 days,94,82,90,85,95\n30 days,91,,88,80,92\n"; copied != want {
		t.Errorf("copied %q", copied)
	}
	saved := 0
	c.File = "bars"
	s.host.Save = func(name string, png []byte) {
		if name == "bars.png" && len(png) > 1000 {
			saved++
		}
	}
	s.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierShortcutDefault})
	s.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyT, Modifier: fyne.KeyModifierShortcutDefault})
	if saved != 1 {
		t.Errorf("saved %d pictures", saved)
	}
	c.SetPlot(nil, "")
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if c.Content.Visible() || len(passed) != 3 {
		t.Error("without a plot there is nothing to point to")
	}
}

func TestTables(t *testing.T) {
	for name, p := range samples() {
		rows, err := csv.NewReader(strings.NewReader(CSV(p))).ReadAll() // it checks that all rows are as long
		if err != nil || len(rows) < 3 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}

func TestPicture(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Dark))
	for name, p := range samples() {
		c := newTestChart(t, p, 150)
		data, err := c.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != pictureWidth*pictureScale || img.Bounds().Dy() < 300 {
			t.Errorf("%s: %v, %v", name, img.Bounds(), err)
		}
	}
}

// Nothing that a plot may hold breaks it.
func TestOddPlots(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	nan, inf := math.NaN(), math.Inf(1)
	for i, p := range []Plot{
		&Lines{}, &Bars{}, &Heat{}, &Timeline{From: start, To: start},
		&Lines{Y: Axis{Lo: nan, Hi: nan}, Series: []Series{{X: []float64{1, 2, 3}, Y: []float64{inf, nan, -inf}, Lo: []float64{nan}, Hi: []float64{inf, 1}}}},
		&Lines{X: Axis{Lo: 1, Hi: 1000, Log: true}, Y: Axis{Unit: Minutes, Hi: 900}, Series: []Series{{X: []float64{1, 10, 1000}, Y: []float64{5}}}},
		&Bars{Groups: []string{"a"}, Series: []BarSeries{{Values: []float64{1, 2, 3}}, {Mark: true, Values: []float64{inf}}}},
		&Heat{Rows: []string{"a", "b"}, Columns: []string{"x"}, Values: [][]float64{{nan}}},
		&Timeline{From: start, To: start.Add(time.Hour), Lanes: []Lane{{}, {Kinds: []Kind{{Marks: []Mark{{At: start.AddDate(9, 0, 0), Size: 9}}}}}}, Spans: []Span{{From: start.Add(-time.Hour), To: start}}},
	} {
		c := newTestChart(t, p, 20)
		for _, size := range []fyne.Size{{Width: 1, Height: 1}, {Width: 300, Height: 90}, {Width: 4000, Height: 200}} {
			c.surface.Resize(size)
			f, _ := c.surface.frame()
			c.surface.paint(int(f.size.Width), int(f.size.Height))
			for _, k := range []fyne.KeyName{fyne.KeyRight, fyne.KeyDown, fyne.KeyLeft, fyne.KeyUp} {
				c.surface.TypedKey(&fyne.KeyEvent{Name: k})
			}
			c.surface.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, 10)}})
		}
		if _, err := csv.NewReader(strings.NewReader(CSV(p))).ReadAll(); err != nil {
			t.Errorf("plot %d: %v", i, err)
		}
	}
}

// manyMarks is a timeline of 300 feeds at 8 fetches a day.
func manyMarks() *Timeline {
	tl := sampleTimeline()
	for i := range 2400 {
		at := time.Duration(i*7919%86400) * time.Second
		tl.Lanes[1].Kinds[i%2].Marks = append(tl.Lanes[1].Kinds[i%2].Marks, Mark{At: start.Add(-at)})
		tl.Lanes[2].Kinds[0].Marks = append(tl.Lanes[2].Kinds[0].Marks, Mark{At: start.Add(at), Size: float32(i%7) / 12})
	}
	return tl
}

func BenchmarkPaint(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(look.New(look.Light))
	all := samples()
	all["many"] = manyMarks()
	for name, p := range all {
		c := newTestChart(b, p, 180)
		c.surface.Resize(fyne.NewSize(900, 200))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if tl, ok := p.(*Timeline); ok {
					tl.packed = nil
				}
				c.surface.paint(1800, 360)
			}
		})
	}
}

// Names of points that lie close do not cover each other; an axis of numbers has its name below.
func TestPointNamesApart(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	l := &Lines{X: Axis{Lo: 1, Hi: 500, Log: true, Name: "fetches a day"}, Y: Axis{Unit: Percent, Lo: 40, Hi: 100},
		Series: []Series{{Name: "forecast", X: []float64{1, 500}, Y: []float64{50, 99}}}}
	for i, name := range []string{"yours", "realized last week", "Battery saver", "Balanced", "Fresh"} {
		l.Points = append(l.Points, Point{Name: name, X: 440 + float64(10*i), Y: 97 + 0.2*float64(i)})
	}
	s := newTestChart(t, l, 150).surface
	f, origin := s.frame()
	_, _, _, _, _, height := s.margins()
	names := s.pointLabels(l, f, origin, height)
	for i, a := range names {
		for _, b := range names[:i] {
			if a.at.X < b.at.X+b.width && b.at.X < a.at.X+a.width && a.at.Y < b.at.Y+height && b.at.Y < a.at.Y+height {
				t.Errorf("%q covers %q", a.text, b.text)
			}
		}
	}
	if len(names) < 2 || names[0].text != "yours" {
		t.Errorf("%v are shown", names)
	}
	// Names beside each other keep a distance, also from the line across.
	l.Points, l.Now = l.Points[:0], 15
	for i, name := range []string{"yours", "Battery saver", "Balanced"} {
		l.Points = append(l.Points, Point{Name: name, X: []float64{15, 7, 60}[i], Y: []float64{86, 80, 94}[i]})
	}
	names, line := s.pointLabels(l, f, origin, height), origin.X+f.x.at(l.Now)
	for i, a := range names {
		if a.at.X-3 < line && line < a.at.X+a.width+3 {
			t.Errorf("%q lies on the line", a.text)
		}
		for _, b := range names[:i] {
			if a.at.X < b.at.X+b.width+4 && b.at.X < a.at.X+a.width+4 && a.at.Y < b.at.Y+height && b.at.Y < a.at.Y+height {
				t.Errorf("%q crowds %q", a.text, b.text)
			}
		}
	}
	if len(names) != 3 {
		t.Errorf("%v are shown", names)
	}
	// A steep curve does not pass through the name of a point on it.
	l.Series[0].X, l.Series[0].Y = []float64{4, 40}, []float64{40, 100}
	l.Points, l.Now = []Point{{Name: "Battery saver", X: 12, Y: 67}}, 0
	for _, n := range s.pointLabels(l, f, origin, height) {
		if at := n.at.Subtract(origin); l.onSeries(f, at.X, at.Y, n.width, height) {
			t.Errorf("the curve passes through %q", n.text)
		}
	}
	l.Series[0].X, l.Series[0].Y = []float64{1, 500}, []float64{50, 99}
	all := s.labels(f, origin)
	if last := all[len(all)-1]; last.text != "fetches a day" || last.at.Y+height > s.MinSize().Height {
		t.Errorf("%+v is below the axis", last)
	}
}

// The name of a point stands at its point, and not at the other edge, where it would be off the curve.
func TestPointNamesAtTheirPoints(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	l := &Lines{X: Axis{Lo: 86, Hi: 4128, Log: true, Name: "Abrufe am Tag"}, Y: Axis{Unit: Percent, Lo: 40, Hi: 100}, Now: 1368,
		Series: []Series{{Name: "Vorhersage", X: []float64{86, 172, 344, 688, 1368, 4128}, Y: []float64{66, 87, 94, 97, 98, 98}}},
		Points: []Point{{Name: "Ihres", X: 1368, Y: 98}, {Name: "Energiesparen", X: 344, Y: 94}, {Name: "Ausgewogen", X: 1376, Y: 98}, {Name: "Frisch", X: 4128, Y: 98}}}
	s := newTestChart(t, l, 150).surface
	for width := float32(300); width < 700; width += 10 {
		s.Resize(fyne.NewSize(width, s.MinSize().Height))
		f, origin := s.frame()
		_, _, _, _, _, height := s.margins()
		for _, n := range s.pointLabels(l, f, origin, height) {
			p := l.Points[slices.IndexFunc(l.Points, func(p Point) bool { return p.Name == n.text })]
			if at, x := n.at.X-origin.X, f.point(p.X, p.Y).x; x < at-8 || x > at+n.width+8 {
				t.Errorf("%.0f wide: %q stands from %.0f to %.0f, its point at %.0f", width, n.text, at, at+n.width, x)
			}
		}
	}
}

// The name below an axis keeps away from the frame of the focus.
func TestNameBelowTheAxisIsInsideTheFrame(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	c := New(Host{}, "A chart", 150)
	c.SetPlot(&Lines{X: Axis{Log: true, Lo: 1, Hi: 100, Name: "fetches a day"}, Y: Axis{Hi: 1}, Series: []Series{{X: []float64{1, 100}, Y: []float64{0, 1}}}}, "")
	s := c.surface
	s.Resize(s.MinSize())
	_, _, _, _, _, high := s.margins()
	f, origin := s.frame()
	for _, l := range s.labels(f, origin) {
		if l.text == "fetches a day" && l.at.Y+high > s.Size().Height-3 {
			t.Errorf("it ends at %v of %v", l.at.Y+high, s.Size().Height)
		}
	}
}
