package published

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

func TestOptPoliteKeepsHostsAndIsOptimal(t *testing.T) {
	r := plantest.Random(70)
	full := 0
	for range plantest.Rounds(30) {
		s := someSources(r, 2+r.IntN(10), 1+r.IntN(4))
		hosts := len(byHost(s))
		gap := math.Exp(r.NormFloat64())
		budget := r.Float64() * 1.3 * float64(hosts) / gap
		for m, l := range laws {
			p, err := OptPolite(l, s, budget, gap)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range byHost(s) {
				if load := sumAt(p.Frequency, h); load*gap > 1+1e-9 {
					t.Fatalf("%s: a host gets %v requests an hour, one every %v h is allowed", m, load, gap)
				}
			}
			if want := min(budget, float64(hosts)/gap); !plantest.Near(p.Spent, want, 1e-9) || !plantest.Near(p.Spent, total(p.Frequency), 1e-9) {
				t.Fatalf("%s spends %v of %v on %d hosts with at most %v each", m, p.Spent, budget, hosts, 1/gap)
			}
			if p.Within < p.Unpolite*(1-1e-9) {
				t.Fatalf("%s: cost %v within the limit, %v without it", m, p.Within, p.Unpolite)
			}
			if p.Full == 0 && !plantest.Near(p.Within, p.Unpolite, 1e-9) {
				t.Fatalf("%s: no host is full, but POLITE %v is not UNPOLITE %v", m, p.Within, p.Unpolite)
			}
			full += p.Full
			checkNoShiftIsBetter(t, m, s, p.Frequency, 1/gap)
		}
	}
	if full == 0 {
		t.Error("no host is ever full")
	}
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
func delayedByHeap(requests []Request, gap float64) []float64 {
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

func TestDelayedEqualsTheHeap(t *testing.T) {
	r := plantest.Random(71)
	for range plantest.Rounds(200) {
		requests := make([]Request, r.IntN(60))
		for i := range requests {
			requests[i] = Request{Host: fmt.Sprint(r.IntN(4)), At: float64(r.IntN(80)) / 4}
		}
		gap := float64(r.IntN(8)) / 4
		got, want := Delayed(requests, gap), delayedByHeap(requests, gap)
		if !slices.Equal(got, want) {
			t.Fatalf("gap %v: %v\ndelayed to %v\nwant %v", gap, requests, got, want)
		}
		for i, a := range got {
			for j, b := range got {
				if i != j && requests[i].Host == requests[j].Host && math.Abs(a-b) < gap {
					t.Fatalf("requests %d and %d of one host are sent at %v and %v", i, j, a, b)
				}
			}
		}
	}
}
