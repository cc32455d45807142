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

// Memory is what is kept of a host or a group of hosts.
type Memory struct {
	Until   time.Time // it is not to be asked: Retry-After
	Bare    int       // 429s in a row that did not say for how long
	Refused int       // 429s of the group that space its requests
	At      time.Time // the last of them
}

// hosts remember who is not to be asked, or not so fast.
type hosts struct {
	mu      sync.Mutex
	known   map[string]Memory
	version int
}

func (h *hosts) until(host string, now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.known[strings.ToLower(host)]; m.Until.After(now) {
		return m.Until
	}
	return time.Time{}
}

// change is the only way to a memory.
func (h *hosts) change(name string, f func(m *Memory)) {
	name = strings.ToLower(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.known[name]
	m := was
	if f(&m); m == was {
		return
	}
	if h.known == nil {
		h.known = map[string]Memory{}
	}
	h.known[name] = m
	h.version++
}

func (h *hosts) remember(name string, m Memory) { h.change(name, func(was *Memory) { *was = m }) }

// block never shortens a wait.
func (h *hosts) block(host string, until time.Time) {
	h.change(host, func(m *Memory) {
		if until.After(m.Until) {
			m.Until = until
		}
	})
}

// refused counts another 429 without a usable Retry-After and returns how long
// to stay away: an hour, doubled each time, a day at most.
func (h *hosts) refused(host string) (wait time.Duration) {
	h.change(host, func(m *Memory) {
		wait = min(time.Hour<<min(m.Bare, 10), longestWait)
		m.Bare++
	})
	return wait
}

// welcomed forgets the refusals that said nothing.
func (h *hosts) welcomed(host string) { h.change(host, func(m *Memory) { m.Bare = 0 }) }

// crowded counts a 429 of a group.
func (h *hosts) crowded(group string, now time.Time) {
	h.change(group, func(m *Memory) {
		m.Refused, m.At = min(m.refusals(now)+1, fullySpaced), now
	})
}

// refusals are the 429s less one a day since.
func (m *Memory) refusals(now time.Time) int {
	return max(0, m.Refused-max(0, int(now.Sub(m.At)/(24*time.Hour))))
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

func (m Memory) setBack(now time.Time) Memory {
	if m.Until.After(now.Add(longestWait)) {
		m.Until = time.Time{}
	}
	if m.At.After(now) {
		m.At = now
	}
	return m
}

func (h *hosts) all(now time.Time) (map[string]Memory, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.known, func(_ string, m Memory) bool {
		bound := m.Until.After(now) || m.Bare > 0 && now.Sub(m.Until) < forget
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
