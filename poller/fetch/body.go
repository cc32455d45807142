package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var errSlow = errors.New("body below the least rate")

// errCoding: the body cannot be decoded.
type errCoding struct{ error }

func (e errCoding) Unwrap() error { return e.error }

var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	gzips   sync.Pool // *gzip.Reader
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
	// may come out of it is not worth reading on.
	bounded := &io.LimitedReader{R: wire, N: limit + 1<<16}
	in := readers.Get().(*bufio.Reader)
	in.Reset(bounded)
	defer func() { in.Reset(nil); readers.Put(in) }()

	plain, done, err := decoder(h, in)
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

// decoder undoes the content coding. Gzip is told by its first bytes, not by
// the header: some servers forget to say so, some say so and send plain text.
func decoder(h http.Header, in *bufio.Reader) (plain io.Reader, done func(), err error) {
	if looksGzip(in) {
		z, err := newMembers(in)
		if err != nil {
			return nil, nil, errCoding{err}
		}
		return z, z.close, nil
	}
	nothing := func() {}
	switch coding := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding"))); coding {
	case "", "identity", "gzip", "x-gzip":
		return in, nothing, nil
	case "deflate":
		return inflate(in), nothing, nil
	default:
		return nil, nil, errCoding{fmt.Errorf("unknown content coding %q", coding)}
	}
}

func looksGzip(in *bufio.Reader) bool {
	head, _ := in.Peek(3)
	return bytes.Equal(head, []byte{0x1f, 0x8b, 8})
}

// inflate reads the zlib format that "deflate" means (RFC 9110 §8.4.1.2) and
// the bare deflate stream that some servers take it for.
func inflate(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(2)
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		if z, err := zlib.NewReader(in); err == nil {
			return decoding{z}
		}
	}
	return decoding{flate.NewReader(in)}
}

// members reads the gzip members of a stream and ignores what follows them:
// padding and stray bytes are common.
type members struct {
	in *bufio.Reader
	z  *gzip.Reader
}

func newMembers(in *bufio.Reader) (*members, error) {
	z, ok := gzips.Get().(*gzip.Reader)
	var err error
	if ok {
		err = z.Reset(in)
	} else {
		z, err = gzip.NewReader(in)
	}
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{in, z}, nil
}

func (m *members) close() { gzips.Put(m.z) }

func (m *members) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err != io.EOF {
		return n, codingError(err)
	}
	if !looksGzip(m.in) {
		return n, io.EOF
	}
	if err := m.z.Reset(m.in); err != nil {
		return n, codingError(err)
	}
	m.z.Multistream(false)
	return n, nil
}

// decoding marks a decoder's own errors.
type decoding struct{ r io.Reader }

func (d decoding) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	return n, codingError(err)
}

// codingError tells bad data from a bad wire, whose errors pass through decoders unchanged.
func codingError(err error) error {
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, zlib.ErrChecksum) {
		return errCoding{err}
	}
	return err
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
