package poller

import (
	"net/url"
	"slices"
	"sync"
	"time"

	"kairos/poller/fetch"
	"kairos/reader/localnet"
)

// network is what the poller believes of the machine's network. Feeds of this machine
// need none.
type network struct {
	mu         sync.Mutex // guards all that follows
	down       bool
	downSince  time.Time
	unplugged  time.Time // since when the system reports no network; zero if it reports one
	plugged    time.Time // when the system last reported a network again
	nextProbe  time.Time
	probes     int              // tried since it is down or in doubt
	doubts     map[string]doubt // by group of hosts: what failed as it does without a network
	lastAnswer time.Time        // of a server that needs the network
	lastOfAny  time.Time        // of any server, this machine's own included
}

// doubt is a failure that a host may have caused as well as the network. Only other hosts can tell.
type doubt struct {
	since    time.Time
	bySystem bool // the system itself refused to send anything
	unshared bool // there is no other host to ask
}

const (
	// recentAnswer is how long an answer of any server shows that the network is
	// there, so that an unknown name, or a page instead of a feed, is the feed's
	// fault.
	recentAnswer = 10 * time.Minute
	// The network is probed often while the outage is short (a laptop just woken),
	// then less.
	firstProbe   = 15 * time.Second
	slowestProbe = 10 * time.Minute
)

// blame decides whether a failure with this code is the network's; needing it then waits until a probe gets through. One
// host is not believed unless the system reports no network: until another one has answered or failed alike, only this host
// waits, and its next failure after another's answer is its own. lost reports whether the network was thought to be there.
func (n *network) blame(address string, code fetch.Code, now time.Time) (blamed, lost bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if (code.Unresolved() || code == fetch.Portal) && now.Sub(n.lastAnswer) < recentAnswer {
		return false, false
	}
	group := groupOf(address)
	if d, again := n.doubts[group]; again && !n.down && (d.unshared || !n.lastAnswer.Before(d.since)) {
		return false, false
	}
	if n.doubts == nil {
		n.doubts = map[string]doubt{}
	}
	n.doubts[group] = doubt{since: now, bySystem: code == fetch.Offline}
	switch {
	case n.down:
		return true, false
	case !n.unplugged.IsZero(), len(n.openDoubts()) > 1:
		n.lose(now)
		return true, true
	}
	n.downSince, n.nextProbe, n.probes = now, now, 0
	return true, false
}

// openDoubts returns the groups of hosts that failed since a server answered; n.mu is held.
func (n *network) openDoubts() (groups []string) {
	for group, d := range n.doubts {
		if d.since.After(n.lastAnswer) && !d.unshared {
			groups = append(groups, group)
		}
	}
	return groups
}

// doubted returns the groups of hosts of which it is not known yet whether they or the network failed.
func (n *network) doubted() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down {
		return nil
	}
	return n.openDoubts()
}

// settleDoubts decides about doubts that no other host can settle: if the system refused to send, there is no network, else
// the host itself failed. It reports whether the network was thought to be there and is not.
func (n *network) settleDoubts(now time.Time) (lost bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, group := range n.openDoubts() {
		d := n.doubts[group]
		d.unshared = true
		n.doubts[group] = d
		lost = lost || d.bySystem
	}
	if lost {
		n.lose(now)
	}
	return lost
}

// lose holds back what needs the network; n.mu is held.
func (n *network) lose(now time.Time) {
	n.down, n.downSince, n.probes, n.nextProbe = true, now, 0, now.Add(firstProbe)
}

// setPlugged notes that the system reports a network, or none. Only a server's answer proves
// that there is one: what is held back waits for a probe.
func (n *network) setPlugged(in bool, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !in {
		n.unplugged = now
		return
	}
	n.unplugged, n.plugged = time.Time{}, now
	if n.down {
		n.downSince, n.nextProbe, n.probes = now, now, 0
	}
}

// loseUnplugged reports whether the system reports no network and that is news. If lose is
// set, requests that need one are held back from now on.
func (n *network) loseUnplugged(now time.Time, lose bool) (news bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if news = !n.unplugged.IsZero() && !n.down; news && lose {
		n.lose(now)
	}
	return news
}

// cutOff reports whether a request failed on its way and the system reported no network at
// some time since it was made: no server is to blame.
func (n *network) cutOff(address string, asked time.Time, code fetch.Code) bool {
	switch code {
	case fetch.DNS, fetch.ResolvesLocally, fetch.Offline, fetch.Timeout, fetch.TooSlow, fetch.Reset:
	default:
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	since := !n.plugged.IsZero() && !n.plugged.Before(asked)
	return (!n.unplugged.IsZero() || since) && !ofThisMachine(address)
}

// holdsBack reports whether requests to an address wait until the network is back.
func (n *network) holdsBack(address string) bool {
	if ofThisMachine(address) {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.down || slices.Contains(n.openDoubts(), groupOf(address))
}

// answered notes that a server answered a request made at that time, which overrides what the
// system reports. It reports whether the network was thought to be gone.
func (n *network) answered(address string, asked time.Time) (back bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lastOfAny = asked
	if ofThisMachine(address) || asked.Before(n.unplugged) {
		return false // it proves nothing, or was before
	}
	delete(n.doubts, groupOf(address))
	back = n.down
	n.down, n.downSince, n.unplugged, n.nextProbe, n.probes = false, time.Time{}, time.Time{}, time.Time{}, 0
	n.lastAnswer = asked
	return back
}

// isDown reports whether requests that need the network are held back.
func (n *network) isDown() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.down
}

// isMissing reports whether there is no network, as the system reports or as requests fail.
func (n *network) isMissing() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.down || !n.unplugged.IsZero()
}

// isThere reports whether a server has just answered.
func (n *network) isThere(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !n.down && now.Sub(n.lastOfAny) < recentAnswer
}

// outage returns whether the network is down or in doubt, and when it is to be probed: zero if the system will report its
// return.
func (n *network) outage() (probe time.Time, down, inDoubt bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	inDoubt = !n.down && len(n.openDoubts()) > 0
	if !n.unplugged.IsZero() {
		return time.Time{}, n.down, inDoubt
	}
	return n.nextProbe, n.down, inDoubt
}

// countProbe counts a probe if it is time for one, and returns how many there were before.
func (n *network) countProbe(now time.Time) (before int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.down && len(n.openDoubts()) == 0 || !n.unplugged.IsZero() || now.Before(n.nextProbe) {
		return 0, false
	}
	n.probes++
	n.nextProbe = now.Add(min(max(now.Sub(n.downSince)/2, firstProbe), slowestProbe))
	return n.probes - 1, true
}

// setBack mends what lies ahead of a clock that was set back.
func (n *network) setBack(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lastAnswer.After(now) {
		n.lastAnswer = time.Time{}
	}
	clear(n.doubts)
	if n.unplugged.After(now) {
		n.unplugged = now
	}
	if n.plugged.After(now) {
		n.plugged = time.Time{}
	}
	if last := now.Add(slowestProbe); n.nextProbe.After(last) {
		n.downSince, n.nextProbe = now, last
	}
}

// ofThisMachine reports whether an address can be fetched without a network: a file, or a
// server on this machine.
func ofThisMachine(address string) bool {
	if isFile(address) {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && localnet.Loopback(u.Hostname())
}
