package report

import (
	"net/http"
	"time"

	"kairos/poller"
)

// Sum is what a span of the ledger adds up to.
type Sum struct {
	Fetches   int // requests for the feed
	WithNew   int // of them, those that brought new articles
	Unchanged int // those that brought none
	Failed    int // those that failed
	NotAsked  int // not among the fetches: there was no network, or the host was left alone
	Articles  int // new ones
	Bytes     int64

	// NotModified are those that the server answered with 304, without a document.
	NotModified int

	ByReason map[poller.Code]int // fetches
}

// add adds lines of the ledger. Those that are not of fetches are left out.
func (s *Sum) add(t poller.LedgerTotal) {
	if t.Reason.IsAuxiliary() {
		return
	}
	s.Bytes += t.Bytes
	if t.Result == poller.Offline || t.Result == poller.Waiting {
		s.NotAsked += t.Lines
		return
	}
	s.Fetches += t.Lines
	s.WithNew += t.WithNew
	s.Articles += t.New
	s.NotModified += t.NotModified
	switch t.Result {
	case poller.Stored, poller.Unchanged:
		s.Unchanged += t.Lines - t.WithNew
	case poller.Failed:
		s.Failed += t.Lines
	}
	if s.ByReason == nil {
		s.ByReason = map[poller.Code]int{}
	}
	s.ByReason[t.Reason] += t.Lines
}

func (s *Sum) addLine(o poller.Outcome) {
	t := poller.LedgerTotal{Reason: o.Reason, Result: o.Result, Lines: 1, WithNew: min(o.New, 1), New: o.New, Bytes: o.Bytes}
	if o.Status == http.StatusNotModified {
		t.NotModified = 1
	}
	s.add(t)
}

// Day is one day of the ledger.
type Day struct {
	Date  time.Time        // its midnight, by the wall clock
	Lines []poller.Outcome // newest first
	Sum
}

const day = 24 * time.Hour

// monthStart is when the days of a report begin: poller.LedgerDays of now's clock, today
// included.
func monthStart(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-poller.LedgerDays+1, 0, 0, 0, 0, now.Location())
}

// days sorts lines, newest first, by the days of now's clock; the last one is today.
func days(lines []poller.Outcome, now time.Time) []Day {
	month := make([]Day, poller.LedgerDays)
	start := monthStart(now)
	for i := range month {
		month[i].Date = start.AddDate(0, 0, i)
	}
	for _, o := range lines {
		i := dayOf(o.At, start)
		if i < 0 || i >= poller.LedgerDays {
			continue
		}
		month[i].Lines = append(month[i].Lines, o)
		month[i].addLine(o)
	}
	return month
}

// dayOf is how many days after that of start an instant lies, by start's clock.
func dayOf(at, start time.Time) int {
	return int(civil(at.In(start.Location())).Sub(civil(start)) / day)
}

// civil is the calendar day of an instant as midnight UTC: days there all have 24 hours.
func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
