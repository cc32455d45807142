package text

import (
	"math"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/insights"
	"kairos/poller/schedule"
	"kairos/useraccess/rate"
)

func TestInsightsPage(t *testing.T) {
	p := English()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	at := func(hour float64) time.Time { return now.Add(time.Duration((hour - 12) * float64(time.Hour))) }
	office := rate.AlwaysOn
	for h := range office {
		if h%24 < 8 || h%24 >= 18 {
			office[h] = 0.1
		}
	}
	later := insights.Expected{At: at(20 + 1.0/6), Chance: 0.63}
	many := insights.Habits{Now: now, Expected: []insights.Expected{{At: at(13)}, {At: at(14)}, {At: at(15)}, {At: at(16)}, {At: at(17)}, {At: at(31)}}}
	planned := &insights.Planned{Title: "A feed", Instant: poller.Instant{At: at(12.5), Value: 2.1, Reason: schedule.Reason{Code: schedule.Planned, Visit: at(12.75)}}}
	day := &insights.Day{Now: now, Fetches: []poller.Outcome{{Result: poller.Stored, New: 2, Reason: poller.Manual}, {Result: poller.Unchanged, Reason: poller.Planned}, {Result: poller.Failed, Reason: poller.Planned}}, Planned: make([]insights.Planned, 3)}
	watched := time.Date(2026, 11, 19, 18, 8, 0, 0, time.UTC)
	for want, got := range map[string]string{
		"Kairos has not seen you read yet: it expects what is usual for most people, and learns from your first visit on.":     p.UsualVisits(&insights.Habits{PerDay: 9}),
		"1 visit is known so far: the curve is still close to what is usual for most people.":                                  p.UsualVisits(&insights.Habits{Learned: 1}),
		"You come about 2.6 times a day: around 07:30 and 20:15 on workdays and around 10:00 on weekends.":                     p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2.6, Usual: [2][]float64{{7.5, 20.25}, {10}}}),
		"You come about 3 times a day: every day around 07:30 and 20:15.":                                                      p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 3, Usual: [2][]float64{{7.5, 20.25}, {7.5, 20.25}}}),
		"You come about 3 times a day, at no particular hour.":                                                                 p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 3}),
		"You come about 3 times a day: around 00:00 on workdays, at no particular hour on weekends.":                           p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 3, Usual: [2][]float64{{24}, nil}}),
		"No visit yet today. No more are expected.":                                                                            p.VisitsToday(&insights.Habits{Now: now}, true),
		"1 visit so far today. The next is expected around 20:10.":                                                             p.VisitsToday(&insights.Habits{Now: now, MadeToday: 1, Expected: []insights.Expected{later}}, true),
		"No visit yet today. About 5 more are expected, the next around 13:00.":                                                p.VisitsToday(&many, true),
		"You come about 2 times a day, on workdays only: around 07:30.":                                                        p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2, Usual: [2][]float64{{7.5}, nil}, On: [2]insights.Presence{insights.Comes, insights.StaysAway}}),
		"You come about 2 times a day, on workdays only, at no particular hour.":                                               p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2, On: [2]insights.Presence{insights.Comes, insights.StaysAway}}),
		"You come about 2 times a day, on weekends only: around 10:00.":                                                        p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2, Usual: [2][]float64{nil, {10}}, On: [2]insights.Presence{insights.StaysAway, insights.Comes}}),
		"You come about 2 times a day: around 07:30 on workdays. Nothing is known about weekends yet.":                         p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2, Usual: [2][]float64{{7.5}, nil}, On: [2]insights.Presence{insights.Comes, insights.NotKnown}}),
		"You come about 2 times a day, at no particular hour. Nothing is known about weekends yet.":                            p.UsualVisits(&insights.Habits{Learned: 99, PerDay: 2, On: [2]insights.Presence{insights.Comes, insights.NotKnown}}),
		"When your computer is awake is not known yet: Kairos plans as if it always were.":                                     p.AwakeHours(&insights.Habits{}),
		"Your computer is awake around the clock.":                                                                             p.AwakeHours(&insights.Habits{Awake: [2][]float64{rate.AlwaysOn.Workday(), rate.AlwaysOn.Weekend()}}),
		"Your computer is awake around the clock on weekends.":                                                                 p.AwakeHours(&insights.Habits{Awake: [2][]float64{nil, rate.AlwaysOn.Weekend()}}),
		"Your computer is usually awake from 08:00 to 18:00 on workdays.":                                                      p.AwakeHours(&insights.Habits{Awake: [2][]float64{office.Workday(), nil}}),
		"Your computer is usually awake from 08:00 to 18:00.":                                                                  p.AwakeHours(&insights.Habits{Awake: [2][]float64{office.Workday(), office.Weekend()}}),
		"Your computer is usually awake from 08:00 to 18:00 on workdays. Your computer is awake around the clock on weekends.": p.AwakeHours(&insights.Habits{Awake: [2][]float64{office.Workday(), rate.AlwaysOn.Weekend()}}),
		"There is no hour at which your computer is awake more often than not.":                                                p.AwakeHours(&insights.Habits{Awake: [2][]float64{make([]float64, 24), make([]float64, 24)}}),
		"3 fetches in the last 24 hours; 1 of them brought new articles. 1 failed. 2 counted toward the budget; fetches by hand and of new feeds do not. 3 are planned for the next 24 hours.": p.FetchesOfDay(day),
		"Nothing was fetched in the last 24 hours. None is planned: fetching is paused.":                                                                                                       p.FetchesOfDay(&insights.Day{Paused: true}),
		"12:30 A feed is planned: ready for your usual 12:45 visit":                                                                                                                            p.PlannedMark(planned, time.UTC),
		"10:00 A feed: 3 new (by hand)":           p.FetchMark(&poller.Outcome{Title: "A feed", At: at(10), Reason: poller.Manual, Result: poller.Stored, New: 3}, time.UTC),
		"10:00 to 10:20: a visit":                 p.VisitMark(insights.Visit{At: at(10), Until: at(10).Add(20 * time.Minute)}, time.UTC),
		"10:00: a visit":                          p.VisitMark(insights.Visit{At: at(10), Until: at(10)}, time.UTC),
		"Around 20:10 a visit is expected (63 %)": p.ExpectedMark(later, time.UTC),
		"0.04": p.Level(0.042),
		"0":    p.Level(0.001),
		"A timer that makes as many requests would have had 40 % ready in the last 30 days, the others 2 h late on average. A timer would have needed fewer requests for this: 0.7 times as many.": p.AgainstTimer(&insights.Realized{
			Known: true, Visits: 20, Asked: 30, Multiple: 0.7, EqualIntervals: insights.Figures{Ready: 40, Late: 2 * time.Hour}}),
		"Visits compared with those that each plan expected, by time of day: 06:00 to 12:00 0.9 ×. By the hours since your last visit: 0 to 1 h 1.2 × · over 24 h 2.0 ×.": p.VisitBands(&insights.Calibration{
			ByDay:   []insights.Band{{From: 0, To: 6, Expected: 3}, {From: 6, To: 12, Expected: 100, Came: 90}},
			BySince: []insights.Band{{From: 0, To: 1, Expected: 100, Came: 120}, {From: 24, To: math.Inf(1), Expected: 40, Came: 80}}}),
		"Of 42 articles you opened, 93 % were ready when you came; with a timer that makes as many requests 71 %.": p.OpenedReady(&insights.Realized{Known: true, Opened: insights.Share{Articles: 42, Ready: 93, Timer: 71}}),
		"Kairos notes which articles you open, and will tell how many of those were ready.":                        p.OpenedReady(&insights.Realized{Known: true, Opened: insights.Share{Articles: 9, Ready: 100}}),
		"Articles that were not ready were 3 h late on average; with a timer that makes as many requests 2 h.": p.LateBeside(&insights.Realized{Known: true,
			Actual: insights.Figures{Late: 3 * time.Hour}, EqualIntervals: insights.Figures{Late: 2 * time.Hour}}),
		"The mean over your feeds: 78 % ready, with a timer 80 %. Your slowest feeds, with fewer than two articles a week: 64 % of 12 articles ready, with a timer 82 %.": p.ByFeed(&insights.Realized{Known: true,
			ByFeed: insights.Share{Articles: 300, Feeds: 9, Ready: 78, Timer: 80}, Slow: insights.Share{Articles: 12, Feeds: 4, Ready: 64, Timer: 82}}),
		"A timer with as many requests: 40 % ready, the others 2 h late on average.": p.TimerBeside(&insights.Realized{Known: true, EqualIntervals: insights.Figures{Ready: 40, Late: 2 * time.Hour}}),
		"A timer that makes as many requests would have had 53 % ready in the last 7 days, the others 2 h late on average. That is less late than with Kairos (3 h). A timer would have needed 2.6 times the requests for this.": p.AgainstTimer(&insights.Realized{
			Known: true, Visits: 20, Asked: 7, Multiple: 2.6, Actual: insights.Figures{Ready: 71, Late: 3 * time.Hour}, EqualIntervals: insights.Figures{Ready: 53, Late: 2 * time.Hour}}),
		"A timer that makes as many requests would have had 40 % ready in the last 3 days, the others 2 h late on average.": p.AgainstTimer(&insights.Realized{
			Known: true, Asked: 30, From: now.AddDate(0, 0, -3), To: now, EqualIntervals: insights.Figures{Ready: 40, Late: 2 * time.Hour}, Notes: []insights.Note{{Code: insights.ShortRecord}}}),
		"1 visit, 1,812 articles posted in this time, 24 requests answered.": p.Counted(&insights.Realized{Visits: 1, Posts: 1812, Actual: insights.Figures{Requests: 24}}),
		"Kairos has been watching since Thursday, 19 November, 18:08. From 26 Nov on, this covers 7 days.": p.InsightNote(insights.Note{Code: insights.ShortRecord,
			At: watched, Until: watched.AddDate(0, 0, 7)}, watched.AddDate(0, 0, 3)),
		"What your feeds cost is shown after the first fetches.": p.CostsSum(&insights.Costs{}),
		"1 request in 1 day brought 0 articles (1.0 kB); you opened none. 20 more articles came with the first fetches.": p.CostsSum(&insights.Costs{From: now.AddDate(0, 0, -1), To: now,
			Feeds: []insights.Cost{{Requests: 1, Bytes: 1000, Held: 20}}}),
		"12 requests in 30 days brought 5 articles (2.0 kB); you opened an article once.": p.CostsSum(&insights.Costs{From: now.AddDate(0, 0, -30), To: now,
			Feeds: []insights.Cost{{Requests: 7, Articles: 5, Bytes: 1500}, {Requests: 5, Bytes: 500, Opened: 1}}}),
		"7 requests in 1 day brought 0 articles (3.0 kB); you opened none. The server answered “not modified” to 4 of 6 requests, which saved about 6.0 kB.": p.CostsSum(&insights.Costs{From: now.AddDate(0, 0, -1), To: now,
			Feeds: []insights.Cost{{Requests: 7, Failed: 1, Bytes: 3000, NotModified: 4, Spared: 6000}}}),
	} {
		if got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
