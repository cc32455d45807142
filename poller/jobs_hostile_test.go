package poller

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"database/sql"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
)

// serveHostile makes a re-executed test binary run the hostile servers.
const serveHostile = "KAIROS_TEST_HOSTILE"

// hostiles are the behaviors of the hostile servers, by path.
var hostiles = map[string]http.HandlerFunc{
	"trickle":  trickle,
	"hang":     func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"endless":  func(w http.ResponseWriter, r *http.Request) { flood(w, r, rssHead, rssItem) },
	"items":    func(w http.ResponseWriter, r *http.Request) { flood(w, r, rssHead, "<item>") },
	"nothing":  func(w http.ResponseWriter, r *http.Request) { flood(w, r, "", "\x00") },
	"json":     func(w http.ResponseWriter, r *http.Request) { flood(w, r, jsonHead, `{"id":"1","title":"x"},`) },
	"10GB":     tenGigabytes,
	"gzip":     func(w http.ResponseWriter, _ *http.Request) { bomb(w, "gzip") },
	"br":       func(w http.ResponseWriter, _ *http.Request) { bomb(w, "br") },
	"zstd":     func(w http.ResponseWriter, _ *http.Request) { bomb(w, "zstd") },
	"circle":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
	"away":     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"/x", http.StatusFound) },
	"toolong":  raw("Content-Length: 1000\r\n\r\n" + rssHead),
	"tooshort": raw("Content-Length: 9\r\n\r\n" + rssHead + rssItem),
	"reset":    reset,
	"headers":  func(w http.ResponseWriter, r *http.Request) { hijack(w, headers) },
	"notfound": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound); trickle(w, r) },
}

const (
	rssHead  = `<?xml version="1.0"?><rss version="2.0"><channel><title>Flood</title>`
	rssItem  = `<item><title>Another one</title><description>&lt;p&gt;It &lt;b&gt;never&lt;/b&gt; ends.&lt;/p&gt;</description></item>`
	jsonHead = `{"version":"https://jsonfeed.org/version/1.1","title":"Flood","items":[`
)

// trickle sends a byte a second.
func trickle(w http.ResponseWriter, r *http.Request) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for i := 0; ; i++ {
		select {
		case <-r.Context().Done():
			return
		case <-second.C:
		}
		io.WriteString(w, rssHead[i%len(rssHead):][:1]) //nolint:errcheck // the client's affair
		w.(http.Flusher).Flush()
	}
}

// flood sends the same item without end.
func flood(w io.Writer, r *http.Request, head, more string) {
	io.WriteString(w, head) //nolint:errcheck // the client's affair
	chunk := strings.Repeat(more, 64<<10/len(more)+1)
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

func tenGigabytes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", fmt.Sprint(int64(10)<<30))
	flood(w, r, rssHead, rssItem)
}

// bombs are 64 MB of items compressed to a few kilobytes, by coding.
var bombs = map[string][]byte{}

func makeBombs() {
	for coding, open := range map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"br": func(w io.Writer) io.WriteCloser {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: 1, LGWin: 24})
		},
		"zstd": func(w io.Writer) io.WriteCloser {
			z, _ := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(8<<20))
			return z
		},
	} {
		var b bytes.Buffer
		z := open(&b)
		io.WriteString(z, rssHead) //nolint:errcheck // into memory
		chunk := strings.Repeat("<item>", 10_000)
		for range 64 << 20 / len(chunk) {
			io.WriteString(z, chunk) //nolint:errcheck // into memory
		}
		z.Close() //nolint:errcheck // into memory
		bombs[coding] = b.Bytes()
	}
}

func bomb(w http.ResponseWriter, coding string) {
	w.Header().Set("Content-Encoding", coding)
	w.Write(bombs[coding]) //nolint:errcheck // the client's affair
}

// raw answers with raw header lines and a body.
func raw(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		hijack(w, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n"+answer) }) //nolint:errcheck // the client's affair
	}
}

func hijack(w http.ResponseWriter, f func(net.Conn)) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	f(c)
	c.Close()
}

func reset(w http.ResponseWriter, _ *http.Request) {
	hijack(w, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n"+rssHead+rssItem) //nolint:errcheck // the client's affair
		c.(*net.TCPConn).SetLinger(0)                                //nolint:errcheck // it is closed then all the same
	})
}

// headers answers with headers that never end.
func headers(c net.Conn) {
	io.WriteString(c, "HTTP/1.1 200 OK\r\n") //nolint:errcheck // the client's affair
	for i := 0; ; i++ {
		if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
			return
		}
	}
}

// beHostile serves on 127.0.0.0/8 until standard input ends: the hostile paths and feeds; the
// same with an unknown certificate; and a port that never answers. It prints the three ports.
func beHostile() {
	if !quick {
		makeBombs()
	}
	var listeners []net.Listener
	for range 3 {
		l, err := net.Listen("tcp4", "0.0.0.0:0")
		if err != nil {
			log.Fatal(err)
		}
		listeners = append(listeners, l)
		fmt.Print(l.Addr().(*net.TCPAddr).Port, " ")
	}
	fmt.Println()
	feed := wordpress(1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, _, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
		if h := hostiles[kind]; h != nil {
			h(w, r)
			return
		}
		w.Write(feed) //nolint:errcheck // the client's affair
	})
	quiet := log.New(io.Discard, "", 0)
	go (&http.Server{Handler: handler, ErrorLog: quiet}).Serve(listeners[0]) //nolint:errcheck // ends with the process
	lone := httptest.NewUnstartedServer(nil)
	lone.StartTLS() // for its certificate
	go (&http.Server{Handler: handler, ErrorLog: quiet, TLSConfig: &tls.Config{Certificates: lone.TLS.Certificates}}).
		ServeTLS(listeners[1], "", "") //nolint:errcheck // ends with the process
	bufio.NewReader(os.Stdin).ReadByte() //nolint:errcheck // the end is what is waited for
	runtime.KeepAlive(listeners)
}

// siege is a poller whose feeds are due at one instant, with hostile ones among them.
type siege struct {
	*Poller
	due     time.Time
	hostile map[int64]string // what a feed's server does
	left    map[int64]bool   // feeds whose fetch has not ended
	feeds   int              // that are no trouble

	mu    sync.Mutex
	told  *sync.Cond
	late  time.Duration // the most a feed was stored after it was due
	first string        // the first of the hostile that takes time to end
}

// costly are those that cost processor time to see through, too much of it under -race.
var costly = map[string]bool{"endless": true, "items": true, "nothing": true, "json": true, "10GB": true, "gzip": true, "br": true, "zstd": true}

// slow are those that take until the time-out.
var slow = map[string]bool{"trickle": true, "hang": true, "silent": true}

// besiege subscribes to a number of feeds, of servers of each hostile kind, and of servers that trickle.
func besiege(t testing.TB, feeds, each, trickles int) *siege {
	t.Helper()
	if !loopbackNet() {
		t.Skip("skipped: this system has one loopback address only")
	}
	var ports [3]int
	if _, err := fmt.Sscan(helper(t, serveHostile), &ports[0], &ports[1], &ports[2]); err != nil {
		t.Fatal(err)
	}
	store, err := reader.Open(t.Context(), t.TempDir(), time.Now(), testRooms...)
	if err != nil {
		t.Fatal(err)
	}
	s := &siege{hostile: map[int64]string{}, left: map[int64]bool{}, feeds: feeds}
	s.told = sync.NewCond(&s.mu)
	s.Poller = New(store, useraccess.New(store), Options{Version: "test"})
	t.Cleanup(func() { store.Close() })
	var addresses, kinds []string
	host := 0
	add := func(n int, kind, scheme string, port int) {
		for range n {
			host++
			addresses = append(addresses, fmt.Sprintf("%s://127.0.%d.%d:%d/%s", scheme, 1+host/250, 1+host%250, port, kind))
			kinds = append(kinds, kind)
		}
	}
	for kind := range hostiles {
		if !quick || !costly[kind] {
			add(each, kind, "http", ports[0])
		}
	}
	add(trickles, "trickle", "http", ports[0])
	add(each, "plain", "https", ports[0])
	add(each, "unknown", "https", ports[1])
	add(each, "silent", "https", ports[2])
	add(each, "refused", "http", 1)
	add(feeds, "feed", "http", ports[0])
	s.subscribe(t, addresses, kinds)
	return s
}

// helper starts a process of this test binary and returns the first line it prints.
func helper(t testing.TB, role string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() }) //nolint:errcheck // it ends with its input
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// subscribe stores the feeds as if each had been fetched an hour ago.
func (s *siege) subscribe(t testing.TB, addresses, kinds []string) {
	t.Helper()
	hour := time.Now().Add(-time.Hour).Unix()
	err := s.store.Write(t.Context(), func(tx *sql.Tx) error {
		for i, address := range addresses {
			id, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: address}, time.Now())
			if err != nil {
				return err
			}
			if _, err := tx.Exec("INSERT INTO poll (subject, address, tried, fetched, upto) VALUES (?1, ?2, ?3, ?3, ?3)", id, address, hour); err != nil {
				return err
			}
			if s.left[id] = true; kinds[i] != "feed" {
				s.hostile[id] = kinds[i]
			}
		}
		return nil
	})
	if err == nil {
		err = s.SetBudget(t.Context(), "5000")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// storm runs the loop, makes everything due at once, and calls wait before it ends the loop.
func (s *siege) storm(t testing.TB, wait func()) {
	t.Helper()
	defer s.OnOutcome(s.heard)()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	s.settle(t)
	s.due = time.Now().Truncate(time.Second).Add(2 * time.Second)
	feeds, err := s.store.Feeds.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = s.store.Write(ctx, func(tx *sql.Tx) error {
		// What was planned would come in between.
		if _, err := tx.Exec("DELETE FROM agenda"); err != nil {
			return err
		}
		for _, f := range feeds {
			due := Instant{Feed: f.ID, At: s.due, Value: float64(f.ID % 7), Reason: schedule.Reason{Code: schedule.Planned, Posts: 1}}
			if err := putInstants(ctx, tx, f.ID, []Instant{due}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.signals.lookNow()
	wait()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// settle waits until the loop has made its first plan and nothing is to be done.
func (s *siege) settle(t testing.TB) {
	t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if until, _ := s.signals.rest(); !until.IsZero() && s.queue.Load() == 0 {
			return
		}
		select {
		case <-again.C:
		case <-t.Context().Done():
			return
		}
	}
}

func (s *siege) heard(o Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.left, o.Feed)
	if kind := s.hostile[o.Feed]; kind == "" {
		s.feeds--
		s.late = max(s.late, time.Since(s.due))
		if o.Result != Stored || o.New != benchItems {
			panic(fmt.Sprintf("a feed: %+v", o))
		}
	} else if slow[kind] && s.first == "" {
		s.first = kind
	}
	s.told.Broadcast()
}

// until waits until f is true; s.mu is held when it is called.
func (s *siege) until(f func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !f() {
		s.told.Wait()
	}
}

// Servers that hang, trickle or flood delay no feed: all feeds are stored before the first of
// the slow servers is given up.
func TestHostileServers(t *testing.T) {
	feeds := 50
	if quick {
		feeds = 10
	}
	s := besiege(t, feeds, 1, 40)
	most := int64(0)
	s.storm(t, func() {
		s.until(func() bool { most = max(most, s.documents.memory.InUse()); return s.feeds == 0 })
	})
	if s.first != "" {
		t.Errorf("before all feeds were stored a server was given up: %s", s.first)
	}
	if most > fetch.MaxMemory {
		t.Errorf("bodies of %d bytes together", most)
	}
	t.Logf("the last of the feeds was stored %s after it was due", s.late)
}

// BenchmarkHostileServers fetches beside two servers of each kind, until the last has ended,
// and for comparison the same feeds alone.
func BenchmarkHostileServers(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		peace := besiege(b, 50, 0, 0)
		peace.storm(b, func() { peace.until(func() bool { return len(peace.left) == 0 }) })
		s := besiege(b, 50, 2, 40)
		runtime.GC()
		idle, peak := heapNow(), watchHeap()
		b.StartTimer()
		s.storm(b, func() { s.until(func() bool { return len(s.left) == 0 }) })
		b.StopTimer()
		b.ReportMetric(peace.late.Seconds(), "s-late-alone")
		b.ReportMetric(s.late.Seconds(), "s-late")
		b.ReportMetric(float64(peak()-idle)/(1<<20), "MB-over-idle")
		b.ReportMetric(time.Since(s.due).Seconds(), "s-to-the-last")
		b.StartTimer()
	}
}

// watchHeap samples the heap until the function it returns is called, which returns the
// maximum.
func watchHeap() (peak func() uint64) {
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		highest := uint64(0)
		for {
			select {
			case <-stop:
				most <- highest
				return
			case <-tick.C:
				highest = max(highest, heapNow())
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}

// heapNow returns the size of the heap in bytes, unswept garbage included.
func heapNow() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
