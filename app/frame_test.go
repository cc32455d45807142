package app

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// What a key asks for is in the key's frame if it comes in time, and else follows; the frame
// waits for nothing twice.
func TestFrameWaitsForAnswers(t *testing.T) {
	win := test.NewTempApp(t).NewWindow("")
	synctest.Test(t, func(t *testing.T) {
		loop := make(chan func(), 20)
		f := newFrame(win, func(what func()) { loop <- what })
		run := func(what func()) { go what() }
		var shown []string
		ask := func(name string, after time.Duration, then func()) {
			f.soon(patienceRead, run, func() func() {
				<-time.After(after)
				return func() {
					shown = append(shown, name)
					if then != nil {
						then()
					}
				}
			})
		}
		begun := time.Now()
		check := func(what string, took time.Duration, want ...string) {
			t.Helper()
			f.begin()
			if !slices.Equal(shown, want) || time.Since(begun) != took {
				t.Errorf("%s: after %v %q is shown, want %q after %v", what, time.Since(begun), shown, want, took)
			}
			shown, begun = nil, time.Now()
		}

		ask("quick", 5*time.Millisecond, func() { ask("next", 5*time.Millisecond, nil) })
		check("an answer that asks on", 10*time.Millisecond, "quick", "next")
		ask("slow", 100*time.Millisecond, nil)
		check("a slow answer", patienceRead)
		ask("quick", 5*time.Millisecond, nil)
		check("beside a slow answer", 5*time.Millisecond, "quick")
		f.soon(patienceRead, run, func() func() { return nil })
		check("no answer", 0)
		f.soon(patienceWrite, run, func() func() { <-time.After(time.Second); return nil })
		check("what is written slowly", patienceWrite)
		ask("quick", 5*time.Millisecond, nil)
		f.soon(patienceWrite, run, func() func() { <-time.After(time.Second); return nil })
		check("what is written slowly beside a quick answer", patienceWrite, "quick")

		<-time.After(time.Second)
		synctest.Wait()
		for len(loop) > 0 {
			(<-loop)()
		}
		check("what came too late", time.Second, "slow")
		check("nothing", 0)
	})
}

// What is asked for together is shown together, in the order it was asked for.
func TestInOne(t *testing.T) {
	w, q := newTestWindow(t)
	var shown []int
	var one, two request
	go2 := make(chan struct{})
	answer := func(wait <-chan struct{}, v int) func(context.Context) (int, error) {
		return func(context.Context) (int, error) {
			<-wait
			return v, nil
		}
	}
	w.askTogether(func() {
		ask(w.jobs, &one, answer(go2, 1), func(v int) { shown = append(shown, v) })
		ask(w.jobs, &two, func(context.Context) (int, error) { close(go2); return 2, nil }, func(v int) { shown = append(shown, v) })
	}, func() { shown = append(shown, 3) })
	q.until("they are shown", func() bool { return len(shown) > 0 })
	if !slices.Equal(shown, []int{1, 2, 3}) {
		t.Errorf("shown are %v", shown)
	}
}

// A list that comes again without a change on screen is not painted again; what has
// changed is.
func TestSameList(t *testing.T) {
	w, q := newTestWindow(t)
	tl := w.timeline
	tl.list.Resize(fyne.NewSize(400, 2*timelineRowHeight))
	page := func() articlePage {
		p := articlePage{ids: slices.Clone(tl.ids)}
		for _, id := range tl.ids {
			p.rows = append(p.rows, *tl.rows[id])
		}
		return p
	}
	q.until("all rows are there", func() bool { return len(tl.rows) == 6 })
	if !tl.same(page()) {
		t.Error("nothing has changed")
	}
	below := page()
	below.rows[5].Read = true
	if !tl.same(below) {
		t.Error("a change below what is on screen")
	}
	for what, change := range map[string]func(*articlePage){
		"a row":           func(p *articlePage) { p.rows[1].Read = true },
		"a row less":      func(p *articlePage) { p.ids = p.ids[:5] },
		"another order":   func(p *articlePage) { slices.Reverse(p.ids) },
		"no row on hand":  func(p *articlePage) { p.rows = nil },
		"an empty list":   func(p *articlePage) { *p = articlePage{} },
		"another place":   func(*articlePage) { tl.pending = true },
		"another search":  func(*articlePage) { tl.anew = true },
		"a row not shown": func(*articlePage) { delete(tl.rows, tl.ids[0]) },
	} {
		p := page()
		change(&p)
		if tl.same(p) {
			t.Errorf("%s: the same", what)
		}
		tl.pending, tl.anew = false, false
		tl.take(below)
	}
}
