package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var errSlow = errors.New("body below the least rate")

// counter counts what passes on the wire, for whoever else wants to know, too.
type counter struct {
	r    io.Reader
	n    atomic.Int64
	also *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if c.also != nil {
		c.also.Add(int64(n))
	}
	return n, err
}

// readBody returns at most limit decoded bytes, and whether there were more, or no room
// for more. Bytes that came before an error are returned with it. Nothing is decoded
// before the wire has brought all of it: decoders are large, and whoever sends slowly
// would keep one.
func readBody(ctx context.Context, h http.Header, wire io.Reader, limit int64, held *Lease) (body []byte, cut bool, err error) {
	defer func() { held.finish(int64(cap(body))) }()
	// Decoding makes more of less, or almost; a wire that brings far more than
	// may come out of it is not worth reading on. A whole block of zstd, 128 kB, has to
	// come before any of it does.
	most := limit + 160<<10
	sent, err := readAll(ctx, wire, most, held)
	cut = int64(len(sent)) == most || errors.Is(err, errNoRoom)
	if body = sent; coded(h, sent) {
		var short bool
		body, short, err = decode(ctx, h, sent, err, limit+1, held)
		cut = cut || short
	}
	if int64(len(body)) > limit {
		body, cut = body[:limit], true
	}
	if cut {
		err = nil
	}
	return body, cut, err
}

// longestBody is how long a body may take that is not held in memory.
const longestBody = 24 * time.Hour

// unwritable marks an error of whoever takes a body.
type unwritable struct{ error }

func (e unwritable) Unwrap() error { return e.error }

// pour copies a body as it comes.
func pour(to io.Writer, wire io.Reader) error {
	_, err := io.Copy(taker{to}, struct{ io.Reader }{wire})
	return err
}

// taker is a writer whose errors are told from those of the wire.
type taker struct{ io.Writer }

func (t taker) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	if err != nil {
		err = unwritable{err}
	}
	return n, err
}

// scratch is where bodies are read to at first; most need no more.
const scratch = 64 << 10

var scratches = sync.Pool{New: func() any { return new([scratch]byte) }}

// readAll returns at most so many bytes, and errNoRoom if it had to stop before.
func readAll(ctx context.Context, r io.Reader, most int64, held *Lease) (b []byte, err error) {
	if err := held.grow(ctx, scratch); err != nil {
		return nil, err
	}
	first := scratches.Get().(*[scratch]byte)
	defer scratches.Put(first)
	b = first[:0]
	for err == nil && int64(len(b)) < most {
		if len(b) == cap(b) {
			if b, err = longer(ctx, b, most, held); err != nil {
				break
			}
		}
		var n int
		n, err = r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
	}
	if cap(b) == scratch {
		b = bytes.Clone(b)
	}
	if errors.Is(context.Cause(ctx), errNoRoom) {
		return b, errNoRoom
	}
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// longer returns b with twice the room. While it is copied both are there.
func longer(ctx context.Context, b []byte, most int64, held *Lease) ([]byte, error) {
	size := min(2*int64(cap(b)), most)
	if err := held.grow(ctx, size); err != nil {
		return b, err
	}
	long := append(make([]byte, 0, size), b...)
	held.give(int64(cap(b)))
	return long, nil
}

// crowd is how many bodies may come at once without being asked less each: those that share a thin
// line are slow for one another's sake.
const crowd = 32

// watch looks at a body as it comes.
type watch struct {
	n      *atomic.Int64 // bytes so far
	bodies *atomic.Int64 // that come at the same time
	limits Limits
	held   *Lease
	slow   func() // called once it is too slow
}

// start calls slow once less than rate × window bytes came within a window. It looks four
// times a window, but for when it is not the wire's fault. The caller stops the timer.
func (w watch) start() *time.Timer {
	const looks = 4
	every := w.limits.Window / looks
	need := w.limits.Rate * int64(w.limits.Window) / int64(time.Second)
	var past [looks]int64 // the counts of the last looks
	var t *time.Timer
	i := 0
	t = time.AfterFunc(time.Hour, func() {
		if w.held.waiting() {
			t.Reset(every)
			return
		}
		i++
		now := w.n.Load()
		if i >= looks && now-past[i%looks] < need*crowd/max(crowd, w.bodies.Load()) {
			w.slow()
			return
		}
		past[i%looks] = now
		t.Reset(every)
	})
	t.Reset(every)
	return t
}
