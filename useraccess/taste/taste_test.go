package taste

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

var monday = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

func TestOneObservationIsExact(t *testing.T) {
	// With one weight the moments of the posterior can be integrated: prior N(0, s²) times Φ(±(z·total + w)).
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		feed := Feed{Interest: 0.02 + 0.96*random.Float64()}
		read := random.IntN(2) == 1
		m, a := NewModel(), Article{Author: "Jane Doe", Published: monday}
		prior := otherVariance
		origin, _ := feed.origin()
		origin *= math.Sqrt(1 + prior)
		sign := -1.0
		if read {
			sign = 1
		}
		mass, first, second := 0.0, 0.0, 0.0
		for w := -8.0; w <= 8; w += 0.001 {
			p := math.Exp(-w*w/2/prior) * cumulative(sign*(origin+w))
			mass, first, second = mass+p, first+p*w, second+p*w*w
		}
		mean, variance := first/mass, second/mass-first*first/mass/mass
		m.Learn(a, feed, monday, read)
		got := m.weight(Feature{Author, "jane doe"}, monday)
		if math.Abs(got.Mean-mean) > 1e-6 || math.Abs(got.Variance-variance) > 1e-6 {
			t.Fatalf("interest %v, read %v: N(%v, %v), the integral gives N(%v, %v)", feed.Interest, read, got.Mean, got.Variance, mean, variance)
		}
	}
}

func TestChanceIsTheInterestAtFirst(t *testing.T) {
	for _, interest := range []float64{0.01, 0.2, 0.5, 0.95} {
		got := NewModel().Chance(Article{Title: "Some words of a title", Author: "x y"}, Feed{Interest: interest}, monday)
		if math.Abs(got-interest) > 1e-9 {
			t.Errorf("interest %v gives %v", interest, got)
		}
	}
}

func TestLearningMovesWhatArticlesShare(t *testing.T) {
	m, feed := NewModel(), Feed{Interest: 0.3}
	for i := range 8 {
		m.Learn(Article{Title: fmt.Sprintf("Harbour %d news", i), Author: "Jane Doe", Published: monday}, feed, monday, true)
		m.Learn(Article{Title: fmt.Sprintf("Football %d news", i), Author: "John Roe", Published: monday}, feed, monday, false)
	}
	chance := func(a Article) float64 { a.Published = monday; return m.Chance(a, feed, monday) }
	if up, down := chance(Article{Title: "The harbour at night"}), chance(Article{Title: "Football tonight"}); up < 0.37 || down > 0.26 {
		t.Errorf("harbour %v, football %v", up, down)
	}
	if plain := chance(Article{Title: "Something else"}); math.Abs(plain-0.3) > 1e-9 {
		t.Errorf("an article that shares nothing: %v", plain)
	}
	reasons := m.Reasons(Article{Title: "The harbour", Author: "John Roe", Published: monday}, feed, monday)
	if len(reasons) != 2 || reasons[0].Effect*reasons[1].Effect >= 0 {
		t.Fatalf("reasons %+v", reasons)
	}
	i := slices.IndexFunc(reasons, func(r Reason) bool { return r.Feature == Feature{Word, "harbour"} })
	if i < 0 || reasons[i].Read != 8 || reasons[i].Passed != 0 {
		t.Errorf("reasons %+v", reasons)
	}
}

// Somebody who has opened nearly all of thirty articles that are much alike has not told that all to come are read, whatever their
// words, and a chance near 1 has reasons.
func TestChanceFitsWhatWasSeen(t *testing.T) {
	m, feed := NewModel(), Feed{Interest: 0.6, Uncertain: 0.16}
	article := func(i int) Article {
		return Article{Title: fmt.Sprintf("Report %d about the work of a river town on day %d", i, i%4), Author: "Bo Weir", Words: 40, Categories: []string{"News", "Local"}, Published: monday}
	}
	check := func(seen, read int) {
		t.Helper()
		a := article(99)
		chance, most, least := m.Chance(a, feed, monday), (4*0.6+float64(seen))/(4+float64(seen)), 4*0.6/(4+float64(seen))
		if chance > most+1e-9 || chance < least-1e-9 {
			t.Errorf("%d of %d read: %v, beyond %v to %v", read, seen, chance, least, most)
		}
		differs := chance - feed.Interest
		if lifts := func(r Reason) bool { return r.Effect*differs > 0 }; math.Abs(differs) > 0.03 && !slices.ContainsFunc(m.Reasons(a, feed, monday), lifts) {
			t.Errorf("%d of %d read: %v without a reason", read, seen, chance)
		}
	}
	check(0, 0)
	for i := range 30 {
		m.Learn(article(i), Feed{Interest: 0.5}, monday, i != 7)
		check(i+1, i)
	}
	if chance := m.Chance(article(99), feed, monday); chance < 0.8 {
		t.Errorf("29 of 30 read: %v", chance)
	}
	for i := range 200 {
		m.Learn(article(i), Feed{Interest: 0.5}, monday, false)
		check(i+31, 29)
	}
}

func TestLearnsCategories(t *testing.T) {
	m, feed := NewModel(), Feed{Interest: 0.3}
	for range 8 {
		m.Learn(Article{Categories: []string{"Home", "Rivers"}, Published: monday}, feed, monday, true)
		m.Learn(Article{Categories: []string{"Home", "Sport"}, Published: monday}, feed, monday, false)
	}
	rivers := m.Chance(Article{Categories: []string{" RIVERS", "rivers"}, Published: monday}, feed, monday)
	sport := m.Chance(Article{Categories: []string{"a", "b", "c", "d", "sport"}, Published: monday}, feed, monday)
	if unseen := m.Chance(Article{Categories: []string{"a", "b", "c", "d", "e", "Rivers"}, Published: monday}, feed, monday); !(rivers > 0.5 && sport < 0.22) || math.Abs(unseen-0.3) > 1e-9 {
		t.Errorf("rivers %v, sport %v, beyond the bound %v", rivers, sport, unseen)
	}
	reasons := m.Reasons(Article{Categories: []string{"Rivers"}, Published: monday}, feed, monday)
	if len(reasons) != 1 || reasons[0].Feature != (Feature{Category, "rivers"}) || reasons[0].Read != 8 {
		t.Errorf("reasons %+v", reasons)
	}
}

func TestForgets(t *testing.T) {
	m, feed, a := NewModel(), Feed{Interest: 0.3}, Article{Author: "Jane Doe", Published: monday}
	for range 20 {
		m.Learn(a, feed, monday, true)
	}
	f := Feature{Author, "jane doe"}
	before := m.weight(f, monday)
	after := m.weight(f, monday.Add(halfLife))
	if !(after.Mean < before.Mean && after.Mean > 0 && after.Variance > before.Variance) {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if never := m.weight(f, monday.Add(100*halfLife)); math.Abs(never.Mean) > 1e-6 || math.Abs(never.Variance-otherVariance) > 1e-6 {
		t.Errorf("after a hundred half-lives: %+v", never)
	}
	if back := m.weight(f, monday.Add(-halfLife)); back != before {
		t.Errorf("a clock set back changes %+v to %+v", before, back)
	}
}

func TestIgnores(t *testing.T) {
	f := Feature{Word, "harbour"}
	m, feed, a := NewModel(f), Feed{Interest: 0.3}, Article{Title: "Harbour", Published: monday}
	m.Learn(a, feed, monday, true)
	c := NewCollection()
	c.Add(1, a)
	if got := m.Chance(a, feed, monday); math.Abs(got-0.3) > 1e-9 || len(m.Learned(monday)) != 0 {
		t.Errorf("chance %v, learned %v", got, m.Learned(monday))
	}
}

// To ask for more never makes the article less likely, and to ask for fewer never more, whatever was learned before: not either where
// what was learned says the contrary, and is trusted more with each observation.
func TestAskingMovesAsAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	article := func() Article {
		return Article{Title: []string{"Harbour", "Harbour plans", "Football", "Plans"}[random.IntN(4)], Author: []string{"", "Jane Doe"}[random.IntN(2)], Words: random.IntN(2000), Published: monday}
	}
	for range 500 {
		m, feed := NewModel(), Feed{Interest: 0.01 + 0.98*random.Float64()}
		for range random.IntN(12) {
			m.Learn(article(), feed, monday, random.IntN(2) == 0)
		}
		asked := article()
		before := m.Chance(asked, feed, monday)
		more := random.IntN(2) == 0
		m.Ask(asked, feed, monday, more)
		if after := m.Chance(asked, feed, monday); more && after < before || !more && after > before {
			t.Fatalf("%+v at an interest of %v: %v, was %v, more %v", asked, feed.Interest, after, before, more)
		}
	}
}

func TestExtremes(t *testing.T) {
	m := NewModel()
	a := Article{Title: "all words of this title", Author: "Jane Doe", Words: 3000, Carriers: 9, Published: monday}
	for i := range 3000 { // somebody who opens everything, then nothing
		m.Learn(a, Feed{Interest: 0.001}, monday.Add(time.Duration(i)*time.Second), i < 1500)
		if p := m.Chance(a, Feed{Interest: 1}, monday); !(p > 0 && p <= 1) {
			t.Fatalf("after %d: %v", i, p)
		}
	}
	for _, feed := range []Feed{{}, {Interest: 2}, {Interest: math.NaN()}, {Interest: 0.5, Uncertain: math.Inf(1)}} {
		m.Learn(a, feed, monday, true)
		if p := m.Chance(a, feed, monday); !(p >= 0 && p <= 1) {
			t.Errorf("%+v: %v", feed, p)
		}
	}
}

func TestModelIsBounded(t *testing.T) {
	m := NewModel()
	for i := range maxFeatures {
		m.Learn(Article{Title: fmt.Sprintf("kept word%d", i), Published: monday}, Feed{Interest: 0.2}, monday, i%2 == 0)
	}
	if len(m.weights) > maxFeatures {
		t.Errorf("%d features", len(m.weights))
	}
}

// The order of a collection is that of Chance, but for each tenth place.
func TestOrderIsByChance(t *testing.T) {
	p := dealPerson(7)
	m, next := NewModel(), int64(0)
	feeds := map[int64]Feed{}
	for i, f := range p.feeds {
		feeds[int64(i)] = Feed{f.chance, 0.1}
	}
	for _, a := range p.day(monday, &next)[:200] {
		m.Learn(a.Article, feeds[a.Feed], monday, a.read)
	}
	all, c, chances := p.day(monday.AddDate(0, 0, -2), &next), NewCollection(), map[int64]float64{}
	ids := []int64{1 << 40} // not in the collection
	now := monday.AddDate(0, 0, 1)
	for _, a := range all {
		c.Add(a.id, a.Article)
		ids, chances[a.id] = append(ids, a.id), m.Chance(a.Article, feeds[a.Feed], now)
	}
	order := c.Order(m, feeds, ids, now)
	if order[len(order)-1] != 1<<40 {
		t.Errorf("what is not known comes at %d", slices.Index(order, 1<<40))
	}
	var likeliest []float64
	for place, id := range order[:len(order)-1] {
		if place%explored != explored-1 || place >= exploredPlaces {
			likeliest = append(likeliest, -chances[id])
		}
	}
	for i := range likeliest[1:] {
		if likeliest[i] > likeliest[i+1]+1e-5 {
			t.Fatalf("%v before %v", -likeliest[i], -likeliest[i+1])
		}
	}
	slices.Sort(order)
	slices.Sort(ids)
	if !slices.Equal(order, ids) {
		t.Error("the order lacks articles or repeats some")
	}
}

// That more feeds carry a story counts as soon as it is known.
func TestOrderFollowsCarriers(t *testing.T) {
	m, feed := NewModel(), Feed{Interest: 0.3}
	for range 20 {
		m.Learn(Article{Carriers: 4, Published: monday}, feed, monday, true)
	}
	c := NewCollection()
	for id := range int64(3) {
		c.Add(id, Article{Feed: 1, Published: monday})
	}
	order := func() []int64 { return c.Order(m, map[int64]Feed{1: feed}, []int64{0, 1, 2}, monday) }
	if got := order(); !slices.Equal(got, []int64{0, 1, 2}) {
		t.Errorf("before: %v", got)
	}
	if c.SetCarriers(map[int64]int{2: 5, 99: 9}); !slices.Equal(order(), []int64{2, 0, 1}) {
		t.Errorf("with five feeds: %v", order())
	}
	if c.SetCarriers(nil); !slices.Equal(order(), []int64{0, 1, 2}) {
		t.Errorf("afterwards: %v", order())
	}
}

func TestEqualsKeepTheirOrder(t *testing.T) {
	c, ids := NewCollection(), []int64{}
	for i := range int64(3000) {
		c.Add(i, Article{Feed: 1, Title: "Same title", Published: monday})
		ids = append(ids, i)
	}
	if got := c.Order(NewModel(), map[int64]Feed{1: {0.2, 0.1}}, ids, monday); !slices.Equal(got, ids) {
		t.Error("equals changed places")
	}
}

func TestWords(t *testing.T) {
	for title, want := range map[string][]string{
		"The Harbour, the harbour: 12 a x2": {"the", "harbour", "x2"},
		"東京の天気":                             {"東京", "京の", "の天", "天気"},
		"":                                  nil,
		"Ärger über C++":                    {"ärger", "über"},
	} {
		if got := words(title); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", title, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("The harbour 東京\xff\u202e")
	f.Fuzz(func(t *testing.T, title string) {
		all := words(title)
		if len(all) > maxWords {
			t.Errorf("%d words", len(all))
		}
		for _, word := range all {
			if len(word) > maxWord || word == "" {
				t.Errorf("word %q", word)
			}
		}
	})
}

func BenchmarkOrder(b *testing.B) {
	p := dealPerson(7)
	m, next := NewModel(), int64(0)
	feeds := map[int64]Feed{}
	for i, f := range p.feeds {
		feeds[int64(i)] = Feed{f.chance, 0.1}
	}
	c, ids := NewCollection(), []int64{}
	for len(ids) < 100_000 {
		for _, a := range p.day(monday, &next) {
			if len(ids) < 20_000 {
				m.Learn(a.Article, feeds[a.Feed], monday, a.read)
			}
			c.Add(a.id, a.Article)
			ids = append(ids, a.id)
		}
	}
	b.Run("Collection100000", func(b *testing.B) {
		for b.Loop() {
			c.Order(m, feeds, ids, monday)
		}
	})
	b.Run("Learn", func(b *testing.B) {
		a := p.day(monday, &next)
		for i := 0; b.Loop(); i++ {
			one := &a[i%len(a)]
			m.Learn(one.Article, feeds[one.Feed], monday, one.read)
		}
	})
}

// BenchmarkHugeFeed orders 500,000 articles of one feed, and reports what the collection takes in memory.
func BenchmarkHugeFeed(b *testing.B) {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before, c, ids := heap(), NewCollection(), make([]int64, 0, 500_000)
	for id := range int64(cap(ids)) {
		c.Add(id, Article{Feed: 1, Title: fmt.Sprintf("report %d of the harbour number %d", id%5000, id), Author: "Ann", Published: monday.Add(-time.Duration(id) * time.Minute)})
		ids = append(ids, id)
	}
	taken, m := heap()-before, NewModel()
	for b.Loop() {
		c.Order(m, map[int64]Feed{1: {0.2, 0.1}}, ids, monday)
	}
	b.ReportMetric(taken/1e6, "MB")
	runtime.KeepAlive(c)
}
