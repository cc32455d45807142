package article

import (
	"image"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
	"kairos/reader/picture"
)

// reel delivers one animated picture.
type reel struct {
	motion picture.Motion
	bring  []func()
}

func (r *reel) Load(_ string, _ image.Point, _ bool, done func(picture.Picture, error)) func() {
	m := r.motion
	r.bring = append(r.bring, func() { done(picture.Picture{Image: m.Frames[0], Width: 40, Height: 20, Motion: &m}, nil) })
	return func() {}
}

// cinema is a view with an animated picture of three frames of 100 ms, and a window that it is in.
type cinema struct {
	*View
	t       *testing.T
	frames  []*image.RGBA
	timers  int // that run
	wakings int
	inFront bool
}

func newCinema(t *testing.T, times int, still bool) *cinema {
	v, _ := openView(t, fyne.NewSize(400, 300))
	c := &cinema{View: v, t: t, inFront: true}
	for range 3 {
		c.frames = append(c.frames, image.NewRGBA(image.Rect(0, 0, 40, 20)))
	}
	const delay = 100 * time.Millisecond
	r := &reel{motion: picture.Motion{Frames: c.frames, Delays: []time.Duration{delay, delay, delay}, Times: times}}
	c.Pictures = r
	c.InSight = func() bool { return c.inFront }
	c.After = func(d time.Duration, do func()) func() {
		c.timers++
		timer := time.AfterFunc(d, func() {
			c.timers--
			c.wakings++
			do()
		})
		return func() {
			if timer.Stop() {
				c.timers--
			}
		}
	}
	c.SetStill(still)
	c.Display(Article{Title: "Moving", Body: content.Document{Blocks: []content.Block{pictured1("a.gif", 0, 0)}}})
	r.bring[0]()
	return c
}

// after lets time go on and checks which frame is shown then.
func (c *cinema) after(d time.Duration, frame, timers int) {
	c.t.Helper()
	<-time.After(d)
	synctest.Wait()
	if got := c.frame(); got != frame || c.timers != timers {
		c.t.Errorf("frame %d with %d timers, want %d with %d", got, c.timers, frame, timers)
	}
}

func (c *cinema) frame() int {
	for i, f := range c.frames {
		if on := c.page.doc.figures[0].object; on != nil && on.Image == f {
			return i
		}
	}
	return -1
}

func TestPicturesMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCinema(t, 2, false)
		c.after(50*time.Millisecond, 0, 1)
		c.after(100*time.Millisecond, 1, 1)
		c.after(100*time.Millisecond, 2, 1)
		c.after(100*time.Millisecond, 0, 1)
		c.after(200*time.Millisecond, 2, 1)
		c.after(time.Minute, 2, 0) // shown twice, it stands at its last frame
		if c.wakings != 6 {
			t.Errorf("%d wake-ups for 6 frames", c.wakings)
		}
	})
}

func TestPicturesRestUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCinema(t, 0, false)
		c.after(150*time.Millisecond, 1, 1)
		c.inFront = false
		c.MovePictures()
		woken := c.wakings
		c.after(time.Hour, 1, 0)
		c.inFront = true
		c.MovePictures()
		c.after(50*time.Millisecond, 2, 1) // goes on from where it was, one frame at a time
		c.Clear("none")
		if c.timers != 0 || c.wakings != woken {
			t.Errorf("%d timers, %d wake-ups after it was left", c.timers, c.wakings-woken)
		}
	})
}

func TestPicturesStandStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCinema(t, 0, true)
		c.after(time.Hour, 0, 0)
		f := c.page.doc.figures[0]
		c.page.tapFigure(f)
		c.after(150*time.Millisecond, 1, 1)
		c.after(time.Minute, 2, 0)
		c.page.tapFigure(f) // another click enlarges it, which plays it there
		if c.motion.large == nil || c.timers != 1 {
			t.Fatalf("large %v, %d timers", c.motion.large, c.timers)
		}
		c.after(time.Minute, 2, 0)
		fyne.CurrentApp().Driver().CanvasForObject(c.View).Overlays().Top().(*largePicture).dismiss()
		c.after(time.Hour, 2, 0)
		c.SetStill(false)
		c.after(150*time.Millisecond, 0, 1)
	})
}

// A picture that does not move is enlarged by a click, and nothing waits for a next frame of it.
func TestStillPictureIsEnlarged(t *testing.T) {
	for _, still := range []bool{false, true} {
		v, w := openView(t, fyne.NewSize(600, 900))
		a, s := gallery(1, 0, 0)
		v.Pictures = s
		v.InSight = func() bool { return true }
		v.After = func(time.Duration, func()) func() { t.Error("it moves"); return func() {} }
		v.SetStill(still)
		v.Display(a)
		s.deliver()
		f := v.page.pictures.figures()[0]
		v.page.Tapped(&fyne.PointEvent{Position: fyne.NewPos(f.x+f.w/2, f.y+f.h/2)})
		top, ok := w.Canvas().Overlays().Top().(*largePicture)
		if !ok {
			t.Fatal("it is not shown large")
		}
		s.deliver() // once more, sharper
		v.MovePictures()
		if top.image.Image == nil || top.image.Image.Bounds().Dx() != 600 {
			t.Error("it is not shown sharper")
		}
		top.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		v.MovePictures()
		if w.Canvas().Overlays().Top() != nil || v.motion.large != nil {
			t.Error("it is still there")
		}
	}
}
