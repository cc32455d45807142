package program

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/widgets"
)

// opening opens the data folder on a goroutine of its own.
type opening struct {
	long  chan struct{} // closed when it turns out to take long
	ended chan struct{} // closed when home and err are there
	home  *home.Home
	err   error

	ctx   context.Context
	share atomic.Uint64 // of the file that is copied, as math.Float64bits
	once  sync.Once     // guards the end of long
}

// longCopy is the size in bytes from which the copy of a file takes so long that people have to be told.
const longCopy = 256 << 20

func newOpening(ctx context.Context, dir string, options home.Options) *opening {
	o := &opening{ctx: ctx, long: make(chan struct{}), ended: make(chan struct{})}
	options.Copying = o.copied
	go func() {
		defer close(o.ended)
		o.home, o.err = home.Open(ctx, dir, options)
	}()
	return o
}

// copied notes how many bytes of how many are copied.
func (o *opening) copied(done, total int64) {
	o.share.Store(math.Float64bits(float64(done) / float64(max(1, total))))
	if total >= longCopy {
		o.once.Do(func() { close(o.long) })
	}
}

// newCopyingWindow returns a window that tells how far the copy is of a file that an older version wrote. then is called on
// Fyne's goroutine when the data folder is open, before the window closes, but not after quit.
func newCopyingWindow(a fyne.App, o *opening, quit, then func()) fyne.Window {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 240))
	bar := widget.NewProgressBar()
	bar.Max = 1
	text := lang.L("This version stores your articles differently. It first copies the file as it is, which may take some minutes. If you quit, nothing is lost, and the next start begins again.")
	buttons := container.NewHBox(layout.NewSpacer(), widgets.NewButton(lang.L("Quit"), quit))
	message := widgets.NewColumn(10, widgets.NewText(lang.L("Kairos is preparing your articles"), widgets.Title), widgets.NewText(text, widgets.Plain), bar)
	win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil, message))))
	win.SetCloseIntercept(quit)
	go func() {
		often := time.NewTicker(time.Second / 4)
		defer often.Stop()
		for {
			select {
			case <-o.ctx.Done():
				return
			case <-o.ended:
				fyne.Do(func() {
					if o.ctx.Err() == nil {
						then()
						win.Close()
					}
				})
				return
			case <-often.C:
				fyne.Do(func() { bar.SetValue(math.Float64frombits(o.share.Load())) })
			}
		}
	}()
	return win
}
