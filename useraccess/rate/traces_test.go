package rate

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"testing"
	"time"
)

// readSeries reads a table of source and Unix seconds.
func readSeries(t *testing.T, name string) map[string][]time.Time {
	t.Helper()
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		t.Skip("skipped: KAIROS_TRACES is not set")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, table := map[string][]time.Time{}, csv.NewReader(z)
	for {
		line, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, err := strconv.ParseFloat(line[1], 64); err == nil {
			all[line[0]] = append(all[line[0]], time.Unix(int64(s), 0))
		}
	}
	return all
}

// logLikelihood returns that of events under hourly levels from start on.
func logLikelihood(levels []float64, start time.Time, events []time.Time) (l float64) {
	for _, e := range events {
		l += math.Log(levels[int(e.Sub(start)/time.Hour)])
	}
	return l - sum(levels)
}

func between(events []time.Time, from, to time.Time) []time.Time {
	i := sort.Search(len(events), func(i int) bool { return !events[i].Before(from) })
	j := sort.Search(len(events), func(i int) bool { return !events[i].Before(to) })
	return events[i:j]
}

// On real posts and accesses the posterior predicts the next four weeks better than the source's own
// mean rate, and better than its hourly histogram with the best floor.
func TestPosteriorPredictsRealWeeks(t *testing.T) {
	end := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		file  string
		prior Prior
		half  time.Duration
		gain  float64 // nats per event over the mean rate
	}{{"posts.csv.gz", FeedPrior, FeedHalfLife, 0.1}, {"access.csv.gz", AccessPrior, AccessHalfLife, 0.15}} {
		start := end.AddDate(0, 0, -28)
		var ours, flat, events float64
		histogram := make([]float64, 5)
		for _, all := range readSeries(t, c.file) {
			slices.SortFunc(all, time.Time.Compare)
			from := start.AddDate(0, 0, -42)
			var y Tally
			y.Add(time.UTC, c.half, from, start, between(all, from, start)...)
			next := between(all, start, end)
			weight := 1 / math.Max(10, float64(len(next))) // so that sources count alike
			q := y.Posterior(c.prior)
			level := Profile{}
			for h := range Hours {
				level.Weekday[h], level.Weekend[h] = q.Mean(), q.Mean()
			}
			ours += weight * logLikelihood(q.Sample(start, time.Hour, 28*24, nil), start, next)
			flat += weight * logLikelihood(level.Sample(start, time.Hour, 28*24, nil), start, next)
			events += weight * float64(len(next))
			for i := range histogram {
				floor := math.Pow(10, -float64(i+1))
				var raw Profile
				for h := range Hours {
					own := (y.Count[0][h] + y.Count[1][h]) / (y.Watch[0][h] + y.Watch[1][h])
					raw.Weekday[h] = math.Max(floor*q.Mean(), own)
					raw.Weekend[h] = raw.Weekday[h]
				}
				histogram[i] += weight * logLikelihood(raw.Sample(start, time.Hour, 28*24, nil), start, next)
			}
		}
		best := slices.Max(histogram)
		t.Logf("%s: nats per event over the mean rate: posterior %.3f, histogram %.3f", c.file, (ours-flat)/events, (best-flat)/events)
		if ours < flat+c.gain*events || ours < best {
			t.Errorf("%s: log likelihood %v, of the mean rate %v, of the histogram %v", c.file, ours, flat, best)
		}
	}
}

// After a real access the outlook predicts the next hours better than the profile alone.
func TestOutlookPredictsRealHours(t *testing.T) {
	end := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	const bin, bins = 15 * time.Minute, 24
	var ours, plain, seen float64
	for _, all := range readSeries(t, "access.csv.gz") {
		slices.SortFunc(all, time.Time.Compare)
		start := end.AddDate(0, 0, -28)
		var y Tally
		y.Add(time.UTC, AccessHalfLife, start.AddDate(0, 0, -42), start, between(all, start.AddDate(0, 0, -42), start)...)
		o, next := y.Outlook(AccessPrior), between(all, start, end)
		weight := 1 / math.Max(10, float64(len(next)))
		for _, a := range next {
			from := a.Add(10 * time.Minute)
			o.Last = a
			follow := between(all, from, from.Add(bin*bins))
			a, b := o.Sample(from, bin, bins, nil), o.Usual.Sample(from, bin, bins, nil)
			ours -= weight * sum(a) * bin.Hours()
			plain -= weight * sum(b) * bin.Hours()
			for _, f := range follow {
				k := min(int(f.Sub(from)/bin), bins-1)
				ours, plain, seen = ours+weight*math.Log(a[k]), plain+weight*math.Log(b[k]), seen+weight
			}
		}
	}
	gain := (ours - plain) / seen
	t.Logf("nats per access within the next six hours over the profile: %.2f", gain)
	if gain < 0.2 {
		t.Errorf("the outlook gains %.3f nats over the profile", gain)
	}
}
