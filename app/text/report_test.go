package text

import (
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/report"
	"kairos/poller/schedule"
	"kairos/reader"
)

func TestTrouble(t *testing.T) {
	worded(t, (*Printer).Advice)
	now := time.Date(2026, 4, 3, 8, 0, 0, 0, time.UTC)
	since := time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC)
	de, en := printers(t)["de"], English()
	for _, c := range []struct{ got, want string }{
		{en.TroubleSince(&report.Trouble{Since: since, Failures: 1}, now), "failing since 3 Mar 08:00"},
		{en.TroubleSince(&report.Trouble{Since: since, Failures: 36}, now), "failing since 3 Mar 08:00 (31 days, 36 errors in a row)"},
		{en.TroubleSince(&report.Trouble{Since: since, Failures: 36, Gone: true}, now), "gone since 3 Mar 08:00"},
		{de.TroubleSince(&report.Trouble{Since: since, Failures: 36}, now), "schlägt fehl seit 3. März 08:00 (31 Tage, 36 Fehler in Folge)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// aList is a list of feeds that is followed.
var aList = reader.Feed{Source: reader.NewListSource(reader.ListSource{})}

func TestReportsHaveWords(t *testing.T) {
	worded(t, func(p *Printer, c report.NextCode) string {
		return p.NextFetch(&report.Report{Next: report.Next{Code: c, Reason: schedule.Reason{Code: schedule.Planned}}, At: time.Unix(0, 0)})
	})
	worded(t, func(p *Printer, c report.NextCode) string {
		return p.NextFetch(&report.Report{Feed: aList, Next: report.Next{Code: c}, At: time.Unix(0, 0)})
	})
	worded(t, func(p *Printer, h report.LossHelp) string {
		return p.Loss(&report.Loss{Help: h, Articles: 7, Shows: 15, Every: time.Hour}, time.Unix(0, 0))
	})
	worded(t, func(p *Printer, c report.LimitCode) string { return p.Limit(report.Limit{Code: c}, time.Unix(0, 0)) })
}

func TestReports(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	berlin := now.In(time.FixedZone("", 2*60*60))
	day := 24 * time.Hour
	weekend := []time.Weekday{time.Sunday, time.Saturday}
	en, de := English(), printers(t)["de"]
	for _, c := range []struct{ got, want string }{
		{en.NextFetch(&report.Report{Next: report.Next{Code: report.Scheduled, At: now.Add(time.Hour), Reason: schedule.Reason{Code: schedule.Planned}}, At: now}), "11:00: you may come at any hour."},
		{en.NextFetch(&report.Report{Next: report.Next{Code: report.LaterOn, Every: 3 * day}, At: now}), "Not within 48 hours: it is fetched about every 3 days."},
		{en.Limit(report.Limit{Code: report.Wait, Host: "a.example", Until: now.Add(3 * time.Hour)}, now),
			"a.example asked Kairos to wait until 13:00 (429 or 503). A manual refresh waits too."},
		{en.Limit(report.Limit{Code: report.MaxAge, Asked: 2 * time.Hour, Granted: 2 * time.Hour}, now),
			"The server asks Kairos to wait 2 h between two fetches (max-age or Expires)."},
		{en.Limit(report.Limit{Code: report.TTL, Asked: 3 * day, Granted: day}, now),
			"The feed asks to be fetched every 3 days (ttl or sy:updatePeriod); Kairos waits 24 h."},
		{en.Limit(report.Limit{Code: report.SkipHours, Hours: []int{0, 7, 22, 23}}, berlin),
			"The feed asks not to be fetched from 00:00 to 03:00 and 09:00 to 10:00 (skipHours)."},
		{en.Limit(report.Limit{Code: report.SkipDays, Days: weekend}, now), "The feed asks not to be fetched on Sunday and Saturday (skipDays)."},
		{en.Limit(report.Limit{Code: report.SkipDays, Days: weekend}, berlin), "The feed asks not to be fetched on Sunday and Saturday (skipDays, in UTC)."},
		{de.Limit(report.Limit{Code: report.SkipDays, Days: weekend}, now), "Der Feed bittet darum, am Sonntag und Samstag nicht abgerufen zu werden (skipDays)."},
		{en.Gap(report.Gap{Length: 15 * time.Minute, Cause: schedule.GapLeast}),
			"Kairos waits at least 15 min between two background fetches: no feed is fetched more often."},
		{en.FetchCost(&report.Report{}), ""},
		{en.FetchCost(&report.Report{Cost: 1.02}), ""},
		{en.FetchCost(&report.Report{Cost: 1, Month: report.Sum{Fetches: 2, NotModified: 1}}), "In 30 days, the server answered “not modified” to 1 of 2 requests."},
		{en.FetchCost(&report.Report{Cost: 0.485}), "While battery saver is on, large answers take more of the budget: a fetch of this feed takes 49 % of a usual one."},
		{en.FetchCost(&report.Report{Cost: 4, Month: report.Sum{Fetches: 12, Failed: 2, NotModified: 3}}),
			"While battery saver is on, large answers take more of the budget: a fetch of this feed takes 400 % of a usual one. In 30 days, the server answered “not modified” to 3 of 10 requests."},
		{de.FetchCost(&report.Report{Cost: 0.5, Month: report.Sum{Fetches: 12, NotModified: 9}}),
			"Beim Energiesparen verbrauchen große Antworten mehr vom Budget: Ein Abruf dieses Feeds verbraucht 50\u00a0% eines üblichen. In 30 Tagen meldete der Server bei 9 von 12 Anfragen „nicht verändert“."},
		{en.PlannedFetches(&report.Report{Share: poller.Share{Fetches: 11}}), "11 fetches a day."},
		{en.PlannedFetches(&report.Report{Share: poller.Share{Fetches: 1}}), "One fetch a day."},
		{en.PlannedFetches(&report.Report{}), ""},
		{en.PlannedFetches(&report.Report{Feed: aList, Share: poller.Share{Fetches: 1}}), "Kairos checks it about once a day."},
		{en.PlannedFetches(&report.Report{Feed: aList, Share: poller.Share{Fetches: 1. / 3}}), "Kairos checks it about every 3 days."},
		{de.PlannedFetches(&report.Report{Feed: aList, Share: poller.Share{Fetches: 4}}), "Sie wird etwa 4-mal am Tag angesehen."},
		{en.NextFetch(&report.Report{Feed: aList, Next: report.Next{Code: report.Scheduled, At: now.Add(time.Hour), Reason: schedule.Reason{Code: schedule.Planned, Purpose: schedule.ListDue}}, At: now}), "11:00."},
		{en.FetchCost(&report.Report{Feed: aList, Cost: 0.7, Month: report.Sum{Fetches: 3, NotModified: 2}}), "In 30 days, the server answered “not modified” to 2 of 3 requests."},
		{en.LooksSum(report.Sum{Fetches: 3, WithNew: 1, Articles: 2, Unchanged: 2}), "3 fetches, 1 with 2 feeds that came or left, 2 without, 0 B"},
		{en.PlannedFetches(&report.Report{Share: poller.Share{Fetches: 15}, Trouble: &report.Trouble{Failures: 1}}), ""},
		{en.Loss(nil, now), ""},
		{en.Loss(&report.Loss{From: now.Add(-3 * time.Hour), To: now.Add(-time.Hour), Articles: 12, Shows: 15, Help: report.FetchOften, Every: time.Hour}, now),
			"About 12 articles were probably lost between 07:00 and 09:00: the feed shows only its last 15. Raise the budget or, in the properties of the feed, set “At least every” to 60 min."},
		{en.Redirect(poller.Redirect{}, now), ""},
		{en.Redirect(poller.Redirect{To: "http://b.example/b", Since: now, Times: 2}, now),
			"Since 10:00 the server has redirected Kairos to http://b.example/b permanently, 2 times. Kairos adopts the address after 4 times in 3 days."},
		{en.Push(&report.Push{Share: poller.Share{Fetches: 3, Delay: 2.5}}),
			"Push would deliver new articles at once and save 3 fetches a day. But a hub must be able to reach Kairos, and a computer behind a home router cannot be reached, so Kairos keeps fetching."},
		{en.LedgerSum(report.Sum{}), "no fetches"},
		{en.LedgerSum(report.Sum{Fetches: 7, WithNew: 2, Articles: 5, Unchanged: 4, Failed: 1, NotAsked: 2, Bytes: 4200}),
			"7 fetches, 2 with 5 new articles, 4 without, 1 error, 2 postponed, 4.2 kB"},
		{de.LedgerSum(report.Sum{Fetches: 7, WithNew: 2, Articles: 5, Failed: 1, Bytes: 4200}), "7 Abrufe, 2 mit 5 neuen Artikeln, 1 Fehler, 4,2 kB"},
		{en.LedgerReasons(report.Sum{ByReason: map[poller.Code]int{poller.Manual: 2, poller.Planned: 5}}), "5 planned, 2 by hand"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestSkippedHoursByTheClock(t *testing.T) {
	all := func(but int) (hours []int) {
		for h := range 24 {
			if h != but {
				hours = append(hours, h)
			}
		}
		return hours
	}
	for _, tt := range []struct {
		zone  time.Duration
		hours []int
		want  string
	}{
		{0, []int{0}, "00:00 to 01:00"},
		{0, []int{23, 0, 1, 12}, "12:00 to 13:00 and 23:00 to 02:00"},
		{-5 * time.Hour, []int{0, 1, 5}, "00:00 to 01:00 and 19:00 to 21:00"},
		{5*time.Hour + 30*time.Minute, []int{18, 19}, "23:30 to 01:30"},
		{-3*time.Hour - 30*time.Minute, []int{3, 4}, "23:30 to 01:30"},
		{14 * time.Hour, []int{10, 9, 1}, "15:00 to 16:00 and 23:00 to 01:00"},
		{0, all(23), "00:00 to 23:00"},
		{time.Hour, all(23), "01:00 to 00:00"},
	} {
		now := time.Unix(0, 0).In(time.FixedZone("", int(tt.zone/time.Second)))
		if got := English().hours(tt.hours, now); got != tt.want {
			t.Errorf("at UTC%+v: %q, want %q", tt.zone, got, tt.want)
		}
	}
}
