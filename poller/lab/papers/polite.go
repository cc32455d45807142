package papers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
)

// politeProtocol takes the rates from the last 25 weeks, of the 26 that a series has.
var politeProtocol = lab.Protocol{Warmup: week, Weeks: 25, Relearn: week}

const (
	politeGap     = 15 * time.Second // between two requests to a host
	politeYears   = 4
	politeSources = 25000
	politeSample  = 7*24 + 1 // hours between two looks, so that all hours of the day are seen
	politeEnd     = 26       // looks averaged for where a curve ends, half a year
	politeHours   = politeYears * 365.25 * 24
	feedsPerHost  = 3 // of a table of hosts, on average
)

// politeShares are the budgets, as shares of what the hosts allow at most.
var politeShares = []float64{0.01, 0.1, 0.9}

// politeDeal deals sources to hosts: to host k of so many with a probability ∝ 1/k^skew.
type politeDeal struct {
	hosts int
	skew  float64
	seed  string
}

func (d politeDeal) String() string {
	law := fmt.Sprintf("∝ 1/k^%g", d.skew)
	switch d.skew {
	case 0:
		law = "alike"
	case 1:
		law = "∝ 1/k"
	}
	return fmt.Sprintf("%d hosts, %s, %s", d.hosts, law, d.seed)
}

// politeDeals are the configurations that are compared; the first is that of the curves.
var politeDeals = []politeDeal{{10, 1, "draw 1"}, {10, 1, "draw 2"}, {10, 1, "draw 3"}, {10, 0.5, "draw 1"}, {10, 0, "draw 1"}, {10, 1.5, "draw 1"}, {50, 1, "draw 1"}}

// politeRow is one budget: shares of time in which sources are fresh, in the last half year.
type politeRow struct {
	Table    string  `json:"table"`
	Deal     string  `json:"deal"`
	Years    float64 `json:"years"`
	Law      string  `json:"law"`
	Share    float64 `json:"share"`
	Budget   float64 `json:"budget"` // fetches a source a day
	Hosts    int     `json:"hosts"`
	Full     int     `json:"hosts_full"`
	Unpolite figure  `json:"unpolite"`
	Polite   figure  `json:"polite"`
	Delayed  figure  `json:"delayed"`
	Opt      figure  `json:"delayed_opt_polite"`
	Wait     float64 `json:"wait_h"` // mean, of DELAYED with CHO
	OptWait  float64 `json:"wait_opt_polite_h"`
	Sent     float64 `json:"sent"` // share of the budget
	OptSent  float64 `json:"sent_opt_polite"`
	Real     float64 `json:"traces"` // on the posts of the traces, in the last half of their weeks
	OptReal  float64 `json:"traces_opt_polite"`
}

// politeTables replays the thesis' Figure 4.5: DELAYED with the frequencies of Cho & Garcia-Molina
// (CHO) and of OPT_POLITE, against the bounds UNPOLITE and POLITE.
func politeTables(s *study) error {
	w, err := newPoliteWorld(s, politeDeals[0], politeSources)
	if err != nil {
		return err
	}
	var rows []politeRow
	steps := len(politeShares) + len(politeDeals)
	p := part{title: "The thesis' Figure 4.5: share of the time in which sources are fresh, in the last half year of four",
		heads: [][]string{{"of what hosts allow", "a source and day", fmt.Sprintf("full hosts of %d", w.hosts), "UNPOLITE", "POLITE", "DELAYED CHO", "DELAYED OPT_POLITE",
			"wait CHO, h", "wait OPT_POLITE, h", "on the posts: CHO", "OPT_POLITE"}}}
	for i, share := range politeShares {
		row, curves, err := w.row(s, share)
		if err != nil {
			return err
		}
		s.report.rows, rows = append(s.report.rows, row), append(rows, row)
		p.graphs = append(p.graphs, picture.Graph{Title: fmt.Sprintf("fresh, %%, at %g %% of what hosts allow", 100*share), X: "years", Step: 1,
			From: 5 * math.Floor(20*float64(row.Delayed)-1), Curves: curves})
		fresh := func(x figure) string { return percent(float64(x)) }
		p.lines = append(p.lines, []string{fmt.Sprintf("%g %%", 100*share), lab.FormatNumber(row.Budget, 2), fmt.Sprint(row.Full),
			fresh(row.Unpolite), fresh(row.Polite), fresh(row.Delayed), fresh(row.Opt), lab.FormatNumber(row.Wait, 2), lab.FormatNumber(row.OptWait, 2),
			percent(row.Real), percent(row.OptReal)})
		if s.progress != nil {
			s.progress(i+1, steps)
		}
	}
	last := rows[len(rows)-1]
	p.notes = []string{
		fmt.Sprintf("One request every %g s per host. Our traces name no hosts and have 26 weeks: %d sources are dealt to %d hosts, host k with a probability ∝ 1/k, by draws from a fixed seed, and each stands for one of %d feeds at equal parts; the four years are of Poisson posts at these rates.",
			politeGap.Seconds(), len(w.sources), w.hosts, w.feeds),
		"In the thesis UNPOLITE − POLITE grows with the load to almost 20 points at 90 %, DELAYED with OPT_POLITE ends less than 2.4 points below POLITE, and OPT_POLITE is up to 2.8 points better than CHO, at 90 %.",
		fmt.Sprintf("Here, at 90 %%, POLITE lies %s points below UNPOLITE, DELAYED with OPT_POLITE %s below POLITE, and CHO %s below OPT_POLITE. All sources are stale at the beginning, so the curves climb.",
			points(last.below()), points(last.Polite-last.Opt), points(last.Opt-last.Delayed)),
		fmt.Sprintf("On the posts as they were in the traces' own 25 weeks, which come in bursts, %s is fresh with OPT_POLITE at 90 %%, under Poisson posts %s.", percent(last.OptReal), percent(float64(last.Opt)))}
	s.report.parts = append(s.report.parts, p)
	return s.politeSpread(steps)
}

// politeSpreadYears is how long the configurations are crawled that are compared.
const politeSpreadYears = 1

// politeSpread replays the largest budget on several deals of sources to hosts, as the thesis' numbers depend on that.
func (s *study) politeSpread(steps int) error {
	p := part{title: fmt.Sprintf("The same at 90 %% on several dealt configurations, the last half year of %d, points", politeSpreadYears),
		heads: [][]string{{"configuration", "full hosts", "UNPOLITE − POLITE", "POLITE − OPT_POLITE", "OPT_POLITE − CHO"}}}
	var below, kept, better []float64
	for i, deal := range politeDeals {
		w, err := newPoliteWorld(s, deal, politeSources)
		if err != nil {
			return err
		}
		w.hours = politeSpreadYears * 365.25 * 24
		row, _, err := w.row(s, politeShares[len(politeShares)-1])
		if err != nil {
			return err
		}
		s.report.rows = append(s.report.rows, row)
		below, kept, better = append(below, 100*float64(row.below())), append(kept, 100*float64(row.Polite-row.Opt)), append(better, 100*float64(row.Opt-row.Delayed))
		p.lines = append(p.lines, []string{row.Deal, fmt.Sprintf("%d of %d", row.Full, row.Hosts), points(row.below()), points(row.Polite - row.Opt), points(row.Opt - row.Delayed)})
		if s.progress != nil {
			s.progress(len(politeShares)+i+1, steps)
		}
	}
	p.lines = append(p.lines, []string{"the thesis", "–", "almost 20", "less than 2.4", "up to 2.8"})
	p.notes = []string{fmt.Sprintf("Which hosts sources lie on WEBBASE knows and we deal, each row another way. From configuration to configuration POLITE is %s points below UNPOLITE, DELAYED with OPT_POLITE %s below POLITE, and CHO %s below that.",
		pointsRange(below), pointsRange(kept), pointsRange(better))}
	s.report.parts = append(s.report.parts, p)
	return nil
}

// below is by how much POLITE lies below UNPOLITE.
func (r *politeRow) below() figure { return r.Unpolite - r.Polite }

// points says a share in points, to a tenth.
func points(x figure) string { return fmt.Sprintf("%.1f", tenths(100*float64(x))) }

// tenths rounds to a tenth; nothing is −0.
func tenths(x float64) float64 { return math.Round(10*x)/10 + 0 }

// pointsRange says from where to where points reach.
func pointsRange(x []float64) string {
	lo, hi := tenths(slices.Min(x)), tenths(slices.Max(x))
	if lo == hi {
		return fmt.Sprintf("%.1f", lo)
	}
	return fmt.Sprintf("%.1f to %.1f", lo, hi)
}

// politeWorld is sources with constant rates, on hosts.
type politeWorld struct {
	sources []published.Source
	posts   [][]float64 // of each source's feed, h from the start of the traces
	span    float64     // of the traces, h
	deal    politeDeal
	hosts   int // that have sources
	feeds   int
	gap     float64 // h between two requests to a host
	hours   float64 // crawled
}

func newPoliteWorld(s *study, deal politeDeal, sources int) (*politeWorld, error) {
	var feeds [][]float64
	for _, f := range aggregate(s.set).Users[0].Feeds {
		var at []float64
		for _, t := range traces.Between(f.Posts, s.start(), s.set.End) {
			at = append(at, float64(t-s.start())/3600)
		}
		if len(at) > 0 {
			feeds = append(feeds, at)
		}
	}
	if len(feeds) < 2 {
		return nil, errors.New("table polite needs two feeds that post, or more")
	}
	w := &politeWorld{deal: deal, span: float64(s.protocol.Weeks) * week.Hours(), feeds: len(feeds), gap: politeGap.Hours(), hours: politeHours}
	slices.SortFunc(feeds, func(a, b []float64) int { return len(a) - len(b) })
	named := map[string]bool{}
	for k := range sources { // equal rates side by side
		id := fmt.Sprint(k)
		posts := feeds[k*len(feeds)/sources]
		host := fmt.Sprint("host ", zipf(lab.Draw("polite host, "+deal.seed, id), deal.hosts, deal.skew))
		named[host] = true
		w.sources = append(w.sources, published.Source{Weight: 1, Posting: float64(len(posts)) / w.span, Access: 1, Host: host})
		w.posts = append(w.posts, posts)
	}
	w.hosts = len(named)
	return w, nil
}

// zipf turns a draw from [0, 1) into a number from 1 to n; k has a probability ∝ 1/k^skew.
func zipf(draw float64, n int, skew float64) int {
	all := 0.0
	for k := 1; k <= n; k++ {
		all += math.Pow(float64(k), -skew)
	}
	for k := 1; k < n; k++ {
		if draw -= math.Pow(float64(k), -skew) / all; draw < 0 {
			return k
		}
	}
	return n
}

// row replays a share of what the hosts allow at most.
func (w *politeWorld) row(s *study, share float64) (politeRow, []picture.Curve, error) {
	if err := s.ctx.Err(); err != nil {
		return politeRow{}, nil, err
	}
	budget := share * float64(w.hosts) / w.gap
	free, err := published.Frequencies(&published.FreshnessLaw, w.sources, budget)
	if err != nil {
		return politeRow{}, nil, err
	}
	opt, err := published.OptPolite(&published.FreshnessLaw, w.sources, budget, w.gap)
	if err != nil {
		return politeRow{}, nil, err
	}
	cho, kept := w.crawl(s, free), w.crawl(s, opt.Frequency)
	if err := s.ctx.Err(); err != nil {
		return politeRow{}, nil, err
	}
	n := float64(len(w.sources))
	row := politeRow{Table: s.table, Deal: w.deal.String(), Years: w.hours / (365.25 * 24), Law: "cgm-freshness", Share: share, Budget: 24 * budget / n, Hosts: w.hosts, Full: opt.Full,
		Unpolite: figure(1 - opt.Unpolite/n), Polite: figure(1 - opt.Within/n), Delayed: figure(cho.end()), Opt: figure(kept.end()),
		Wait: cho.wait / max(1, cho.sent), OptWait: kept.wait / max(1, kept.sent),
		Sent: cho.sent / (budget * w.hours), OptSent: kept.sent / (budget * w.hours),
		Real: mean(cho.real[len(cho.real)/2:]), OptReal: mean(kept.real[len(kept.real)/2:])}
	flat := func(name string, y figure) picture.Curve {
		return picture.Curve{Name: name, X: []float64{0, politeYears}, Y: []float64{100 * float64(y), 100 * float64(y)}}
	}
	return row, []picture.Curve{kept.curve("DELAYED, OPT_POLITE"), cho.curve("DELAYED, CHO"), flat("POLITE", row.Polite), flat("UNPOLITE", row.Unpolite)}, nil
}

// crawled is what a crawler had at each look.
type crawled struct {
	fresh      []float64 // expected share of fresh sources, under Poisson posts
	real       []float64 // share on the posts of the traces, while they last
	sent, wait float64   // requests; h, all together
}

func (c *crawled) end() float64 {
	return mean(c.fresh[max(0, len(c.fresh)-politeEnd):])
}

func (c *crawled) curve(name string) picture.Curve {
	curve := picture.Curve{Name: name}
	for k, y := range c.fresh {
		curve.X, curve.Y = append(curve.X, float64(k)*politeSample/(365.25*24)), append(curve.Y, 100*y)
	}
	return curve
}

func mean(x []float64) (sum float64) {
	for _, y := range x {
		sum += y / float64(max(1, len(x)))
	}
	return sum
}

// crawl requests every source at equal steps, f times an hour, under DELAYED.
// Hosts don't meet, so each is crawled by itself.
func (w *politeWorld) crawl(s *study, f []float64) *crawled {
	at, byHost := map[string]int{}, [][]int{}
	for i, source := range w.sources {
		h, ok := at[source.Host]
		if !ok {
			h = len(byHost)
			at[source.Host], byHost = h, append(byHost, nil)
		}
		byHost[h] = append(byHost[h], i)
	}
	looks := int(w.hours/politeSample) + 1
	parts := make([]*crawled, len(byHost))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for h, sources := range byHost {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			parts[h] = w.crawlHost(s, sources, f, looks)
		})
	}
	wg.Wait()
	c := &crawled{fresh: make([]float64, looks), real: make([]float64, min(looks, int(w.span/politeSample)+1))}
	for _, h := range parts {
		for k, x := range h.fresh {
			c.fresh[k] += x
		}
		for k := range c.real {
			c.real[k] += h.real[k]
		}
		c.sent, c.wait = c.sent+h.sent, c.wait+h.wait
	}
	for k := range c.fresh {
		c.fresh[k] /= float64(len(w.sources))
	}
	for k := range c.real {
		c.real[k] /= float64(len(w.sources))
	}
	return c
}

// crawlHost crawls the sources of one host. Its shares are numbers of sources. Every source has
// its own phase, and the plan of its requests does not move when one of them waits.
func (w *politeWorld) crawlHost(s *study, sources []int, f []float64, looks int) *crawled {
	c := &crawled{fresh: make([]float64, looks), real: make([]float64, looks)}
	last := make([]float64, len(sources))
	var due requestHeap
	for k, i := range sources {
		if last[k] = math.Inf(-1); f[i] > 0 {
			due = append(due, request{lab.Draw("phase", fmt.Sprint(i)) / f[i], k})
		}
	}
	slices.SortFunc(due, func(a, b request) int { return cmp.Compare(a.at, b.at) }) // a sorted list is a heap
	free, look := 0.0, 0
	lookUntil := func(t float64) {
		for ; look < looks && float64(look)*politeSample <= t; look++ {
			w.look(c, sources, last, look)
		}
	}
	for len(due) > 0 && s.ctx.Err() == nil {
		r := &due[0]
		at := max(r.at, free)
		if at > w.hours {
			break
		}
		lookUntil(at)
		last[r.source], free = at, at+w.gap
		c.sent++
		c.wait += at - r.at
		r.at += 1 / f[sources[r.source]]
		due.sink()
	}
	lookUntil(w.hours)
	return c
}

// look counts the fresh sources of a host.
func (w *politeWorld) look(c *crawled, sources []int, last []float64, look int) {
	now := float64(look) * politeSample
	for k, i := range sources {
		if last[k] < 0 {
			continue
		}
		c.fresh[look] += math.Exp(-w.sources[i].Posting * (now - last[k]))
		if now <= w.span {
			if next, _ := slices.BinarySearch(w.posts[i], last[k]); next == len(w.posts[i]) || w.posts[i][next] > now {
				c.real[look]++
			}
		}
	}
}

// request is the next planned request for a source.
type request struct {
	at     float64 // h
	source int
}

// requestHeap is a heap of requests by time; container/heap takes twice as long for the tens of
// millions of requests of four years.
type requestHeap []request

// sink moves the first request down to its place after its time has grown.
func (h requestHeap) sink() {
	moved, at := h[0], 0
	for child := 1; child < len(h); child = 2*at + 1 {
		if right := child + 1; right < len(h) && h[right].at < h[child].at {
			child = right
		}
		if moved.at <= h[child].at {
			break
		}
		h[at], at = h[child], child
	}
	h[at] = moved
}
