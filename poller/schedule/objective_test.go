package schedule

import (
	"math"
	"testing"

	"kairos/poller/plan"
)

// Where articles alone count, a feed that posts once in ten days has next to nothing of the budget beside one that posts every
// day; with rarity it has more, and what it may count is bounded, for one that never posts, too.
func TestRarity(t *testing.T) {
	fetches := func(c plan.Cycle) float64 { return float64(len(c.At)) / float64(c.Every) }
	day := func(rarity float64) (slow, busy float64) {
		in := steady(0.1/24, 1.0/24)
		in.Method, in.Budget, in.Bucket = plan.Kairos, 12, full(12)
		for i := range in.Feeds {
			in.Feeds[i].Interest = 0.5
		}
		rules := Rules{Silent: 1 << 62, Dormant: 1 << 62, Kairos: Objective{Waiting: plan.Waiting{NotReady: true}, Interest: true, Rarity: rarity}}
		pl, err := New(rules).Preview(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return fetches(pl.Feeds[0].Cycle), fetches(pl.Feeds[1].Cycle)
	}
	slow, busy := day(0)
	rare, usual := day(0.4)
	if !(rare > slow) || !(usual < busy) || !(usual > rare) {
		t.Errorf("fetches a day of the slow and the busy feed: %.2f and %.2f by articles, %.2f and %.2f by rarity", slow, busy, rare, usual)
	}
	o := Objective{Rarity: 0.4}
	if most := o.rarity(0); most > 13 || math.IsNaN(most) {
		t.Errorf("an article of a feed that never posts counts %v times", most)
	}
	if least := o.rarity(1000); least < 1 || least > 1.001 {
		t.Errorf("an article of a feed of a thousand a day counts %v times", least)
	}
}
