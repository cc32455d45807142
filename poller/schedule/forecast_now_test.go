package schedule

import (
	"slices"
	"testing"
	"time"

	"kairos/useraccess/rate"
)

// A feed that was watched for three days and posted much on the last is being learned; one that has posted as ever for months is fetched more often
// because it bursts, or because the user comes more often.
func TestCauseNow(t *testing.T) {
	var fresh, calm Posts
	fresh.Document(monday, slices.Concat(since(monday, time.Minute, 61), since(monday.Add(-day), 24*time.Hour, 3)), 64)
	calm.Document(monday, since(monday, 24*time.Hour, 100), 100)
	burst := calm
	for h := 1; h <= 12; h++ {
		at := monday.Add(time.Duration(h) * time.Hour)
		burst.Document(at, since(at, 20*time.Minute, 10), 3)
	}
	usual := rate.Tally{}.Outlook(rate.AccessPrior)
	eager, learned := usual, usual
	eager.LongRun, eager.Events = usual.Usual.Mean()/3, 2
	learned.LongRun, learned.Events = usual.Usual.Mean()/3, 100
	rare := learned
	rare.LongRun = 3 * usual.Usual.Mean()
	for name, c := range map[string]struct {
		posts  *Posts
		visits rate.Outlook
		more   bool
		want   NowCause
	}{
		"a new feed":               {&fresh, usual, true, LearnsPosts},
		"a burst":                  {&burst, usual, true, PostsMore},
		"the end of one":           {&burst, usual, false, LastDays},
		"nobody knows when":        {&calm, eager, true, LearnsVisits},
		"the user comes often":     {&calm, learned, true, ComesMore},
		"the user seldom comes":    {&calm, rare, false, ComesLess},
		"what is left over":        {&calm, usual, true, LastDays},
		"of that less than before": {&calm, usual, false, LastDays},
	} {
		if got := CauseNow(c.posts, c.visits, c.more); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
