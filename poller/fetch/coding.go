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

// The decoders are used again: each has buffers of its own.
var gzips, brotlis, zstds sync.Pool

// noted remembers the error of the wire, to tell it from a decoder's own.
type noted struct {
	r   io.Reader
	err error
}

func (n *noted) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	if err != nil {
		n.err = err
	}
	return k, err
}

// decoder undoes the content coding. Gzip and zstd are told by their first bytes, not
// by the header: some servers forget to say so, some say so and send plain text.
func decoder(h http.Header, in *bufio.Reader, wire *noted) (plain io.Reader, done func(), err error) {
	nothing := func() {}
	coding := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	var d io.Reader
	switch {
	case looksGzip(in):
		d, done, err = openGzip(in)
	case looksZstd(in):
		d, done, err = openZstd(in)
	case coding == "" || coding == "identity" || coding == "gzip" || coding == "x-gzip" || coding == "zstd":
		return in, nothing, nil
	case coding == "deflate":
		d, done = inflate(in), nothing
	case coding == "br":
		d, done, err = openBrotli(in)
	default:
		err = fmt.Errorf("unknown content coding %q", coding)
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

func looksZstd(in *bufio.Reader) bool {
	head, _ := in.Peek(4)
	return bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

func openZstd(in *bufio.Reader) (io.Reader, func(), error) {
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
	return z, func() {
		if z.Reset(nil) == nil {
			zstds.Put(z)
		}
	}, nil
}

// openBrotli reads a br body (RFC 7932), which nothing tells from other bytes.
func openBrotli(in *bufio.Reader) (io.Reader, func(), error) {
	if _, err := in.Peek(1); err == io.EOF {
		return in, func() {}, nil
	}
	z, ok := brotlis.Get().(*brotli.Reader)
	if !ok {
		z = new(brotli.Reader)
	}
	if err := z.Reset(in); err != nil {
		return nil, nil, err
	}
	return z, func() { _ = z.Reset(nil); brotlis.Put(z) }, nil
}

func openGzip(in *bufio.Reader) (io.Reader, func(), error) {
	z, err := newMembers(in)
	if err != nil {
		return nil, nil, err
	}
	return z, z.close, nil
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
	if !looksGzip(m.in) {
		return n, io.EOF
	}
	if err := m.z.Reset(m.in); err != nil {
		return n, err
	}
	m.z.Multistream(false)
	return n, nil
}
