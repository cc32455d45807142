package program

import (
	"context"
	"testing"

	"fyne.io/fyne/v2/test"

	"kairos/app/home"
)

// Only where a large file is copied a window reports it; it gives way to the window of the data folder, and not after the
// program was quit.
func TestLongOpening(t *testing.T) {
	a := test.NewTempApp(t)
	o := newOpening(t.Context(), t.TempDir(), home.Options{})
	if <-o.ended; o.err != nil {
		t.Fatal(o.err)
	}
	defer o.home.Close()
	o.copied(1, longCopy-1)
	select {
	case <-o.long:
		t.Error("a small file takes long")
	default:
	}
	for _, quit := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		o := &opening{ctx: ctx, long: make(chan struct{}), ended: make(chan struct{})}
		o.copied(longCopy/2, longCopy)
		o.copied(longCopy, longCopy)
		<-o.long
		then := make(chan bool, 1)
		win := newCopyingWindow(a, o, stop, func() { then <- true })
		closed := make(chan bool, 1)
		win.SetOnClosed(func() { closed <- true })
		if quit {
			stop() // nothing comes: the channels are as they were at the end
			close(o.ended)
			continue
		}
		close(o.ended)
		<-then
		<-closed
		stop()
	}
}
