package text

import (
	"errors"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

func TestActivitiesHaveWords(t *testing.T) {
	worded(t, func(p *Printer, c poller.ActivityCode) string {
		return p.Activity(poller.Activity{Code: c, Warning: plan.Warning{Code: plan.NoBudget}})
	})
	worded(t, (*Printer).SavingReason)
}

func TestActivities(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		activity poller.Activity
		want     string
	}{
		{poller.Activity{Code: poller.Replanned, Fetches: 1, Feeds: 2, Budget: 16}, "planned 1 fetch of 2 feeds for the next 48 hours, 16 a day"},
		{poller.Activity{Code: poller.Replanned, Occasion: schedule.TopUp, Fetches: 7, Feeds: 1, Budget: 8},
			"you opened Kairos: planned 7 fetches of 1 feed for the next 48 hours, 8 a day"},
		{poller.Activity{Code: poller.WaitsForInstant, Feed: "News", Until: now.Add(time.Hour), Reason: schedule.Reason{Code: schedule.Planned}},
			"next: News at 10:00, you may come at any hour"},
		{poller.Activity{Code: poller.WaitsForProbe, Until: now.Add(90 * time.Second)}, "offline: the next probe is at 09:01:30"},
		{poller.Activity{Code: poller.StoringFailed, Pause: 10 * time.Minute}, "the articles could not be stored: nothing is fetched for 10 min"},
		{poller.Activity{Code: poller.LoopFailed, Pause: time.Minute, Err: errors.New("boom")}, "an error occurred, trying again in 60 s: boom"},
	} {
		tt.activity.At = now
		if got := English().Activity(tt.activity); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestSaver(t *testing.T) {
	all := poller.PowerState{Battery: true, PowerSaver: true, Metered: true}
	for _, tt := range []struct {
		budget poller.Budget
		want   string
	}{
		{poller.Budget{Saver: poller.SaverOff, Power: all}, "off"},
		{poller.Budget{Saver: poller.SaverOn, Power: all}, "on"},
		{poller.Budget{Saver: poller.SaverAuto}, "automatic"},
		{poller.Budget{Saver: poller.SaverAuto, Power: all}, "automatic (on battery, the system saves power, metered network)"},
	} {
		if got := English().Saver(tt.budget); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
