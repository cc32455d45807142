package report

import (
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

// Limit is something that the server of a feed, or its document, asks for. It is a fact,
// which app/text words.
type Limit struct {
	Code    LimitCode      `json:"code"`
	Host    string         `json:"host,omitempty"`    // Wait
	Until   time.Time      `json:"until,omitzero"`    // Wait
	Asked   time.Duration  `json:"asked,omitempty"`   // MaxAge, TTL, ns
	Granted time.Duration  `json:"granted,omitempty"` // MaxAge, TTL: as far as it is kept, ns
	Hours   []int          `json:"hours,omitempty"`   // SkipHours: of UTC
	Days    []time.Weekday `json:"days,omitempty"`    // SkipDays: of UTC, Sunday is 0
}

// LimitCode names one kind of limit.
type LimitCode string

// What a server or a document may ask for.
const (
	Wait      LimitCode = "wait"       // Retry-After: the host is left alone, by a manual refresh too
	MaxAge    LimitCode = "max-age"    // how long a response stays fresh (max-age, Expires)
	TTL       LimitCode = "ttl"        // the time between two fetches (ttl, sy:updatePeriod)
	SkipHours LimitCode = "skip-hours" // no fetch in these hours
	SkipDays  LimitCode = "skip-days"  // no fetch on these days
)

// limitsOf returns what the server and the document of a feed ask for; until is when its
// host may be asked again, zero if now.
func limitsOf(s *poller.State, list bool, host string, now, until time.Time) (limits []Limit) {
	rules := schedule.Default()
	maxAge, ttl := rules.Caps(list)
	if until.After(now) {
		limits = append(limits, Limit{Code: Wait, Host: host, Until: until})
	}
	if asked := s.Limits.MaxAge; asked > 0 {
		limits = append(limits, Limit{Code: MaxAge, Asked: asked, Granted: min(asked, maxAge)})
	}
	if asked := s.Limits.TTL; asked > 0 {
		limits = append(limits, Limit{Code: TTL, Asked: asked, Granted: min(asked, ttl)})
	}
	skips := s.Limits.Skips
	if hours := bits(uint32(skips.Hours), 24); len(hours) > 0 {
		limits = append(limits, Limit{Code: SkipHours, Hours: hours})
	}
	if days := bits(uint32(skips.Days), 7); len(days) > 0 {
		l := Limit{Code: SkipDays}
		for _, d := range days {
			l.Days = append(l.Days, time.Weekday(d))
		}
		limits = append(limits, l)
	}
	return limits
}

// bits lists which of the first n bits are set.
func bits(of uint32, n int) (set []int) {
	for i := range n {
		if of>>i&1 == 1 {
			set = append(set, i)
		}
	}
	return set
}
