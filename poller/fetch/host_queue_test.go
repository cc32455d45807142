package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// slow is a transport whose answers take a second. It records the requests.
type slow struct {
	mu     sync.Mutex
	asked  []string
	inside map[string]int
	most   map[string]int
}

func (s *slow) RoundTrip(r *http.Request) (*http.Response, error) {
	s.count(r, 1)
	defer s.count(r, -1)
	select {
	case <-time.After(time.Second):
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("x"))}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func (s *slow) count(r *http.Request, by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside == nil {
		s.inside, s.most = map[string]int{}, map[string]int{}
	}
	s.inside[r.URL.Host] += by
	s.inside["all"] += by
	for _, k := range []string{r.URL.Host, "all"} {
		s.most[k] = max(s.most[k], s.inside[k])
	}
	if by > 0 {
		s.asked = append(s.asked, r.URL.Path)
	}
}

func TestOneRequestAHostAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{}
		c := New(Options{Transport: s})
		start := time.Now()
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() { mustDo(t, c, Request{URL: fmt.Sprintf("http://h%d.example/", i%3)}) })
		}
		all.Wait()
		if s.most["h0.example"] != 1 || s.most["h1.example"] != 1 || s.most["all"] != 3 {
			t.Errorf("most at a time: %v", s.most)
		}
		if took := time.Since(start); took != 4*time.Second {
			t.Errorf("took %v", took)
		}
		if len(c.queue.keys) != 0 {
			t.Errorf("%d keys left", len(c.queue.keys))
		}
	})
}

func TestGroupsShareAQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{}
		c := New(Options{Transport: s, Group: func(h string) string { _, domain, _ := strings.Cut(h, "."); return domain }})
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() { mustDo(t, c, Request{URL: fmt.Sprintf("http://h%d.example/", i)}) })
		}
		all.Wait()
		if s.most["all"] != 1 {
			t.Errorf("%d at a time", s.most["all"])
		}
	})
}

func TestQueueOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{}
		c := New(Options{Transport: s})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		ask := func(ctx context.Context, path string, byUser bool, want error) {
			all.Go(func() {
				if _, err := c.Do(ctx, Request{URL: "http://h.example/" + path, ByUser: byUser}); !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", path, err, want)
				}
			})
			synctest.Wait()
		}
		ask(t.Context(), "1", false, nil)
		ask(t.Context(), "2", false, nil)
		ask(ctx, "never", false, context.Canceled)
		ask(t.Context(), "3", false, nil)
		ask(t.Context(), "hand", true, nil)
		cancel()
		all.Wait()
		if want := []string{"/1", "/hand", "/2", "/3"}; !slices.Equal(s.asked, want) {
			t.Errorf("asked %v, want %v", s.asked, want)
		}
	})
}

// A request that is given up at the moment its turn comes passes the turn on.
func TestTurnIsNotLost(t *testing.T) {
	var q hostQueue
	if err := q.wait(t.Context(), "h", false); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		all.Go(func() {
			if q.wait(ctx, "h", i%3 == 0) == nil {
				q.release("h")
			}
		})
		all.Go(cancel)
	}
	q.release("h")
	all.Wait()
	if len(q.keys) != 0 {
		t.Error("a key is left")
	}
}

// The time in the queue does not count for Limits.Total.
func TestQueueingTakesNoTimeOfTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Transport: &slow{}, Limits: Limits{Total: 1500 * time.Millisecond}})
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if res := mustDo(t, c, Request{URL: "http://h.example/"}); res.Took != time.Second {
					t.Errorf("took %v", res.Took)
				}
			})
		}
		all.Wait()
	})
}
