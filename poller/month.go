package poller

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Sum is what a span of the ledger came to.
type Sum struct {
	Fetches   int          // requests for the feed
	Fresh     int          // of them, those that brought new articles
	Unchanged int          // those that brought none
	Faults    int          // those that failed
	NotAsked  int          // beside the fetches: there was no network, or the host was left alone
	Articles  int          // new ones
	Bytes     int64        // of bodies on the wire
	ByReason  map[Code]int // fetches
}

// add counts n lines of a reason and a result, of which fresh brought articles. What stands
// beside the fetches is left out.
func (s *Sum) add(c Code, r Result, n, fresh, articles int, bytes int64) {
	if c.Beside() {
		return
	}
	s.Bytes += bytes
	if r == Offline || r == Waiting {
		s.NotAsked += n
		return
	}
	s.Fetches += n
	s.Fresh += fresh
	s.Articles += articles
	switch r {
	case Stored, Unchanged:
		s.Unchanged += n - fresh
	case Fault:
		s.Faults += n
	}
	if s.ByReason == nil {
		s.ByReason = map[Code]int{}
	}
	s.ByReason[c] += n
}

func (s *Sum) line(o Outcome) { s.add(o.Reason, o.Result, 1, min(o.New, 1), o.New, o.Bytes) }

// Words says what the fetches came to.
func (s Sum) Words() string {
	if s.Fetches+s.NotAsked == 0 {
		return "no fetches"
	}
	parts := []string{count(s.Fetches, "fetch", "fetches")}
	if s.Fresh > 0 {
		parts = append(parts, fmt.Sprintf("%d with %s", s.Fresh, count(s.Articles, "new article", "new articles")))
	}
	if s.Unchanged > 0 {
		parts = append(parts, fmt.Sprintf("%d without", s.Unchanged))
	}
	if s.Faults > 0 {
		parts = append(parts, count(s.Faults, "fault", "faults"))
	}
	if s.NotAsked > 0 {
		parts = append(parts, fmt.Sprintf("%d put off", s.NotAsked))
	}
	return strings.Join(append(parts, Size(s.Bytes)), ", ")
}

// Reasons says why the fetches were made, the commonest reason first.
func (s Sum) Reasons() string {
	codes := slices.SortedFunc(maps.Keys(s.ByReason), func(a, b Code) int {
		return cmp.Or(s.ByReason[b]-s.ByReason[a], cmp.Compare(a, b))
	})
	var parts []string
	for _, c := range codes {
		parts = append(parts, fmt.Sprintf("%d %s", s.ByReason[c], c.Words()))
	}
	return strings.Join(parts, ", ")
}

// Day is one day of the ledger.
type Day struct {
	Date  time.Time // its midnight, by the wall clock
	Lines []Outcome // newest first
	Sum
}

// monthStart is when the days of a report begin: LedgerDays of now's clock, today
// included.
func monthStart(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-LedgerDays+1, 0, 0, 0, 0, now.Location())
}

// days sorts lines, newest first, by the days of now's clock; the last one is today.
func days(lines []Outcome, now time.Time) []Day {
	month := make([]Day, LedgerDays)
	start := monthStart(now)
	for i := range month {
		month[i].Date = start.AddDate(0, 0, i)
	}
	for _, o := range lines {
		i := int(civil(o.At.In(now.Location())).Sub(civil(start)) / day)
		if i < 0 || i >= LedgerDays {
			continue
		}
		month[i].Lines = append(month[i].Lines, o)
		month[i].line(o)
	}
	return month
}

// month sums the ledger of every feed since monthStart.
func (p *Poller) month(ctx context.Context, now time.Time) (map[int64]*Sum, error) {
	rows, err := p.store.Read().QueryContext(ctx, `SELECT feed, reason, result, count(*), sum(new > 0), sum(new), sum(bytes)
		FROM ledger WHERE at >= ? GROUP BY feed, reason, result`, monthStart(now).Unix())
	if err != nil {
		return nil, fmt.Errorf("sum the ledger: %w", err)
	}
	defer rows.Close()
	sums := map[int64]*Sum{}
	for rows.Next() {
		var feed, bytes int64
		var c Code
		var r Result
		var n, fresh, articles int
		if err := rows.Scan(&feed, &c, &r, &n, &fresh, &articles, &bytes); err != nil {
			return nil, fmt.Errorf("sum the ledger: %w", err)
		}
		if sums[feed] == nil {
			sums[feed] = &Sum{}
		}
		sums[feed].add(c, r, n, fresh, articles, bytes)
	}
	return sums, rows.Err()
}
