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

// errSlow is the cause of a context whose body came too slowly.
var errSlow = errors.New("body slower than the minimum rate")

// byteCounter counts the bytes that a reader brings, and adds them to a second counter if there is one.
type byteCounter struct {
	r    io.Reader
	n    atomic.Int64
	also *atomic.Int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if c.also != nil {
		c.also.Add(int64(n))
	}
	return n, err
}

// readBody returns at most limit decoded bytes, and whether the body was cut there or for lack of memory. Bytes that came
// before an error are returned with it. The body is decoded once all of it has arrived: decoders are large, and a slow server
// would keep one.
func readBody(ctx context.Context, h http.Header, wire io.Reader, limit int64, lease *Lease) (body []byte, cut bool, err error) {
	defer func() { lease.finish(int64(cap(body))) }()
	// A body is hardly ever longer encoded than decoded, so there is no use in reading far more than may come out. Zstd
	// decodes nothing before a whole block of 128 kB is there.
	most := limit + 160<<10
	sent, err := readAll(ctx, wire, most, lease)
	cut = int64(len(sent)) == most || errors.Is(err, ErrNoRoom)
	if body = sent; isEncoded(h, sent) {
		var short bool
		body, short, err = decode(ctx, h, sent, err, limit+1, lease)
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

// streamTime is how long a body may take that is not kept in memory.
const streamTime = 24 * time.Hour

// writeError marks an error of Request.Writer.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

// streamBody copies a body as it arrives.
func streamBody(to io.Writer, wire io.Reader) error {
	_, err := io.Copy(markingWriter{to}, struct{ io.Reader }{wire})
	return err
}

// markingWriter marks the errors of a writer, to tell them from those of the connection.
type markingWriter struct{ io.Writer }

func (w markingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}

// firstBuffer is the size of the buffer that a body is read into at first; most bodies need no more.
const firstBuffer = 64 << 10

var firstBuffers = sync.Pool{New: func() any { return new([firstBuffer]byte) }}

// readAll reads at most so many bytes. It returns ErrNoRoom with those before if memory ran out.
func readAll(ctx context.Context, r io.Reader, most int64, lease *Lease) (b []byte, err error) {
	if err := lease.grow(ctx, firstBuffer); err != nil {
		return nil, err
	}
	first := firstBuffers.Get().(*[firstBuffer]byte)
	defer firstBuffers.Put(first)
	b = first[:0]
	for err == nil && int64(len(b)) < most {
		if len(b) == cap(b) {
			if b, err = enlarge(ctx, b, most, lease); err != nil {
				break
			}
		}
		var n int
		n, err = r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
	}
	if cap(b) == firstBuffer {
		b = bytes.Clone(b)
	}
	if errors.Is(context.Cause(ctx), ErrNoRoom) {
		return b, ErrNoRoom
	}
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// enlarge returns b with twice the capacity. Both are in memory while it is copied.
func enlarge(ctx context.Context, b []byte, most int64, lease *Lease) ([]byte, error) {
	size := min(2*int64(cap(b)), most)
	if err := lease.grow(ctx, size); err != nil {
		return b, err
	}
	larger := append(make([]byte, 0, size), b...)
	lease.shrink(int64(cap(b)))
	return larger, nil
}

// fullRateBodies is the number of bodies that may arrive at once before the minimum rate of each falls: those that share a
// slow connection slow each other down.
const fullRateBodies = 32

// rateWatch watches how fast a body arrives.
type rateWatch struct {
	received *atomic.Int64 // bytes so far
	bodies   *atomic.Int64 // that arrive at the same time
	limits   Limits
	lease    *Lease
	tooSlow  func() // called once
}

// start begins to check the rate, four times a window. It calls tooSlow once fewer than Rate × Window bytes came within a
// window; the time that the body waits for memory does not count. The caller stops the timer.
func (w rateWatch) start() *time.Timer {
	const checks = 4 // a window
	every := w.limits.Window / checks
	need := w.limits.Rate * int64(w.limits.Window) / int64(time.Second)
	var past [checks]int64 // bytes at the last checks
	var t *time.Timer
	i := 0
	t = time.AfterFunc(time.Hour, func() {
		if w.lease.isWaiting() {
			t.Reset(every)
			return
		}
		i++
		now := w.received.Load()
		if i >= checks && now-past[i%checks] < need*fullRateBodies/max(fullRateBodies, w.bodies.Load()) {
			w.tooSlow()
			return
		}
		past[i%checks] = now
		t.Reset(every)
	})
	t.Reset(every)
	return t
}
