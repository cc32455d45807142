package plan

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/plan/plantest"
)

// readyOf returns the expected share of a feed's posts that are ready under a cycle.
func readyOf(p Problem, f *Feed, c Cycle) float64 {
	costs := newWaitingCosts(Waiting{NotReady: true}, p.Access, f.Posting, p.Period)
	posts := costs.posts(0, costs.n)
	if posts == 0 {
		return 1
	}
	return 1 - (costs.Cycle(c.Every, c.At)+c.Lost)/posts
}

// The timer's share is the mean over its phases.
func TestTimerAbsenceEqualsPhases(t *testing.T) {
	r := plantest.Random(61)
	for range plantest.Rounds(20) {
		n := 48
		access, posting := plantest.Bumpy(r, n), plantest.Bumpy(r, n)
		for k := range access {
			access[k] *= 0.3 // within a bin hardly anybody comes, so that it makes no difference where in it a fetch is
		}
		every := []int{6, 12, 24, 48}[r.IntN(4)]
		f := floors{absent: timerAbsence(access, 24, float64(every)/float64(n)), interval: float64(every) / float64(n)}
		got := f.need(&Feed{Posting: posting, Floor: 1}, 24)
		costs := newWaitingCosts(Waiting{NotReady: true}, access, posting, 24)
		want, posts := 0.0, costs.posts(0, n)
		for phase := range every {
			var at []int
			for b := phase; b < n; b += every {
				at = append(at, b)
			}
			want += (1 - costs.Cycle(1, at)/posts) / float64(every)
		}
		if posts > 0 && math.Abs(got-want) > 0.02 {
			t.Fatalf("every %d of %d bins: a timer has %v ready, on average over its phases %v", every, n, got, want)
		}
	}
}

// No feed falls below its floor unless the plan says that it relaxed it, and what is left of the budget goes
// where it saves most.
func TestNoFeedStarves(t *testing.T) {
	r := plantest.Random(62)
	raised := 0
	for range plantest.Rounds(60) {
		p := randomProblem(2+r.IntN(5), 48, 0)
		p.Budget, p.Access = float64(len(p.Feeds))*(0.3+3*r.Float64()), plantest.Bumpy(r, 48)
		p.Waiting = Waiting{NotReady: true, Again: 0.1 * r.Float64()}
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting, f.Weight = plantest.Bumpy(r, 48), math.Exp(6*r.Float64()-3)
		}
		free := solve(t, p, Kairos)
		for i := range p.Feeds {
			p.Feeds[i].Floor = 0.4 + 0.5*r.Float64()
		}
		got := solve(t, p, Kairos)
		if got.Bound > got.Value+1e-9*(1+got.Value) {
			t.Fatalf("value %v below its bound %v", got.Value, got.Bound)
		}
		if spent(got) > p.Budget+1e-9 {
			t.Fatalf("spent %v of %v", spent(got), p.Budget)
		}
		if slices.ContainsFunc(got.Warnings, func(w Warning) bool { return w.Code == FloorRelaxed }) {
			continue
		}
		f := floors{absent: timerAbsence(p.Access, 24, min(longestTimer, float64(len(p.Feeds))/p.Budget)), interval: float64(len(p.Feeds)) / p.Budget}
		for i, c := range got.Feeds {
			need := f.need(&p.Feeds[i], 24)
			if ready := readyOf(p, &p.Feeds[i], c); ready < need-1e-6 && len(c.At) < 48 {
				t.Fatalf("feed %d with %d in %d periods has %v ready, its floor is %v", i, len(c.At), c.Every, ready, need)
			}
			if readyOf(p, &p.Feeds[i], free.Feeds[i]) < need-1e-6 {
				raised++
			}
		}
	}
	if raised < 20 {
		t.Errorf("only %d feeds were raised", raised)
	}
}

// Floors that the budget does not pay for are lowered in proportion, and the budget is kept.
func TestFloorsAreRelaxed(t *testing.T) {
	p := randomProblem(6, 48, 3)
	p.Waiting.NotReady = true
	r := plantest.Random(63)
	for i := range p.Feeds {
		p.Feeds[i].Posting, p.Feeds[i].Floor = plantest.Bumpy(r, 48), 1
		p.Feeds[i].MinGap = 12
	}
	p.Feeds[0].Weight = 1e6
	got := solve(t, p, Kairos)
	if spent(got) > p.Budget+1e-9 {
		t.Errorf("spent %v of %v", spent(got), p.Budget)
	}
}

// The bound holds for the split, and for all that a search finds.
func TestCertificate(t *testing.T) {
	r := plantest.Random(64)
	for range plantest.Rounds(60) {
		p := randomProblem(3, 24, 0.5+r.Float64()*8)
		p.Access = plantest.Bumpy(r, 24)
		m := []Method{Exact, Kairos}[r.IntN(2)]
		if m == Kairos {
			p.Waiting = waitings(r)[r.IntN(3)].Waiting
		}
		curves := make([]*curve, 3)
		const top = 12
		for i := range p.Feeds {
			f := &p.Feeds[i]
			f.Posting, f.Weight = plantest.Bumpy(r, 24), 0.5+r.Float64()*2
			d := curveInput{objective: methodSpecs[m].objective, period: p.Period, access: p.Access, posting: f.Posting, bounds: newBounds(f, allBins(24), p.Period)}
			if m == Kairos {
				d.objective.Waiting = p.Waiting
			}
			curves[i] = &curve{curveInput: d, from: baseRung}
			new(workspace).extend(curves[i], top)
		}
		got, least := solve(t, p, m), leastBySearch(p, curves, top)
		if got.Bound > least+1e-9*(1+least) || got.Bound > got.Value+1e-9*(1+got.Value) {
			t.Fatalf("%s: bound %v, value %v, the least of all %v", m, got.Bound, got.Value, least)
		}
	}
	p := randomProblem(60, 48, 150)
	for i := range p.Feeds {
		p.Feeds[i].Posting = plantest.Bumpy(r, 48)
	}
	if got := solve(t, p, Exact); got.Value-got.Bound > 0.02*got.Value {
		t.Errorf("many feeds: value %v, bound %v", got.Value, got.Bound)
	}
}
