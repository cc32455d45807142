package papers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
	"kairos/useraccess/rate"
)

// politeProtocol learns from two weeks and tests four.
var politeProtocol = lab.Protocol{Warmup: 14 * day, Weeks: 4, Relearn: week}

const (
	politeGap    = 10 * time.Minute // between two requests to a host
	feedsPerHost = 3                // on average
)

// politeShares are the budgets, as shares of what the hosts allow at most.
var politeShares = []float64{0.01, 0.1, 0.9}

// politeRow is one law at one budget. Costs are in the law's own unit: the share of time in
// which feeds are stale for cgm-freshness, hours of delay per hour and feed for exact.
type politeRow struct {
	Table    string  `json:"table"`
	Law      string  `json:"law"`
	Share    float64 `json:"share"`
	Budget   float64 `json:"budget"` // fetches a feed a day
	Hosts    int     `json:"hosts"`
	Full     int     `json:"hosts_full"`
	Unpolite figure  `json:"unpolite"`
	Polite   figure  `json:"polite"`
	Delayed  figure  `json:"delayed"`
	Opt      figure  `json:"delayed_opt_polite"`
	Wait     float64 `json:"wait_h"` // mean, of DELAYED
	OptWait  float64 `json:"wait_opt_polite_h"`
	Sent     float64 `json:"sent"` // share of the budget
	OptSent  float64 `json:"sent_opt_polite"`
	Real     float64 `json:"traces"` // cost on the posts of the traces
	OptReal  float64 `json:"traces_opt_polite"`
}

// politeTables replays the thesis' Figure 4.5 on feeds assigned to hosts by a power law: DELAYED
// with the frequencies of Cho & Garcia-Molina (CHO) and of OPT_POLITE, against the bounds; and
// the same with our law, the cube root.
func politeTables(s *study) error {
	w := newPoliteWorld(s)
	if len(w.sources) < 2 {
		return errors.New("table polite needs two feeds or more")
	}
	for _, law := range []plan.Method{plan.Freshness, plan.Exact} {
		rows := make([]politeRow, len(politeShares))
		for i, share := range politeShares {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			var err error
			if rows[i], err = w.row(law, share); err != nil {
				return err
			}
			rows[i].Table = s.table
			s.report.rows = append(s.report.rows, rows[i])
			if s.progress != nil {
				s.progress(i+1, len(politeShares))
			}
		}
		s.report.parts = append(s.report.parts, w.part(law, rows))
	}
	return nil
}

// politeWorld is feeds with constant rates, on hosts.
type politeWorld struct {
	sources []plan.Source
	hosts   int
	posts   [][]int64 // in the weeks tested
	start   int64
	horizon float64 // h
}

func newPoliteWorld(s *study) *politeWorld {
	w := &politeWorld{start: s.start(), horizon: float64(s.protocol.Weeks) * week.Hours()}
	feeds := aggregate(s.set).Users[0].Feeds
	access := new(rate.Tally).Posterior(rate.AccessPrior).Mean()
	named := map[string]bool{}
	for _, f := range feeds {
		var t rate.Tally
		lab.AddEvents(&t, time.UTC, rate.FeedHalfLife, w.start-int64(s.protocol.Warmup/time.Second), w.start, f.Posts)
		host := fmt.Sprint("host ", zipf(lab.Draw("host", f.ID), max(2, len(feeds)/feedsPerHost)))
		named[host] = true
		w.sources = append(w.sources, plan.Source{Weight: 1, Posting: t.Posterior(rate.FeedPrior).Mean(), Access: access, Host: host})
		w.posts = append(w.posts, traces.Between(f.Posts, w.start, s.set.End))
	}
	w.hosts = len(named)
	return w
}

// zipf turns a draw from [0, 1) into a number from 1 to n; k has a probability ∝ 1/k.
func zipf(draw float64, n int) int {
	all := 0.0
	for k := 1; k <= n; k++ {
		all += 1 / float64(k)
	}
	for k := 1; k < n; k++ {
		if draw -= 1 / float64(k) / all; draw < 0 {
			return k
		}
	}
	return n
}

// row replays a law at a share of what the hosts allow at most.
func (w *politeWorld) row(law plan.Method, share float64) (politeRow, error) {
	gap := politeGap.Hours()
	budget := share * float64(w.hosts) / gap
	free, err := plan.Frequencies(law, w.sources, budget)
	if err != nil {
		return politeRow{}, err
	}
	opt, err := plan.OptPolite(law, w.sources, budget, gap)
	if err != nil {
		return politeRow{}, err
	}
	cho, kept := w.delayed(free, gap), w.delayed(opt.Frequency, gap)
	n := float64(len(w.sources))
	return politeRow{
		Law: string(law), Share: share, Budget: 24 * budget / n, Hosts: w.hosts, Full: opt.Full,
		Unpolite: figure(opt.Unpolite / n), Polite: figure(opt.Within / n),
		Delayed: figure(w.cost(law, cho.at)), Opt: figure(w.cost(law, kept.at)),
		Wait: cho.wait, OptWait: kept.wait,
		Sent: float64(cho.sent) / (budget * w.horizon), OptSent: float64(kept.sent) / (budget * w.horizon),
		Real: w.traceCost(law, cho.at), OptReal: w.traceCost(law, kept.at),
	}, nil
}

// requestTimes are the planned requests as sent.
type requestTimes struct {
	at   [][]float64 // h, by feed, ascending, in (0, horizon]
	sent int
	wait float64 // mean, h
}

// delayed requests every feed at equal steps, f times an hour, under DELAYED. The phases are
// such that no more is sent than the frequencies add up to.
func (w *politeWorld) delayed(f []float64, gap float64) requestTimes {
	var requests []plan.Request
	var feeds []int
	before := 0.0
	for i, x := range f {
		after := before + x*w.horizon
		for k := math.Floor(before) + 1; x > 0 && k <= after; k++ {
			requests = append(requests, plan.Request{Host: w.sources[i].Host, At: (k - before) / x})
			feeds = append(feeds, i)
		}
		before = after
	}
	s := requestTimes{at: make([][]float64, len(f))}
	for k, at := range plan.Delayed(requests, gap) {
		if at <= w.horizon {
			s.at[feeds[k]] = append(s.at[feeds[k]], at)
			s.sent++
			s.wait += at - requests[k].At
		}
	}
	s.wait /= float64(max(1, s.sent))
	for _, at := range s.at {
		slices.Sort(at)
	}
	return s
}

// cost returns the mean cost per feed of fetches that repeat like this, in the law's unit under
// the rates that it was given. It cannot be less than at equal steps (Jensen).
func (w *politeWorld) cost(law plan.Method, at [][]float64) (sum float64) {
	for i, s := range w.sources {
		c := 1.0 // never fetched
		if law == plan.Exact {
			c = math.Inf(1)
		}
		if len(at[i]) > 0 {
			c = 0
			last := at[i][len(at[i])-1] - w.horizon
			for _, t := range at[i] {
				c += gapCost(law, t-last, s.Posting, s.Access) / w.horizon
				last = t
			}
		}
		sum += c / float64(len(w.sources))
	}
	return sum
}

// gapCost returns the cost of a gap of g hours: the expected time in which a post is unfetched,
// or the delay He–Parker (5) under constant rates.
func gapCost(law plan.Method, g, posting, access float64) float64 {
	if law == plan.Freshness {
		return g + math.Expm1(-posting*g)/posting
	}
	return access * posting * g * g * g / 6
}

// traceCost returns the cost on the posts of the traces, which are no Poisson process, with the
// feeds just fetched at the start.
func (w *politeWorld) traceCost(law plan.Method, at [][]float64) (sum float64) {
	for i, posts := range w.posts {
		k := 0
		for _, t := range append(slices.Clone(at[i]), w.horizon) {
			for first := true; k < len(posts) && w.hours(posts[k]) <= t; k++ {
				age := t - w.hours(posts[k])
				switch {
				case law == plan.Exact:
					sum += w.sources[i].Access * age * age / 2
				case first:
					sum += age
				}
				first = false
			}
		}
	}
	return sum / w.horizon / float64(len(w.posts))
}

func (w *politeWorld) hours(at int64) float64 { return float64(at-w.start) / 3600 }

func (w *politeWorld) part(law plan.Method, rows []politeRow) part {
	p := part{heads: [][]string{
		{"of what hosts", "per feed", "hosts full", "UNPOLITE", "POLITE", "DELAYED", "DELAYED", "wait", "wait", "on the", "posts"},
		{"allow", "and day", fmt.Sprintf("of %d", w.hosts), "bound", "bound", "CHO", "OPT_POLITE", "h", "OPT_POLITE", "CHO", "OPT_POLITE"},
	}}
	format := func(cost float64) string { return lab.FormatNumber(100*(1-cost), 1) + " %" }
	p.title = fmt.Sprintf("The thesis' Figure 4.5: share of time in which feeds are fresh, under CHO, one request every %g min per host\n"+
		"(%d feeds on %d hosts by a power law)", politeGap.Minutes(), len(w.sources), w.hosts)
	p.notes = []string{"According to the thesis, simple policies do well under politeness: DELAYED should be near POLITE,",
		"and POLITE near UNPOLITE while few hosts are full."}
	if law == plan.Exact {
		p.title = "The same for our law: delay (5) in hours per day and feed, under the cube root, with nine accesses a day at random"
		p.heads[1][5], p.heads[1][9] = "∛", "∛"
		format = func(cost float64) string { return lab.FormatNumber(24*cost, 3) }
		p.notes = []string{"CHO spends nothing on feeds that post too fast to be kept fresh; the cube root spends most on them, and so reaches the limits of hosts sooner."}
	}
	for _, r := range rows {
		p.lines = append(p.lines, []string{fmt.Sprintf("%g %%", 100*r.Share), lab.FormatNumber(r.Budget, 2), fmt.Sprint(r.Full),
			format(float64(r.Unpolite)), format(float64(r.Polite)), format(float64(r.Delayed)), format(float64(r.Opt)),
			lab.FormatNumber(r.Wait, 2), lab.FormatNumber(r.OptWait, 2), format(r.Real), format(r.OptReal)})
	}
	return p
}
