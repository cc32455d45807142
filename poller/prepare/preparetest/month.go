// Package preparetest deals feeds, and who reads which of their articles, for the benchmarks of preparing.
package preparetest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"kairos/useraccess/taste"
)

// Begin is when a month begins.
var Begin = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// Pictures is how many pictures an article has.
const Pictures = 5

// Site is one of the feeds that a person reads: how often it posts, how much is read, and what its pages and pictures take.
type Site struct {
	PerDay  float64
	Refuses bool // its pages

	liking  float64 // on the scale of probits
	authors []float64
	page    float64 // mean, bytes
	picture float64 // the same
}

// Post is an article, with what nobody but the person knows.
type Post struct {
	taste.Article
	At      time.Time
	Site    int
	Chance  float64 // that it is read
	Read    bool
	Page    int64 // bytes
	Picture int64 // bytes of each
}

// Bytes is what its page and pictures take.
func (p *Post) Bytes() float64 { return float64(p.Page + Pictures*p.Picture) }

// Month deals sites that post 0.1 to 30 articles a day for 30 days, in the order of time, and who reads a fifth of them by tastes.
func Month(seed uint64, n int) (sites []Site, posts []*Post) {
	random := rand.New(rand.NewPCG(seed, 34))
	for range n {
		s := Site{PerDay: 0.1 * math.Pow(300, random.Float64()), liking: -0.55 + random.NormFloat64(),
			page: 30e3 * math.Pow(10, random.Float64()), picture: 20e3 + 100e3*random.Float64(), Refuses: random.IntN(50) == 0}
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
			at += random.ExpFloat64() / s.PerDay
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
			if s.PerDay > 3 {
				chance *= math.Sqrt(3 / s.PerDay)
			}
			published := Begin.Add(time.Duration(at * float64(day)))
			p := &Post{At: published, Site: i, Chance: chance, Read: random.Float64() < chance,
				Article: taste.Article{Feed: int64(i), Title: title, Author: fmt.Sprintf("author %d of %d", author, i), Published: published}}
			p.Page = int64(s.page * (0.7 + 0.6*random.Float64()))
			p.Picture = int64(s.picture * (0.5 + random.Float64()))
			posts = append(posts, p)
		}
	}
	slices.SortStableFunc(posts, func(a, b *Post) int { return a.At.Compare(b.At) })
	return sites, posts
}

// Visit returns the posts that came before the next of two visits a day, and the others.
func Visit(posts []*Post) (visit time.Time, came, later []*Post) {
	visit = posts[0].At.Truncate(day / 2).Add(day / 2)
	n, _ := slices.BinarySearchFunc(posts, visit, func(p *Post, t time.Time) int { return cmp.Or(p.At.Compare(t), 1) })
	n = max(1, n)
	return visit, posts[:n], posts[n:]
}

// Spent is what a way to prepare has brought and cost.
type Spent struct {
	Opened, Whole int
	Bytes         float64
}

// Share is how much of what was opened was whole.
func (s Spent) Share() float64 { return float64(s.Whole) / float64(max(1, s.Opened)) }

// Knowing prepares the articles with the best ratio of the real chance to the real bytes, as many as reach a share.
func Knowing(sites []Site, posts []*Post, share float64) (s Spent) {
	posts = slices.Clone(posts)
	slices.SortStableFunc(posts, func(a, b *Post) int { return cmp.Compare(b.Chance/b.Bytes(), a.Chance/a.Bytes()) })
	for _, p := range posts {
		if p.Read {
			s.Opened++
		}
	}
	for _, p := range posts {
		if s.Share() >= share {
			break
		}
		if sites[p.Site].Refuses { // who knows everything does not ask in vain
			continue
		}
		s.Bytes += p.Bytes()
		if p.Read {
			s.Whole++
		}
	}
	return s
}

// Extremes returns what it takes to fetch everything, and only what is opened, once it is.
func Extremes(posts []*Post) (everything, opening Spent) {
	for _, p := range posts {
		everything.Bytes += p.Bytes()
		if p.Read {
			everything.Opened++
			opening.Bytes += p.Bytes()
		}
	}
	opening.Opened, everything.Whole = everything.Opened, everything.Opened
	return everything, opening
}
