package papers

import (
	"testing"

	"kairos/poller/lab/labtest"
)

// benchmarkTable replays a table on the real traces, or on a sample of their users.
func benchmarkTable(b *testing.B, table string, users int) {
	set := labtest.Panel(b, users)
	p, err := Protocol(table)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Run(b.Context(), table, set, p, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(set.Users)), "users")
}

func BenchmarkTableSia(b *testing.B)      { benchmarkTable(b, "sia", 0) }
func BenchmarkTableHeParker(b *testing.B) { benchmarkTable(b, "he-parker", 0) }
func BenchmarkTableWindow(b *testing.B)   { benchmarkTable(b, "window", 8) }
func BenchmarkTablePolite(b *testing.B)   { benchmarkTable(b, "polite", 0) }
