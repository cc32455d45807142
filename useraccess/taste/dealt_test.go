package taste

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// dealtPerson reads by tastes for feeds, authors and words that a model has to learn: the probability is that of the feed,
// moved by normally distributed tastes on the scale of probits.
type dealtPerson struct {
	random *rand.Rand
	feeds  []dealtFeed
	words  []float64 // taste by word; the first are the most frequent
	zipf   *rand.Zipf
}

type dealtFeed struct {
	perDay  float64
	chance  float64
	authors []float64
}

type dealtArticle struct {
	id   int64
	feed int
	Article
	chance float64 // that the person reads it
	read   bool    // whether the person does, once it is seen
}

// The model of poller/lab (Readings): a post is read with probability min(1, λ^−1)·taste, taste log-normal of 0.7.
func dealPerson(seed uint64) *dealtPerson {
	random := rand.New(rand.NewPCG(seed, 33))
	p := &dealtPerson{random: random, words: make([]float64, 3000), zipf: rand.NewZipf(random, 1.1, 8, 2999)}
	for i := range p.words {
		if i >= 30 { // the most frequent are "the" and "of"
			p.words[i] = 0.45 * random.NormFloat64()
		}
	}
	for range 150 {
		f := dealtFeed{perDay: math.Exp(0.7 + 1.2*random.NormFloat64())}
		f.chance = min(0.95, min(1, 1/f.perDay)*math.Exp(0.7*random.NormFloat64()))
		for range 1 + random.IntN(4) {
			f.authors = append(f.authors, 0.7*random.NormFloat64())
		}
		p.feeds = append(p.feeds, f)
	}
	return p
}

func probit(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// day deals the articles of a day, newest first.
func (p *dealtPerson) day(midnight time.Time, next *int64) []dealtArticle {
	var all []dealtArticle
	for i, f := range p.feeds {
		for range poisson(p.random, f.perDay) {
			*next++
			author := p.random.IntN(len(f.authors))
			z := probit(f.chance) + f.authors[author]
			var title []string
			for range 4 + p.random.IntN(7) {
				w := int(p.zipf.Uint64())
				title = append(title, fmt.Sprintf("word%dx", w))
				z += p.words[w]
			}
			a := dealtArticle{id: *next, feed: i, chance: cumulative(z)}
			a.Feed, a.Title, a.Author = int64(i), strings.Join(title, " "), fmt.Sprintf("Author %d of %d", author, i)
			a.Published = midnight.Add(time.Duration(p.random.Float64() * 24 * float64(time.Hour)))
			a.read = p.random.Float64() < a.chance
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b dealtArticle) int { return b.Published.Compare(a.Published) })
	return all
}

func poisson(random *rand.Rand, mean float64) (n int) {
	for left := random.ExpFloat64(); left < mean; left += random.ExpFloat64() {
		n++
	}
	return n
}

// An ordering sorts a day's articles and learns from those that the person saw.
type ordering interface {
	order(all []dealtArticle, now time.Time)
	learn(a *dealtArticle, now time.Time)
}

// byChance sorts by what it knows.
type byChance func(a *dealtArticle) float64

func (f byChance) order(all []dealtArticle, _ time.Time) {
	slices.SortStableFunc(all, func(a, b dealtArticle) int { return cmp.Compare(f(&b), f(&a)) })
}

func (byChance) learn(*dealtArticle, time.Time) {}

// byInterest learns the interest in feeds, and more with a model.
type byInterest struct {
	person   *dealtPerson
	interest []rate.Interest
	model    *Model
	learns   bool
}

func (o *byInterest) known(feed int, now time.Time) Feed {
	i, perDay := o.interest[feed], o.person.feeds[feed].perDay
	return Feed{i.Chance(now, perDay), i.Spread(now, perDay)}
}

func (o *byInterest) order(all []dealtArticle, now time.Time) {
	c, ids, feeds, before := NewCollection(), []int64{}, map[int64]Feed{}, map[int64]dealtArticle{}
	for _, a := range all {
		c.Add(a.id, a.Article)
		ids, before[a.id] = append(ids, a.id), a
	}
	for i := range o.interest {
		feeds[int64(i)] = o.known(i, now)
	}
	for i, id := range c.Order(o.model, feeds, ids, now) {
		all[i] = before[id]
	}
}

func (o *byInterest) learn(a *dealtArticle, now time.Time) {
	if o.learns {
		o.model.Learn(a.Article, o.known(a.feed, now), now, a.read)
	}
	read, passed := 0.0, 1.0
	if a.read {
		read, passed = 1, 0
	}
	o.interest[a.feed] = o.interest[a.feed].After(now, read, passed)
}

// hits is how many of the first ten and the first fifty articles are read, by day.
type hits [8 * 7][2]float64

// week returns the mean over the days of a week, from 1 on.
func (h *hits) week(n int) (mean [2]float64) {
	for _, day := range h[7*(n-1) : 7*n] {
		for i, found := range day {
			mean[i] += found / 7
		}
	}
	return mean
}

var dealtOrderings = map[string]func(p *dealtPerson) ordering{
	"newest": func(*dealtPerson) ordering { return byChance(func(*dealtArticle) float64 { return 0 }) },
	"interest": func(p *dealtPerson) ordering {
		return &byInterest{p, make([]rate.Interest, len(p.feeds)), NewModel(), false}
	},
	"likely": func(p *dealtPerson) ordering {
		return &byInterest{p, make([]rate.Interest, len(p.feeds)), NewModel(), true}
	},
	"knows": func(*dealtPerson) ordering { return byChance(func(a *dealtArticle) float64 { return a.chance }) },
	"hindsight": func(*dealtPerson) ordering {
		return byChance(func(a *dealtArticle) float64 {
			if a.read {
				return 1
			}
			return 0
		})
	},
}

// perVisit is how many articles the person looks at one by one each day; the rest is marked read at once, which tells nothing.
const perVisit = 100

func playDealt(seed uint64, choose func(*dealtPerson) ordering) (found hits) {
	p := dealPerson(seed)
	o, next := choose(p), int64(0)
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for d := range found {
		all := p.day(day, &next)
		day = day.AddDate(0, 0, 1)
		o.order(all, day)
		for i := range all[:min(perVisit, len(all))] {
			a := &all[i]
			if a.read && i < 10 {
				found[d][0]++
			}
			if a.read && i < 50 {
				found[d][1]++
			}
			o.learn(a, day)
		}
	}
	return found
}

func meanHits(seeds int, choose func(*dealtPerson) ordering) (mean hits) {
	first, _ := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64) // 0 without
	for seed := range seeds {
		for day, found := range playDealt(first+uint64(seed), choose) {
			for i := range found {
				mean[day][i] += found[i] / float64(seeds)
			}
		}
	}
	return mean
}

// BenchmarkDealt plays eight weeks of twenty dealt people, and reports how many of the first 10 and 50 articles are read.
// KAIROS_SEED deals others. Of the first 50 in week 4, "likely" has 0.89 to 0.90 of "knows": about what can be learned of some
// 2,800 articles seen by then. Without the places for what is uncertain it has hardly more, nor with other variances, half-lives, or a
// weight of the feed beside its interest; expectation propagation in several passes over all of them, told how the people are
// dealt, has 0.90.
func BenchmarkDealt(b *testing.B) {
	for _, name := range []string{"newest", "interest", "likely", "knows", "hindsight"} {
		b.Run(name, func(b *testing.B) {
			var mean hits
			for b.Loop() {
				mean = meanHits(20, dealtOrderings[name])
			}
			for _, day := range []int{1, 2, 3} { // nothing is known on the first
				b.ReportMetric(mean[day-1][0], fmt.Sprintf("of10/day%d", day))
				b.ReportMetric(mean[day-1][1], fmt.Sprintf("of50/day%d", day))
			}
			for _, week := range []int{1, 2, 4, 8} {
				found := mean.week(week)
				b.ReportMetric(found[0], fmt.Sprintf("of10/week%d", week))
				b.ReportMetric(found[1], fmt.Sprintf("of50/week%d", week))
			}
		})
	}
}
