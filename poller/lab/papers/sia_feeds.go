package papers

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/traces"
)

// feedsProtocol describes the same thirteen weeks as siaProtocol.
var feedsProtocol = siaProtocol

// feedsRow is one figure about the feeds.
type feedsRow struct {
	Table  string  `json:"table"`
	Figure string  `json:"figure"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

// feedsTables describes the feeds as Sia, Cho & Cho's Table I and Figures 3, 7, 10 and 11 do.
func feedsTables(s *study) error {
	feeds := aggregate(s.set).Users[0].Feeds
	s.hostTable(feeds)
	from := s.start() - int64(s.protocol.Warmup.Seconds())
	f := feedFigures{study: s, from: from, to: s.set.End}
	for _, feed := range feeds {
		if at := traces.Between(feed.Posts, from, s.set.End); len(at) > 0 {
			f.posts = append(f.posts, at)
		}
	}
	if len(f.posts) == 0 {
		return fmt.Errorf("no feed posted in the %d weeks of table %s", f.weeks(), s.table)
	}
	f.rhythm()
	f.rates()
	f.stability()
	return s.ctx.Err()
}

// hostTable is Table I, the ten domains with most feeds. The traces don't say where feeds lie, so
// they are dealt.
func (s *study) hostTable(feeds []traces.Feed) {
	count := map[int]int{}
	for _, f := range feeds {
		count[zipf(lab.Draw("host", f.ID), max(2, len(feeds)/feedsPerHost), 1)]++
	}
	hosts := make([]int, 0, len(count))
	for h := range count {
		hosts = append(hosts, h)
	}
	slices.SortFunc(hosts, func(a, b int) int { return cmp.Or(count[b]-count[a], a-b) })
	p := part{title: "Sia, Cho & Cho, Table I: the ten hosts with most feeds, dealt", heads: [][]string{{"host", "feeds", "of all"}}}
	for i, h := range hosts[:min(10, len(hosts))] {
		p.lines = append(p.lines, []string{fmt.Sprintf("host %d", h), fmt.Sprint(count[h]), percent(float64(count[h]) / float64(len(feeds)))})
		s.figure("Table I", float64(i+1), float64(count[h]))
	}
	p.notes = []string{fmt.Sprintf("This table is dealt, not measured: our traces don't say on which hosts feeds lie, so each of the %d feeds is dealt to one of %d hosts by a draw from its ID, host k with a probability ∝ 1/k.",
		len(feeds), max(2, len(feeds)/feedsPerHost))}
	s.report.parts = append(s.report.parts, p)
}

func (s *study) figure(name string, x, y float64) {
	s.report.rows = append(s.report.rows, feedsRow{s.table, name, x, y})
}

// feedFigures draws the figures of feeds that posted.
type feedFigures struct {
	*study
	from, to int64
	posts    [][]int64
}

func (f *feedFigures) weeks() int { return int((f.to - f.from) / int64(week.Seconds())) }

// add appends a part with graphs and records their points.
func (f *feedFigures) add(title string, notes []string, figures []string, graphs ...picture.Graph) {
	for i, g := range graphs {
		for _, c := range g.Curves[:1] {
			for k := range c.X {
				f.figure(figures[min(i, len(figures)-1)], c.X[k], c.Y[k])
			}
		}
	}
	f.report.parts = append(f.report.parts, part{title: title, notes: notes, graphs: graphs})
}

// rhythm is Figure 3, posts by week and by two hours, and Figure 11, the posting pattern of all
// feeds added up.
func (f *feedFigures) rhythm() {
	weekly := picture.Curve{Name: "posts", X: indicesFrom1(f.weeks()), Y: make([]float64, f.weeks())}
	const twoHours = 7200
	lastWeek := f.to - 2*int64(week.Seconds()) // the last whole one
	fine := picture.Curve{Name: "posts", X: make([]float64, 84), Y: make([]float64, 84)}
	pattern := picture.Curve{Name: "posts", X: make([]float64, 24), Y: make([]float64, 24)}
	each := picture.Curve{Name: "every feed the same", X: make([]float64, 24), Y: make([]float64, 24)}
	for k := range fine.X {
		fine.X[k] = float64(k) / 12
	}
	for h := range 24 {
		pattern.X[h], each.X[h] = float64(h)+0.5, float64(h)+0.5
	}
	all := 0
	for _, at := range f.posts {
		all += len(at)
		for _, t := range at {
			weekly.Y[(t-f.from-1)/int64(week.Seconds())]++
			if t > lastWeek && t <= lastWeek+int64(week.Seconds()) {
				fine.Y[(t-lastWeek-1)/twoHours]++
			}
			h := t % daySeconds / 3600
			pattern.Y[h]++
			each.Y[h] += 1 / float64(len(at)) / float64(len(f.posts))
		}
	}
	whole := weekly.Y[:max(1, len(weekly.Y)-1)]
	low, high := slices.Min(whole), slices.Max(whole)
	for h := range 24 {
		pattern.Y[h] *= 100 / float64(all)
		each.Y[h] *= 100
	}
	days := float64(f.to-f.from) / float64(daySeconds)
	f.add("Sia, Cho & Cho, Figures 3 and 11: posts by week, by two hours of the last whole week, and by hour of the day", []string{
		fmt.Sprintf("%d feeds posted %d times in %d weeks, %.1f a feed and day (the paper: 9,634 feeds, 4.3); %.0f to %.0f a week, but for the last, within which most series end.", len(f.posts), all, f.weeks(),
			float64(all)/days/float64(len(f.posts)), low, high),
		"As in the paper the weeks are alike and every day has the same rhythm, with less at weekends.",
		fmt.Sprintf("Its busiest hour has %.1f times the posts of its quietest (UTC); with every feed counted the same %.1f times.",
			slices.Max(pattern.Y)/slices.Min(pattern.Y), slices.Max(each.Y)/slices.Min(each.Y)),
	}, []string{"Figure 3 weekly", "Figure 3 two hours", "Figure 11"},
		picture.Graph{Title: "posts a week", X: "week", Step: 1, Curves: []picture.Curve{weekly}},
		picture.Graph{Title: "posts in two hours, last whole week", X: "days from Monday, UTC", Step: 1, Curves: []picture.Curve{fine}},
		picture.Graph{Title: "share of the posts by hour, %", X: "hour of the day, UTC", Step: 6, Curves: []picture.Curve{pattern, each}})
}

func indicesFrom1(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

// rates is Figure 7: how many feeds post how often, on logarithmic axes, with a line fitted to them, and how many post at least
// so often.
func (f *feedFigures) rates() {
	days := float64(f.to-f.from) / float64(daySeconds)
	var perDay []float64
	daily := 0
	for _, at := range f.posts {
		r := float64(len(at)) / days
		perDay = append(perDay, r)
		if r >= 1 {
			daily++
		}
	}
	slices.SortFunc(perDay, func(a, b float64) int { return cmp.Compare(b, a) })
	density, atLeast := rateDensity(perDay), picture.Curve{Name: "feeds", Points: true}
	for i, r := range perDay {
		if i+1 == len(perDay) || perDay[i+1] < r {
			atLeast.X, atLeast.Y = append(atLeast.X, r), append(atLeast.Y, float64(i+1))
		}
	}
	fit, tail := fitLine(density), fitLine(atLeast)
	fall, most := fit.slope, perDay[0]
	f.add("Sia, Cho & Cho, Figure 7: feeds by the rate at which they post", []string{
		fmt.Sprintf("%d feeds (%s) post at least once a day; in the paper 3,116 of 9,634 (32.3 %%).", daily, percent(float64(daily)/float64(len(perDay)))),
		fmt.Sprintf("Drawn as in the paper, feeds over their rate on logarithmic axes, where the paper's are a straight line: ours fall as the rate to the power %.2f (feeds in ranges of a factor of two, divided by their width), and the line explains %s of the variance.", fall, percent(fit.explained)),
		fmt.Sprintf("The feeds that post at least so often fall as the rate to the power %.2f, which explains %s: up to %.0f posts a day, and down to one in %d weeks, where the series end.", tail.slope, percent(tail.explained), most, f.weeks()),
	}, []string{"Figure 7", "Figure 7 at least"},
		picture.Graph{Title: "feeds for each post a day", X: "posts a day", LogX: true, LogY: true, Curves: []picture.Curve{density, fit.curve(density)}},
		picture.Graph{Title: "feeds that post at least so often", X: "posts a day", LogX: true, LogY: true, Curves: []picture.Curve{atLeast, tail.curve(atLeast)}})
}

// rateDensity returns how many feeds there are for each post a day, by ranges of a factor of two.
func rateDensity(perDay []float64) picture.Curve {
	count := map[int]int{}
	for _, r := range perDay {
		count[int(math.Floor(math.Log2(r)))]++
	}
	c := picture.Curve{Name: "feeds", Points: true}
	for k := slices.Min(slices.Collect(maps.Keys(count))); len(count) > 0; k++ {
		if n := count[k]; n > 0 {
			from := math.Exp2(float64(k))
			c.X, c.Y = append(c.X, from*math.Sqrt2), append(c.Y, float64(n)/from)
			delete(count, k)
		}
	}
	return c
}

// powerLaw is y = factor × x^slope, fitted on logarithmic axes.
type powerLaw struct{ slope, factor, explained float64 }

func fitLine(c picture.Curve) (p powerLaw) {
	p.slope, p.explained = logLine(c.X, c.Y)
	sum := 0.0
	for i := range c.X {
		sum += math.Log(c.Y[i]) - p.slope*math.Log(c.X[i])
	}
	p.factor = math.Exp(sum / float64(len(c.X)))
	return p
}

// curve draws the law over the points of another curve.
func (p powerLaw) curve(of picture.Curve) picture.Curve {
	at := func(x float64) float64 { return p.factor * math.Pow(x, p.slope) }
	lo, hi := slices.Min(of.X), slices.Max(of.X)
	return picture.Curve{Name: fmt.Sprintf("rate to the power %.2f", p.slope), X: []float64{lo, hi}, Y: []float64{at(lo), at(hi)}}
}

// logLine fits a line to logarithms and returns its slope and the share of variance explained.
func logLine(x, y []float64) (slope, fit float64) {
	var n, sx, sy, sxx, syy, sxy float64
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		n, sx, sy, sxx, syy, sxy = n+1, sx+a, sy+b, sxx+a*a, syy+b*b, sxy+a*b
	}
	cov, vx, vy := sxy-sx*sy/n, sxx-sx*sx/n, syy-sy*sy/n
	if vx <= 0 || vy <= 0 {
		return math.NaN(), math.NaN()
	}
	return cov / vx, cov * cov / (vx * vy)
}

// stability is Figure 10: the rate of the first against that of the last 14 days.
func (f *feedFigures) stability() {
	const span = 14
	to := f.to - int64(week.Seconds()) // the last week is not whole
	first, last := picture.Curve{Name: "feeds", Points: true}, picture.Curve{Name: "the same rate"}
	near, noise, both := 0, 0, 0
	for _, at := range f.posts {
		a := float64(len(traces.Between(at, f.from, f.from+span*daySeconds)))
		b := float64(len(traces.Between(at, to-span*daySeconds, to)))
		if math.Abs(a-b) <= 2*math.Sqrt(a+b) {
			noise++
		}
		if a == 0 || b == 0 {
			continue
		}
		both++
		first.X, first.Y = append(first.X, a/span), append(first.Y, b/span)
		if max(a, b) <= 2*min(a, b) {
			near++
		}
	}
	if both == 0 {
		return
	}
	last.X, last.Y = []float64{slices.Min(first.X), slices.Max(first.X)}, []float64{slices.Min(first.X), slices.Max(first.X)}
	_, fit := logLine(first.X, first.Y)
	f.add("Sia, Cho & Cho, Figure 10: the rate of the first and of the last 14 days of 12 weeks", []string{
		"In the paper more than 90 % of the feeds lie close to the line y = x.",
		fmt.Sprintf("Of ours, %s differ by no more than counting explains (two standard deviations of a Poisson count); of the %d that posted in both fortnights %s are within a factor of two, and the first explains %s of the variance of the last (logarithms).",
			percent(float64(noise)/float64(len(f.posts))), both, percent(float64(near)/float64(both)), percent(fit)),
	}, []string{"Figure 10"}, picture.Graph{Title: "posts a day, first and last 14 days", X: "first 14 days", Y: "last 14 days of 12 weeks", LogX: true, LogY: true,
		Curves: []picture.Curve{first, last}})
}
