package fetch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// hostileHTTP2 is a connection of a server that does with HTTP/2 what it likes. send is called until it fails.
type hostileHTTP2 struct {
	*http2.Framer
	stream uint32 // of the request
	round  uint32
}

// block returns encoded header fields. An answer without :status is none.
func block(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

func (h *hostileHTTP2) headers(end bool, fields ...string) error {
	return h.WriteHeaders(http2.HeadersFrameParam{StreamID: h.stream, BlockFragment: block(fields...), EndHeaders: end})
}

// once does something in the first round, and then goes on with more.
func (h *hostileHTTP2) once(first, more func() error) error {
	if h.round == 1 {
		if err := first(); err != nil {
			return err
		}
	}
	return more()
}

// http2Floods are what a server may send without end after a request.
var http2Floods = map[string]func(h *hostileHTTP2) error{
	"CONTINUATION without end": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(false, ":status", "200") },
			func() error { return h.WriteContinuation(h.stream, false, block("x-more", strings.Repeat("a", 4000))) })
	},
	"empty CONTINUATION without end": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(false, ":status", "200") }, func() error { return h.WriteContinuation(h.stream, false, nil) })
	},
	"informational answers": func(h *hostileHTTP2) error {
		return h.headers(true, ":status", "103", "link", strings.Repeat("<a>", 500))
	},
	"pings":              func(h *hostileHTTP2) error { return h.WritePing(false, [8]byte{byte(h.round)}) },
	"answers to no ping": func(h *hostileHTTP2) error { return h.WritePing(true, [8]byte{byte(h.round)}) },
	"settings": func(h *hostileHTTP2) error {
		return h.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: h.round})
	},
	"streams that are reset": func(h *hostileHTTP2) error { return h.WriteRSTStream(h.stream+2*h.round, http2.ErrCodeCancel) },
	"streams that are pushed": func(h *hostileHTTP2) error {
		return h.WritePushPromise(http2.PushPromiseParam{StreamID: h.stream, PromiseID: 2 * h.round, BlockFragment: block(":method", "GET"), EndHeaders: true})
	},
	"windows of a byte more": func(h *hostileHTTP2) error { return h.WriteWindowUpdate(0, 1) },
	"priorities": func(h *hostileHTTP2) error {
		return h.WritePriority(h.stream+2*h.round, http2.PriorityParam{StreamDep: h.stream, Weight: 7})
	},
	"frames of no kind": func(h *hostileHTTP2) error { return h.WriteRawFrame(0xee, 0, 0, make([]byte, 9000)) },
	"goodbyes":          func(h *hostileHTTP2) error { return h.WriteGoAway(1<<31-1, http2.ErrCodeNo, make([]byte, 4000)) },
	"empty data": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(true, ":status", "200") }, func() error { return h.WriteData(h.stream, false, nil) })
	},
	"padding": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(true, ":status", "200") }, func() error { return h.WriteDataPadded(h.stream, false, nil, make([]byte, 255)) })
	},
	"more data than the window": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(true, ":status", "200") }, func() error { return h.WriteData(h.stream, false, make([]byte, 16<<10)) })
	},
	"trailers without end": func(h *hostileHTTP2) error {
		return h.once(func() error {
			return errors.Join(h.headers(true, ":status", "200"), h.WriteData(h.stream, false, []byte("<rss/>")), h.headers(false, "x-more", "a"))
		}, func() error { return h.WriteContinuation(h.stream, false, block("x-more", strings.Repeat("a", 4000))) })
	},
	"a large table of headers": func(h *hostileHTTP2) error {
		return h.once(func() error { return h.headers(false, ":status", "200") }, // a reference a byte to a field of thousands
			func() error {
				return h.WriteContinuation(h.stream, false, append(block("x-more", strings.Repeat("a", 3900)), bytes.Repeat([]byte{0xbe}, 8000)...))
			})
	},
}

// floodedServer answers each request over HTTP/2 by a flood, and counts what it has sent.
func floodedServer(t *testing.T, flood func(*hostileHTTP2) error, peak *atomic.Uint64) (address string, transport *http.Transport) {
	t.Helper()
	certified := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(certified.Close)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go floodOn(conn, flood, peak)
		}
	}()
	transport = transportBy(&net.Dialer{}, floodLimits)
	transport.TLSClientConfig = certified.Client().Transport.(*http.Transport).TLSClientConfig
	return "https://" + listener.Addr().String(), transport
}

// floodOn reads a request and then sends a flood, until the other side ends the connection.
func floodOn(conn net.Conn, flood func(*hostileHTTP2) error, peak *atomic.Uint64) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	h := &hostileHTTP2{Framer: http2.NewFramer(conn, conn)}
	h.AllowIllegalWrites = true
	if h.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}) != nil {
		return
	}
	for h.stream == 0 {
		frame, err := h.ReadFrame()
		if err != nil {
			return
		}
		if _, ok := frame.(*http2.HeadersFrame); ok {
			h.stream = frame.Header().StreamID
		}
	}
	go func() { _, _ = io.Copy(io.Discard, conn) }()
	for h.round = 1; flood(h) == nil; h.round++ {
		if h.round%1000 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc))
		}
	}
}

// floodLimits are short, so that the test is.
var floodLimits = Limits{Headers: 200 * time.Millisecond, Total: 300 * time.Millisecond}

// No flood of frames keeps a request longer than its limits, takes memory, or ends in anything but an error, for reading and for sending
// (against a window of zero bytes); another host is asked all the same.
func TestHTTP2Floods(t *testing.T) {
	const most = 64 << 20
	log.SetOutput(io.Discard) // net/http writes a line for each frame that it does not know
	defer log.SetOutput(os.Stderr)
	good := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<rss/>") })
	for name, flood := range http2Floods {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			var peak atomic.Uint64
			address, transport := floodedServer(t, flood, &peak)
			for _, session := range []*Session{nil, {Method: http.MethodPost, Body: make([]byte, 1<<20), Read: func(_ *Response, b *SessionBody) error {
				_, err := io.Copy(io.Discard, b)
				return err
			}}} {
				c := client(t, Options{Transport: transport, Limits: floodLimits, Spacing: -1})
				_, err := c.Do(t.Context(), Request{URL: address, Local: true, MaxBody: 1 << 20, Session: session})
				var failed *Error
				if !errors.As(err, &failed) {
					t.Errorf("session %t: %v", session != nil, err)
				}
				res, err := c.Do(t.Context(), Request{URL: good.URL, Local: true})
				for errors.As(err, &failed) && failed.Code == Timeout { // the machine is busy, and the limits are short
					res, err = c.Do(t.Context(), Request{URL: good.URL, Local: true})
				}
				if err != nil || string(res.Body) != "<rss/>" {
					t.Errorf("another host: %+v, %v", res, err)
				}
			}
			if grown := int64(peak.Load()) - int64(before.HeapAlloc); grown > most {
				t.Errorf("%d MB of memory", grown>>20)
			}
		})
	}
}
