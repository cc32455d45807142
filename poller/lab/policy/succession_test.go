package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/schedule"
)

// comparison counts the posts that came and those that were expected, and the squares of the differences of feeds.
type comparison struct{ came, expected, squares float64 }

func (c *comparison) add(came, expected float64) {
	c.came, c.expected = c.came+came, c.expected+expected
	c.squares += (came - expected) * (came - expected)
}

// comparisons are by class of feeds and by band.
type comparisons [][4]comparison

// The bands and classes in which what is expected is compared with what came.
var (
	classes  = []float64{0.3, 2, 20, math.Inf(1)}                     // posts a day, up to
	ageBands = []float64{1, 4, 12, 24, 48, 96, 192, 384, math.Inf(1)} // hours since the last known post
	silences = []float64{0.5, 1, 2, 4, 8, 16, math.Inf(1)}            // posts expected since
	aheads   = []float64{1, 4, 12, 24, 48}                            // hours after a fetch
	atFetch  = []float64{1, 4, 12, 24, 48, 96, 192, 384, math.Inf(1)} // hours since the last known post at the fetch, a day ahead
)

// outcome is what came and was expected of some feeds.
type outcome struct{ age, silence, ahead, atFetch comparisons }

func newOutcome() *outcome {
	return &outcome{make(comparisons, len(ageBands)), make(comparisons, len(silences)), make(comparisons, len(aheads)), make(comparisons, len(atFetch))}
}

func (o *outcome) parts() []comparisons { return []comparisons{o.age, o.silence, o.ahead, o.atFetch} }

// upTo returns the first band that reaches as far as x.
func upTo(bands []float64, x float64) int {
	n, _ := slices.BinarySearch(bands, x)
	return min(n, len(bands)-1)
}

// foretell observes a feed by fetches every 1½ to 7½ hours and compares what was expected after each with what came.
func foretell(f *traces.Feed, end int64, seed uint64) *outcome {
	feed := newOutcome()
	r := rand.New(rand.NewPCG(seed, 28))
	begin := end - 24*7*86400
	var p schedule.Posts
	var last, next int64
	for now := begin + r.Int64N(86400); now < end-3*86400; last, now = now, next {
		next = now + int64(5400*math.Exp(r.Float64()*math.Log(5)))
		n, _ := slices.BinarySearch(f.Posts, now)
		var dates []time.Time
		fresh := 0
		for _, at := range f.Posts[max(0, n-50):n] {
			dates = append(dates, time.Unix(at, 0))
			if at >= last {
				fresh++
			}
		}
		p.Document(time.Unix(now, 0), dates, fresh)
		if now < begin+14*86400 || p.Newest.IsZero() || r.IntN(4) > 0 {
			continue
		}
		feed.compare(&p, f.Posts[n:], now)
	}
	return feed
}

// compare compares what is expected after a fetch with the posts that came.
func (o *outcome) compare(p *schedule.Posts, posts []int64, now int64) {
	usual := p.Rate().Sampler(time.UTC)
	hours := usual.Given(p.Succession(usual)).Sample(time.Unix(now, 0), 15*time.Minute, 48*4)
	perDay := p.PerHour() * 24
	class, age := upTo(classes, perDay), time.Unix(now, 0).Sub(p.Newest).Hours()
	came, expected := 0.0, 0.0
	for h := range 48 {
		e, n := 0.0, 0.0
		for _, x := range hours[4*h : 4*h+4] {
			e += x / 4
		}
		for len(posts) > 0 && posts[0] < now+int64(h+1)*3600 {
			posts, n = posts[1:], n+1
		}
		n = min(n, 50) // what a document shows
		came, expected = came+n, expected+e
		if h < 24 {
			u := age + float64(h) + 0.5
			o.age[upTo(ageBands, u)][class].sum(n, e)
			o.silence[upTo(silences, u*perDay/24)][class].sum(n, e)
		}
		if k := slices.Index(aheads, float64(h+1)); k >= 0 {
			o.ahead[k][class].sum(came, expected)
		}
		if h == 23 {
			o.atFetch[upTo(atFetch, age)][class].sum(came, expected)
		}
	}
}

// sum adds without squares, within a feed.
func (c *comparison) sum(came, expected float64) {
	c.came, c.expected = c.came+came, c.expected+expected
}

// add adds those of a feed.
func (o *outcome) add(feed *outcome) {
	for i, part := range feed.parts() {
		for band := range part {
			for class := range part[band] {
				c := part[band][class]
				o.parts()[i][band][class].add(c.came, c.expected)
			}
		}
	}
}

// What is expected of feeds that nothing was fitted to comes: by how long the last post is ago, by hours and by the posts that were
// expected since, and up to two days ahead.
func TestSuccessionOfRealFeeds(t *testing.T) {
	set := labtest.Panel(t, 0)
	feeds, known := []traces.Feed{}, map[string]bool{}
	for _, u := range set.Half(2).Users {
		for _, f := range u.Feeds {
			if !known[f.ID] {
				known[f.ID], feeds = true, append(feeds, f)
			}
		}
	}
	if os.Getenv("KAIROS_SOAK") == "" {
		some := feeds[:0]
		for i := 0; i < len(feeds); i += 5 {
			some = append(some, feeds[i])
		}
		feeds = some
	}
	start := time.Now()
	of := make([]*outcome, len(feeds))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(feeds)); i = next.Add(1) - 1 {
				of[i] = foretell(&feeds[i], set.End, uint64(i))
			}
		})
	}
	wg.Wait()
	all := newOutcome()
	for _, o := range of {
		all.add(o)
	}
	t.Logf("%d feeds in %v", len(feeds), time.Since(start).Round(time.Millisecond))
	for i, name := range []string{"hours since the last post", "posts expected since", "hours ahead", "a day ahead, by hours since the last post at the fetch"} {
		t.Log(all.parts()[i].check(t, name, [][]float64{ageBands, silences, aheads, atFetch}[i]))
	}
}

// check fails where far more or fewer came than were expected, and returns a table.
func (all comparisons) check(t *testing.T, name string, bands []float64) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", name)
	for band := range all {
		fmt.Fprintf(&out, "%8.4g", bands[band])
		for class, c := range all[band] {
			ratio, spread := c.came/c.expected, math.Sqrt(c.squares)/c.expected
			fmt.Fprintf(&out, "  %5.2f ± %.2f (%7.0f)", ratio, spread, c.came)
			if c.came >= 800 && math.Abs(ratio-1) > 0.1+2.5*spread {
				t.Errorf("%s up to %v, feeds of up to %v posts a day: observed over expected %.2f ± %.2f", name, bands[band], classes[class], ratio, spread)
			}
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}
