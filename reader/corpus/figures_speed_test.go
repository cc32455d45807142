package corpus

import (
	"fmt"
	"testing"
	"time"
)

// wellFormed returns the real feeds that need no repair.
func wellFormed(t testing.TB) (feeds []file, size int) {
	for _, f := range load(t, "realworld") {
		if feed, err := read(f.body); err == nil && len(feed.Warnings) == 0 {
			feeds, size = append(feeds, f), size+len(f.body)
		}
	}
	return feeds, size
}

// speed measures how many bytes of well-formed feeds are read per second of processor time.
func speed(t *testing.T) line {
	feeds, size := wellFormed(t)
	best := 0.0
	for range 3 {
		start := cpuTime()
		for _, f := range feeds {
			_, _ = read(f.body)
		}
		best = max(best, float64(size)/1e6/max(cpuTime()-start, time.Millisecond).Seconds())
	}
	return line{developed: fmt.Sprintf("%.1f MB/s", best), met: best >= 8, timed: true}
}

// BenchmarkParse reads well-formed real feeds. With -cpu 1 its second figure is the
// speed of one core, whatever the load of the machine.
func BenchmarkParse(b *testing.B) {
	feeds, size := wellFormed(b)
	b.SetBytes(int64(size))
	start := cpuTime()
	for b.Loop() {
		for _, f := range feeds {
			_, _ = read(f.body)
		}
	}
	b.ReportMetric(float64(b.N)*float64(size)/1e6/(cpuTime()-start).Seconds(), "MB/cpu-s")
}
