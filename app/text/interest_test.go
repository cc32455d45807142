package text

import (
	"math"
	"testing"

	"kairos/poller"
)

func TestInterest(t *testing.T) {
	for want, i := range map[string]poller.FeedInterest{
		"You read about 9 of 10 of its articles.":                                                                   {Chance: 0.88, Read: 7.2, Passed: 1},
		"You read nearly all of its articles.":                                                                      {Chance: 0.97, Read: 30},
		"You read hardly any of its articles.":                                                                      {Chance: 0.02, Passed: 90},
		"You said that you read 80 % of its articles.":                                                              {Chance: 0.8, Own: true, Passed: 90},
		"From 3 of its articles that you have seen so far, Kairos expects you to read about 7 of 10.":               {Chance: 0.69, Read: 3, Spread: 0.16},
		"From its one article that you have seen so far, Kairos expects you to read about 4 of 10.":                 {Chance: 0.4, Read: 1, Spread: 0.2},
		"You read about 3 of 10 of its articles.":                                                                   {Chance: 0.3, Read: 9, Passed: 20, Spread: 0.08},
		"Kairos assumes that you read about 3 of 10 of its articles, as people do with feeds that post this often.": {Chance: 0.3, Read: 0.5},
	} {
		if got := English().Interest(i); got != want {
			t.Errorf("%+v: %q, want %q", i, got, want)
		}
	}
	for want, times := range map[string]float64{
		"When Kairos plans fetches, each counts 6 times as much as an article of an average feed.": 6,
		"When Kairos plans fetches, each counts only 25 % of an article of an average feed.":       0.25,
		"When Kairos plans fetches, each counts a little less than an article of an average feed.": 0.83,
		"When Kairos plans fetches, each counts a little more than an article of an average feed.": 1.2,
	} {
		if got := English().Counts(times); got != want {
			t.Errorf("%v: %q, want %q", times, got, want)
		}
	}
	for _, times := range []float64{1, 1.1, 0.9, 0, math.NaN()} {
		if got := English().Counts(times); got != "" {
			t.Errorf("%v: %q", times, got)
		}
	}
}
