package text

import (
	"testing"
	"time"

	"kairos/poller/schedule"
)

func TestReasonsHaveWords(t *testing.T) {
	worded(t, func(p *Printer, c schedule.Code) string {
		return p.Reason(schedule.Reason{Code: c}, time.UTC)
	})
	worded(t, func(p *Printer, what schedule.Purpose) string {
		return p.Reason(schedule.Reason{Code: schedule.Planned, Purpose: what}, time.UTC)
	})
	worded(t, (*Printer).gapCause)
}

func TestReasons(t *testing.T) {
	zone := time.FixedZone("", 3600)
	visit := time.Date(2026, 3, 2, 6, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		reason schedule.Reason
		want   string
	}{
		{schedule.Reason{}, ""},
		{schedule.Reason{Code: schedule.Planned, Visit: visit, Posts: 0.2}, "ready for your usual 07:30 visit"},
		{schedule.Reason{Code: schedule.Planned, Visit: visit, Posts: 1.2}, "ready for your usual 07:30 visit; 1 article expected"},
		{schedule.Reason{Code: schedule.Planned, Visit: visit, Days: 3, Posts: 12}, "fetched every 3 days, ready for your usual 07:30 visit; 12 articles expected"},
		{schedule.Reason{Code: schedule.Planned}, "you may come at any hour"},
		{schedule.Reason{Code: schedule.Planned, Times: 8}, "8 times a day – you may come at any hour"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.Unlearned, Times: 1, Posts: 2}, "once a day – it is not known yet when you read; 2 articles expected"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.Between}, "between visits, in case you come"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.OftenPost, Posts: 3}, "between visits: it posts often; 3 articles expected"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.EarlyOne}, "in case you come early"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.AsAsked, Days: 3}, "as the site asked"},
		{schedule.Reason{Code: schedule.Planned, Purpose: schedule.SiteDown, Days: 3}, "if the site works again; one of its feeds is tried first"},
		{schedule.Reason{Code: schedule.Planned, Days: 7}, "fetched every 7 days"},
		{schedule.Reason{Code: schedule.Planned, Visit: visit, Every: 6 * time.Hour}, "at least every 6 h, as you asked"},
		{schedule.Reason{Code: schedule.TopUp, Posts: 3.4}, "you opened Kairos; 3 articles expected"},
		{schedule.Reason{Code: schedule.CatchUp, Ago: 5 * time.Hour}, "last fetched 5 h ago"},
		{schedule.Reason{Code: schedule.CatchUp}, "missed while the computer slept"},
		{schedule.Reason{Code: schedule.Burst, Visit: visit}, "ready for your usual 07:30 visit"},
		{schedule.Reason{Code: schedule.Burst, Purpose: schedule.OftenPost}, "it has posted more than usual lately"},
		{schedule.Reason{Code: schedule.Retry, Failures: 1}, "trying again after 1 error"},
		{schedule.Reason{Code: schedule.Retry, Failures: 4}, "trying again after 4 errors"},
	} {
		if got := English().Reason(tt.reason, zone); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.reason, got, tt.want)
		}
	}
}
