package lab_test

import (
	"testing"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
)

// reader is a policy whose every fetch depends on all that was read and on all signs of presence.
type reader struct{}

func (r *reader) Step(v *lab.View) (fetch []int, next int64, err error) {
	sum := int64(0)
	for _, x := range v.Readings() {
		sum += x.At%977 + int64(x.Read*31+x.Passed*7+x.Feed)
	}
	for _, s := range v.Presence() {
		sum += s.At % 479
	}
	feed := int(sum % int64(v.Feeds()))
	return []int{feed}, v.Now() + 1 + sum%7200, nil
}

func (*reader) Fetched(*lab.View, int) bool { return false }

// What was read and the signs of presence are of the past: another future changes nothing of them.
func TestReadingsAndSignsIgnoreTheFuture(t *testing.T) {
	policy := lab.Policy{Name: "reader", OwnPace: true, StartLoop: func(*lab.View, float64) lab.Loop { return &reader{} }}
	set := labtest.Small()
	set.DealPresence(traces.UsualPresence)
	protocol := lab.Protocol{Warmup: 14 * day, Weeks: 1, Relearn: day}
	for _, after := range []int64{3600, 86400 + 1234, 4*86400 + 77} {
		labtest.CheckIgnoresFuture(t, set, &set.Users[0], protocol, policy, after, 0)
	}
	// The same fetches with other readings would be noticed.
	w := lab.NewWorld(set, &set.Users[0], protocol)
	protocol.Readings = &lab.Readings{Exponent: 0, Taste: 1.2}
	other := lab.NewWorld(set, &set.Users[0], protocol)
	a, err := w.Fetches(t.Context(), policy, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := other.Fetches(t.Context(), policy, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(a[0]) == len(b[0]) && len(a[1]) == len(b[1]) && len(a[2]) == len(b[2]) {
		t.Error("what is read changes nothing")
	}
}
