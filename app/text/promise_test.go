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
	f := &poller.Forecast{Feeds: 10, Curve: schedule.Curve{{Budget: 20, Ready: 0.6, Wait: 2 * time.Hour}, {Budget: 160, Ready: 0.95, Wait: time.Minute}}}
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
	check("as forecast", "160 fetches a day keep it. About 95 % are there")
	b.Promise.Worth = 0.5
	check("corrected", "Last week brought less than forecast, so it takes 160 instead of 80.")
	b.Saver = poller.SaverOn
	check("battery saver", "takes 160 fetches a day.", "Battery saver comes first: with its 20 fetches a day about 60 % are there")
	b.Saver, b.Promise.PerFeed = poller.SaverOff, 2
	check("no longer kept", "with its 20 fetches a day about 60 % are there now")
}

// The wait of a goal is told as it was set.
func TestGoalWait(t *testing.T) {
	for wait, want := range map[time.Duration]string{time.Hour: "1 h", 10 * time.Minute: "10 min", 100 * time.Minute: "100 min", 40 * time.Hour: "40 h", 48 * time.Hour: "2 days"} {
		if text := English().Goal(poller.Goal{Wait: wait}); text != "articles at most "+want+" late on average" {
			t.Error(text)
		}
	}
}
