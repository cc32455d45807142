package dispatch

import (
	"container/heap"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// plannedRequest is a request to a server, due at an hour.
type plannedRequest struct {
	Host string
	At   float64
}

// dueRequest is a request in the heap of delayedByHeap.
type dueRequest struct {
	at    float64
	index int
	plan  float64
}

type dueHeap []dueRequest

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	if h[i].plan != h[j].plan {
		return h[i].plan < h[j].plan
	}
	return h[i].index < h[j].index
}
func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(dueRequest)) }
func (h *dueHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// delayedByHeap is DELAYED as the thesis states it: take the request due first; if the last request
// to its host was less than a gap ago, it is due again when the gap is over.
func delayedByHeap(requests []plannedRequest, gap float64) []float64 {
	var h dueHeap
	for i, r := range requests {
		h = append(h, dueRequest{r.At, i, r.At})
	}
	heap.Init(&h)
	last, at := map[string]float64{}, make([]float64, len(requests))
	for len(h) > 0 {
		d := heap.Pop(&h).(dueRequest)
		host := requests[d.index].Host
		if t, ok := last[host]; ok && d.at < t+gap {
			d.at = t + gap
			heap.Push(&h, d)
			continue
		}
		last[host], at[d.index] = d.at, d.at
	}
	return at
}

// The queue delays requests at run time exactly as DELAYED does.
func TestSpacingIsDelayed(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			const gap = time.Second
			start := time.Now()
			q := New(Options{Slots: 1000, Spacing: func(string) time.Duration { return gap }, Now: time.Now})
			var requests []plannedRequest
			var mu sync.Mutex
			began := map[int]time.Duration{}
			for i := range 40 {
				<-time.After(time.Duration(r.IntN(400)) * time.Millisecond)
				group := fmt.Sprint("host ", r.IntN(3))
				requests = append(requests, plannedRequest{Host: group, At: time.Since(start).Hours()})
				q.Add(Task{Context: t.Context(), Group: group, Run: func() bool {
					mu.Lock()
					defer mu.Unlock()
					began[i] = time.Since(start)
					return true
				}})
				synctest.Wait()
			}
			q.Wait()
			for i, want := range delayedByHeap(requests, gap.Hours()) {
				if off := began[i] - time.Duration(want*float64(time.Hour)); off < -time.Microsecond || off > time.Microsecond {
					t.Fatalf("seed %d: request %d began after %s, DELAYED says %v h", seed, i, began[i], want)
				}
			}
			if len(q.groups) > 3 {
				t.Errorf("%d groups are remembered", len(q.groups))
			}
		})
	}
}

func TestUrgentTasksGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{Slots: 1, Spacing: func(string) time.Duration { return time.Second }, Now: time.Now})
		var began []string
		add := func(group, name string, urgency Priority, asks bool) {
			q.Add(Task{Context: t.Context(), Group: group, Priority: urgency, Run: func() bool {
				began = append(began, name)
				<-time.After(time.Millisecond)
				return asks
			}})
		}
		add("a", "a1", Normal, true)
		add("a", "idle", Idle, true)
		add("a", "a2", Normal, true)
		add("b", "b1", Normal, false) // asks nothing: no space after it
		add("b", "b2", Normal, true)
		add("a", "hand", ByUser, true)
		q.Wait()
		if got := strings.Join(began, " "); got != "a1 b1 b2 hand a2 idle" {
			t.Errorf("began %s", got)
		}
	})
}

// Canceled tasks do not wait for their group's space when the program ends.
func TestWaitSkipsSpacingOfCanceledTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		q := New(Options{Slots: 4, Spacing: func(string) time.Duration { return time.Minute }, Now: time.Now})
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		for range 10 {
			q.Add(Task{Context: ctx, Group: "a", Run: func() bool {
				if ctx.Err() != nil {
					return false
				}
				asked++
				return true
			}})
		}
		q.Add(Task{Context: ctx, Group: "b", Run: func() bool { // queues its next step, as the search for an icon does
			<-ctx.Done()
			q.Add(Task{Context: ctx, Group: "b", Run: func() bool { return false }})
			return true
		}})
		<-time.After(90 * time.Second)
		cancel()
		q.Wait()
		if took := time.Since(start); asked != 2 || took != 90*time.Second {
			t.Errorf("%d asked, ended after %s", asked, took)
		}
	})
}

// Idle tasks leave slots to the others, however long they take, and do not count as load.
func TestIdleTasksLeaveSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{Slots: MaxIdle + 1, Spacing: func(string) time.Duration { return 0 }, Now: time.Now})
		free := make(chan struct{})
		var idle, normal atomic.Int32
		add := func(group string, urgency Priority, run func()) {
			q.Add(Task{Context: t.Context(), Group: group, Priority: urgency, Run: func() bool { run(); return true }})
		}
		for i := range 3 * MaxIdle {
			add(fmt.Sprint("idle ", i), Idle, func() { idle.Add(1); <-free })
		}
		synctest.Wait()
		if n := q.Load(); n != 0 || idle.Load() != MaxIdle {
			t.Errorf("%d idle tasks run; the load is %d", idle.Load(), n)
		}
		for i := range 10 {
			add(fmt.Sprint("normal ", i), Normal, func() { normal.Add(1) })
		}
		synctest.Wait()
		if normal.Load() != 10 {
			t.Errorf("%d of 10 normal tasks have run", normal.Load())
		}
		close(free)
		q.Wait()
		if idle.Load() != 3*MaxIdle {
			t.Errorf("%d idle tasks have run in the end", idle.Load())
		}
	})
}

// Nor do tasks that are canceled while Wait waits.
func TestWaitSeesTasksCanceledMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		q := New(Options{Slots: 4, Spacing: func(string) time.Duration { return time.Hour }, Now: time.Now})
		ctx, cancel := context.WithCancel(t.Context())
		for range 10 {
			q.Add(Task{Context: ctx, Group: "a", Run: func() bool { return ctx.Err() == nil }})
		}
		synctest.Wait()
		time.AfterFunc(time.Second, cancel)
		q.Wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("ended after %s", took)
		}
	})
}
