package text

import (
	"testing"

	"kairos/poller"
	"kairos/poller/schedule"
)

// A change that changes nothing is told so.
func TestEffectsThatChangeNothing(t *testing.T) {
	now, more := schedule.FeedForecast{Fetches: 0.5, Ready: 0.8}, schedule.FeedForecast{Fetches: 1, Ready: 0.9}
	got := English().Effects([]poller.Effect{{FeedForecast: now}, {Change: schedule.Change{Weight: 0.5}, FeedForecast: now}, {Change: schedule.Change{Weight: 2}, FeedForecast: more}})
	if len(got) != 3 || got[0] != "fetches: one every 2 days; about 80 % there" || got[1] != "no difference" || got[2] != "fetches: 1 a day; about 90 % there" {
		t.Errorf("%q", got)
	}
}
