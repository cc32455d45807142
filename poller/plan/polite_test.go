package plan

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestOptPoliteKeepsHostsAndIsOptimal(t *testing.T) {
	r := random(70)
	full := 0
	for range rounds(30) {
		s := someSources(r, 2+r.IntN(10), 1+r.IntN(4))
		hosts := len(byHost(s))
		gap := math.Exp(r.NormFloat64())
		budget := r.Float64() * 1.3 * float64(hosts) / gap
		for _, m := range laws {
			p, err := OptPolite(m, s, budget, gap)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range byHost(s) {
				if load := sumAt(p.Frequency, h); load*gap > 1+1e-9 {
					t.Fatalf("%s: a host is asked %v times an hour, one in %v h is allowed", m, load, gap)
				}
			}
			if want := min(budget, float64(hosts)/gap); !near(p.Spent, want, 1e-9) || !near(p.Spent, total(p.Frequency), 1e-9) {
				t.Fatalf("%s spends %v of %v with %d hosts at %v", m, p.Spent, budget, hosts, 1/gap)
			}
			if p.Within < p.Unpolite*(1-1e-9) {
				t.Fatalf("%s: within the limit %v, without it %v", m, p.Within, p.Unpolite)
			}
			if p.Full == 0 && !near(p.Within, p.Unpolite, 1e-9) {
				t.Fatalf("%s: no host is full, but %v is not %v", m, p.Within, p.Unpolite)
			}
			full += p.Full
			noShiftIsBetter(t, m, s, p.Frequency, 1/gap)
		}
	}
	if full == 0 {
		t.Error("no host was ever full")
	}
}

// due is a request waiting in the heap of the rule as it stands.
type due struct {
	at    float64
	index int
	plan  float64
}

type dues []due

func (h dues) Len() int { return len(h) }
func (h dues) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	if h[i].plan != h[j].plan {
		return h[i].plan < h[j].plan
	}
	return h[i].index < h[j].index
}
func (h dues) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dues) Push(x any)   { *h = append(*h, x.(due)) }
func (h *dues) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// byHeap is the rule word by word: take the request due first; if its host was
// asked less than a gap ago, it is due again when the gap is over.
func byHeap(requests []Request, gap float64) []float64 {
	var h dues
	for i, r := range requests {
		h = append(h, due{r.At, i, r.At})
	}
	heap.Init(&h)
	last, at := map[string]float64{}, make([]float64, len(requests))
	for len(h) > 0 {
		d := heap.Pop(&h).(due)
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
	r := random(71)
	for range rounds(200) {
		requests := make([]Request, r.IntN(60))
		for i := range requests {
			requests[i] = Request{Host: fmt.Sprint(r.IntN(4)), At: float64(r.IntN(80)) / 4}
		}
		gap := float64(r.IntN(8)) / 4
		got, want := Delayed(requests, gap), byHeap(requests, gap)
		if !slices.Equal(got, want) {
			t.Fatalf("gap %v: %v\ndelayed to %v\nby heap to %v", gap, requests, got, want)
		}
		for i, a := range got {
			for j, b := range got {
				if i != j && requests[i].Host == requests[j].Host && math.Abs(a-b) < gap {
					t.Fatalf("requests %d and %d leave at %v and %v", i, j, a, b)
				}
			}
		}
	}
}
