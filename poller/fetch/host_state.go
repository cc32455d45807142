package fetch

import (
	"maps"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"
)

const (
	// Each 429 multiplies the spacing of requests by this factor; a day without one divides it again.
	spacingFactor = 4
	maxSpacing    = 5 * time.Minute
	maxRefusals   = 9 // that are counted

	// hostStateAge is how long a host is remembered that is not asked any more.
	hostStateAge = 30 * 24 * time.Hour
)

// knownSpacing is the spacing of groups that are known to refuse requests in quicker succession.
var knownSpacing = map[string]time.Duration{"reddit.com": time.Minute}

// HostState is what is remembered of a host or a group of hosts across restarts.
type HostState struct {
	BlockedUntil time.Time // of a host: no requests before, by its Retry-After or our back-off
	BareRefusals int       // of a host: 429s in a row without a Retry-After
	Refusals     int       // of a group: 429s that count for its spacing
	LastRefusal  time.Time // of a group: the last of them

	Pace       time.Duration // of a group: between two requests, by the server's RateLimit
	PacedUntil time.Time     // of a group: the end of that
}

// hostStates remembers which hosts are not to be asked, or not so often.
type hostStates struct {
	mu      sync.Mutex
	known   map[string]HostState // by host or group in lower case; guarded by mu
	version int                  // changes with known; guarded by mu
}

// blockedUntil returns the instant before which a host is not to be asked; zero if it may be asked now.
func (h *hostStates) blockedUntil(host string, now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.known[strings.ToLower(host)]; s.BlockedUntil.After(now) {
		return s.BlockedUntil
	}
	return time.Time{}
}

// update changes the state of a host or group. All changes go through it.
func (h *hostStates) update(name string, change func(s *HostState)) {
	name = strings.ToLower(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.known[name]
	s := before
	if change(&s); s == before {
		return
	}
	if h.known == nil {
		h.known = map[string]HostState{}
	}
	h.known[name] = s
	h.version++
}

func (h *hostStates) set(name string, state HostState) {
	h.update(name, func(s *HostState) { *s = state })
}

// block blocks a host. It never shortens a block.
func (h *hostStates) block(host string, until time.Time) {
	h.update(host, func(s *HostState) {
		if until.After(s.BlockedUntil) {
			s.BlockedUntil = until
		}
	})
}

// backOff counts a 429 without a usable Retry-After and returns how long to wait: an hour, doubled with each such 429 in a
// row, a day at most.
func (h *hostStates) backOff(host string) (wait time.Duration) {
	h.update(host, func(s *HostState) {
		wait = min(time.Hour<<min(s.BareRefusals, 10), maxRetryAfter)
		s.BareRefusals++
	})
	return wait
}

// resetBackOff notes that a host has answered.
func (h *hostStates) resetBackOff(host string) {
	h.update(host, func(s *HostState) { s.BareRefusals = 0 })
}

// countRefusal counts a 429 of a group.
func (h *hostStates) countRefusal(group string, now time.Time) {
	h.update(group, func(s *HostState) {
		s.Refusals, s.LastRefusal = min(s.refusals(now)+1, maxRefusals), now
	})
}

// refusals is the number of 429s less one for each day since the last.
func (s *HostState) refusals(now time.Time) int {
	return max(0, s.Refusals-max(0, int(now.Sub(s.LastRefusal)/(24*time.Hour))))
}

// spacing is the time between two requests to a group; usual is that of groups without refusals.
func (h *hostStates) spacing(group string, usual time.Duration, now time.Time) time.Duration {
	h.mu.Lock()
	s := h.known[group]
	h.mu.Unlock()
	spacing := max(usual, knownSpacing[group])
	if usual > 0 && s.PacedUntil.After(now) {
		spacing = max(spacing, min(s.Pace, maxSpacing)) // what somebody waits for does not wait for an hour
	}
	for range s.refusals(now) {
		spacing = min(max(spacing, time.Second)*spacingFactor, maxSpacing)
	}
	return spacing
}

// clockSetBack corrects all states after the clock was set back to now.
func (h *hostStates) clockSetBack(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, s := range h.known {
		if corrected := s.notAfter(now); corrected != s {
			h.known[name] = corrected
			h.version++
		}
	}
}

// notAfter corrects a state that was recorded by a clock ahead of now: no host asks for a longer wait than maxRetryAfter.
func (s HostState) notAfter(now time.Time) HostState {
	if s.BlockedUntil.After(now.Add(maxRetryAfter)) {
		s.BlockedUntil = time.Time{}
	}
	if s.LastRefusal.After(now) {
		s.LastRefusal = now
	}
	if s.PacedUntil.After(now.Add(maxRetryAfter)) {
		s.Pace, s.PacedUntil = 0, time.Time{}
	}
	return s
}

// all returns a copy of the states that still matter, and their version.
func (h *hostStates) all(now time.Time) (map[string]HostState, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.known, func(_ string, s HostState) bool {
		inForce := s.BlockedUntil.After(now) || s.BareRefusals > 0 && now.Sub(s.BlockedUntil) < hostStateAge
		return !inForce && s.refusals(now) == 0 && !s.PacedUntil.After(now)
	})
	return maps.Clone(h.known), h.version
}

// Group names the hosts that share servers with a host: its registrable domain. Where the public suffix list tells the users
// of a site apart (blogspot.com, github.io) it is that of the whole site. An IP address is a group of its own.
func Group(host string) string {
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bare
	}
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return host
	}
	suffix, icann := publicsuffix.PublicSuffix(name)
	for !icann && strings.Contains(suffix, ".") {
		_, rest, _ := strings.Cut(suffix, ".")
		suffix, icann = publicsuffix.PublicSuffix(rest)
	}
	rest, ok := strings.CutSuffix(name, "."+suffix)
	if !ok {
		return name
	}
	return rest[strings.LastIndex(rest, ".")+1:] + "." + suffix
}
