package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxPace is the longest time between two requests that a RateLimit can ask for while it leaves some to be sent. Quotas are
// meant for a client's every request; what leaves less than one an hour is mostly a mistake, and a 429 tells if it is not.
const maxPace = time.Hour

// policyFor is how long a policy holds after the answer that stated it.
const policyFor = 24 * time.Hour

// rateLimit is what an answer says of how often its server may be asked.
type rateLimit struct {
	pace    time.Duration // between two requests; 0: nothing said
	holds   time.Duration // for so long
	blocked time.Duration // nothing is left of the quota for so long
}

// parseRateLimit reads RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers, also in the forms of its earlier
// drafts) and X-RateLimit-Remaining and -Reset, which came before. What makes no sense counts as not sent.
func parseRateLimit(h http.Header, now time.Time) (l rateLimit) {
	for _, p := range parseItems(h.Values("RateLimit-Policy")) {
		quota, window := p.number("q", ""), p.number("w")
		if quota > 0 && window > 0 {
			l.atLeast(window/quota, policyFor.Seconds())
		}
	}
	items := parseItems(h.Values("RateLimit"))
	old := fields{} // limit=100, remaining=50, reset=50
	for _, p := range items {
		for k, v := range p {
			old[k] = v
		}
		l.left(p.number("r"), p.number("t"))
	}
	l.left(old.number("remaining"), old.number("reset"))
	for _, prefix := range []string{"RateLimit-", "X-RateLimit-"} {
		sent := fields{"r": h.Get(prefix + "Remaining"), "t": h.Get(prefix + "Reset")}
		l.left(sent.number("r"), secondsUntil(sent, now))
	}
	return l
}

// left notes that so many requests are left for so many seconds; either is −1 if it was not sent.
func (l *rateLimit) left(requests, seconds float64) {
	switch {
	case requests < 0 || seconds <= 0:
	case requests < 1:
		l.blocked = max(l.blocked, min(toDuration(seconds), maxRetryAfter))
	default:
		l.atLeast(seconds/requests, seconds)
	}
}

// atLeast notes a pace in seconds, and for how many it holds.
func (l *rateLimit) atLeast(pace, holds float64) {
	if p := min(toDuration(pace), maxPace); p > l.pace {
		l.pace, l.holds = p, min(toDuration(holds), maxRetryAfter)
	}
}

// toDuration turns seconds into a duration, of a year at most.
func toDuration(seconds float64) time.Duration {
	return time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
}

// secondsUntil reads a reset: seconds from now, or, as some servers send it, since 1970.
func secondsUntil(f fields, now time.Time) float64 {
	const longAgo = 1e9 // 2001
	if t := f.number("t"); t < longAgo {
		return t
	}
	return f.number("t") - float64(now.Unix())
}

// fields are the parameters of an item, by name in lower case; "" is its bare value.
type fields map[string]string

// number returns the first of some fields that is a finite number of 0 or more; −1 if none is.
func (f fields) number(names ...string) float64 {
	for _, name := range names {
		if x, err := strconv.ParseFloat(f[name], 64); err == nil && x >= 0 && x < 1e15 {
			return x
		}
	}
	return -1
}

// parseItems splits a list of items with parameters: "default";q=100;w=60, "day";q=1000;w=86400. An item without a name that is
// name=value is a parameter.
func parseItems(values []string) (items []fields) {
	const most = 20 // items that are read
	for _, item := range strings.Split(strings.Join(values, ","), ",") {
		f := fields{}
		for _, part := range strings.Split(item, ";") {
			name, value, named := strings.Cut(strings.TrimSpace(part), "=")
			if !named {
				name, value = "", name
			}
			f[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"`)
		}
		if items = append(items, f); len(items) == most {
			break
		}
	}
	return items
}

// noteRateLimit notes what an answer says of how often its host, and those that share its servers, may be asked.
func (x *exchange) noteRateLimit(host string, h http.Header) (blocked time.Duration) {
	now := x.c.now()
	l := parseRateLimit(h, now)
	if l.blocked > 0 {
		x.c.hosts.block(host, now.Add(l.blocked))
	}
	x.c.hosts.setPace(x.c.group(host), l, max(x.c.spacing, time.Second), now)
	return l.blocked
}

// setPace notes the pace that a group's server asks for, if it is slower than the usual one.
func (h *hostStates) setPace(group string, l rateLimit, usual time.Duration, now time.Time) {
	h.update(group, func(s *HostState) {
		switch {
		case l.pace == s.Pace && s.PacedUntil.After(now.Add(l.holds/2)): // not worth storing after every answer
		case l.pace > usual && (l.pace >= s.Pace || !s.PacedUntil.After(now)):
			s.Pace, s.PacedUntil = l.pace, now.Add(l.holds)
		case !s.PacedUntil.After(now):
			s.Pace, s.PacedUntil = 0, time.Time{}
		}
	})
}

// pace is the time between two requests that a group's server asks for; 0 if it asks for none.
func (h *hostStates) pace(group string, now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.known[strings.ToLower(group)]; s.PacedUntil.After(now) {
		return s.Pace
	}
	return 0
}
