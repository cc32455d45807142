package session

import (
	"testing"
	"time"
)

func TestGlance(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Unix(1e9, 0).Add(time.Duration(seconds * float64(time.Second)))
	}
	type step struct {
		article int64
		at      time.Time
		walked  bool
	}
	for name, c := range map[string]struct {
		steps []step
		want  []int64
	}{
		"one by one":                {[]step{{1, at(0), true}, {2, at(1), true}, {3, at(2.9), true}}, []int64{0, 1, 2}},
		"a key held down":           {[]step{{1, at(0), true}, {2, at(0.05), true}, {3, at(0.1), true}}, []int64{0, 0, 0}},
		"it stayed":                 {[]step{{1, at(0), true}, {2, at(2), true}}, []int64{0, 0}},
		"another feed was chosen":   {[]step{{1, at(0), true}, {2, at(1), false}}, []int64{0, 0}},
		"the same again":            {[]step{{1, at(0), true}, {1, at(1), true}, {2, at(1.5), true}}, []int64{0, 0, 1}},
		"the clock was set back":    {[]step{{1, at(0), true}, {2, at(-3600), true}, {3, at(-3599), true}}, []int64{0, 0, 2}},
		"the clock was set forward": {[]step{{1, at(0), true}, {2, at(1e6), true}}, []int64{0, 0}},
	} {
		var g Glance
		for k, s := range c.steps {
			if got := g.Show(s.article, s.at, s.walked); got != c.want[k] {
				t.Errorf("%s: step %d tells that %d was passed over, want %d", name, k, got, c.want[k])
			}
		}
	}
	g := Glance{1, at(0)}
	if g.Leave(); g.Show(2, at(1), true) != 0 {
		t.Error("what was left was passed over")
	}
}
