package poller

import (
	"database/sql"
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"kairos/reader"
)

func BenchmarkReplan500(b *testing.B)   { benchmarkReplan(b, 500) }
func BenchmarkReplan10000(b *testing.B) { benchmarkReplan(b, 10_000) }

// benchmarkReplan plans so many feeds again, none of which has been fetched since. The first plan
// (first-s, its processor time first-cpu-s) splits the budget and stores all instants; peak-MB is
// the most memory that it took beside what was there before.
func benchmarkReplan(b *testing.B, feeds int) {
	p, _, done := openBench(b)
	defer done()
	learnedBench(b, p, feeds)
	debug.FreeOSMemory()
	clearPeak()
	start, cpu, before := time.Now(), cpuTime(), peak()
	replan := func() {
		if err := p.planner.replan(b.Context(), p.now(), ""); err != nil {
			b.Fatal(err)
		}
	}
	replan()
	first, firstCPU, most := time.Since(start), cpuTime()-cpu, peak()-before
	plans := 0
	cpu = cpuTime()
	for b.Loop() {
		replan()
		plans++
	}
	b.ReportMetric((cpuTime()-cpu).Seconds()/float64(plans), "cpu-s")
	b.ReportMetric(first.Seconds(), "first-s")
	b.ReportMetric(firstCPU.Seconds(), "first-cpu-s")
	b.ReportMetric(most, "first-peak-MB")
}

// learnedBench subscribes feeds of which the last 30 items are known, posted every hour by the
// busiest and every seven months by the calmest.
func learnedBench(b *testing.B, p *Poller, feeds int) {
	b.Helper()
	address := func(i int) string { return fmt.Sprintf("http://site%d.example/feed", i) }
	err := p.store.Write(b.Context(), func(tx *sql.Tx) error {
		for i := range feeds {
			id, err := reader.Subscribe(b.Context(), tx, reader.Feed{URL: address(i)}, p.now())
			if err != nil {
				return err
			}
			s := State{subject: id, address: address(i), Tried: monday, Fetched: monday}
			x := 500 * i / feeds
			var dates []time.Time
			for k := range 30 {
				dates = append(dates, monday.Add(-time.Duration(k*(1+x*x/50))*time.Hour-time.Minute))
			}
			s.posts.Document(monday, dates, 30)
			if err := s.write(b.Context(), tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
