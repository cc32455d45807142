package insights

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets/chart"
)

// BenchmarkOpen measures the page with 300 feeds and a year of history: the time until its first chart and until everything
// is known, and the longest time for which it holds up the window.
func BenchmarkOpen(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(look.New(look.Light))
	ctx, stop := context.WithCancel(b.Context())
	h := hometest.Open(ctx, b)
	hometest.Live(ctx, b, h, hometest.History{Feeds: 300, Days: 365})
	o := newOpened(b, ctx, h, fyne.NewSize(1000, 700))
	defer func() {
		stop()
		o.Wait()
		h.Close()
	}()
	var first, all, longest time.Duration
	for b.Loop() {
		h.Insights.Forget()
		begin, shown := time.Now(), false
		do := func(f func()) {
			at := time.Now()
			f()
			longest = max(longest, time.Since(at))
		}
		do(o.Open)
		for strings.Contains(strings.Join(o.Texts(), "\n"), "Computing…") {
			do(o.queue.Next())
			if !shown && o.Focusable() != nil {
				shown = true
				first += time.Since(begin)
			}
		}
		all += time.Since(begin)
		o.Close()
	}
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "ms-first")
	b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "ms-all")
	b.ReportMetric(float64(longest.Milliseconds()), "ms-longest-pause")
}

// A closed page lets go of what it showed at once. Fyne keeps a widget for a minute after it was painted last, and the
// picture of a chart with it: somebody who looks at the page again and again would fill the memory.
func TestClosedPageIsFreed(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	o.win.Canvas().Capture()
	freed, shown := 0, 0
	add := o.queue.Add
	count := func(add func(func())) { add(func() { freed++ }) }
	watch := func(p chart.Plot) int {
		switch p := p.(type) {
		case *chart.Bars:
			runtime.AddCleanup(p, count, add)
		case *chart.Lines:
			runtime.AddCleanup(p, count, add)
		case *chart.Heat:
			runtime.AddCleanup(p, count, add)
		case *chart.Timeline:
			runtime.AddCleanup(p, count, add)
		default:
			return 0
		}
		return 1
	}
	for range 3 {
		promise, habits, day, predicted := o.sections[0].(*promise), o.sections[1].(*habits), o.sections[2].(*day), o.sections[5].(*calibration)
		for _, c := range []*chart.Chart{promise.compared, habits.levels, habits.weeks, day.chart, predicted.articles, predicted.visits} {
			shown += watch(c.Plot())
		}
		o.Close()
		o.Open()
		o.loaded()
	}
	o.Close()
	runtime.GC()
	o.queue.Until("all charts are freed", func() bool { return freed == shown })
	if shown != 18 {
		t.Errorf("%d charts were shown", shown)
	}
}
