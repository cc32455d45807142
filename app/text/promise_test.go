package text

import (
	"strings"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

// A goal is told by the forecast of now; a correction and battery saver are named.
func TestPromise(t *testing.T) {
	f := &poller.Forecast{Feeds: 10, Curve: schedule.Curve{{Budget: 20, Ready: 0.6, Late: 2 * time.Hour}, {Budget: 160, Ready: 0.95, Late: time.Minute}}}
	b := poller.Budget{Normal: "goal 95%", Promise: poller.Promise{Goal: poller.Goal{Ready: 0.95}, PerFeed: 16, Kept: true, Worth: 1, Expected: 0.7}}
	check := func(name string, has ...string) {
		t.Helper()
		text := English().Promise(b, f)
		for _, s := range has {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q has no %q", name, text, s)
			}
		}
	}
	check("as forecast", "160 fetches a day are enough. About 95 % are ready")
	b.Promise.Worth = 0.5
	check("corrected", "Last week brought less than forecast, so it takes 160 instead of 80.")
	b.Saver = poller.SaverOn
	check("battery saver", "takes 160 fetches a day.", "Battery saver comes first: with its 20 fetches a day about 60 % are ready")
	b.Saver, b.Promise.PerFeed = poller.SaverOff, 2
	check("no longer kept", "with its 20 fetches a day about 60 % are ready now")
}

// The lateness of a goal is told as it was set.
func TestGoalLate(t *testing.T) {
	for late, want := range map[time.Duration]string{time.Hour: "1 h", 10 * time.Minute: "10 min", 100 * time.Minute: "100 min", 40 * time.Hour: "40 h", 48 * time.Hour: "2 days"} {
		if text := English().Goal(poller.Goal{Late: late}); text != "articles at most "+want+" late on average, ready ones counted as on time" {
			t.Error(text)
		}
	}
}

// How sure a forecast is is told beside it: its range, or that it is a guess while few visits are known.
func TestForecastSaysHowSureItIs(t *testing.T) {
	f := &poller.Forecast{Feeds: 10, Curve: schedule.Curve{{Budget: 20, Ready: 0.89, Late: 2 * time.Hour}}}
	goal := poller.Budget{Normal: "goal 85%", Promise: poller.Promise{Goal: poller.Goal{Ready: 0.85}, PerFeed: 2, Kept: true, Worth: 1}}
	for visits, want := range map[int]struct{ budget, guess string }{
		200: {"Four times out of five, the result is between 83 % and 93 %.", ""},
		14:  {"", "This is a guess until more is known: it rests on 14 visits."},
		1:   {"", "This is a guess until more is known: it rests on 1 visit."},
		0:   {"", "This is a guess: Kairos does not know yet when you read and assumes a typical day."},
	} {
		f.Visits = visits
		if got := English().Guess(f.Evidence); got != want.guess {
			t.Errorf("%d visits: %q", visits, got)
		}
		if got := English().BudgetExpected(20, f); !strings.HasSuffix(got, want.budget) || want.budget == "" && strings.Contains(got, "between") {
			t.Errorf("%d visits: %q", visits, got)
		}
		if got := English().Promise(goal, f); !strings.HasSuffix(got, want.budget+want.guess) {
			t.Errorf("%d visits: %q", visits, got)
		}
	}
}
