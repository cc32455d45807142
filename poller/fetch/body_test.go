package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func squeeze(t testing.TB, plain []byte, open func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	w := open(&b)
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(w io.Writer) io.WriteCloser   { return gzip.NewWriter(w) }
func zl(w io.Writer) io.WriteCloser   { return zlib.NewWriter(w) }
func br(w io.Writer) io.WriteCloser   { return brotli.NewWriter(w) }
func zs(w io.Writer) io.WriteCloser   { z, _ := zstd.NewWriter(w); return z }
func raw0(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z }

func TestContentCodings(t *testing.T) {
	plain := []byte(strings.Repeat("<item>news</item>", 5000))
	zipped := squeeze(t, plain, gz)
	broken := bytes.Clone(zipped)
	broken[len(broken)-6] ^= 1 // checksum
	tests := map[string]struct {
		coding string
		body   []byte
		want   []byte
		code   Code
	}{
		"plain":                {"", plain, plain, ""},
		"gzip":                 {"gzip", zipped, plain, ""},
		"x-gzip":               {"X-GZip", zipped, plain, ""},
		"gzip unsaid":          {"", zipped, plain, ""},
		"plain said gzip":      {"gzip", plain, plain, ""},
		"two members":          {"gzip", append(bytes.Clone(zipped), zipped...), append(bytes.Clone(plain), plain...), ""},
		"gzip, then rubbish":   {"gzip", append(bytes.Clone(zipped), "\n\n"...), plain, ""},
		"deflate":              {"deflate", squeeze(t, plain, zl), plain, ""},
		"deflate without zlib": {"deflate", squeeze(t, plain, raw0), plain, ""},
		"empty":                {"", nil, nil, ""},
		"empty gzip":           {"gzip", nil, nil, ""},
		"gzip cut off":         {"gzip", zipped[:len(zipped)/2], nil, Reset},
		"gzip damaged":         {"gzip", broken, nil, Protocol},
		"brotli":               {"br", squeeze(t, plain, br), plain, ""},
		"brotli cut off":       {"br", squeeze(t, plain, br)[:20], nil, Reset},
		"brotli damaged":       {"br", []byte("\xff\xff\xff\xff"), nil, Protocol},
		"empty brotli":         {"br", nil, nil, ""},
		"zstd":                 {"zstd", squeeze(t, plain, zs), plain, ""},
		"zstd unsaid":          {"", squeeze(t, plain, zs), plain, ""},
		"plain said zstd":      {"zstd", plain, plain, ""},
		"zstd cut off":         {"zstd", squeeze(t, plain, zs)[:20], nil, Reset},
		"zstd damaged":         {"zstd", append(squeeze(t, plain, zs)[:10], "damaged damaged damaged"...), nil, Protocol},
		"unknown":              {"lzma", plain, nil, Protocol},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/xml")
				if tt.coding != "" {
					w.Header().Set("Content-Encoding", tt.coding)
				}
				_, _ = w.Write(tt.body)
			})
			c := client(t, Options{})
			if tt.want == nil && tt.body != nil {
				wantCode(t, c, Request{URL: s.URL}, tt.code)
				return
			}
			res := mustDo(t, c, Request{URL: s.URL})
			if !bytes.Equal(res.Body, tt.want) || res.Truncated || res.Bytes != int64(len(tt.body)) {
				t.Errorf("%d bytes of %d, %d on the wire, truncated %v", len(res.Body), len(tt.want), res.Bytes, res.Truncated)
			}
		})
	}
}

func TestMaxBody(t *testing.T) {
	noise := make([]byte, 300<<10)
	rng := rand.NewChaCha8([32]byte{1})
	_, _ = rng.Read(noise)
	noise[0] = '<'
	tests := map[string]struct {
		body []byte
		max  int64
		cut  bool
	}{
		"just fits":      {noise, int64(len(noise)), false},
		"one over":       {noise, int64(len(noise)) - 1, true},
		"far over":       {noise, 10, true},
		"gzip fits":      {squeeze(t, noise, gz), int64(len(noise)), false},
		"gzip one over":  {squeeze(t, noise, gz), int64(len(noise)) - 1, true},
		"gzip far over":  {squeeze(t, noise, gz), 1000, true},
		"brotli fits":    {squeeze(t, noise, br), int64(len(noise)), false},
		"brotli over":    {squeeze(t, noise, br), 1000, true},
		"zstd fits":      {squeeze(t, noise, zs), int64(len(noise)), false},
		"zstd over":      {squeeze(t, noise, zs), 1000, true},
		"empty":          {nil, 1, false},
		"the usual most": {noise, 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if strings.HasPrefix(name, "brotli") {
					w.Header().Set("Content-Encoding", "br")
				}
				_, _ = w.Write(tt.body)
			})
			res := mustDo(t, client(t, Options{}), Request{URL: s.URL, MaxBody: tt.max})
			want := noise
			if tt.cut {
				want = noise[:tt.max]
			}
			if tt.body == nil {
				want = nil
			}
			if res.Truncated != tt.cut || !bytes.Equal(res.Body, want) {
				t.Errorf("%d bytes, truncated %v", len(res.Body), res.Truncated)
			}
		})
	}
}

// Decompression bombs are cut at the limit. Their memory is bounded by the limit and a window, not by their full size.
func TestDecompressionBombs(t *testing.T) {
	bomb := make([]byte, 40<<20)
	for coding, open := range map[string]func(io.Writer) io.WriteCloser{"gzip": gz, "deflate": zl, "br": br, "zstd": zs} {
		t.Run(coding, func(t *testing.T) {
			body := squeeze(t, bomb, open)
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", coding)
				_, _ = w.Write(body)
			})
			c := client(t, Options{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			res := mustDo(t, c, Request{URL: s.URL, MaxBody: 1 << 20})
			runtime.ReadMemStats(&after)
			if len(res.Body) != 1<<20 || !res.Truncated {
				t.Errorf("%d bytes, truncated %v", len(res.Body), res.Truncated)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
				t.Errorf("%d MB for a megabyte", took>>20)
			}
		})
	}
}

// Layers of codings, of which each would make a thousand bytes of one, are not taken off one by one.
func TestLayeredDecompressionBombs(t *testing.T) {
	bomb := squeeze(t, squeeze(t, make([]byte, 40<<20), gz), gz)
	for name, c := range map[string]struct {
		coding string
		body   []byte
	}{
		"said":           {"gzip, gzip", bomb},
		"said once":      {"gzip", bomb},
		"not said":       {"", bomb},
		"brotli in gzip": {"br, gzip", squeeze(t, squeeze(t, make([]byte, 40<<20), br), gz)},
		"zstd in brotli": {"zstd, br", squeeze(t, squeeze(t, make([]byte, 40<<20), zs), br)},
		"a thousand":     {strings.Repeat("gzip, ", 1000) + "gzip", bomb},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", c.coding)
				_, _ = w.Write(c.body)
			})
			client := client(t, Options{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			res, err := client.Do(t.Context(), Request{URL: s.URL, MaxBody: 1 << 20, Local: true})
			runtime.ReadMemStats(&after)
			if err == nil && len(res.Body) > 1<<20 {
				t.Errorf("%d bytes", len(res.Body))
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
				t.Errorf("%d MB for a megabyte", took>>20)
			}
		})
	}
}

// A zstd window larger than HTTP allows is not allocated.
func TestZstdWindowTooLarge(t *testing.T) {
	body := squeeze(t, make([]byte, 20<<20), func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false))
		return z
	})
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	wantCode(t, client(t, Options{}), Request{URL: s.URL}, Protocol)
}

// endless sends empty gzip members, which have no output.
type endless struct {
	member []byte
	sent   int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.member[e.sent%int64(len(e.member)):])
	e.sent += int64(n)
	return n, nil
}

func TestEndlessEmptyGzipMembers(t *testing.T) {
	e := &endless{member: squeeze(t, nil, gz)}
	body, cut, err := readBody(t.Context(), http.Header{}, e, 1000, nil)
	if err != nil || !cut || len(body) != 0 || e.sent > 200<<10 {
		t.Errorf("%d bytes after %d, cut %v, %v", len(body), e.sent, cut, err)
	}
}

// drip sends so many bytes after each pause.
type drip struct {
	pause time.Duration
	chunk int64
	left  int
}

func (d *drip) into(n *atomic.Int64, stop <-chan struct{}) {
	for range d.left {
		select {
		case <-time.After(d.pause):
			n.Add(d.chunk)
		case <-stop:
			return
		}
	}
}

func TestRateWatch(t *testing.T) {
	limits := Limits{}.withDefaults()
	tests := map[string]struct {
		drip   drip
		bodies int64         // that come at the same time
		slow   time.Duration // 0: never
	}{
		"fast":               {drip{time.Second, 1100, 100}, 1, 0},
		"just enough":        {drip{400 * time.Millisecond, 410, 250}, 32, 0},
		"too little":         {drip{time.Second, 500, 100}, 32, 20 * time.Second},
		"enough of many":     {drip{time.Second, 500, 100}, 128, 0},
		"too little of many": {drip{time.Second, 100, 100}, 128, 20 * time.Second},
		"nothing":            {drip{time.Hour, 0, 1}, 1, 20 * time.Second},
		"one byte a second":  {drip{time.Second, 1, 100}, 256, 20 * time.Second},
		"fast, then nothing": {drip{time.Second, 5000, 30}, 1, 55 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				slow := make(chan struct{})
				var n atomic.Int64
				var bodies atomic.Int64
				bodies.Store(tt.bodies)
				timer := rateWatch{&n, &bodies, limits, nil, func() { close(slow) }}.start()
				defer timer.Stop()
				d := tt.drip
				d.into(&n, slow)
				if tt.slow == 0 {
					select {
					case <-slow:
						t.Errorf("slow after %v", time.Since(start))
					default:
					}
					return
				}
				<-slow
				if got := time.Since(start); got < tt.slow-5*time.Second || got > tt.slow+5*time.Second {
					t.Errorf("slow after %v, want about %v", got, tt.slow)
				}
			})
		})
	}
}

func FuzzReadBody(f *testing.F) {
	plain := []byte("<rss><item/></rss>")
	f.Add("gzip", squeeze(f, plain, gz))
	f.Add("deflate", squeeze(f, plain, zl))
	f.Add("deflate", squeeze(f, plain, raw0))
	f.Add("br", squeeze(f, plain, br))
	f.Add("zstd", squeeze(f, plain, zs))
	f.Add("", plain)
	f.Fuzz(func(t *testing.T, coding string, data []byte) {
		const limit = 4096
		body, cut, _ := readBody(t.Context(), http.Header{"Content-Encoding": {coding}}, bytes.NewReader(data), limit, nil)
		if len(body) > limit || cut && len(body) > limit {
			t.Errorf("%d bytes", len(body))
		}
		if coding == "" && !bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}) && !bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) && !bytes.Equal(body, data[:min(len(data), limit)]) {
			t.Error("plain bytes changed")
		}
	})
}
