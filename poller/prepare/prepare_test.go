package prepare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kairos/poller/prepare/preparetest"
)

func ids(all []Candidate) (ids []int64) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestChoosesByChanceForCost(t *testing.T) {
	all := []Candidate{{ID: 1, Chance: 0.5, Bytes: 1 << 20, Requests: 6}, {ID: 2, Chance: 0.4, Bytes: 1 << 18, Requests: 6},
		{ID: 3, Chance: 0.01, Bytes: 1 << 20, Requests: 6}, {ID: 4, Chance: 0, Bytes: 1}, {ID: 5, Chance: 0.4, Bytes: 1 << 18, Requests: 6}}
	if got := ids(Choose(all, 0, Allowance{math.MaxFloat64, 100})); !slices.Equal(got, []int64{2, 5, 1, 3}) {
		t.Errorf("all: %v", got)
	}
	if got := ids(Choose(all, 0.1, Allowance{math.MaxFloat64, 100})); !slices.Equal(got, []int64{2, 5, 1}) {
		t.Errorf("those that are worth it: %v", got)
	}
	if got := ids(Choose(all, 0, Allowance{math.MaxFloat64, 12})); !slices.Equal(got, []int64{2, 5}) {
		t.Errorf("by requests: %v", got)
	}
	if got := ids(Choose(all, 0, Allowance{400 << 10, 100})); !slices.Equal(got, []int64{2}) {
		t.Errorf("by bytes: %v", got)
	}
}

func TestChoosesWithinTheAllowance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var all []Candidate
		for i := range random.IntN(50) {
			all = append(all, Candidate{int64(i), random.Float64(), 1e6 * random.Float64(), random.IntN(8)})
		}
		left, bytes, requests := Allowance{5e6 * random.Float64(), random.IntN(60)}, 0.0, 0
		for _, c := range Choose(all, 0.2, left) {
			bytes, requests = bytes+c.Cost(), requests+c.Requests
			if c.Worth() < 0.2 {
				t.Fatalf("%+v is worth %v", c, c.Worth())
			}
		}
		if bytes > left.Bytes || requests > left.Requests {
			t.Fatalf("%v bytes, %d requests of %+v", bytes, requests, left)
		}
	}
}

func TestNumbersThatAreNone(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		c := Candidate{Chance: x, Bytes: x, Requests: -3}
		if w := c.Worth(); w != 0 {
			t.Errorf("%v: worth %v", x, w)
		}
		if f := Faded(x, -2); f != 0 {
			t.Errorf("%v: faded %v", x, f)
		}
		h := History{}
		h.Came(x, x)
		h.Opened(x, true)
		if least := h.Least(x); !(least >= 0) {
			t.Errorf("%v: least %v", x, least)
		}
	}
}

func TestLeastIsAQuantileOfWhatWasOpened(t *testing.T) {
	h, random := History{}, rand.New(rand.NewPCG(5, 6))
	if least := h.Least(Goal); least != 0 {
		t.Errorf("nothing is known: %v", least)
	}
	var worths []float64
	for range 4000 {
		w := math.Exp(2 * random.NormFloat64())
		worths = append(worths, w)
		h.Came(w, 1e5)
		h.Opened(w, random.IntN(2) == 0)
	}
	slices.Sort(worths)
	for _, goal := range []float64{0.5, 0.8, 0.93} {
		want := worths[int((1-goal)*float64(len(worths)))]
		if got := h.Least(goal); math.Abs(math.Log(got/want)) > 0.15 {
			t.Errorf("goal %v: %v, not %v", goal, got, want)
		}
	}
	for goal, before := 0.0, math.Inf(1); goal <= 1; goal += 0.01 {
		least := h.Least(goal)
		if least > before {
			t.Fatalf("goal %v needs %v, more than a lower goal", goal, least)
		}
		before = least
	}
}

func TestCurveRises(t *testing.T) {
	h := History{}
	if h.Curve() != nil {
		t.Error("a curve of nothing")
	}
	for i := range 50 {
		h.Came(float64(i), 1000)
		if i%3 == 0 {
			h.Opened(float64(i), true)
		}
	}
	curve := h.Curve()
	for i, p := range curve[1:] {
		if p.Share < curve[i].Share || p.Bytes < curve[i].Bytes || p.Least >= curve[i].Least {
			t.Errorf("%+v after %+v", p, curve[i])
		}
	}
	if last := curve[len(curve)-1]; last.Share != 1 || last.Bytes != 50_000 {
		t.Errorf("everything: %+v", last)
	}
}

// The curve says of the bytes that were spent what they brought, and of none and all others no nonsense.
func TestCurveThroughWhatWasAchieved(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 34))
	for range 2000 {
		h := History{}
		for range random.IntN(40) {
			worth := math.Exp(4 * random.NormFloat64())
			h.Came(worth, 1e6*random.Float64())
			if random.IntN(3) == 0 {
				h.Opened(worth, true)
			}
		}
		curve := h.Curve()
		bytes, share := 2e7*random.Float64()*float64(random.IntN(2)), random.Float64()
		if random.IntN(5) == 0 {
			share = float64(random.IntN(2))
		}
		drawn := Through(curve, bytes, share)
		if curve == nil {
			if drawn != nil {
				t.Fatal("a curve of nothing")
			}
			continue
		}
		if got := ShareAt(drawn, bytes); math.Abs(got-share) > 1e-9 {
			t.Fatalf("with %v bytes %v instead of %v: %v", bytes, got, share, drawn)
		}
		for i, p := range drawn {
			if !(p.Share >= 0 && p.Share <= 1) || i > 0 && (p.Share < drawn[i-1].Share-1e-12 || p.Bytes < drawn[i-1].Bytes || p.Least > drawn[i-1].Least) {
				t.Fatalf("%+v of %v through %v, %v", p, curve, bytes, share)
			}
		}
		if all, last := curve[len(curve)-1], drawn[len(drawn)-1]; all.Bytes > bytes && ShareAt(curve, bytes) < 1 && math.Abs(last.Share-1) > 1e-9 {
			t.Fatalf("everything brings %v", last.Share)
		}
	}
}

func TestCostFollowsTheFeed(t *testing.T) {
	var c Cost
	if c.PageBytes() != usualPage || c.PictureBytes() != usualPicture {
		t.Errorf("at first %v, %v", c.PageBytes(), c.PictureBytes())
	}
	for range 100 {
		c.SawPage(30_000)
		c.SawPicture(-5)
	}
	if got := c.PageBytes(); got < 30_000 || got > 40_000 {
		t.Errorf("pages of 30 kB are expected to take %v", got)
	}
	if got := c.PictureBytes(); got < 0 || got > 10_000 {
		t.Errorf("empty pictures are expected to take %v", got)
	}
}

// What was prepared reaches the goal nearly, for less than half as much again as who knows the probabilities.
func TestMonth(t *testing.T) {
	for seed := range uint64(2) {
		sites, posts := preparetest.Month(seed, 100)
		got, curve := learned(sites, posts, Goal)
		best := preparetest.Knowing(sites, posts, got.Share())
		if got.Share() < 0.87 || got.Bytes > 1.6*best.Bytes || len(curve) < 10 {
			t.Errorf("%d: %.3f whole for %.2f times the bytes, %d points", seed, got.Share(), got.Bytes/best.Bytes, len(curve))
		}
	}
}
