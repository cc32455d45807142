package plan

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kairos/poller/plan/plantest"
)

// sentByHost returns the requests per period that each host gets.
func sentByHost(p Problem, r Result) map[string]float64 {
	sent := map[string]float64{}
	for i, c := range r.Feeds {
		if c.Every > 0 {
			sent[p.Feeds[i].Host] += float64(len(c.At)) / float64(c.Every)
		}
	}
	return sent
}

// hostedProblem returns feeds of two hosts with limits, "a" and "b", of one without, "c", and of none.
func hostedProblem(r *rand.Rand, feeds int, budget float64) Problem {
	p := randomProblem(feeds, 24, budget)
	for i := range p.Feeds {
		f := &p.Feeds[i]
		f.Posting, f.Weight, f.Host = plantest.Bumpy(r, 24), 0.5+r.Float64()*2, []string{"a", "b", "c", ""}[r.IntN(4)]
	}
	p.Hosts = map[string]float64{"a": 1 + r.Float64()*budget/3, "b": 1 + r.Float64()*budget/3}
	return p
}

// On whole fetches granting by falling saving, leaving out full hosts, is the best of all splits.
func TestSplitOverHostsIsExact(t *testing.T) {
	r := plantest.Random(61)
	bound := 0
	for range plantest.Rounds(60) {
		p := randomProblem(5, 24, float64(5+r.IntN(12)))
		p.Hosts = map[string]float64{}
		count := map[string]int{}
		curves := make([]*curve, len(p.Feeds))
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Host = []string{"a", "b", ""}[r.IntN(3)]
			f.Posting, f.Weight, f.MaxGap = plantest.Bumpy(r, 24), 0.5+r.Float64()*2, 24 // at least one each
			count[f.Host]++
			curves[i] = curveOf(p.Access, f, 1, 16)
		}
		for _, h := range []string{"a", "b"} {
			p.Hosts[h] = float64(count[h] + r.IntN(5))
		}
		best, free := math.Inf(1), math.Inf(1)
		var try func(i, left int, sent map[string]int, sum float64)
		try = func(i, left int, sent map[string]int, sum float64) {
			if i == len(curves) {
				free = min(free, sum)
				if float64(sent["a"]) <= p.Hosts["a"] && float64(sent["b"]) <= p.Hosts["b"] {
					best = min(best, sum)
				}
				return
			}
			host := p.Feeds[i].Host
			for m := 1; m <= left-(len(curves)-1-i) && m <= 16; m++ {
				sent[host] += m
				try(i+1, left-m, sent, sum+p.Feeds[i].Weight*curves[i].cost(rung(m)))
				sent[host] -= m
			}
		}
		try(0, int(p.Budget), map[string]int{}, 0)
		if got := solve(t, p, Exact).Delay; !plantest.Near(got, best, 1e-9) {
			t.Fatalf("budget %v, hosts %v: delay %v, the best split has %v", p.Budget, p.Hosts, got, best)
		}
		if best > free*(1+1e-9) {
			bound++
		}
	}
	if bound == 0 {
		t.Error("no host was ever full")
	}
}

// On the ladder's fractions a host, like the budget, may leave less than one step of each size unspent.
func TestSplitOverHostsOnTheLadder(t *testing.T) {
	r := plantest.Random(62)
	for range plantest.Rounds(30) {
		p := randomProblem(3, 24, 1+r.Float64()*6)
		p.Hosts = map[string]float64{"a": 0.6 + r.Float64()*3}
		curves := make([]*curve, 3)
		const top = 8
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting, f.Weight = plantest.Bumpy(r, 24), 0.5+r.Float64()*2
			if i < 2 {
				f.Host = "a"
			}
			curves[i] = curveOf(p.Access, f, baseRung, top)
		}
		best := math.Inf(1)
		for x := baseRung; x <= top; x++ {
			for y := baseRung; y <= top; y++ {
				for z := baseRung; z <= top; z++ {
					host := x.frequency() + y.frequency()
					if host <= p.Hosts["a"]+1e-9 && host+z.frequency() <= p.Budget+1e-9 {
						best = min(best, p.Feeds[0].Weight*curves[0].cost(x)+p.Feeds[1].Weight*curves[1].cost(y)+p.Feeds[2].Weight*curves[2].cost(z))
					}
				}
			}
		}
		got := solve(t, p, Exact)
		first := 0.0
		for _, c := range got.Feeds {
			first = max(first, c.Saving)
		}
		if got.Delay < best*(1-1e-9)-1e-9 || got.Delay-best > 2*first+1e-9 {
			t.Fatalf("budget %v, host %v: delay %v, the best split has %v, the dearest step saves %v", p.Budget, p.Hosts, got.Delay, best, first)
		}
	}
}

// No method asks a host for more than it takes, and what it saves there goes to other feeds.
func TestNoHostIsOverloaded(t *testing.T) {
	r := plantest.Random(63)
	for range plantest.Rounds(25) {
		p := hostedProblem(r, 4+r.IntN(30), 5+math.Exp(r.Float64()*5))
		for _, m := range []Method{Exact, HeParker, Sia, Uniform} {
			got := solve(t, p, m)
			for host, sent := range sentByHost(p, got) {
				if limit, ok := p.Hosts[host]; ok && sent > limit+1e-6 {
					t.Fatalf("%s sends %v requests to a host that takes %v", m, sent, limit)
				}
			}
			if s := spent(got); s > p.Budget+1e-6 {
				t.Fatalf("%s spends %v of %v", m, s, p.Budget)
			}
		}
	}
}

// What a planner remembers of other limits, and curves shared by several budgets, change no plan.
func TestHostsWithMemory(t *testing.T) {
	r := plantest.Random(64)
	for range plantest.Rounds(15) {
		p := hostedProblem(r, 20, 30)
		pl := new(Planner)
		for range 4 {
			p.Hosts = map[string]float64{"a": 0.5 + r.Float64()*20, "b": 0.5 + r.Float64()*20}
			got, err := pl.Solve(t.Context(), p, Exact)
			if want := solve(t, p, Exact); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("a planner that remembers plans otherwise (%v): delay %v, want %v", err, got.Delay, want.Delay)
			}
		}
		budgets := []float64{2, 9, 30, 80}
		all, err := SolveBudgets(t.Context(), p, Exact, budgets)
		if err != nil {
			t.Fatal(err)
		}
		for k, budget := range budgets {
			p.Budget = budget
			if want := solve(t, p, Exact); !reflect.DeepEqual(all[k], want) {
				t.Fatalf("budget %v of several: delay %v, alone %v", budget, all[k].Delay, want.Delay)
			}
		}
	}
}

// A host that cannot take even the least of its feeds gets as much as it takes, the others theirs, and the plan says so.
func TestHostTooSmallForItsFeeds(t *testing.T) {
	p := randomProblem(30, 24, 200)
	for i := range 20 {
		p.Feeds[i].Host = "a"
	}
	p.Hosts = map[string]float64{"a": 1} // a twentieth for each; a seventh is the least elsewhere
	got := solve(t, p, Exact)
	if sent := sentByHost(p, got)["a"]; sent > 1+1e-9 || sent < 0.9 {
		t.Errorf("the host gets %v requests, takes 1", sent)
	}
	for i, c := range got.Feeds {
		if c.Every == 0 || i >= 20 && c.Every > 7 {
			t.Errorf("feed %d is fetched every %d periods", i, c.Every)
		}
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != HostTooSmall || got.Warnings[0].Feeds == 0 || got.Warnings[0].Feeds > 20 {
		t.Errorf("warnings %v", got.Warnings)
	}
	if p.Hosts["a"] = 1000; len(solve(t, p, Exact).Warnings) > 0 {
		t.Error("a warning about a host that takes all")
	}
}

// A full host has no part in the price: more budget would not help its feeds.
func TestFullHostSetsNoPrice(t *testing.T) {
	p := randomProblem(6, 24, 1000)
	for i := range p.Feeds {
		p.Feeds[i].Host = "a"
	}
	p.Hosts = map[string]float64{"a": 12}
	if got := solve(t, p, Exact); got.Price != 0 || got.Refused != 0 || math.Abs(spent(got)-12) > 1 {
		t.Errorf("price %v, refused %v, %v fetches of the 12 that the host takes", got.Price, got.Refused, spent(got))
	}
}

func TestCapacitiesAreChecked(t *testing.T) {
	for _, capacity := range []float64{-1, math.NaN(), math.Inf(1), 1e-9} {
		p := randomProblem(3, 24, 10)
		p.Feeds[0].Host, p.Hosts = "a", map[string]float64{"a": capacity}
		if _, err := Solve(context.Background(), p, Exact); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("capacity of %q", "a")) {
			t.Errorf("capacity %v: %v", capacity, err)
		}
	}
}
