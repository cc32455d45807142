package poller

import (
	"fmt"
	"strings"
	"time"
)

// wants says what the server and its feed ask for, as far as they are heeded, in
// sentences for people; until is when its host may be asked again, zero if now.
func (s *State) wants(now, until time.Time, host string) (asks []string) {
	if until.After(now) {
		asks = append(asks, fmt.Sprintf("%s is left alone until %s, as it asks (429 or 503); that binds a refresh by hand, too.", host, When(until, now)))
	}
	if s.maxAge > 0 {
		asks = append(asks, heeded(s.maxAge, maxFloor, "An answer is good for %s (max-age or Expires)"))
	}
	if s.ttl > 0 {
		asks = append(asks, heeded(s.ttl, maxTTL, "Between two fetches shall lie %s (ttl or sy:updatePeriod)"))
	}
	return append(asks, s.skips.sentences(now)...)
}

// heeded says what is asked for, and how much of it is granted if not all.
func heeded(asked, most time.Duration, format string) string {
	text := fmt.Sprintf(format, Span(asked))
	if asked > most {
		text += fmt.Sprintf("; of that %s are heeded, since so much is mostly a mistake", Span(most))
	}
	return text + "."
}

// keeps says what gap between two background fetches follows, and from what.
func (s *State) keeps() string {
	own, why := s.reserve()
	gap := s.gap()
	switch {
	case gap == s.Floor():
		why = "as asked for"
	case gap != own:
		why = "no feed is asked more often"
	}
	return fmt.Sprintf("At least %s lie between two background fetches: %s.", Span(gap), why)
}

// sentences say which hours and days are left out, the hours by the clock of now.
func (k skips) sentences(now time.Time) (said []string) {
	if k.hours != 0 {
		said = append(said, "It wants no fetch from "+k.clock(now)+" (skipHours).")
	}
	if k.days == 0 {
		return said
	}
	var days []string
	for d := time.Sunday; d <= time.Saturday; d++ {
		if k.days>>d&1 == 1 {
			days = append(days, d.String())
		}
	}
	text := "It wants no fetch on " + listed(days) + " (skipDays"
	if _, zone := now.Zone(); zone != 0 {
		text += ", in UTC"
	}
	return append(said, text+").")
}

// clock writes the skipped hours as spans of now's clock, the earliest first.
func (k skips) clock(now time.Time) string {
	_, zone := now.Zone()
	local := func(hour int) string {
		m := (hour*60 + zone/60 + 2*24*60) % (24 * 60)
		return fmt.Sprintf("%02d:%02d", m/60, m%60)
	}
	shut := func(hour int) bool { return k.hours>>((hour+24)%24)&1 == 1 }
	var spans []string
	// From local midnight on, so that the spans come in the order of the day.
	first := (24 - zone/3600%24) % 24
	for i := range 24 {
		from := (first + i) % 24
		if !shut(from) || shut(from-1) {
			continue
		}
		to := from + 1
		for shut(to) && to < from+24 {
			to++
		}
		spans = append(spans, local(from)+" to "+local(to%24))
	}
	return listed(spans)
}

// listed joins words with commas and an "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
