package async

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/test"
)

// The answer to a key press is in the frame of the key press if it is ready in time, and follows
// otherwise; a frame waits for no answer twice.
func TestFrameWaitsForAnswers(t *testing.T) {
	win := test.NewTempApp(t).NewWindow("")
	synctest.Test(t, func(t *testing.T) {
		loop := make(chan func(), 20)
		f := newFrame(win, func(what func()) { loop <- what })
		run := func(what func()) { go what() }
		var shown []string
		ask := func(name string, after time.Duration, then func()) {
			f.showSoon(readPatience, run, func() func() {
				<-time.After(after)
				return func() {
					shown = append(shown, name)
					if then != nil {
						then()
					}
				}
			})
		}
		began := time.Now()
		check := func(what string, took time.Duration, want ...string) {
			t.Helper()
			f.begin()
			if !slices.Equal(shown, want) || time.Since(began) != took {
				t.Errorf("%s: %q shown after %v, want %q after %v", what, shown, time.Since(began), want, took)
			}
			shown, began = nil, time.Now()
		}

		ask("quick", 5*time.Millisecond, func() { ask("next", 5*time.Millisecond, nil) })
		check("an answer that makes another request", 10*time.Millisecond, "quick", "next")
		ask("slow", 100*time.Millisecond, nil)
		check("a slow answer", readPatience)
		ask("quick", 5*time.Millisecond, nil)
		check("beside a slow answer", 5*time.Millisecond, "quick")
		f.showSoon(readPatience, run, func() func() { return nil })
		check("no answer", 0)
		f.showSoon(writePatience, run, func() func() { <-time.After(time.Second); return nil })
		check("a slow write", writePatience)
		ask("quick", 5*time.Millisecond, nil)
		f.showSoon(writePatience, run, func() func() { <-time.After(time.Second); return nil })
		check("a slow write beside a quick answer", writePatience, "quick")

		<-time.After(time.Second)
		synctest.Wait()
		for len(loop) > 0 {
			(<-loop)()
		}
		check("late answers", time.Second, "slow")
		check("nothing", 0)
	})
}

// What is requested together is shown together, in the order of the requests.
func TestTogether(t *testing.T) {
	loop := make(chan func(), 20)
	j := New(t.Context(), test.NewTempApp(t).NewWindow(""), func(f func()) { loop <- f })
	var shown []int
	var one, two Request
	loaded := make(chan struct{})
	j.LoadTogether(func() {
		Load(j, &one, func(context.Context) (int, error) { <-loaded; return 1, nil }, func(v int) { shown = append(shown, v) })
		Load(j, &two, func(context.Context) (int, error) { close(loaded); return 2, nil }, func(v int) { shown = append(shown, v) })
	}, func() { shown = append(shown, 3) })
	(<-loop)()
	if !slices.Equal(shown, []int{1, 2, 3}) {
		t.Errorf("shown: %v", shown)
	}
}

// Only the newest request of a kind is answered; errors go to one place.
func TestNewestRequestWins(t *testing.T) {
	loop := make(chan func(), 20)
	j := New(t.Context(), test.NewTempApp(t).NewWindow(""), func(f func()) { loop <- f })
	var failure error
	j.OnError = func(err error) { failure = err }
	var shown []string
	var r Request
	show := func(s string) { shown = append(shown, s) }
	old := make(chan struct{})
	Load(j, &r, func(ctx context.Context) (string, error) { <-ctx.Done(); close(old); return "old", nil }, show)
	Load(j, &r, func(context.Context) (string, error) { return "new", nil }, show)
	if n := j.Loading(); n != 1 {
		t.Errorf("%d requests are open beside a dropped one", n)
	}
	<-old
	(<-loop)()
	if !slices.Equal(shown, []string{"new"}) || failure != nil {
		t.Errorf("shown: %q, failure %v", shown, failure)
	}
	broken := errors.New("broken")
	Load(j, &r, func(context.Context) (string, error) { return "", broken }, show)
	(<-loop)()
	if len(shown) != 1 || failure != broken {
		t.Errorf("after a failure: shown %q, failure %v", shown, failure)
	}
	if r.Stop(); j.Loading() != 0 {
		t.Errorf("%d requests are open after all were answered", j.Loading())
	}
}
