package feeds

import (
	"testing"

	"kairos/poller"
)

func TestSpanOfFeed(t *testing.T) {
	week := func(of func(hour int) float64) *poller.FeedForecast {
		f := &poller.FeedForecast{}
		for h := range 7 * 24 {
			f.Week.Posting = append(f.Week.Posting, of(h))
		}
		return f
	}
	if spanOf(week(func(h int) float64 { return float64(h % 24) })) != spanDay {
		t.Error("days that are alike: the week is shown")
	}
	if spanOf(week(func(h int) float64 { return float64(h / 24 % 7 / 5) })) != spanWeek {
		t.Error("posts on two days of the week: the day is shown")
	}
	if spanOf(week(func(int) float64 { return 0 })) != spanDay {
		t.Error("no posts: the week is shown")
	}
}
