package poller

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// placed is a dispatcher with so many places that leaves no spaces.
func placed(limit int) (d *dispatcher, start time.Time) {
	return newDispatcher(limit, func(string) time.Duration { return 0 }, time.Now), time.Now()
}

// Forty servers that say nothing do not hold up the one behind them.
func TestWhoBringsNothingHasNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, start := placed(32)
		for i := range 40 {
			d.add(task{ctx: t.Context(), group: fmt.Sprint("hangs ", i), transfer: new(transfer), run: func() bool {
				<-time.After(time.Minute)
				return true
			}})
		}
		var began time.Duration
		d.add(task{ctx: t.Context(), group: "feed", transfer: new(transfer), run: func() bool {
			began = time.Since(start)
			return true
		}})
		d.wait()
		if began > 2*lookEvery {
			t.Errorf("it began after %s", began)
		}
		if took := time.Since(start); took > time.Minute+2*lookEvery {
			t.Errorf("all ended after %s", took)
		}
	})
}

// Those that bring what they should keep their places, however long it takes; those that
// do so again after a pause have theirs back.
func TestWhoBringsKeepsItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, start := placed(2)
		brings := func(group string, rests int) {
			brought := new(transfer)
			d.add(task{ctx: t.Context(), group: group, transfer: brought, run: func() bool {
				for i := range 100 { // ten seconds
					if i < rests || i >= 2*rests {
						brought.bytes.Add(2 * leastRate / 10)
					}
					<-time.After(100 * time.Millisecond)
				}
				return true
			}})
		}
		brings("steady", 0)
		brings("pauses", 30) // after three seconds, for three
		var began sync.Map
		for _, group := range []string{"first", "second", "third"} {
			d.add(task{ctx: t.Context(), group: group, run: func() bool {
				began.Store(group, time.Since(start))
				<-time.After(2500 * time.Millisecond)
				return true
			}})
		}
		d.wait()
		for group, want := range map[string][2]time.Duration{
			"first":  {3 * time.Second, 3*time.Second + 2*lookEvery}, // in the pause
			"second": {3 * time.Second, 4 * time.Second},             // and as the first brings nothing
			"third":  {3 * time.Second, 5 * time.Second},
		} {
			if at, _ := began.Load(group); at.(time.Duration) < want[0] || at.(time.Duration) > want[1] {
				t.Errorf("the %s began after %s, not after %s to %s", group, at, want[0], want[1])
			}
		}
		if len(d.places.out) != 0 {
			t.Errorf("%d places are taken by nobody", len(d.places.out))
		}
	})
}

// On a thin and slow line, where everybody brings nothing for two seconds and then little, few
// more are out at once than there are places.
func TestSlowNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, start := placed(32)
		var mu sync.Mutex
		out, most := 0, 0
		for i := range 500 {
			brought := new(transfer)
			d.add(task{ctx: t.Context(), group: fmt.Sprint(i), transfer: brought, run: func() bool {
				mu.Lock()
				out++
				most = max(most, out)
				mu.Unlock()
				<-time.After(2 * time.Second)
				for range 100 { // 60 kB at 6 kB/s
					brought.bytes.Add(600)
					<-time.After(100 * time.Millisecond)
				}
				mu.Lock()
				out--
				mu.Unlock()
				return true
			}})
		}
		d.wait()
		if most < 33 || most > 32+givenAtOnce*11 {
			t.Errorf("%d at once", most)
		}
		t.Logf("%d at once at most, all in %s", most, time.Since(start))
	})
}

// There is an end to it.
func TestMostOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := placed(32)
		var mu sync.Mutex
		out, most := 0, 0
		for i := range 2 * mostOut {
			d.add(task{ctx: t.Context(), group: fmt.Sprint(i), run: func() bool {
				mu.Lock()
				out++
				most = max(most, out)
				mu.Unlock()
				<-time.After(time.Minute)
				mu.Lock()
				defer mu.Unlock()
				out--
				return true
			}})
			synctest.Wait()
		}
		d.wait()
		if most != mostOut {
			t.Errorf("%d at once", most)
		}
	})
}
