package poller

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// The rate of a feed that dates its items by the day, or not at all, is learned too.
func TestRatesWithOddDates(t *testing.T) {
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
			got := w.stateOf(f.ID).posts.Tally.Posterior(rate.FeedPrior).Mean() * 24
			if got < 4 || got > 8 {
				t.Errorf("%.2f posts a day are believed, 6 are true", got)
			}
		})
	}
}
