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
	// Each 429 makes the space between requests longer by this factor, a day without
	// one shorter again.
	spaceFactor = 4
	maxSpace    = 5 * time.Minute
	fullySpaced = 9 // refusals after which no more are counted

	// forget is how long a host may be left unasked before it is forgotten.
	forget = 30 * 24 * time.Hour
)

// spaces are those of groups known to refuse more than a request in so long.
var spaces = map[string]time.Duration{"reddit.com": time.Minute}

// HostState is what is kept of a host or a group of hosts.
type HostState struct {
	BlockedUntil time.Time // it is not to be asked: Retry-After
	BareRefusals int       // 429s in a row that did not say for how long
	Refusals     int       // 429s of the group that space its requests
	LastRefusal  time.Time // the last of them
}

// hosts remember who is not to be asked, or not so fast.
type hosts struct {
	mu      sync.Mutex
	known   map[string]HostState
	version int
}

func (h *hosts) until(host string, now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.known[strings.ToLower(host)]; m.BlockedUntil.After(now) {
		return m.BlockedUntil
	}
	return time.Time{}
}

// change is the only way to a memory.
func (h *hosts) change(name string, f func(m *HostState)) {
	name = strings.ToLower(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.known[name]
	m := was
	if f(&m); m == was {
		return
	}
	if h.known == nil {
		h.known = map[string]HostState{}
	}
	h.known[name] = m
	h.version++
}

func (h *hosts) remember(name string, m HostState) { h.change(name, func(was *HostState) { *was = m }) }

// block never shortens a wait.
func (h *hosts) block(host string, until time.Time) {
	h.change(host, func(m *HostState) {
		if until.After(m.BlockedUntil) {
			m.BlockedUntil = until
		}
	})
}

// refused counts another 429 without a usable Retry-After and returns how long
// to stay away: an hour, doubled each time, a day at most.
func (h *hosts) refused(host string) (wait time.Duration) {
	h.change(host, func(m *HostState) {
		wait = min(time.Hour<<min(m.BareRefusals, 10), longestWait)
		m.BareRefusals++
	})
	return wait
}

// welcomed forgets the refusals that said nothing.
func (h *hosts) welcomed(host string) { h.change(host, func(m *HostState) { m.BareRefusals = 0 }) }

// crowded counts a 429 of a group.
func (h *hosts) crowded(group string, now time.Time) {
	h.change(group, func(m *HostState) {
		m.Refusals, m.LastRefusal = min(m.refusals(now)+1, fullySpaced), now
	})
}

// refusals are the 429s less one a day since.
func (m *HostState) refusals(now time.Time) int {
	return max(0, m.Refusals-max(0, int(now.Sub(m.LastRefusal)/(24*time.Hour))))
}

func (h *hosts) space(group string, usual time.Duration, now time.Time) time.Duration {
	h.mu.Lock()
	m := h.known[group]
	h.mu.Unlock()
	space := max(usual, spaces[group])
	for range m.refusals(now) {
		space = min(max(space, time.Second)*spaceFactor, maxSpace)
	}
	return space
}

// setBack mends what was written under a clock that was ahead of now: nobody may ask for a
// longer wait than there is.
func (h *hosts) setBack(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, m := range h.known {
		if mended := m.setBack(now); mended != m {
			h.known[name] = mended
			h.version++
		}
	}
}

func (m HostState) setBack(now time.Time) HostState {
	if m.BlockedUntil.After(now.Add(longestWait)) {
		m.BlockedUntil = time.Time{}
	}
	if m.LastRefusal.After(now) {
		m.LastRefusal = now
	}
	return m
}

func (h *hosts) all(now time.Time) (map[string]HostState, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.known, func(_ string, m HostState) bool {
		bound := m.BlockedUntil.After(now) || m.BareRefusals > 0 && now.Sub(m.BlockedUntil) < forget
		return !bound && m.refusals(now) == 0
	})
	return maps.Clone(h.known), h.version
}

// Group names those who share a host's servers: its registrable domain, that of the
// whole site where the public suffix list takes a site's users apart (blogspot.com,
// github.io). An address without a name is its own.
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
