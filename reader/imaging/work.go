package imaging

import (
	"context"
	"errors"
	"io"
	"runtime"
	"time"
)

// A few bytes can ask for hours of work. Most such files are recognized before they are decoded (jpeg.go, svg_canvas.go);
// for the rest there is a limit of time. WebP is decoded only once all of it is read, so its limit is that of its memory: a pixel
// takes at most 70 ns.

// chunk is how many bytes a decoder gets at a time: what it does with them takes less than a tenth of a second.
const chunk = 256

// patient reads an image until a context ends.
type patient struct {
	ctx  context.Context
	rest []byte
}

// Read implements io.Reader.
func (p *patient) Read(to []byte) (int, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(to[:min(len(to), chunk)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// errTooLong ends the context of an image that takes longer than maxTime.
var errTooLong = &Error{Code: TooMuchWork, Detail: "it takes longer than " + maxTime.String()}

// meter is a context that ends with errTooLong once the goroutine that asks for its error has worked for maxTime.
type meter struct {
	context.Context
	cancel context.CancelCauseFunc
	until  time.Duration
}

// Err implements context.Context.
func (m meter) Err() error {
	if worked() > m.until {
		m.cancel(errTooLong)
	}
	return m.Context.Err()
}

// bounded calls decode with a context that ends once it has worked for maxTime. Its error is then the reason: decoders hide
// those of their readers.
func bounded[T any](ctx context.Context, decode func(context.Context) (T, error)) (img T, err error) {
	runtime.LockOSThread() // its time is the goroutine's
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	defer Recover(&err)
	return decode(meter{ctx, cancel, worked() + maxTime})
}

// stop ends the drawing of an image from within the library that draws it; Recover returns err.
func stop(err error) { panic(stopped{err}) }

type stopped struct{ error }

// reason is the error in what a decoder panicked with, nil if it did so by itself.
func reason(panicked any) error {
	if s := (stopped{}); errors.As(asError(panicked), &s) {
		return s.error
	}
	return nil
}

func asError(panicked any) error {
	err, _ := panicked.(error)
	return err
}
