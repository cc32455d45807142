// Package labtest holds the traces and worlds that the lab's tests share.
package labtest

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

const (
	day        = 24 * time.Hour
	daySeconds = int64(day / time.Second)
)

// Monday is the start of worlds made by World, a midnight UTC.
var Monday = time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC).Unix()

// Hours returns times in hours after Monday as Unix seconds.
func Hours(h ...float64) (at []int64) {
	for _, x := range h {
		at = append(at, Monday+int64(math.Round(x*3600)))
	}
	return at
}

// World is the week from Monday on, after a warm-up, with accesses and the posts of each feed
// in hours after Monday.
func World(warmup time.Duration, accesses []float64, posts ...[]float64) *lab.World {
	return WorldAwake(nil, warmup, accesses, posts...)
}

// WorldAwake is World with a machine that is awake in these spans only; nil: always.
func WorldAwake(awake []traces.Span, warmup time.Duration, accesses []float64, posts ...[]float64) *lab.World {
	return world(lab.Protocol{Warmup: warmup, Weeks: 1, Relearn: day}, awake, accesses, posts)
}

// WorldShowing is World, without a warm-up, with feeds that show so many items.
func WorldShowing(window int, accesses []float64, posts ...[]float64) *lab.World {
	return world(lab.Protocol{Weeks: 1, Relearn: day, Window: window}, nil, accesses, posts)
}

func world(p lab.Protocol, awake []traces.Span, accesses []float64, posts [][]float64) *lab.World {
	u := &traces.User{ID: "u", Zone: time.UTC, Accesses: Hours(accesses...), Awake: awake}
	for i, hours := range posts {
		u.Feeds = append(u.Feeds, traces.Feed{ID: string(rune('a' + i)), Posts: Hours(hours...)})
	}
	return lab.NewWorld(&traces.Set{End: Monday + 7*daySeconds}, u, p)
}

// Awake returns the spans between the first and the second of hours after Monday, the third and
// the fourth, and so on.
func Awake(h ...float64) (spans []traces.Span) {
	at := Hours(h...)
	for i := 0; i+1 < len(at); i += 2 {
		spans = append(spans, traces.Span{From: at[i], To: at[i+1]})
	}
	return spans
}

// Small returns two users of the synthetic set with seven feeds each.
func Small() *traces.Set {
	set := traces.Synthetic().Sample(2)
	for i := range set.Users {
		u := &set.Users[i]
		u.Feeds = slices.Clone(u.Feeds[:7])
	}
	return set
}

// WithOtherFuture returns the user with everything from an instant on replaced: many accesses and
// signs of presence, feeds that fall silent or post in a hurry, and a machine that sleeps no more.
func WithOtherFuture(u *traces.User, from int64) *traces.User {
	v := *u
	v.Feeds = slices.Clone(u.Feeds)
	v.Accesses = slices.Clone(before(u.Accesses, from))
	for k := range int64(40) {
		v.Accesses = append(v.Accesses, from+60+660*k)
	}
	n, _ := slices.BinarySearchFunc(u.Presence, from, func(s traces.Sign, at int64) int { return cmp.Compare(s.At, at) })
	v.Presence = slices.Clone(u.Presence[:n])
	for k := range int64(90) {
		v.Presence = append(v.Presence, traces.Sign{At: from + 411*k, Kind: rate.Unlock})
	}
	for i := range v.Feeds {
		v.Feeds[i].Posts = slices.Clone(before(u.Feeds[i].Posts, from))
		for k := range int64(60 * (i % 2)) {
			v.Feeds[i].Posts = append(v.Feeds[i].Posts, from+k*61)
		}
	}
	if u.Awake != nil {
		n, _ := slices.BinarySearchFunc(u.Awake, from, func(s traces.Span, at int64) int { return cmp.Compare(s.To, at) })
		v.Awake = append(slices.Clone(u.Awake[:n]), traces.Span{From: from, To: lab.Never})
		if n < len(u.Awake) {
			v.Awake[n].From = min(from, u.Awake[n].From)
		}
	}
	return &v
}

// CheckIgnoresFuture replays a policy on a user and on the same user with another future from
// some seconds after the start on, and fails the test if a fetch before then differs. From then on it
// decides nothing more: what it would fetch is not compared, and would be most of the work.
func CheckIgnoresFuture(t *testing.T, set *traces.Set, u *traces.User, p lab.Protocol, policy lab.Policy, after int64, budgets ...float64) {
	t.Helper()
	w := lab.NewWorld(set, u, p)
	cut := w.Start() + after
	other := lab.NewWorld(set, WithOtherFuture(u, cut), p)
	policy = stoppedAt(policy, cut)
	other.ReadAs(w, cut-1)
	for _, budget := range budgets {
		a, err := w.Fetches(t.Context(), policy, budget)
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.Fetches(t.Context(), policy, budget)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if !slices.Equal(before(a[i], cut), before(b[i], cut)) {
				t.Fatalf("%s, budget %v, protocol %+v: the fetches of feed %d before the cut depend on what comes after it",
					policy.Name, budget, p, i)
			}
		}
	}
}

// stoppedAt is a policy that decides nothing from an instant on.
func stoppedAt(policy lab.Policy, until int64) lab.Policy {
	if start := policy.StartLoop; start != nil {
		policy.StartLoop = func(v *lab.View, budget float64) lab.Loop { return stoppedLoop{start(v, budget), until} }
	}
	if start := policy.Start; start != nil {
		policy.Start = func(v *lab.View, budget float64) lab.Planner { return stoppedPlanner{start(v, budget), until} }
	}
	return policy
}

type stoppedLoop struct {
	lab.Loop
	until int64
}

func (l stoppedLoop) Step(v *lab.View) (fetch []int, next int64, err error) {
	if v.Now() >= l.until {
		return nil, lab.Never, nil
	}
	return l.Loop.Step(v)
}

type stoppedPlanner struct {
	planner lab.Planner
	until   int64
}

func (p stoppedPlanner) Learn(v *lab.View) {
	if v.Now() < p.until {
		p.planner.Learn(v)
	}
}

func (p stoppedPlanner) Next(v *lab.View, feed int) int64 {
	if v.Now() >= p.until {
		return lab.Never
	}
	return p.planner.Next(v, feed)
}

func before(at []int64, cut int64) []int64 {
	i, _ := slices.BinarySearch(at, cut)
	return at[:i]
}

// Panel reads the real traces, or a sample of their users; the test is skipped without them.
func Panel(t testing.TB, users int) *traces.Set {
	t.Helper()
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		t.Skip("skipped: KAIROS_TRACES is not set")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	set, err := traces.Read(traces.Files{Posts: at("posts.csv.gz"), Access: at("access.csv.gz"), Panel: at("panel.csv"), Users: at("users.csv")})
	if err != nil {
		t.Fatal(err)
	}
	if got := traces.FormatTime(set.End); got != "2026-01-05 00:00:00" {
		t.Fatalf("the traces end at %s", got)
	}
	return set.Sample(users)
}

// Near reports whether two numbers are equal but for rounding.
func Near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }
