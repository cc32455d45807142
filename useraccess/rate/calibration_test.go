package rate

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// panelOf returns the people of a half of the panel, with their zones.
func panelOf(t *testing.T, half uint32) map[string]*time.Location {
	t.Helper()
	table := func(name string) [][]string {
		f, err := os.Open(filepath.Join(os.Getenv("KAIROS_TRACES"), name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return lines[1:]
	}
	zones := map[string]*time.Location{}
	for _, line := range table("panel.csv") {
		h := fnv.New32a()
		h.Write([]byte(line[0])) //nolint:errcheck // a hash cannot fail
		x := h.Sum32()
		if x ^= x >> 16; 1+x&1 == half {
			zones[line[0]] = time.UTC
		}
	}
	for _, line := range table("users.csv") {
		if minutes, err := strconv.Atoi(line[2]); err == nil && zones[line[0]] != nil {
			zones[line[0]] = time.FixedZone("", 60*minutes)
		}
	}
	return zones
}

// fit is how many events were expected and came.
type fit struct{ expected, came float64 }

func (f *fit) add(expected, came float64) { f.expected, f.came = f.expected+expected, f.came+came }

func (f fit) String() string { return fmt.Sprintf("%5.2f (%4.0f)", f.expected/f.came, f.came) }

// off reports whether the fit is off by more than a tenth and twice what chance may add.
func (f fit) off() bool { return math.Abs(f.expected-f.came) > 0.1*f.came+2*math.Sqrt(f.came+1) }

var (
	sinceBands = []float64{0, hazardStart, 0.5, 1, 2, 4, 8, 12, 24, 48, math.Inf(1)}
	dayParts   = []float64{0, 6, 9, 12, 15, 18, 21, 24}
	heads      = []float64{1, 4, 12, 24, 48}
	lengths    = []float64{0.5, 1, 2, 4, 8, 16, 24}
)

func placeOf(x float64, bounds []float64) int {
	k, found := slices.BinarySearch(bounds, x)
	if found {
		return k
	}
	return k - 1
}

// calibration compares outlooks with what came.
type calibration struct {
	since                [10]fit    // in the coming quarter of an hour, by the hours since the last access
	part                 [7]fit     // by the part of the day
	ahead                [10][5]fit // from each plan on, by the hours since the last access then, and by how far ahead
	some                 [7]fit     // whether any comes, by the length of the time
	likelihood, accesses float64
	every, plans         int // of how many plans one is compared as far as it reaches, and how many there were
}

// person replays somebody: a plan at each access and every four hours, from two weeks after start on.
func (c *calibration) person(accesses []time.Time, start, end time.Time, zone *time.Location) {
	count := func(from, to time.Time) float64 { return float64(len(between(accesses, from, to))) }
	var v Visits
	v.UpTo = start
	const step = 15 * time.Minute
	measured := start.AddDate(0, 0, 14)
	next := between(accesses, start, end)
	for now, at := start, start; now.Before(end); {
		o, until := v.Outlook(now.In(zone)), now.Add(replanned)
		came := len(next) > 0 && !next[0].After(until)
		if came {
			until = next[0]
		}
		for ; !at.After(until) && at.Before(end); at = at.Add(step) {
			if at.Before(measured) || o.Last.IsZero() {
				continue
			}
			expected, n := o.Sample(at, step, 1, zone)[0]*step.Hours(), count(at, at.Add(step))
			clock := at.In(zone)
			c.since[placeOf(at.Sub(o.Last).Hours(), sinceBands)].add(expected, n)
			c.part[placeOf(float64(clock.Hour())+float64(clock.Minute())/60, dayParts)].add(expected, n)
			c.likelihood -= expected
			if n > 0 {
				c.likelihood, c.accesses = c.likelihood+n*math.Log(expected), c.accesses+n
			}
		}
		if c.plans++; c.plans%c.every == 0 && !now.Before(measured) && !o.Last.IsZero() && now.Before(end.AddDate(0, 0, -3)) {
			c.plan(&o, now, zone, count)
		}
		if now = until; came {
			v.Add(next[0].In(zone))
			now, next = next[0].Add(time.Second), next[1:]
		}
	}
}

func (c *calibration) plan(o *Outlook, now time.Time, zone *time.Location, count func(from, to time.Time) float64) {
	const bins = 72 * 4
	rates, starts := o.Sample(now, 15*time.Minute, bins, zone), o.Starts(now, 15*time.Minute, bins, zone)
	after := func(hours float64) time.Time { return now.Add(time.Duration(hours*float64(time.Hour)) + 1) }
	band := placeOf(now.Sub(o.Last).Hours(), sinceBands)
	for k, h := range heads {
		c.ahead[band][k].add(sum(rates[:int(4*h)])/4, count(after(0), after(h)))
	}
	for k, h := range lengths {
		for _, from := range []float64{0, 1, 4, 8, 16, 24, 36} {
			chance := -math.Expm1(-sum(starts[int(4*from):int(4*(from+h))]) / 4)
			c.some[k].add(chance, min(1, count(after(from), after(from+h))))
		}
	}
}

func (c *calibration) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "nats per access %.3f; expected over observed (observed)\nhours since the last", c.likelihood/c.accesses)
	fmt.Fprintf(&out, "   the coming 15 minutes, and %v hours after a plan\n", heads)
	for k, f := range c.since {
		fmt.Fprintf(&out, "%20.2f   %v   %v\n", sinceBands[k], f, c.ahead[k])
	}
	fmt.Fprintf(&out, "by part of the day from %v\n   %v\n", dayParts[:7], c.part)
	fmt.Fprintf(&out, "whether any comes within hours %v\n   %v\n", lengths, c.some)
	return out.String()
}

// On people whom nothing was learned from before as many accesses come as are expected, however long ago the
// last one was, at all times of day, and as far ahead as plans reach. The soak replays all people of half 2 of
// the panel for eight weeks after two; the prior was fitted to half 1.
func TestOutlookIsCalibrated(t *testing.T) {
	all, end, weeks, plans := readSeries(t, "access.csv.gz"), time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), 3, 8
	if os.Getenv("KAIROS_SOAK") != "" {
		weeks, plans = 8, 1
	}
	zones := panelOf(t, 2)
	c := calibration{every: plans}
	ids := []string{}
	for id := range zones {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		slices.SortFunc(all[id], time.Time.Compare)
		c.person(all[id], end.AddDate(0, 0, -14-7*weeks), end, zones[id])
	}
	t.Logf("%d people, %d weeks\n%v", len(ids), weeks, &c)
	for k, f := range c.since {
		if f.off() {
			t.Errorf("%v hours after an access: %v", sinceBands[k], f)
		}
	}
	for k, f := range c.part {
		if f.off() {
			t.Errorf("from %v o'clock on: %v", dayParts[k], f)
		}
	}
	for k, f := range c.some {
		if k > 0 && math.Abs(f.expected/f.came-1) > 0.3 {
			t.Errorf("within %v hours: %v", lengths[k], f)
		}
	}
}
