package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// begun returns a lease of so many bytes whose body is being read.
func begun(t *testing.T, b *MemoryBudget, bytes int64) (l *Lease, ended *bool) {
	t.Helper()
	ended = new(bool)
	l = b.NewLease()
	l.begin(func() { *ended = true })
	if err := l.grow(t.Context(), bytes); err != nil {
		t.Fatal(err)
	}
	return l, ended
}

func TestLongestBodyIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newMemoryBudget(100)
		small, smallEnded := begun(t, b, 10)
		long, longEnded := begun(t, b, 60)
		short, shortEnded := begun(t, b, 20)
		if err := long.grow(t.Context(), 20); !errors.Is(err, ErrNoRoom) {
			t.Errorf("the longest wants more: %v", err)
		}
		long.begin(func() { *longEnded = true })
		grown := make(chan error)
		go func() { grown <- small.grow(t.Context(), 30) }()
		synctest.Wait()
		if !*longEnded || *smallEnded || *shortEnded {
			t.Errorf("cut: long %v, small %v, short %v", *longEnded, *smallEnded, *shortEnded)
		}
		select {
		case err := <-grown:
			t.Errorf("grown before there is room: %v", err)
		default:
		}
		long.finish(60) // it stays until it is released
		synctest.Wait()
		long.Release()
		if err := <-grown; err != nil {
			t.Error(err)
		}
		for _, h := range []*Lease{small, short, nil} {
			h.Release()
			h.Release()
		}
		if b.used != 0 || len(b.leases) != 0 {
			t.Errorf("%d bytes of %d bodies are held by nobody", b.used, len(b.leases))
		}
	})
}

// The memory of a finished body will be given back, so no other is cut for it.
func TestFinishedBodiesAreWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newMemoryBudget(100)
		whole, _ := begun(t, b, 70)
		whole.finish(70)
		other, ended := begun(t, b, 30)
		ctx, cancel := context.WithCancel(t.Context())
		grown := make(chan error)
		go func() { grown <- other.grow(ctx, 30) }()
		synctest.Wait()
		if *ended {
			t.Error("cut although there will be room")
		}
		cancel()
		if err := <-grown; !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		go func() { grown <- other.grow(t.Context(), 30) }()
		synctest.Wait()
		whole.Release()
		if err := <-grown; err != nil {
			t.Error(err)
		}
	})
}

// named returns a client for which every name is a host of its own, served by s.
func named(t testing.TB, s *httptest.Server) *Client {
	t.Helper()
	transport := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}}
	return client(t, Options{Transport: transport, Group: func(host string) string { return host }})
}

// Forty endless bodies, in every coding, fit into the budget, and bodies of the size of feeds are read whole beside them.
func TestEndlessBodiesLeaveRoom(t *testing.T) {
	const most = 16 << 20
	var mu sync.Mutex
	taken := int64(0)
	bodies := newMemoryBudget(most)
	note := func() {
		now := bodies.InUse()
		mu.Lock()
		taken = max(taken, now)
		mu.Unlock()
	}
	feed := bytes.Repeat([]byte("<item>news</item>"), 8_000)
	flood := bytes.Repeat([]byte("<item/>"), 8<<10)
	bomb := map[string][]byte{"gzip": squeeze(t, make([]byte, 20<<20), gz), "br": squeeze(t, make([]byte, 20<<20), br), "zstd": squeeze(t, make([]byte, 20<<20), zs)}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		note()
		coding := strings.Trim(r.URL.Path, "/")
		switch {
		case coding == "feed":
			_, _ = w.Write(feed)
		case bomb[coding] != nil:
			w.Header().Set("Content-Encoding", coding)
			_, _ = w.Write(bomb[coding])
		default:
			for r.Context().Err() == nil {
				note()
				_, _ = w.Write(flood)
			}
		}
	})
	c := named(t, s)
	var all sync.WaitGroup
	for i := range 40 {
		path := []string{"flood", "gzip", "br", "zstd"}[i%4]
		if i%5 == 0 {
			path = "feed"
		}
		all.Go(func() {
			held := bodies.NewLease()
			defer held.Release()
			res, err := c.Do(t.Context(), Request{URL: fmt.Sprintf("http://host%d.test/%s", i, path), Lease: held})
			note()
			switch {
			case err != nil:
				t.Errorf("%s: %v", path, err)
			case path == "feed" && (res.Truncated || !bytes.Equal(res.Body, feed)):
				t.Errorf("of the feed came %d bytes, cut: %v", len(res.Body), res.Truncated)
			case path != "feed" && !res.Truncated:
				t.Errorf("%s: %d bytes, not cut", path, len(res.Body))
			}
		})
	}
	all.Wait()
	if taken > most || taken < most/4 {
		t.Errorf("%d bytes were held together, there is room for %d", taken, most)
	}
	if bodies.used != 0 || len(bodies.leases) != 0 {
		t.Errorf("%d bytes of %d bodies are held by nobody", bodies.used, len(bodies.leases))
	}
}

// Reserved bytes leave less room to bodies, and do not count as bodies.
func TestReserve(t *testing.T) {
	b := newMemoryBudget(100)
	h, _ := begun(t, b, 30)
	h.finish(30)
	h.Reserve(60)
	if b.InUse() != 30 {
		t.Errorf("%d bytes of bodies", b.InUse())
	}
	other := b.NewLease()
	if wait, err := b.take(other, 20, false); wait == nil {
		t.Errorf("there is room beside what is reserved: %v", err)
	}
	h.Release()
	h.Release()
	if _, err := b.take(other, 20, false); err != nil || b.used != 20 || b.reserved != 0 {
		t.Errorf("afterwards %d bytes, %d reserved, %v", b.used, b.reserved, err)
	}
}
