package preparer

import (
	"sync"
	"time"
)

// maxMissing is how many addresses are remembered that nothing could be had from.
const maxMissing = 10_000

// missing remembers addresses that a server did not give, so that they are not asked for with each article that names them. It ends
// with the program.
type missing struct {
	mu  sync.Mutex // guards what follows
	all map[string]failure
}

// failure is why something could not be had, and when.
type failure struct {
	cause Cause
	at    time.Time
}

// note remembers that an address could not be had.
func (m *missing) note(address string, cause Cause, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil || len(m.all) == maxMissing {
		m.all = map[string]failure{}
	}
	m.all[address] = failure{cause, now}
}

// cause tells why an address could not be had within a time before now; Nothing: it was had, or not asked for.
func (m *missing) cause(address string, now time.Time, within time.Duration) Cause {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a, ok := m.all[address]; ok && now.Sub(a.at).Abs() < within {
		return a.cause
	}
	return Nothing
}
