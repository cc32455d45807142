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

// acceptedCodings are the content codings that a request accepts.
const acceptedCodings = "gzip, br, zstd"

// maxWindow is the largest window of a zstd body, in bytes (RFC 9659 §3).
const maxWindow = 8 << 20

// codingError says that the body cannot be decoded.
type codingError struct{ error }

func (e codingError) Unwrap() error { return e.error }

// Decoders and their readers are reused, as each has buffers of its own.
var (
	gzips, brotlis, zstds sync.Pool
	readers               = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}
)

// wireReader reads what the connection brought. It remembers the error that ended it, to tell it from those of a decoder.
type wireReader struct {
	r   io.Reader
	end error // instead of io.EOF; nil if the body is complete
	err error
}

func (w *wireReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err == io.EOF && w.end != nil {
		err = w.end
	}
	if err != nil {
		w.err = err
	}
	return n, err
}

// isEncoded reports whether a body has a content coding. Gzip and zstd are recognized by their first bytes rather than by the
// header: some servers forget the header, others send it with plain text.
func isEncoded(h http.Header, sent []byte) bool {
	switch contentCoding(h) {
	case "", "identity", "gzip", "x-gzip", "zstd":
		return bytes.HasPrefix(sent, gzipMagic) || bytes.HasPrefix(sent, zstdMagic)
	}
	return len(sent) > 0
}

// contentCoding returns the Content-Encoding in lower case.
func contentCoding(h http.Header) string {
	return strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
}

var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// largeWindow lets one body at a time be decoded whose window takes megabytes.
var largeWindow = make(chan struct{}, 1)

// maxReusedOutput is the largest output, in bytes, after which a decoder is reused: its buffers grow with its output.
const maxReusedOutput = 1 << 20

// decode undoes the content coding of what was sent and returns at most so many bytes. end is the error that ended the
// connection, nil if the body is complete. short reports that memory ran out.
func decode(ctx context.Context, h http.Header, sent []byte, end error, most int64, lease *Lease) (body []byte, short bool, err error) {
	lease.begin(func() {})
	defer lease.shrink(int64(cap(sent)))
	window := windowSize(h, sent)
	if window > firstBuffer {
		select {
		case largeWindow <- struct{}{}:
			defer func() { <-largeWindow }()
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
	if err := lease.growBriefly(ctx, window); err != nil {
		return nil, errors.Is(err, ErrNoRoom), err
	}
	defer lease.shrink(window)
	in := readers.Get().(*bufio.Reader)
	wire := &wireReader{r: bytes.NewReader(sent), end: end}
	in.Reset(wire)
	defer func() { in.Reset(nil); readers.Put(in) }()
	plain, done, err := openDecoder(h, in, wire)
	if err != nil {
		return nil, false, err
	}
	body, err = readAll(ctx, plain, most, lease)
	done(len(body) <= maxReusedOutput)
	return body, errors.Is(err, ErrNoRoom), err
}

// windowSize is the number of bytes of its output that a decoder keeps to refer back to.
func windowSize(h http.Header, sent []byte) int64 {
	var z zstd.Header
	switch {
	case bytes.HasPrefix(sent, gzipMagic):
		return 0
	case bytes.HasPrefix(sent, zstdMagic):
		if z.Decode(sent) != nil {
			return 0
		}
		return int64(min(max(z.WindowSize, z.FrameContentSize), maxWindow))
	case contentCoding(h) != "br" || len(sent) == 0 || sent[0]&1 == 0:
		return 0
	}
	// RFC 7932 §9.1; a window below the largest counts as the largest.
	if bits := sent[0] >> 1 & 7; bits != 0 {
		return 1 << (17 + bits)
	}
	return 0
}

// openDecoder returns a decoder for a body. done must be called, and told whether the decoder may be reused.
func openDecoder(h http.Header, in *bufio.Reader, wire *wireReader) (plain io.Reader, done func(again bool), err error) {
	nothing := func(bool) {}
	var d io.Reader
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		d, done, err = openGzip(in)
	case bytes.HasPrefix(head, zstdMagic):
		d, done, err = openZstd(in)
	case contentCoding(h) == "deflate":
		d, done = inflate(in), nothing
	case contentCoding(h) == "br":
		d, done, err = openBrotli(in)
	default:
		err = fmt.Errorf("unknown content coding %q", contentCoding(h))
	}
	if err != nil {
		return nil, nil, codingError{err}
	}
	return &decodingReader{d, wire}, done, nil
}

// decodingReader marks the errors of a decoder. Those of the connection, and an early end, are left as they are.
type decodingReader struct {
	r    io.Reader
	wire *wireReader
}

func (d *decodingReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	broke := d.wire.err != nil && d.wire.err != io.EOF
	if err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || broke {
		return n, err
	}
	return n, codingError{err}
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

// openBrotli decodes a br body (RFC 7932), which has no magic bytes.
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
	z, err := newGzipMembers(in)
	if err != nil {
		return nil, nil, err
	}
	return z, func(bool) { z.close() }, nil
}

// inflate decodes the zlib format that "deflate" means (RFC 9110 §8.4.1.2), and the bare deflate stream that some servers
// send under that name.
func inflate(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(2)
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		if z, err := zlib.NewReader(in); err == nil {
			return z
		}
	}
	return flate.NewReader(in)
}

// gzipMembers decodes the gzip members of a stream and ignores what follows them, as padding and stray bytes are common.
type gzipMembers struct {
	in *bufio.Reader
	z  *gzip.Reader
}

func newGzipMembers(in *bufio.Reader) (*gzipMembers, error) {
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
	return &gzipMembers{in, z}, nil
}

func (m *gzipMembers) close() { gzips.Put(m.z) }

func (m *gzipMembers) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	if head, _ := m.in.Peek(len(gzipMagic)); !bytes.Equal(head, gzipMagic) {
		return n, io.EOF
	}
	if err := m.z.Reset(m.in); err != nil {
		return n, err
	}
	m.z.Multistream(false)
	return n, nil
}
