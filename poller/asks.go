package poller

import (
	"fmt"
	"strings"
	"time"

	"kairos/poller/schedule"
)

// wants says what the server and its feed ask for, as far as they are heeded, in
// sentences for people; until is when its host may be asked again, zero if now.
func (s *State) wants(now, until time.Time, host string) (asks []string) {
	if until.After(now) {
		asks = append(asks, fmt.Sprintf("%s is left alone until %s, as it asks (429 or 503); that binds a refresh by hand, too.", host, When(until, now)))
	}
	if l := s.limits; l.MaxAge > 0 {
		asks = append(asks, heeded(l.MaxAge, rules.MaxAgeCap, "An answer is good for %s (max-age or Expires)"))
	}
	if l := s.limits; l.TTL > 0 {
		asks = append(asks, heeded(l.TTL, rules.TTLCap, "Between two fetches shall lie %s (ttl or sy:updatePeriod)"))
	}
	return append(asks, skipSentences(s.limits.Skips, now)...)
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
	f := s.scheduled()
	gap, cause := rules.GapOf(&f)
	why := ""
	switch cause {
	case schedule.GapRequested:
		why = "as asked for"
	case schedule.GapLeast:
		why = "no feed is asked more often"
	case schedule.GapDormant:
		why = "it has been silent for a year and more"
	case schedule.GapSilent:
		why = "it has been silent for a month and more"
	case schedule.GapCalm:
		why = "neither its server nor its posts are in a hurry"
	case schedule.GapWanted:
		why = "you want it that often"
	}
	return fmt.Sprintf("At least %s lie between two background fetches: %s.", Span(gap), why)
}

// skipSentences say which hours and days are left out, the hours by the clock of now.
func skipSentences(k schedule.Skips, now time.Time) (said []string) {
	if k.Hours != 0 {
		said = append(said, "It wants no fetch from "+skipClock(k, now)+" (skipHours).")
	}
	if k.Days == 0 {
		return said
	}
	var days []string
	for d := time.Sunday; d <= time.Saturday; d++ {
		if k.Days>>d&1 == 1 {
			days = append(days, d.String())
		}
	}
	text := "It wants no fetch on " + listed(days) + " (skipDays"
	if _, zone := now.Zone(); zone != 0 {
		text += ", in UTC"
	}
	return append(said, text+").")
}

// skipClock writes the skipped hours as spans of now's clock, the earliest first.
func skipClock(k schedule.Skips, now time.Time) string {
	_, zone := now.Zone()
	local := func(hour int) string {
		m := (hour*60 + zone/60 + 2*24*60) % (24 * 60)
		return fmt.Sprintf("%02d:%02d", m/60, m%60)
	}
	shut := func(hour int) bool { return k.Hours>>((hour+24)%24)&1 == 1 }
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
