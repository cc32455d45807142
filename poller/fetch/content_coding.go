package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// codings are the content codings asked for.
const codings = "gzip, br, zstd"

// maxWindow bounds the memory of a zstd body, as RFC 9659 §3 does for all of HTTP.
const maxWindow = 8 << 20

// errCoding: the body cannot be decoded.
type errCoding struct{ error }

func (e errCoding) Unwrap() error { return e.error }

// The decoders and what they read through are used again: each has buffers of its own.
var (
	gzips, brotlis, zstds sync.Pool
	readers               = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}
)

// noted is what the wire brought and the error it ended with, remembered to tell it from
// a decoder's own.
type noted struct {
	r   io.Reader
	end error // instead of io.EOF; nil if the wire just ended
	err error
}

func (n *noted) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	if err == io.EOF && n.end != nil {
		err = n.end
	}
	if err != nil {
		n.err = err
	}
	return k, err
}

// coded reports whether a body has a content coding. Gzip and zstd are told by their
// first bytes, not by the header: some servers forget to say so, some say so and send
// plain text.
func coded(h http.Header, sent []byte) bool {
	switch coding(h) {
	case "", "identity", "gzip", "x-gzip", "zstd":
		return bytes.HasPrefix(sent, gzipMark) || bytes.HasPrefix(sent, zstdMark)
	}
	return len(sent) > 0
}

func coding(h http.Header) string {
	return strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
}

var (
	gzipMark = []byte{0x1f, 0x8b, 8}
	zstdMark = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// large is for who decodes what takes a window of megabytes: one at a time.
var large = make(chan struct{}, 1)

// keptOutput is the most a decoder may have brought that is used again: what it has
// for itself grows with it.
const keptOutput = 1 << 20

// decode undoes the content coding of what was sent, at most so many bytes of it. end is
// what ended the wire, if it did not just end. It is short if there was no room.
func decode(ctx context.Context, h http.Header, sent []byte, end error, most int64, held *Lease) (body []byte, short bool, err error) {
	held.begin(func() {})
	defer held.give(int64(cap(sent)))
	window := windowOf(h, sent)
	if window > scratch {
		select {
		case large <- struct{}{}:
			defer func() { <-large }()
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
	if err := held.window(ctx, window); err != nil {
		return nil, errors.Is(err, errNoRoom), err
	}
	defer held.give(window)
	in := readers.Get().(*bufio.Reader)
	line := &noted{r: bytes.NewReader(sent), end: end}
	in.Reset(line)
	defer func() { in.Reset(nil); readers.Put(in) }()
	plain, done, err := decoder(h, in, line)
	if err != nil {
		return nil, false, err
	}
	body, err = readAll(ctx, plain, most, held)
	done(len(body) <= keptOutput)
	return body, errors.Is(err, errNoRoom), err
}

// windowOf is how many bytes a decoder will want to look back.
func windowOf(h http.Header, sent []byte) int64 {
	var z zstd.Header
	switch {
	case bytes.HasPrefix(sent, gzipMark):
		return 0
	case bytes.HasPrefix(sent, zstdMark):
		if z.Decode(sent) != nil {
			return 0
		}
		return int64(min(max(z.WindowSize, z.FrameContentSize), maxWindow))
	case coding(h) != "br" || len(sent) == 0 || sent[0]&1 == 0:
		return 0
	}
	// RFC 7932 §9.1; a window that is not the largest one need not be told apart from it.
	if bits := sent[0] >> 1 & 7; bits != 0 {
		return 1 << (17 + bits)
	}
	return 0
}

// decoder chooses who undoes a coding. done is told whether he may be used again.
func decoder(h http.Header, in *bufio.Reader, wire *noted) (plain io.Reader, done func(again bool), err error) {
	nothing := func(bool) {}
	var d io.Reader
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, gzipMark):
		d, done, err = openGzip(in)
	case bytes.HasPrefix(head, zstdMark):
		d, done, err = openZstd(in)
	case coding(h) == "deflate":
		d, done = inflate(in), nothing
	case coding(h) == "br":
		d, done, err = openBrotli(in)
	default:
		err = fmt.Errorf("unknown content coding %q", coding(h))
	}
	if err != nil {
		return nil, nil, errCoding{err}
	}
	return &decoding{d, wire}, done, nil
}

// decoding marks a decoder's own errors. Those of the wire, and an end that came too
// early, are the wire's.
type decoding struct {
	r    io.Reader
	wire *noted
}

func (d *decoding) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	broke := d.wire.err != nil && d.wire.err != io.EOF
	if err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || broke {
		return n, err
	}
	return n, errCoding{err}
}

func openZstd(in *bufio.Reader) (io.Reader, func(bool), error) {
	z, ok := zstds.Get().(*zstd.Decoder)
	var err error
	if ok {
		err = z.Reset(in)
	} else {
		z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	}
	if err != nil {
		return nil, nil, err
	}
	return z, func(again bool) {
		if again && z.Reset(nil) == nil {
			zstds.Put(z)
		}
	}, nil
}

// openBrotli reads a br body (RFC 7932), which nothing tells from other bytes.
func openBrotli(in *bufio.Reader) (io.Reader, func(bool), error) {
	z, ok := brotlis.Get().(*brotli.Reader)
	if !ok {
		z = new(brotli.Reader)
	}
	if err := z.Reset(in); err != nil {
		return nil, nil, err
	}
	return z, func(again bool) {
		if again {
			_ = z.Reset(nil)
			brotlis.Put(z)
		}
	}, nil
}

func openGzip(in *bufio.Reader) (io.Reader, func(bool), error) {
	z, err := newMembers(in)
	if err != nil {
		return nil, nil, err
	}
	return z, func(bool) { z.close() }, nil
}

// inflate reads the zlib format that "deflate" means (RFC 9110 §8.4.1.2) and
// the bare deflate stream that some servers take it for.
func inflate(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(2)
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		if z, err := zlib.NewReader(in); err == nil {
			return z
		}
	}
	return flate.NewReader(in)
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
		return n, err
	}
	if head, _ := m.in.Peek(len(gzipMark)); !bytes.Equal(head, gzipMark) {
		return n, io.EOF
	}
	if err := m.z.Reset(m.in); err != nil {
		return n, err
	}
	m.z.Multistream(false)
	return n, nil
}
