package lab

import (
	"os"
	"path/filepath"
	"testing"
)

// tables replays a table on the real traces, or on a few of their users.
func tables(b *testing.B, table string, users, weeks int) {
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		b.Skip("skipped: no traces")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	set, err := Read(Files{Posts: at("posts.csv.gz"), Access: at("access.csv.gz"), Panel: at("panel.csv"), Users: at("users.csv")})
	if err != nil {
		b.Fatal(err)
	}
	set = set.Sample(users)
	o, err := Protocol(table)
	if err != nil {
		b.Fatal(err)
	}
	if weeks > 0 {
		o.Weeks = weeks
	}
	for b.Loop() {
		if _, err := RunPaper(b.Context(), table, set, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(set.Users)), "users")
}

func BenchmarkTableSia(b *testing.B)      { tables(b, "sia", 0, 0) }
func BenchmarkTableHeParker(b *testing.B) { tables(b, "he-parker", 0, 0) }
func BenchmarkTableWindow(b *testing.B)   { tables(b, "window", 8, 0) }
func BenchmarkTablePolite(b *testing.B)   { tables(b, "polite", 0, 0) }
