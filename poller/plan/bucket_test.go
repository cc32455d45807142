package plan

import (
	"math"
	"slices"
	"testing"
	"time"

	"kairos/poller/plan/plantest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestBucket(t *testing.T) {
	b := Bucket{PerDay: 48}.AsOf(noon)
	if b.Available() != 0 || b.UntilNext() != 30*time.Minute {
		t.Fatalf("an empty bucket has %d fetches and the next in %v", b.Available(), b.UntilNext())
	}
	b = b.AsOf(noon.Add(30 * time.Minute))
	if b.Available() != 1 || b.UntilNext() != 0 {
		t.Fatalf("after half an hour there are %d fetches (level %v)", b.Available(), b.Level())
	}
	if b = b.AsOf(noon.Add(100 * 24 * time.Hour)); b.Available() != 96 {
		t.Fatalf("after a hundred days there are %d fetches", b.Available())
	}
	if c := b.AsOf(noon); c.Available() != 96 {
		t.Fatalf("after the clock was set back there are %d fetches", c.Available())
	}
	b.PerDay = 10
	if b = b.AsOf(b.At); b.Available() != 20 {
		t.Fatalf("with a smaller budget there are %d fetches", b.Available())
	}
	none := Bucket{Days: 1}.AsOf(noon).AsOf(noon.Add(time.Hour))
	if u := none.UntilNext(); u >= 0 || none.Available() != 0 || none.Days != 1 {
		t.Fatalf("without a budget: %+v, the next fetch in %v", none, u)
	}
	if l := (Bucket{PerDay: 1, Days: -3}).Available(); l != 0 {
		t.Fatalf("an overdrawn bucket has %d fetches", l)
	}
}

// Spending every fetch as soon as possible spends the budget, no more.
func TestBucketSpendsTheBudget(t *testing.T) {
	r := plantest.Random(41)
	b, spent, days := Bucket{PerDay: 7.3}.AsOf(noon), 0, 40.0
	for at := noon; at.Before(noon.Add(time.Duration(days) * 24 * time.Hour)); at = at.Add(time.Duration(r.IntN(200)) * time.Minute) {
		b = b.AsOf(at)
		spent += b.Available()
		b = b.Spend(float64(b.Available()))
	}
	if most := 7.3 * days; float64(spent) > most || float64(spent) < most-2 {
		t.Fatalf("%d fetches spent, the budget is %v", spent, most)
	}
}

func TestPriceRisesAsTheBucketEmpties(t *testing.T) {
	before := 0.0
	for level := 20.0; level >= -1; level-- {
		p := Bucket{PerDay: 10, Days: level / 10}.Price(3)
		if p < before || math.IsInf(p, 0) || level == 7 && math.Abs(p-3) > 1e-9 {
			t.Fatalf("at a level of %v the price is %v, one fetch higher %v", level, p, before)
		}
		before = p
	}
}

// mostSaved returns the most that a set of fetches can save which the bucket pays for, by trying every
// set.
func mostSaved(b Bucket, offers []PlannedFetch) float64 {
	best := 0.0
	for set := range 1 << len(offers) {
		var at []PlannedFetch
		for i, o := range offers {
			if set>>i&1 == 1 {
				at = append(at, o)
			}
		}
		slices.SortFunc(at, func(x, y PlannedFetch) int { return x.At.Compare(y.At) })
		c, sum, paid := b, 0.0, true
		for _, o := range at {
			c = c.AsOf(o.At)
			paid = paid && c.Level() >= 1-1e-9
			c = c.Spend(1)
			sum += o.Value
		}
		if paid {
			best = max(best, sum)
		}
	}
	return best
}

func TestAdmitEqualsBruteForce(t *testing.T) {
	if admitted := (Bucket{Days: 1, At: noon}).Admit(make([]PlannedFetch, 2)); admitted[0] || admitted[1] {
		t.Fatal("fetches are admitted without a budget")
	}
	r := plantest.Random(42)
	for round := range plantest.Rounds(60) {
		b := Bucket{PerDay: 10 * r.Float64(), Days: r.Float64(), At: noon}
		offers := make([]PlannedFetch, r.IntN(11))
		for i := range offers {
			offers[i] = PlannedFetch{At: noon.Add(time.Duration(r.IntN(40)) * time.Hour), Value: float64(r.IntN(6))}
		}
		sum := 0.0
		for i, admitted := range b.Admit(offers) {
			if admitted {
				sum += offers[i].Value
			}
		}
		if best := mostSaved(b, offers); sum != best {
			t.Fatalf("round %d: %v saved, want %v (%+v, %+v)", round, sum, best, b, offers)
		}
	}
}

// Of equal values the later fetch is dropped, of equal times the one given later.
func TestAdmitDropsTheLatestOfEquals(t *testing.T) {
	r := plantest.Random(43)
	for round := range plantest.Rounds(40) {
		b := Bucket{PerDay: 30 * r.Float64(), Days: r.Float64(), At: noon}
		offers := make([]PlannedFetch, r.IntN(200))
		for i := range offers {
			offers[i] = PlannedFetch{At: noon.Add(time.Duration(r.IntN(40)) * time.Hour), Value: float64(r.IntN(9))}
		}
		order, want := make([]int, len(offers)), make([]bool, len(offers))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return offers[i].At.Compare(offers[j].At) })
		left := b
		for k, i := range order {
			left = left.AsOf(offers[i].At).Spend(1)
			if want[i] = true; left.Level() >= -roundingSlack {
				continue
			}
			worst := order[0]
			for _, j := range order[:k+1] {
				if want[j] && (!want[worst] || offers[j].Value <= offers[worst].Value) {
					worst = j
				}
			}
			want[worst], left = false, left.Spend(-1)
		}
		if got := b.Admit(offers); !slices.Equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, got, want)
		}
	}
}
