package dispatch

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newUnspaced returns a queue that leaves no space between requests.
func newUnspaced(slots int) (q *Queue, start time.Time) {
	return New(Options{Slots: slots, Spacing: func(string) time.Duration { return 0 }, Now: time.Now}), time.Now()
}

// Forty servers that send nothing do not hold up the one behind them.
func TestStalledTasksLoseTheirSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, start := newUnspaced(32)
		for i := range 40 {
			q.Add(Task{Context: t.Context(), Group: fmt.Sprint("hangs ", i), Transfer: new(Transfer), Run: func() bool {
				<-time.After(time.Minute)
				return true
			}})
		}
		var began time.Duration
		q.Add(Task{Context: t.Context(), Group: "feed", Transfer: new(Transfer), Run: func() bool {
			began = time.Since(start)
			return true
		}})
		q.Wait()
		if began > 2*checkEvery {
			t.Errorf("it began after %s", began)
		}
		if took := time.Since(start); took > time.Minute+2*checkEvery {
			t.Errorf("all ended after %s", took)
		}
	})
}

// Tasks that receive enough keep their slots, however long they take; those that receive
// again after a pause get theirs back.
func TestReceivingTasksKeepTheirSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, start := newUnspaced(2)
		receive := func(group string, pause int) {
			transfer := new(Transfer)
			q.Add(Task{Context: t.Context(), Group: group, Transfer: transfer, Run: func() bool {
				for i := range 100 { // ten seconds
					if i < pause || i >= 2*pause {
						transfer.Bytes.Add(2 * minRate / 10)
					}
					<-time.After(100 * time.Millisecond)
				}
				return true
			}})
		}
		receive("steady", 0)
		receive("pauses", 30) // after three seconds, for three
		var began sync.Map
		for _, group := range []string{"first", "second", "third"} {
			q.Add(Task{Context: t.Context(), Group: group, Run: func() bool {
				began.Store(group, time.Since(start))
				<-time.After(2500 * time.Millisecond)
				return true
			}})
		}
		q.Wait()
		for group, want := range map[string][2]time.Duration{
			"first":  {3 * time.Second, 3*time.Second + 2*checkEvery}, // in the pause
			"second": {3 * time.Second, 4 * time.Second},              // and because the first receives nothing
			"third":  {3 * time.Second, 5 * time.Second},
		} {
			if at, _ := began.Load(group); at.(time.Duration) < want[0] || at.(time.Duration) > want[1] {
				t.Errorf("the %s began after %s, not after %s to %s", group, at, want[0], want[1])
			}
		}
		if len(q.slots.taken) != 0 {
			t.Errorf("%d slots are taken by no task", len(q.slots.taken))
		}
	})
}

// On a slow network, where every task receives nothing for two seconds and then little, only a
// few more run at once than there are slots.
func TestSlowNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, start := newUnspaced(32)
		var mu sync.Mutex
		running, most := 0, 0
		for i := range 500 {
			transfer := new(Transfer)
			q.Add(Task{Context: t.Context(), Group: fmt.Sprint(i), Transfer: transfer, Run: func() bool {
				mu.Lock()
				running++
				most = max(most, running)
				mu.Unlock()
				<-time.After(2 * time.Second)
				for range 100 { // 60 kB at 6 kB/s
					transfer.Bytes.Add(600)
					<-time.After(100 * time.Millisecond)
				}
				mu.Lock()
				running--
				mu.Unlock()
				return true
			}})
		}
		q.Wait()
		if most < 33 || most > 32+lentAtOnce*11 {
			t.Errorf("%d at once", most)
		}
		t.Logf("%d at once at most, all in %s", most, time.Since(start))
	})
}

func TestMaxRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, _ := newUnspaced(32)
		var mu sync.Mutex
		running, most := 0, 0
		for i := range 2 * maxRunning {
			q.Add(Task{Context: t.Context(), Group: fmt.Sprint(i), Run: func() bool {
				mu.Lock()
				running++
				most = max(most, running)
				mu.Unlock()
				<-time.After(time.Minute)
				mu.Lock()
				defer mu.Unlock()
				running--
				return true
			}})
			synctest.Wait()
		}
		q.Wait()
		if most != maxRunning {
			t.Errorf("%d at once", most)
		}
	})
}
