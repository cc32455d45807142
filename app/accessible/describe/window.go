package describe

import (
	"context"
	"image"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/accessible"
)

// Window tells what a window shows. It is the accessible.App of a service: what that asks is handed over to Fyne's
// goroutine, to which the other methods belong. While nobody listens it does nothing.
type Window struct {
	canvas fyne.Canvas
	do     func(func())           // runs a function on Fyne's goroutine
	active func() bool            // whether the window has the focus
	update func(*accessible.Tree) // tells the service
	listen func(on bool)          // told when somebody listens, or nobody any more
	name   string                 // of the frame
	origin func() (image.Point, bool)

	walker   walker
	listens  bool
	made     time.Time     // when the last tree was
	took     time.Duration // to make it
	awaited  bool          // a tree is to be made soon
	schedule func(time.Duration, func())
}

var _ accessible.App = (*Window)(nil)

// NewWindow returns what describes the window of a canvas. name is what the frame is called, which should stay as it is: a title
// that counts what is unread would be read aloud after each article. do runs a function on Fyne's goroutine, active reports whether the window has
// the keys of the desktop, and listen is told when somebody listens, or nobody any more.
func NewWindow(canvas fyne.Canvas, name string, do func(func()), active func() bool, listen func(on bool)) *Window {
	return &Window{canvas: canvas, name: name, do: do, active: active, listen: listen, update: func(*accessible.Tree) {},
		schedule: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}
}

// Place says where on the screen the window is, in pixels; false where that is not known.
func (w *Window) Place(origin func() (image.Point, bool)) { w.origin = origin }

// Serve makes update the one who is told about each new tree.
func (w *Window) Serve(update func(*accessible.Tree)) { w.update = update }

// How often a tree is made at most, and how small a part of the time that takes: a blinking caret paints all the time.
const (
	leastPause = 30 * time.Millisecond
	pauseFor   = 10 // times as long as the last tree has taken
)

// Painted says that a frame was painted, so that the window may show something else.
func (w *Window) Painted() {
	if !w.listens || w.awaited {
		return
	}
	pause := max(leastPause, pauseFor*w.took) - time.Since(w.made)
	if pause <= 0 {
		w.tell()
		return
	}
	w.awaited = true
	w.schedule(pause, func() {
		w.do(func() {
			if w.awaited = false; w.listens {
				w.tell()
			}
		})
	})
}

// tell makes a tree and tells it.
func (w *Window) tell() {
	began := time.Now()
	tree := w.walker.snapshot(w.canvas, w.frame())
	w.made = time.Now()
	w.took = w.made.Sub(began)
	w.update(tree)
}

func (w *Window) frame() accessible.Node {
	n := accessible.Node{Name: w.name}
	n.States = n.States.With(accessible.Active, w.active())
	return n
}

// Listen implements accessible.App.
func (w *Window) Listen(on bool) {
	w.do(func() {
		if w.listens == on {
			return
		}
		w.listens = on
		w.listen(on)
		if on {
			w.tell()
		} else {
			w.walker.forget()
		}
	})
}

// ask runs f with a node on Fyne's goroutine, and waits for it until ctx ends. It is false if the node is gone, or f is.
func (w *Window) ask(ctx context.Context, id accessible.ID, f func(target) bool) bool {
	done := make(chan bool, 1)
	w.do(func() {
		t, known := w.walker.targets[id]
		done <- known && ctx.Err() == nil && f(t)
	})
	select {
	case ok := <-done:
		return ok
	case <-ctx.Done():
		return false
	}
}

// Do implements accessible.App.
func (w *Window) Do(ctx context.Context, id accessible.ID, action int) bool {
	return w.ask(ctx, id, func(t target) bool {
		if action < 0 || action >= len(t.Handler.Do) || t.Handler.Do[action] == nil {
			return false
		}
		t.Handler.Do[action]()
		return true
	})
}

// Focus implements accessible.App.
func (w *Window) Focus(ctx context.Context, id accessible.ID) bool {
	return w.ask(ctx, id, func(t target) bool {
		switch {
		case t.Handler.Focus != nil:
			t.Handler.Focus()
		case t.focusable != nil:
			w.canvas.Focus(t.focusable)
		default:
			return false
		}
		return true
	})
}

// Select implements accessible.App.
func (w *Window) Select(ctx context.Context, id accessible.ID, on bool) bool {
	return w.ask(ctx, id, func(t target) bool {
		if t.Handler.Select == nil {
			return false
		}
		t.Handler.Select(on)
		return true
	})
}

// Replace implements accessible.App.
func (w *Window) Replace(ctx context.Context, id accessible.ID, from, to int, text string) bool {
	return w.ask(ctx, id, func(t target) bool {
		if t.Handler.Replace == nil {
			return false
		}
		t.Handler.Replace(from, to, text)
		return true
	})
}

// SelectText implements accessible.App.
func (w *Window) SelectText(ctx context.Context, id accessible.ID, from, to int) bool {
	return w.ask(ctx, id, func(t target) bool {
		if t.Handler.SelectText == nil {
			return false
		}
		t.Handler.SelectText(from, to)
		return true
	})
}

// SetValue implements accessible.App.
func (w *Window) SetValue(ctx context.Context, id accessible.ID, value float64) bool {
	return w.ask(ctx, id, func(t target) bool {
		if t.Handler.SetValue == nil {
			return false
		}
		t.Handler.SetValue(value)
		return true
	})
}

// ScrollTo implements accessible.App.
func (w *Window) ScrollTo(ctx context.Context, id accessible.ID, from, to int) bool {
	return w.ask(ctx, id, func(t target) bool {
		if t.Handler.ScrollTo == nil {
			return false
		}
		t.Handler.ScrollTo(from, to)
		return true
	})
}

// Origin implements accessible.App.
func (w *Window) Origin(ctx context.Context) (at image.Point, ok bool) {
	found := make(chan image.Point, 1)
	ok = w.ask(ctx, accessible.FrameID, func(target) bool {
		if w.origin == nil {
			return false
		}
		at, known := w.origin()
		found <- at
		return known
	})
	if ok {
		at = <-found
	}
	return at, ok
}

// TextBounds implements accessible.App.
func (w *Window) TextBounds(ctx context.Context, id accessible.ID, from, to int) (bounds image.Rectangle, ok bool) {
	found := make(chan image.Rectangle, 1)
	ok = w.ask(ctx, id, func(t target) bool {
		if t.Handler.TextBounds == nil {
			return false
		}
		at, size := t.Handler.TextBounds(from, to)
		found <- pixels(w.canvas, areaOf(t.at.Add(at), size))
		return true
	})
	if ok {
		bounds = <-found
	}
	return bounds, ok
}

// OffsetAt implements accessible.App.
func (w *Window) OffsetAt(ctx context.Context, id accessible.ID, at image.Point) (offset int, ok bool) {
	found := make(chan int, 1)
	ok = w.ask(ctx, id, func(t target) bool {
		if t.Handler.OffsetAt == nil {
			return false
		}
		scale, _ := w.canvas.PixelCoordinateForPosition(fyne.NewPos(1000, 0))
		unit := 1000 / float32(max(1, scale))
		where := fyne.NewPos(float32(at.X)*unit, float32(at.Y)*unit).Subtract(t.at)
		offset, there := t.Handler.OffsetAt(where)
		found <- offset
		return there
	})
	if ok {
		offset = <-found
	}
	return offset, ok
}
