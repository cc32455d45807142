package schedule

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// monday is where the tests' clocks begin.
var monday = time.Date(2026, 3, 2, 9, 0, 30, 0, time.UTC)

// since returns n dates, every so often, that end at t.
func since(t time.Time, every time.Duration, n int) (dates []time.Time) {
	for i := range n {
		dates = append(dates, t.Add(-time.Duration(i)*every))
	}
	return dates
}

func dates(all ...time.Time) []time.Time { return all }

func TestPosted(t *testing.T) {
	from, to := monday, monday.Add(4*time.Hour)
	h := func(n float64) time.Time { return monday.Add(time.Duration(n * float64(time.Hour))) }
	none := time.Time{}
	for name, c := range map[string]struct {
		dates []time.Time
		fresh int
		since time.Time
		want  []time.Time
	}{
		"by their dates":              {dates(h(3), h(1), h(-5)), 2, from, []time.Time{h(1), h(3)}},
		"nothing new":                 {dates(h(-1), h(-5)), 0, from, nil},
		"nothing at all":              {nil, 0, from, nil},
		"no dates":                    {dates(none, none, none, none), 3, from, []time.Time{h(1), h(2), h(3)}},
		"no dates, all new":           {dates(none, none, none), 3, from, []time.Time{h(1), h(2), h(3)}},
		"dated by the day":            {dates(h(-9), h(-33)), 1, from, []time.Time{h(2)}},
		"by the day, all new":         {dates(h(-9), h(-9), h(-23)), 3, from, []time.Time{h(1), h(2), h(3)}},
		"some of both":                {dates(h(3), h(-9)), 2, from, []time.Time{h(3), h(2)}},
		"old ones with new dates":     {dates(h(3.5), h(3), h(2.5), h(2)), 1, from, []time.Time{h(3.5)}},
		"all with new dates, no post": {dates(h(3.5), h(3)), 0, from, nil},
		"dated in the future":         {dates(h(4), h(9), h(-1)), 1, from, []time.Time{h(2)}},
		"all new, from the future":    {dates(h(4), h(8), h(9)), 3, from, []time.Time{h(1), h(2), h(3)}},
		"one from the future":         {dates(h(4), h(3), h(2)), 3, h(2), []time.Time{h(2), h(3), h(3)}},
		"dated when it was made":      {dates(h(3.9), h(3.9), h(3.9)), 1, from, []time.Time{h(2)}},
		"made in a moment, all new":   {dates(h(3.999), h(3.998), h(3.99)), 3, from, []time.Time{h(1), h(2), h(3)}},
		"more than it shows":          {dates(h(3.5), h(3), h(2.5)), 3, h(2.5), []time.Time{h(2.5), h(3), h(3.5)}},
		"more, one without a date":    {dates(h(3.5), h(3), none), 3, from, []time.Time{h(3), h(3.5), h(2)}},
		"more, one dated back":        {dates(h(3.5), h(3), h(-2)), 3, from, []time.Time{h(3), h(3.5), h(2)}},
		"the only one is new":         {dates(h(3)), 1, h(3), []time.Time{h(3)}},
		"the only one, dated back":    {dates(h(-90)), 1, from, []time.Time{h(2)}},
		"all renamed":                 {dates(h(-30), h(-60), h(-90)), 3, from, nil},
		"all renamed, one new":        {dates(h(1), h(-30), h(-60)), 3, from, []time.Time{h(1)}},
	} {
		since, got := posted(c.dates, from, to, c.fresh)
		if !since.Equal(c.since) || !slices.EqualFunc(got, c.want, time.Time.Equal) {
			t.Errorf("%s: since %v %v, want since %v %v", name, since, got, c.since, c.want)
		}
	}
}

// learn fetches a feed that shows its last few posts every so often, and returns
// what is known of it in the end.
func learn(start time.Time, posts []time.Time, window int, every, d time.Duration) (p Posts) {
	shown := func(now time.Time) []time.Time {
		n, _ := slices.BinarySearchFunc(posts, now, time.Time.Compare)
		return posts[max(0, n-window):n]
	}
	var last time.Time
	for now := start; now.Before(start.Add(d)); now = now.Add(every) {
		fresh := 0
		for _, at := range shown(now) {
			if !at.Before(last) {
				fresh++
			}
		}
		p.Document(now, shown(now), fresh)
		last = now
	}
	return p
}

// A feed that shows fewer items than it posts between two fetches is known by those
// it shows: neither its rate nor its hours suffer from what was never seen.
func TestWindowsThatOverflow(t *testing.T) {
	const perDay = 48.0
	r := rand.New(rand.NewPCG(5, 1))
	var posts []time.Time
	for at := monday.Add(-2 * day); at.Before(monday.Add(60 * day)); {
		at = at.Add(time.Duration(r.ExpFloat64() / perDay * float64(day)))
		if h := at.Hour(); h >= 6 && h < 18 || r.IntN(4) == 0 { // a quarter as much at night
			posts = append(posts, at)
		}
	}
	const truth = perDay * (0.5 + 0.5/4)
	for _, window := range []int{1, 2, 5, 15, 100} {
		for _, every := range []time.Duration{time.Hour, 5 * time.Hour, 7 * time.Hour} {
			s := learn(monday, posts, window, every, 60*day)
			p := s.Tally.Posterior(rate.FeedPrior)
			// A level follows the last days, of which a short window shows little.
			if got := p.Mean() * 24; got < 0.8*truth || got > 1.2*truth {
				t.Errorf("showing %d, fetched every %v: %.1f posts a day are believed, %.1f are true", window, every, got, truth)
			}
			if byDay, byNight := p.Weekday[12], p.Weekday[0]; window > 1 && byDay < 2.5*byNight {
				t.Errorf("showing %d, fetched every %v: %.2f posts an hour at noon, %.2f at midnight", window, every, byDay, byNight)
			}
		}
	}
}

func TestLearnedRates(t *testing.T) {
	prior := rate.Tally{}.Posterior(rate.FeedPrior).Mean() * 24
	for name, c := range map[string]struct {
		dates    []time.Time
		min, max float64 // posts a day
	}{
		"hourly":                {since(monday.Add(-time.Minute), time.Hour, 30), 20, 30}, // of a weekend, when feeds post less
		"yearly":                {since(monday.Add(-40*day), 300*day, 5), 0, 0.15},
		"one old item":          {since(monday.Add(-90*day), 0, 1), 0, 0.1},
		"no dates":              {make([]time.Time, 20), prior, prior},
		"only the future":       {since(monday.Add(300*day), time.Hour, 20), prior, prior},
		"made over seconds":     {since(monday.Add(-time.Second), time.Second, 30), prior, prior},
		"all of one instant":    {slices.Repeat(since(monday.Add(-time.Minute), 0, 1), 30), prior, prior},
		"nothing":               {nil, prior, prior},
		"older than remembered": {since(monday.Add(-900*day), day, 30), 0, 0.002},
		"long ago, of one day":  {since(monday.Add(-900*day), time.Second, 30), 0, 0.002},
		"before the web":        {since(time.Unix(0, 0), day, 30), prior, prior},
	} {
		var p Posts
		p.Document(monday, c.dates, len(c.dates))
		got := p.Rate().Mean() * 24
		if got < c.min-1e-6 || got > c.max+1e-6 {
			t.Errorf("%s: %.3f posts a day, want %.3f to %.3f", name, got, c.min, c.max)
		}
	}
}

// A feed that falls silent, or was found silent, is believed to post less and less.
func TestSilenceIsEvidence(t *testing.T) {
	posts := since(monday, 6*time.Hour, 400)
	slices.Reverse(posts)
	watched := learn(monday.Add(-60*day), posts, 15, 12*time.Hour, 60*day)
	before := watched.Rate().Mean() * 24
	for _, months := range []int{3, 12, 36} {
		silent := time.Duration(months) * 30 * day
		p := watched
		for at := 12 * time.Hour; at <= silent; at += 12 * time.Hour {
			p.Unchanged(monday.Add(at))
		}
		var found Posts
		found.Document(monday.Add(silent), posts, len(posts))
		for how, perDay := range map[string]float64{"watched": p.Rate().Mean() * 24, "found": found.Rate().Mean() * 24} {
			if most := 10 / silent.Hours() * 24; perDay > most {
				t.Errorf("%s silent for %d months: %.4f posts a day are believed, at most %.4f are likely", how, months, perDay, most)
			}
		}
	}
	// One post, and it is alive again.
	p := watched
	p.Unchanged(monday.Add(400 * day))
	for d := range 14 {
		now := monday.Add(time.Duration(401+d) * day)
		p.Document(now, since(now.Add(-time.Hour), 6*time.Hour, 4), 4)
	}
	if got := p.Rate().Mean() * 24; got < before/3 {
		t.Errorf("two weeks after the silence %.2f posts a day are believed, %.2f are true", got, before)
	}
}

// A fetch adds to what is known and looks at nothing that was fetched before.
func BenchmarkObserve(b *testing.B) {
	for _, before := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("after %d fetches", before), func(b *testing.B) {
			var p Posts
			now := monday
			for range before {
				p.Document(now, []time.Time{now.Add(-time.Minute)}, 1)
				now = now.Add(time.Hour)
			}
			shown := since(now.Add(3*time.Hour), time.Hour, 30)
			b.ReportAllocs()
			for b.Loop() {
				known := p
				known.Document(now.Add(4*time.Hour), shown, 4)
			}
		})
	}
}

// The same on real feeds: of those with more posts than a window of ten holds
// between two fetches the rate is found all the same.
func TestRealWindowsThatOverflow(t *testing.T) {
	var off []float64
	for _, posts := range realPosts(t) {
		start := posts[len(posts)-1].Truncate(day).Add(-42 * day)
		from, _ := slices.BinarySearchFunc(posts, start, time.Time.Compare)
		perDay := float64(len(posts)-from) / 42
		if perDay < 40 {
			continue
		}
		s := learn(start, posts, 10, 8*time.Hour, 42*day)
		off = append(off, math.Log(s.Tally.Posterior(rate.FeedPrior).Mean()*24/perDay))
	}
	slices.Sort(off)
	half := math.Exp(off[len(off)/2])
	t.Logf("%d feeds; believed against true: %.2f, %.2f, %.2f (quarters)", len(off), math.Exp(off[len(off)/4]), half, math.Exp(off[len(off)*3/4]))
	if half < 0.7 || half > 1.5 {
		t.Errorf("half the feeds are believed to post less than %.2f times what they do", half)
	}
}

// What the first document of a feed shows foretells the next hour, of feeds that post a few times a day and of those that post each
// minute alike.
func TestFirstDocumentForetells(t *testing.T) {
	const documents = 100 // of each feed
	posts, r := realPosts(t), rand.New(rand.NewPCG(1, 2))
	spans := []time.Duration{time.Hour, 4 * time.Hour, day} // how far a document reaches back, at most
	var expected, came [3]float64
	for _, feed := range slices.Sorted(maps.Keys(posts)) {
		all := posts[feed]
		var sum, posted [3]float64
		var n [3]float64
		for range documents {
			now := all[len(all)-1].Add(-day - time.Duration(r.Int64N(int64(140*day))))
			items := 10 + r.IntN(20)
			i, _ := slices.BinarySearchFunc(all, now, time.Time.Compare)
			if i < items {
				continue
			}
			k, _ := slices.BinarySearch(spans, now.Sub(all[i-items]))
			if k == len(spans) {
				continue
			}
			var p Posts
			p.Document(now, all[i-items:i], items)
			usual := p.Rate().Sampler(time.UTC)
			sum[k] += usual.Given(p.Succession(usual)).Sample(now, time.Hour, 1)[0]
			j, _ := slices.BinarySearchFunc(all, now.Add(time.Hour), time.Time.Compare)
			posted[k] += float64(j - i)
			n[k]++
		}
		for k := range n { // all feeds count alike
			if n[k] > 0 {
				expected[k] += sum[k] / n[k]
				came[k] += posted[k] / n[k]
			}
		}
	}
	for k, span := range spans {
		ratio := expected[k] / came[k]
		t.Logf("reaching back less than %v: %.2f times as many posts are expected as come", span, ratio)
		if ratio < 0.75 || ratio > 1.33 {
			t.Errorf("reaching back less than %v: %.2f times as many posts are expected as come", span, ratio)
		}
	}
}

// A feed that posts each minute is known as one from its first document on, and loses what it must: no feed is asked more often than
// every quarter of an hour.
func TestFeedOfEachMinute(t *testing.T) {
	var p Posts
	p.Document(monday, since(monday.Add(-time.Second), time.Minute, 15), 15)
	if got := p.PerHour(); got < 40 || got > 80 {
		t.Errorf("%.1f posts an hour after the first document", got)
	}
	at := monday.Add(20 * time.Minute)
	p.Document(at, since(at.Add(-time.Second), time.Minute, 15), 15)
	if loss := p.Window.Loss; loss.Items < 3 || loss.Items > 8 || p.SafeGap() > 10*time.Minute {
		t.Errorf("lost %+v, fetched often enough each %v", loss, p.SafeGap())
	}
}

// realPosts are the posts of real feeds, oldest first.
func realPosts(t *testing.T) map[string][]time.Time {
	t.Helper()
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		t.Skip("skipped: no traces")
	}
	f, err := os.Open(filepath.Join(dir, "posts.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	posts := map[string][]time.Time{}
	for _, line := range lines[1:] {
		at, err := strconv.ParseFloat(line[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		posts[line[0]] = append(posts[line[0]], time.Unix(int64(at), 0).UTC())
	}
	for _, at := range posts {
		slices.SortFunc(at, time.Time.Compare)
	}
	return posts
}

// The articles of a feed tell as much as watching it for the same weeks does.
func TestHistoryIsAsGoodAsWatching(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	var posts []time.Time
	for day := range 70 {
		for range 1 + r.IntN(3) { // in the morning, with an exception
			hour := 7 + r.NormFloat64()
			if r.IntN(8) == 0 {
				hour = 24 * r.Float64()
			}
			posts = append(posts, monday.Truncate(24*time.Hour).AddDate(0, 0, day).Add(time.Duration(hour*float64(time.Hour))))
		}
	}
	slices.SortFunc(posts, time.Time.Compare)
	end := posts[len(posts)-1].Add(time.Hour)
	watched := learn(posts[0], posts, 1000, time.Hour, end.Sub(posts[0]))
	var moved Posts
	moved.History(end, posts)
	if a, b := moved.PerHour(), watched.PerHour(); math.Abs(a/b-1) > 0.05 {
		t.Errorf("%.3f posts an hour by their dates, %.3f by watching", a, b)
	}
	for hour := range 24 {
		at := end.Add(time.Duration(hour) * time.Hour)
		a, b := moved.Rate().Sample(at, time.Hour, 1, time.UTC)[0], watched.Rate().Sample(at, time.Hour, 1, time.UTC)[0]
		if math.Abs(a-b) > 0.02+0.2*b {
			t.Errorf("at %d o'clock %.3f posts an hour by their dates, %.3f by watching", at.Hour(), a, b)
		}
	}
	if !moved.Newest.Equal(watched.Newest) || moved.Window != (Window{}) {
		t.Errorf("%v, %v, %+v", moved.Newest, watched.Newest, moved.Window)
	}
}
