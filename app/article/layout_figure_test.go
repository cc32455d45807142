package article

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/app/widgets/widgetstest"
	"kairos/reader/content"
	"kairos/reader/picture"
)

// shelf has pictures and delivers them when the test calls deliver.
type shelf struct {
	deferred bool
	asked    []string // addresses; with a "!" if the user asked
	boxes    []image.Point
	bring    []func()
	sizes    map[string]image.Point
	living   int // loads neither delivered nor canceled
}

// sentence is an error as the window passes it on: a sentence for people.
type sentence string

func (s sentence) Error() string { return string(s) }

const errNone sentence = "There is nothing at this address (404)."

func (s *shelf) Load(address string, box image.Point, asked bool, done func(picture.Picture, error)) func() {
	name := address
	if asked {
		name += "!"
	}
	s.asked, s.boxes = append(s.asked, name), append(s.boxes, box)
	s.living++
	over := false
	s.bring = append(s.bring, func() {
		if over {
			return
		}
		over = true
		s.living--
		size, ok := s.sizes[address]
		switch {
		case s.deferred && !asked:
			done(picture.Picture{}, ErrDeferred)
		case !ok:
			done(picture.Picture{}, errNone)
		default:
			px := size
			if box.X > 0 && box.X < px.X {
				px = image.Pt(box.X, max(1, size.Y*box.X/size.X))
			}
			img := image.NewRGBA(image.Rectangle{Max: px})
			for i := range img.Pix {
				img.Pix[i] = 0x80
			}
			done(picture.Picture{Image: img, Width: size.X, Height: size.Y}, nil)
		}
	})
	return func() {
		if !over {
			over = true
			s.living--
		}
	}
}

// deliver delivers everything that was requested, and what is requested then.
func (s *shelf) deliver() {
	for len(s.bring) > 0 {
		next := s.bring
		s.bring = nil
		for _, f := range next {
			f()
		}
	}
}

func pictured1(name string, w, h int) content.Block {
	return content.Block{Kind: content.Picture, Image: content.Image{URL: "https://example.org/" + name, Alt: "Alt of " + name, Width: w, Height: h}}
}

// gallery returns an article of pictures between paragraphs, and a shelf with all of them, of 600 × 400 pixels.
func gallery(n, w, h int) (Article, *shelf) {
	s := &shelf{sizes: map[string]image.Point{}}
	a := Article{Title: "Gallery"}
	for i := range n {
		name := fmt.Sprintf("%d.png", i)
		s.sizes["https://example.org/"+name] = image.Pt(600, 400)
		a.Body.Blocks = append(a.Body.Blocks, pictured1(name, w, h),
			content.Block{Runs: runs(run(fmt.Sprintf("Paragraph %d. ", i) + strings.Repeat("Some words. ", 30)))})
	}
	return a, s
}

func faces(v *View) (n int) {
	for _, o := range v.page.painter.objects {
		if i, ok := o.(*canvas.Image); ok && i.Image != nil {
			n++
		}
	}
	return n
}

func TestGoldenPictures(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 1200))
	s := &shelf{sizes: map[string]image.Point{"https://example.org/wide.png": {800, 200}, "https://example.org/small.png": {60, 40}}}
	v.Pictures = s
	wide := pictured1("wide.png", 0, 0)
	wide.Image.Title = "Its title"
	a := Article{Body: content.Document{Blocks: []content.Block{
		wide, {Kind: content.Caption, Runs: runs(run("Its "), run("caption", content.Bold))},
		pictured1("small.png", 0, 0), pictured1("missing.png", 0, 0), pictured1("late.png", 200, 90),
		{Runs: runs(run("The end."))},
	}}}
	v.Display(a)
	for i, bring := range s.bring {
		if i < 3 { // the last is on its way
			bring()
		}
	}
	widgetstest.AssertMarkup(t, "pictures.xml", v)
}

func TestGoldenDeferredPicture(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 400))
	a, s := gallery(1, 0, 0)
	s.deferred = true
	v.Pictures = s
	v.Display(a)
	s.deliver()
	widgetstest.AssertMarkup(t, "picture_held.xml", v)
}

// Pictures are loaded when their places come near the viewport, and released when they are far from it.
func TestPicturesLoadNearTheViewport(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 500))
	a, s := gallery(60, 600, 400)
	v.Pictures = s
	v.Display(a)
	if len(s.asked) == 0 || len(s.asked) > 4 || s.asked[0] != "https://example.org/0.png" {
		t.Fatalf("at the top are asked for %v", s.asked)
	}
	s.deliver()
	if faces(v) == 0 {
		t.Fatal("nothing is shown")
	}
	most := 0
	for v.PageDown() {
		s.deliver()
		bytes := 0
		for _, f := range v.page.pictures.figures() {
			bytes += f.picture.Bytes()
		}
		most = max(most, bytes)
		top, bottom := v.viewport()
		for _, f := range v.page.pictures.figures() {
			if f.y < bottom && f.y+f.h > top && f.state != shown {
				t.Fatalf("%s is seen and not shown", f.image.URL)
			}
		}
	}
	if len(s.asked) != 60 || most > 8<<20 {
		t.Errorf("%d were asked for, %d bytes in memory at once", len(s.asked), most)
	}
	if n := len(v.page.painter.idleImages) + faces(v); n > 10 {
		t.Errorf("%d objects to draw pictures with", n)
	}
	v.scrollTo(0)
	if s.deliver(); faces(v) == 0 {
		t.Error("going back shows none")
	}
	v.Clear("")
	if s.living != 0 || faces(v) != 0 {
		t.Errorf("after the article %d loads live on", s.living)
	}
}

// The text in the viewport does not move when pictures above it are larger or smaller than their places.
func TestPicturesDoNotMoveTheViewport(t *testing.T) {
	for _, size := range []image.Point{{600, 4000}, {600, 20}, {30, 30}} {
		v, _ := openView(t, fyne.NewSize(600, 500))
		a, s := gallery(12, 0, 0)
		for k := range s.sizes {
			s.sizes[k] = size
		}
		v.Pictures = s
		v.Display(a)
		v.scrollTo(place(t, v, "Paragraph 4", false).Y - 100)
		for range 3 {
			before := place(t, v, "Paragraph 4", false).Y - v.one.scroll.Offset.Y
			for _, bring := range s.bring {
				bring()
				if after := place(t, v, "Paragraph 4", false).Y - v.one.scroll.Offset.Y; after-before > 1 || before-after > 1 {
					t.Fatalf("%v: the paragraph was at %v and is at %v", size, before, after)
				}
			}
		}
		if h := v.one.scroll.Content.Size().Height; h != v.page.height() {
			t.Errorf("%v: the scroll goes on as if the page were %v high, not %v", size, h, v.page.height())
		}
	}
}

// A picture whose size is known from the author, or from before, does not change the layout.
func TestKnownSizesKeepTheLayout(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 500))
	said, s := gallery(3, 600, 400)
	v.Pictures = s
	v.Display(said)
	height := v.page.height()
	if s.deliver(); v.page.height() != height {
		t.Errorf("with a size: %v after %v", v.page.height(), height)
	}
	unsaid, _ := gallery(3, 0, 0)
	v.Display(unsaid)
	height = v.page.height()
	if s.deliver(); v.page.height() != height {
		t.Errorf("seen before: %v after %v", v.page.height(), height)
	}
}

func TestDeferredPictures(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 1600))
	a, s := gallery(3, 0, 0)
	s.deferred = true
	told := 0
	v.OnDeferred = func() { told++ }
	v.Pictures = s
	v.Display(a)
	if s.deliver(); !v.HasDeferred() || told == 0 || faces(v) != 0 {
		t.Fatalf("deferred %v, told %d times, %d shown", v.HasDeferred(), told, faces(v))
	}
	at := place(t, v, "Alt of 1.png", false)
	press(v, at, 0)
	v.page.Tapped(&fyne.PointEvent{Position: at})
	if s.deliver(); faces(v) != 1 || s.asked[len(s.asked)-1] != "https://example.org/1.png!" {
		t.Errorf("a click on a frame asks for %v, %d are shown", s.asked, faces(v))
	}
	v.LoadPictures()
	if s.deliver(); faces(v) != 3 || v.HasDeferred() {
		t.Errorf("all are asked for: %d are shown", faces(v))
	}
	v.Display(a)
	if s.deliver(); faces(v) != 0 {
		t.Error("the next article shows them, too")
	}
}

func TestFailedPictureSaysWhy(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 600))
	a, s := gallery(1, 0, 0)
	clear(s.sizes)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	at := place(t, v, "There is nothing at this address", false)
	v.SelectAll()
	if got := v.Selected(); strings.Contains(got, "404") || !strings.Contains(got, "Alt of 0.png") {
		t.Errorf("copied: %q", got)
	}
	v.page.Tapped(&fyne.PointEvent{Position: at})
	if len(s.asked) != 2 {
		t.Errorf("a click asks for %v", s.asked)
	}
}

func TestClickOnAPicture(t *testing.T) {
	v, w := openView(t, fyne.NewSize(600, 900))
	a, s := gallery(2, 0, 0)
	a.Body.Blocks[2].Image.Link = "https://example.org/large"
	v.Pictures = s
	opened := ""
	v.OnLink = func(url string) { opened = url }
	v.Display(a)
	s.deliver()
	middle := func(i int) *fyne.PointEvent {
		f := v.page.pictures.figures()[i]
		return &fyne.PointEvent{Position: fyne.NewPos(f.x+f.w/2, f.y+f.h/2)}
	}
	v.page.Tapped(middle(1))
	if opened != "https://example.org/large" || w.Canvas().Overlays().Top() != nil {
		t.Errorf("the linked one opens %q", opened)
	}
	v.page.Tapped(middle(0))
	top, ok := w.Canvas().Overlays().Top().(*largePicture)
	if !ok || w.Canvas().Focused() != fyne.Focusable(top) {
		t.Fatal("the other is not shown large")
	}
	if s.deliver(); top.image.Image.Bounds().Dx() != 600 || top.image.Size() != fyne.NewSize(552, 368) {
		t.Errorf("%v in %v", top.image.Image.Bounds(), top.image.Size())
	}
	top.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if w.Canvas().Overlays().Top() != nil {
		t.Error("Escape leaves it")
	}
	labels := ""
	v.OnSavePicture = func(string) {}
	for _, i := range v.page.menu(middle(1).Position).Items {
		labels += i.Label + "|"
	}
	if labels != "Open link|Copy link|Show larger|Open image in browser|Copy image address|Save image as…||Copy|Copy the article as Markdown|Select all|" {
		t.Errorf("its menu: %s", labels)
	}
}

// A picture that is shown large is zoomed in where the pointer is, in all of its pixels, and moved about within the window.
func TestLargePictureIsZoomed(t *testing.T) {
	v, w := openView(t, fyne.NewSize(600, 900))
	a, s := gallery(1, 0, 0)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	v.page.enlarge(v.page.pictures.figures()[0])
	s.deliver()
	l := w.Canvas().Overlays().Top().(*largePicture)
	l.own = fyne.NewSize(2400, 1600)
	press := func(keys ...fyne.KeyName) {
		for _, k := range keys {
			l.TypedKey(&fyne.KeyEvent{Name: k})
		}
	}
	at := fyne.NewPos(100, 400)
	share := func() float32 { return (at.X - l.image.Position().X) / l.image.Size().Width }
	before := share()
	for range 9 {
		l.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, 25)})
	}
	if grown := l.image.Size().Width / 552; grown < 8 || math.Abs(float64(share()-before)) > 0.005 {
		t.Errorf("%.1f times as large, %.3f of it left of the pointer, %.3f before", grown, share(), before)
	}
	if box := s.boxes[len(s.boxes)-1]; box != image.Pt(2400, 1600) {
		t.Errorf("asked for in %v", box)
	}
	asked := len(s.boxes)
	for range 9 {
		l.TypedRune('+')
	}
	if len(s.boxes) != asked || math.Abs(float64(l.image.Size().Width-mostEnlarged*2400)) > 0.1 {
		t.Errorf("asked for again, or %v large", l.image.Size())
	}
	l.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(10_000, 10_000)})
	if l.image.Position() != fyne.NewPos(largeMargin, largeMargin) {
		t.Errorf("dragged to %v", l.image.Position())
	}
	moved := l.moved
	if press(fyne.KeyRight, fyne.KeyDown, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp); l.moved != moved.SubtractXY(panStep, panStep) {
		t.Errorf("moved from %v to %v", moved, l.moved)
	}
	l.TypedRune('-')
	if l.TypedRune('0'); l.image.Size() != fyne.NewSize(552, 368) || l.image.Position() != fyne.NewPos(24, 266) {
		t.Errorf("back: %v at %v", l.image.Size(), l.image.Position())
	}
	if l.TypedRune('j'); w.Canvas().Overlays().Top() != nil {
		t.Error("other keys leave it")
	}
}

// A comic of many pictures below each other is shown from its top, as wide as it is, and can be seen whole.
func TestTallPictureIsLarge(t *testing.T) {
	v, w := openView(t, fyne.NewSize(600, 900))
	a, s := gallery(1, 0, 0)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	f := v.page.pictures.figures()[0]
	f.pixels = fyne.NewSize(800, 12_000)
	v.page.enlarge(f)
	l := w.Canvas().Overlays().Top().(*largePicture)
	if size := l.image.Size(); math.Abs(float64(size.Width-552)) > 0.1 || l.image.Position() != fyne.NewPos(24, 24) {
		t.Errorf("%v at %v", size, l.image.Position())
	}
	if box := s.boxes[len(s.boxes)-1]; box != image.Pt(800, 12_000) {
		t.Errorf("asked for in %v", box)
	}
	top := l.moved
	if l.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)}); l.moved != top.SubtractXY(0, 75) {
		t.Errorf("the wheel moves it from %v to %v", top, l.moved)
	}
	if l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd}); l.image.Position().Y != round(900-24-l.image.Size().Height) {
		t.Errorf("End moves it to %v", l.image.Position())
	}
	if l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome}); l.image.Position() != fyne.NewPos(24, 24) {
		t.Errorf("Home moves it to %v", l.image.Position())
	}
	if l.TypedRune('0'); l.image.Size().Height != 900-2*largeMargin {
		t.Errorf("whole it is %v", l.image.Size())
	}
}

// Home and End go to the left and the right end of a picture that is no higher than the window.
func TestEndsOfAWidePicture(t *testing.T) {
	v, w := openView(t, fyne.NewSize(600, 900))
	a, s := gallery(1, 0, 0)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	f := v.page.pictures.figures()[0]
	f.pixels = fyne.NewSize(4000, 1000)
	v.page.enlarge(f)
	l := w.Canvas().Overlays().Top().(*largePicture)
	l.zoomBy(2, fyne.NewPos(300, 450))
	middle := l.image.Position()
	for key, left := range map[fyne.KeyName]float32{fyne.KeyHome: 24, fyne.KeyEnd: 600 - 24 - l.image.Size().Width} {
		if l.TypedKey(&fyne.KeyEvent{Name: key}); l.image.Position() != fyne.NewPos(round(left), middle.Y) {
			t.Errorf("%s moves it from %v to %v", key, middle, l.image.Position())
		}
	}
}

// A picture is decoded for the pixels it is drawn with, and again when these become more.
func TestPicturesFollowTheScale(t *testing.T) {
	v, w := openView(t, fyne.NewSize(400, 500))
	a, s := gallery(1, 0, 0)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	f := v.page.pictures.figures()[0]
	if s.boxes[0].X != int(f.w) || f.picture.Image.Bounds().Dx() != int(f.w) {
		t.Errorf("asked for %v to be drawn %v wide", s.boxes, f.w)
	}
	w.Canvas().(software.WindowlessCanvas).SetScale(1.5)
	v.page.drawVisible()
	s.deliver()
	if got, want := f.picture.Image.Bounds().Dx(), int(f.w*1.5+0.5); got != want {
		t.Errorf("at 150 %% it has %d pixels, not %d", got, want)
	}
}

// In dark themes transparent pictures have a light background.
func TestTransparentPicturesInTheDark(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 900))
	a, s := gallery(1, 0, 0)
	v.Pictures = s
	v.Display(a)
	s.deliver()
	count := func() (n int) {
		for _, o := range v.page.painter.below {
			if r, ok := o.(*canvas.Rectangle); ok && r.FillColor == color.Color(color.NRGBA{0xf3, 0xf1, 0xec, 0xff}) && r.Size().Height > 100 {
				n++
			}
		}
		return n
	}
	light := count()
	test.ApplyTheme(t, look.New(look.Dark))
	v.Refresh()
	s.deliver()
	if light != 0 || count() != 1 {
		t.Errorf("%d plates in the light, %d in the dark", light, count())
	}
}
