package prepare

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/useraccess/rate"
	"kairos/useraccess/taste"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// site is one of the feeds that a person reads: how often it posts, how much is read, and what its pages and pictures take.
type site struct {
	perDay   float64
	liking   float64 // on the scale of probits
	authors  []float64
	page     float64 // mean, bytes
	pictures float64
	refuses  bool // its pages
}

// post is an article, with what nobody but the person knows.
type post struct {
	taste.Article
	at       time.Time
	site     int
	chance   float64 // that it is read
	read     bool
	page     float64 // bytes
	pictures float64 // five of them

	judged float64 // chance by what was learned when it was judged
	cost   float64 // expected then
}

func (p *post) bytes() float64 { return p.page + p.pictures }

// month deals 100 feeds that post 0.1 to 30 articles a day, and who reads a fifth of them by tastes.
func month(seed uint64) (sites []site, posts []*post) {
	random := rand.New(rand.NewPCG(seed, 34))
	for range 100 {
		s := site{perDay: 0.1 * math.Pow(300, random.Float64()), liking: -0.55 + random.NormFloat64(),
			page: 30e3 * math.Pow(10, random.Float64()), pictures: 20e3 + 100e3*random.Float64(), refuses: random.IntN(50) == 0}
		for range 1 + random.IntN(4) {
			s.authors = append(s.authors, 0.7*random.NormFloat64())
		}
		sites = append(sites, s)
	}
	words := make([]float64, 3000)
	zipf := rand.NewZipf(random, 1.1, 8, uint64(len(words)-1))
	for i := range words {
		words[i] = 0.45 * random.NormFloat64()
	}
	for i, s := range sites {
		for at := 0.0; ; {
			at += random.ExpFloat64() / s.perDay
			if at >= 30 {
				break
			}
			author, liking, title := random.IntN(len(s.authors)), s.liking, ""
			liking += s.authors[author]
			for range 4 {
				word := zipf.Uint64()
				liking += words[word]
				title += fmt.Sprintf(" w%dx", word)
			}
			chance := math.Erfc(-(liking-0.45)/math.Sqrt2) / 2
			if s.perDay > 3 {
				chance *= math.Sqrt(3 / s.perDay)
			}
			published := monday.Add(time.Duration(at * float64(day)))
			p := &post{at: published, site: i, chance: chance, read: random.Float64() < chance,
				Article: taste.Article{Feed: int64(i), Title: title, Author: fmt.Sprintf("author %d of %d", author, i), Published: published}}
			p.page = s.page * (0.7 + 0.6*random.Float64())
			for range 5 {
				p.pictures += s.pictures * (0.5 + random.Float64())
			}
			posts = append(posts, p)
		}
	}
	slices.SortStableFunc(posts, func(a, b *post) int { return a.at.Compare(b.at) })
	return sites, posts
}

// spent is what a way to prepare has brought and cost.
type spent struct {
	opened, whole int
	bytes         float64
}

func (s spent) share() float64 { return float64(s.whole) / float64(max(1, s.opened)) }

// learned prepares by what is learned on the way: two visits a day, judged shortly before each.
func learned(sites []site, posts []*post, goal float64) (s spent, curve []Point) {
	model, history := taste.NewModel(), History{}
	interests, costs := make([]rate.Interest, len(sites)), make([]Cost, len(sites))
	random := rand.New(rand.NewPCG(1, 1))
	for len(posts) > 0 {
		visit := posts[0].at.Truncate(day / 2).Add(day / 2)
		n, _ := slices.BinarySearchFunc(posts, visit, func(p *post, t time.Time) int { return cmp.Or(p.at.Compare(t), 1) })
		came := posts[:max(1, n)]
		posts = posts[len(came):]
		least := history.Least(goal)
		var all []Candidate
		for i, p := range came {
			interest := interests[p.site].Chance(visit, sites[p.site].perDay)
			p.judged = model.Chance(p.Article, taste.Feed{Interest: interest}, visit)
			c := Candidate{ID: int64(i), Chance: p.judged, Bytes: costs[p.site].PageBytes() + 5*costs[p.site].PictureBytes(), Requests: 6}
			p.cost = c.Cost()
			history.Came(c.Worth(), c.Cost())
			all = append(all, c)
		}
		prepared := map[int64]bool{}
		for _, c := range Choose(all, least, Allowance{math.MaxFloat64, math.MaxInt}) {
			p := came[c.ID]
			prepared[c.ID] = !sites[p.site].refuses
			s.bytes += p.pictures
			if !sites[p.site].refuses {
				s.bytes += p.page
				costs[p.site].SawPage(int64(p.page))
			}
			costs[p.site].SawPicture(int64(p.pictures / 5))
		}
		for i, p := range came {
			feed := taste.Feed{Interest: interests[p.site].Chance(visit, sites[p.site].perDay)}
			switch {
			case p.read:
				s.opened++
				if prepared[int64(i)] {
					s.whole++
				}
				history.Opened(Worth(p.judged, p.cost), prepared[int64(i)])
				model.Learn(p.Article, feed, visit, true)
				interests[p.site] = interests[p.site].After(visit, 1, 0)
			case random.IntN(2) == 0: // the other half is not looked at, from which nothing is learned
				model.Learn(p.Article, feed, visit, false)
				interests[p.site] = interests[p.site].After(visit, 0, 1)
			}
		}
	}
	return s, history.Curve()
}

// knowing prepares the articles with the best ratio of the real chance to the real bytes, as many as reach a share.
func knowing(sites []site, posts []*post, share float64) (s spent) {
	posts = slices.Clone(posts)
	slices.SortStableFunc(posts, func(a, b *post) int { return cmp.Compare(b.chance/b.bytes(), a.chance/a.bytes()) })
	for _, p := range posts {
		if p.read {
			s.opened++
		}
	}
	for _, p := range posts {
		if s.share() >= share {
			break
		}
		if sites[p.site].refuses { // who knows everything does not ask in vain
			continue
		}
		s.bytes += p.bytes()
		if p.read {
			s.whole++
		}
	}
	return s
}

// BenchmarkMonth reads a month of 100 feeds. whole-% is how much of what was opened was whole without a request; bytes-ratio is what
// preparing took beside who knows the probabilities and has as much whole; the other figures are of fetching everything, and of
// what was opened alone, in the same unit.
func BenchmarkMonth(b *testing.B) {
	for b.Loop() {
		var share, ratio, everything, opening, most, read float64
		const people = 8
		for seed := range uint64(people) {
			sites, posts := month(seed)
			got, _ := learned(sites, posts, Goal)
			best := knowing(sites, posts, got.share())
			all, opened, n := 0.0, 0.0, 0
			for _, p := range posts {
				all += p.bytes()
				if p.read {
					opened += p.bytes()
					n++
				}
			}
			share, ratio = share+got.share()/people, ratio+got.bytes/best.bytes/people
			most = max(most, got.bytes/best.bytes)
			everything, opening, read = everything+all/best.bytes/people, opening+opened/best.bytes/people, read+float64(n)/float64(len(posts))/people
		}
		b.ReportMetric(100*share, "whole-%")
		b.ReportMetric(ratio, "bytes-ratio")
		b.ReportMetric(most, "worst-ratio")
		b.ReportMetric(everything, "everything-ratio")
		b.ReportMetric(opening, "on-opening-ratio")
		b.ReportMetric(100*read, "read-%")
	}
}
