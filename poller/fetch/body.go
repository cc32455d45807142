package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var errSlow = errors.New("body below the least rate")

var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

// counter counts what passes on the wire.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// readBody returns at most limit decoded bytes, and whether there were more.
// Bytes that came before an error are returned with it.
func readBody(h http.Header, wire io.Reader, limit int64) (body []byte, cut bool, err error) {
	// Decoding makes more of less, or almost; a wire that brings far more than
	// may come out of it is not worth reading on. A whole block of zstd, 128 kB, has to
	// come before any of it does.
	bounded := &io.LimitedReader{R: wire, N: limit + 160<<10}
	in := readers.Get().(*bufio.Reader)
	line := &noted{r: bounded}
	in.Reset(line)
	defer func() { in.Reset(nil); readers.Put(in) }()

	plain, done, err := decoder(h, in, line)
	if err != nil {
		return nil, false, err
	}
	defer done()
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		if buf.Cap() <= 1<<20 {
			buffers.Put(buf)
		}
	}()
	_, err = buf.ReadFrom(io.LimitReader(plain, limit+1))
	if bounded.N <= 0 || int64(buf.Len()) > limit {
		cut, err = true, nil
		buf.Truncate(int(min(int64(buf.Len()), limit)))
	}
	return bytes.Clone(buf.Bytes()), cut, err
}

// watch calls slow once less than rate × window bytes came within a window.
// It looks four times a window. The caller stops the timer.
func watch(n *atomic.Int64, l Limits, slow func()) *time.Timer {
	const looks = 4
	need := l.Rate * int64(l.Window) / int64(time.Second)
	var past [looks]int64 // the counts of the last looks
	var t *time.Timer
	i := 0
	t = time.AfterFunc(time.Hour, func() {
		i++
		now := n.Load()
		if i >= looks && now-past[i%looks] < need {
			slow()
			return
		}
		past[i%looks] = now
		t.Reset(l.Window / looks)
	})
	t.Reset(l.Window / looks)
	return t
}
