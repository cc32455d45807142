package poller

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/useraccess/rate"
)

func published(dates ...time.Time) (articles []parse.Article) {
	for _, d := range dates {
		articles = append(articles, parse.Article{Published: d})
	}
	return articles
}

func TestPosted(t *testing.T) {
	from, to := monday, monday.Add(4*time.Hour)
	h := func(n float64) time.Time { return monday.Add(time.Duration(n * float64(time.Hour))) }
	for name, c := range map[string]struct {
		articles []parse.Article
		fresh    int
		want     []time.Time
	}{
		"by their dates":           {published(h(3), h(1), h(-5)), 2, []time.Time{h(1), h(3)}},
		"nothing new":              {published(h(-1), h(-5)), 0, nil},
		"no dates":                 {published(time.Time{}, time.Time{}, time.Time{}), 3, []time.Time{h(1), h(2), h(3)}},
		"dated by the day":         {published(h(-9), h(-33)), 1, []time.Time{h(2)}},
		"some of both":             {published(h(3), h(-9)), 2, []time.Time{h(3), h(2)}},
		"old ones dated anew":      {published(h(3.5), h(3), h(2.5), h(2)), 1, []time.Time{h(3.5)}},
		"all dated anew, none new": {published(h(3.5), h(3)), 0, nil},
		"dated in the future":      {published(h(4), h(9)), 1, []time.Time{h(2)}},
	} {
		if got := posted(c.articles, from, to, c.fresh); !slices.EqualFunc(got, c.want, time.Time.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestLearnedRates(t *testing.T) {
	prior := rate.Tally{}.Posterior(rate.FeedPrior).Mean() * 24
	for name, c := range map[string]struct {
		dates    []time.Time
		min, max float64 // posts a day
	}{
		"hourly":                {since(monday.Add(-time.Minute), time.Hour, 30), 20, 28},
		"yearly":                {since(monday.Add(-40*day), 300*day, 5), 0, 0.15},
		"one old item":          {since(monday.Add(-90*day), 0, 1), 0, 0.1},
		"no dates":              {make([]time.Time, 20), prior, prior},
		"only the future":       {since(monday.Add(300*day), time.Hour, 20), prior, prior},
		"all of one instant":    {slices.Repeat(since(monday.Add(-time.Minute), 0, 1), 30), prior, prior},
		"nothing":               {nil, prior, prior},
		"older than remembered": {since(monday.Add(-900*day), day, 30), prior, prior},
	} {
		var s State
		s.observe(monday, published(c.dates...), len(c.dates))
		got := s.tally.Posterior(rate.FeedPrior).Mean() * 24
		if got < c.min || got > c.max {
			t.Errorf("%s: %.3f posts a day, want %.3f to %.3f", name, got, c.min, c.max)
		}
	}
}

// A feed that dates its items by the day, or not at all, is known all the same.
func TestRatesOfOddDates(t *testing.T) {
	for name, date := range map[string]func(at time.Time) time.Time{
		"by the day": func(at time.Time) time.Time { return at.Truncate(day) },
		"none":       func(time.Time) time.Time { return time.Time{} },
		"all now":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.web.on("/odd", func(out http.ResponseWriter, _ *http.Request) {
				now := w.clock.Now()
				fmt.Fprint(out, `<rss version="2.0"><channel><title>Odd</title>`)
				for i := range 20 {
					at := now.Truncate(4 * time.Hour).Add(-time.Duration(i) * 4 * time.Hour)
					fmt.Fprintf(out, `<item><guid isPermaLink="false">%d</guid><title>T</title>`, at.Unix())
					d := now.Add(-time.Second)
					if date != nil {
						d = date(at)
					}
					if !d.IsZero() {
						fmt.Fprintf(out, `<pubDate>%s</pubDate>`, d.Format(time.RFC1123Z))
					}
					fmt.Fprint(out, `</item>`)
				}
				fmt.Fprint(out, `</channel></rss>`)
			})
			f := w.subscribePaths("/odd")[0]
			w.settled()
			w.live(5 * day)
			got := w.stateOf(f.ID).tally.Posterior(rate.FeedPrior).Mean() * 24
			if got < 4 || got > 8 {
				t.Errorf("%.2f posts a day are believed, 6 are true", got)
			}
		})
	}
}
