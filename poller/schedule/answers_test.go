package schedule

import (
	"math"
	"math/rand/v2"
	"testing"

	"kairos/poller/plan"
)

var byBytes = Tariff{Bytes: 1}

// after returns what is learned from answers.
func after(all ...Answer) (a Answers) {
	for _, one := range all {
		a.Note(one)
	}
	return a
}

func repeat(n int, all ...Answer) (many []Answer) {
	for range n {
		many = append(many, all...)
	}
	return many
}

var (
	usual = Answer{Bytes: usualDocument, Opened: true}
	same  = Answer{NotModified: true, Opened: true}
)

// A usual document costs 1, a 304 half of it, one on an open connection the least there is, and a huge document the most.
func TestSpent(t *testing.T) {
	for _, test := range []struct {
		one  Answer
		want float64
	}{{usual, 1}, {same, 6500.0 / 13300}, {Answer{NotModified: true}, LeastCost}, {Answer{}, LeastCost}, {Answer{Bytes: -5}, LeastCost},
		{Answer{Bytes: 300e3}, MostCost}, {Answer{Bytes: 32 << 20, Opened: true}, MostCost}, {Answer{Bytes: math.MaxInt64, Opened: true}, MostCost}} {
		if got := byBytes.Spent(test.one); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v costs %v, want %v", test.one, got, test.want)
		}
		if got := (Tariff{}).Spent(test.one); got != 1 {
			t.Errorf("without a share of bytes %+v costs %v", test.one, got)
		}
		half := (Tariff{Bytes: 0.5}).Spent(test.one)
		if got := byBytes.Spent(test.one); half < min(1, got) || half > max(1, got) {
			t.Errorf("%+v costs %v by bytes and %v by half", test.one, got, half)
		}
	}
}

// What is expected of a feed whose answers repeat is what they cost.
func TestCostIsLearned(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers []Answer
		perHour float64
		want    float64
		within  float64
	}{
		{"documents only", repeat(60, usual), 1, 1, 0.05},
		{"304s only", repeat(60, same), 0.001, 0.49, 0.05},
		{"304s on open connections", repeat(60, Answer{NotModified: true}), 0.001, LeastCost, 0.05},
		{"one by one", repeat(60, usual, same), 0.1, 0.74, 0.05},
		{"no validators, though it never posts", repeat(60, usual), 1e-9, 1, 0.05},
		{"300 kB without validators", repeat(60, Answer{Bytes: 300e3, Opened: true}), 1e-9, MostCost, 0},
		{"300 kB once, then 304s", append([]Answer{{Bytes: 300e3, Opened: true}}, repeat(100, same)...), 1e-9, 0.6, 0.6},
		{"nothing, of a feed that posts", nil, 100, 1, 1e-9},
		{"nothing, of a feed that never posts", nil, 0, 0.49 + 0.2*6800/13300, 0.01},
	} {
		if got := byBytes.Cost(after(test.answers...), test.perHour); math.Abs(got-test.want) > test.within {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// A server that is reconfigured is known within a month of daily fetches.
func TestOldAnswersAreForgotten(t *testing.T) {
	a := after(append(repeat(1000, usual), repeat(30, same)...)...)
	if got := byBytes.Cost(a, 0.01); got > 0.75 {
		t.Errorf("after a thousand documents and 30 304s a fetch costs %v", got)
	}
	a = after(append(repeat(1000, Answer{Bytes: 300e3, Opened: true}), repeat(30, usual)...)...)
	if got := byBytes.Cost(a, 1); got > 1.5 {
		t.Errorf("after a thousand large documents and 30 usual ones a fetch costs %v", got)
	}
}

// Whatever comes, also from a damaged file, costs are numbers within their bounds.
func TestCostsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, -1, 1e300, math.NaN(), math.Inf(1), math.Inf(-1), 0.5, 33}
	pick := func() float64 { return odd[r.IntN(len(odd))] }
	for range 5000 {
		a := Answers{pick(), pick(), pick(), pick()}
		for range r.IntN(5) {
			a.Note(Answer{NotModified: r.IntN(2) == 0, Bytes: []int64{0, -1, 32 << 20, math.MaxInt64, 400}[r.IntN(5)], Opened: r.IntN(2) == 0})
		}
		for _, tariff := range []Tariff{{}, {0.5}, {1}} {
			if c := tariff.Cost(a, pick()); !(c >= LeastCost && c <= MostCost) {
				t.Fatalf("%+v costs %v by %+v", a, c, tariff)
			}
		}
	}
}

// Of two feeds that post alike the one whose fetches cost less is fetched more often, and the plan costs no more than the budget.
func TestCheapFeedsAreFetchedMoreOften(t *testing.T) {
	in := steady(0.2, 0.2, 0.2, 0.2)
	in.Budget, in.Bucket = 8, full(8)
	in.Feeds[0].Cost, in.Feeds[1].Cost, in.Feeds[2].Cost = LeastCost, 1, MostCost
	pl, err := New(Default()).Replan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var often []float64
	spent := 0.0
	for i, f := range pl.Feeds {
		often = append(often, float64(len(f.Cycle.At))/float64(f.Cycle.Every))
		spent += often[i] * New(Default()).Rules.Cost(&in.Feeds[i])
	}
	if !(often[0] > often[1] && often[1] >= often[2] && often[3] >= often[2]) {
		t.Errorf("%v fetches a day at costs of ¼, 1, 4 and 1", often)
	}
	if spent > in.Budget+1e-6 || spent < in.Budget-MostCost {
		t.Errorf("the plan costs %v of %v a day", spent, in.Budget)
	}
}

// What begins is what the bucket holds by cost, the most valuable first.
func TestStartByCost(t *testing.T) {
	rules := Default()
	bucket := plan.Bucket{PerDay: 10, Days: 0.1, At: monday} // 1
	due := make([]Due, 6)
	for i := range due {
		due[i] = Due{Instant: Instant{Feed: int64(i), At: monday, Value: float64(10 - i)}, Of: Feed{ID: int64(i), Cost: LeastCost}}
	}
	if s := rules.Start(monday, due, bucket, nil); len(s.Begin) != 4 || s.Room.IsZero() {
		t.Errorf("%d of six fetches that cost a quarter begin, more at %v", len(s.Begin), s.Room)
	}
	due[0].Of.Cost = MostCost
	if s := rules.Start(monday, due, bucket, nil); len(s.Begin) != 0 || !s.Room.After(monday) {
		t.Errorf("%d fetches begin before a more valuable one that costs 4, at %v", len(s.Begin), s.Room)
	}
	// A budget of one fetch a day pays for it once it is full.
	one := plan.Bucket{PerDay: 1, Days: 2, At: monday}
	if s := rules.Start(monday, due[:1], one, nil); len(s.Begin) != 1 {
		t.Error("a full bucket of two does not pay for a fetch that costs 4")
	}
}
