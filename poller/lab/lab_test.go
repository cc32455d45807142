package lab_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
)

const day = 24 * time.Hour

func smallOptions() lab.Options {
	return lab.Options{Protocol: lab.Protocol{Warmup: 14 * day, Weeks: 2, Relearn: day}, Budgets: []float64{1},
		Policies: []lab.Policy{policy.Uniform, policy.HeParkerShrunk, policy.Fixed60, policy.Clairvoyant}}
}

func TestOutput(t *testing.T) {
	rows, err := lab.Run(t.Context(), labtest.Small(), smallOptions())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := lab.WriteJSON(&out, rows); err != nil {
		t.Fatal(err)
	}
	fields := []string{"user", "policy", "budget", "delay_h", "missed", "ready", "ready_by_feed", "ready_slow", "ready_read", "posts", "mean_age_h", "max_age_h", "sd_age_h", "fetches", "full", "lost"}
	for line := range strings.Lines(out.String()) {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		for _, k := range fields {
			if _, ok := got[k]; !ok {
				t.Errorf("no field %s in %s", k, line)
			}
		}
		if len(got) != len(fields) {
			t.Errorf("%d fields, want %d: %s", len(got), len(fields), line)
		}
	}
	out.Reset()
	if err := lab.WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"he-parker-shrunk", "own", "fixed-60", "uniform   1.000"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the table:\n%s", want, out.String())
		}
	}
}

// A policy may get as many fetches as one that leaves a part of its budget unspent.
func TestAsManyFetches(t *testing.T) {
	idle, same := policy.Uniform, policy.Uniform
	idle.Name = "exact"
	idle.Start = func(v *lab.View, budget float64) lab.Planner { return policy.Uniform.Start(v, budget/2) }
	same.AsManyAs = []string{"kairos", "exact"}
	for name, run := range map[string]func(context.Context, *traces.Set, lab.Options) ([]lab.Row, error){"Run": lab.Run, "RunEach": lab.RunEach} {
		for _, order := range [][]lab.Policy{{same, idle}, {idle, same}} {
			o := smallOptions()
			o.Policies = order
			rows, err := run(t.Context(), labtest.Small(), o)
			if err != nil {
				t.Fatal(err)
			}
			fetches := map[string]map[string]int{}
			for _, r := range rows {
				if fetches[r.User] == nil {
					fetches[r.User] = map[string]int{}
				}
				fetches[r.User][r.Policy] = r.Fetches
				if r.Budget != 1 {
					t.Errorf("%s: a row of %v fetches a day", name, r.Budget)
				}
			}
			for user, n := range fetches {
				if n["uniform"] != n["exact"] || n["exact"] == 0 {
					t.Errorf("%s: user %s has %v", name, user, n)
				}
			}
		}
	}
}

// A policy that makes another number of fetches than uniform is compared with one that makes as many.
func TestUniformWithAsManyFetches(t *testing.T) {
	half, third := policy.Uniform, policy.Uniform
	half.Name, third.Name = "kairos", "exact"
	half.Start = func(v *lab.View, budget float64) lab.Planner { return policy.Uniform.Start(v, budget/2) }
	third.Start = func(v *lab.View, budget float64) lab.Planner { return policy.Uniform.Start(v, budget/3) }
	o := smallOptions()
	same, err := policy.ByName("uniform")
	if err != nil {
		t.Fatal(err)
	}
	o.Policies = append(same, half, third)
	for name, run := range map[string]func(context.Context, *traces.Set, lab.Options) ([]lab.Row, error){"Run": lab.Run, "RunEach": lab.RunEach} {
		rows, err := run(t.Context(), labtest.Small(), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(rows); i += 3 {
			uniform, kairos, exact := rows[i], rows[i+1], rows[i+2]
			if uniform.Fetches != kairos.Fetches || uniform.Uniform != 0 || kairos.Uniform != 0 || exact.Fetches >= kairos.Fetches {
				t.Errorf("%s: %+v\n%+v\n%+v", name, uniform, kairos, exact)
			}
			if r := exact.Uniform / exact.Delay; r < 0.9 || r > 1.1 { // not 1: the interval of as many fetches is a little shorter or longer
				t.Errorf("%s: equal intervals of a third have a delay of %v, with as many fetches %v", name, exact.Delay, exact.Uniform)
			}
		}
		for _, s := range lab.Summarize(rows) {
			if s.Policy == "exact" && math.Abs(s.Ratio-1) > 0.1 {
				t.Errorf("%s: %s has %v of uniform's delay", name, s.Policy, s.Ratio)
			}
		}
	}
}

// By hand: one of two users has half of uniform's delay, the other twice.
func TestSummarize(t *testing.T) {
	row := func(user, policy string, delay float64) lab.Row {
		return lab.Row{User: user, Policy: policy, Budget: 1, Delay: delay, Feeds: 2, Days: 10, Fetches: 20, Accesses: 5, Missed: 10, Posts: 100, Lost: 1, Full: 10,
			Readiness: lab.Readiness{Ready: 50, ReadyByFeed: 60, ReadySlow: 70, ReadyRead: 80}}
	}
	near := labtest.Near
	slow := row("a", "x", 5) // b had no posts of slow feeds offered
	slow.Classes[0].Offered = 3
	got := lab.Summarize([]lab.Row{row("a", "uniform", 10), row("a", "clairvoyant", 1), slow, row("b", "uniform", 20), row("b", "clairvoyant", 4), row("b", "x", 40)})
	s := got[2]
	if !near(s.ReadyByFeed, 60) || !near(s.ReadySlow, 70) || !near(s.ReadyRead, 80) || !math.IsNaN(got[0].ReadySlow) {
		t.Errorf("%+v", s.Readiness)
	}
	if s.Policy != "x" || s.Users != 2 || !near(s.Ratio, 1) || !near(s.Worst, 2) || !near(s.Delay, 2.25) ||
		!near(s.Excess, 2) || !near(s.Times, 9) || !near(s.Missed, 2) || !near(s.Fetches, 1) || !near(s.Lost, 1) || !near(s.Ready, 50) || !near(s.Bytes, 7800) {
		t.Errorf("%+v", s)
	}
}

func TestRunRejectsBadOptions(t *testing.T) {
	set := labtest.Small()
	for name, change := range map[string]func(*lab.Options){
		"no policy":         func(o *lab.Options) { o.Policies = nil },
		"no budget":         func(o *lab.Options) { o.Budgets = nil },
		"negative budget":   func(o *lab.Options) { o.Budgets = []float64{-1} },
		"budget NaN":        func(o *lab.Options) { o.Budgets = []float64{math.NaN()} },
		"infinite budget":   func(o *lab.Options) { o.Budgets = []float64{math.Inf(1)} },
		"no weeks":          func(o *lab.Options) { o.Weeks = 0 },
		"no time to learn":  func(o *lab.Options) { o.Relearn = 0 },
		"readings squared":  func(o *lab.Options) { o.Readings = &lab.Readings{Exponent: 2} },
		"taste NaN":         func(o *lab.Options) { o.Readings = &lab.Readings{Taste: math.NaN()} },
		"negative warm-up":  func(o *lab.Options) { o.Warmup = -time.Hour },
		"learning off bins": func(o *lab.Options) { o.Relearn = 7 * time.Minute },
	} {
		o := smallOptions()
		change(&o)
		if rows, err := lab.Run(t.Context(), set, o); err == nil || rows != nil {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lab.Run(ctx, set, smallOptions()); err != context.Canceled {
		t.Errorf("a canceled context: %v", err)
	}
}
