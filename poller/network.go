package poller

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/localnet"
)

// offline is what the poller believes of the machine's network. Feeds of this machine
// need none.
type offline struct {
	down      bool
	unplugged time.Time // since when the system says that there is none, so that there is nothing to probe; zero if it does not
	since     time.Time
	probe     time.Time // when to try again
	probes    int       // tried since it is down
	lastOK    time.Time // last answer from any server
	back      time.Time // when the system last said that there is one again
}

const (
	// recentAnswer is how long an answer of any server shows that the network is
	// there, so that a name nobody knows, or a page instead of a feed, is the
	// feed's fault and not ours.
	recentAnswer = 10 * time.Minute
	// The network is probed often while the gap is short (a laptop just woken),
	// then less.
	firstProbe   = 15 * time.Second
	slowestProbe = 10 * time.Minute
)

// blameMachine decides whether a failure of this kind is the network's; it then
// holds background fetches back until a probe gets through.
func (p *Poller) blameMachine(kind fetch.Code, now time.Time) bool {
	blamed, gone := p.blame(kind, now)
	if gone {
		p.say(now, "the network is gone (%s): nothing is tried but a probe from time to time", kind)
	}
	return blamed
}

// blame reports whether a failure is the network's, and whether it was thought to be
// there.
func (p *Poller) blame(kind fetch.Code, now time.Time) (blamed, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := &p.offline
	if (kind.Unresolved() || kind == fetch.Portal) && now.Sub(o.lastOK) < recentAnswer {
		return false, false
	}
	if gone = !o.down; gone {
		o.gone(now)
	}
	return true, gone
}

// gone holds back what needs a network.
func (o *offline) gone(now time.Time) {
	o.down, o.since, o.probes, o.probe = true, now, 0, now.Add(firstProbe)
}

// plug notes that the system says that there is a network, or none. It is not a
// server's word: what is held back waits for a probe.
func (o *offline) plug(in bool, now time.Time) {
	if !in {
		o.unplugged = now
		return
	}
	o.unplugged, o.back = time.Time{}, now
	if o.down {
		o.since, o.probe, o.probes = now, now, 0
	}
}

// cutOff reports whether a request failed on its way and there was no network, by the
// system's word, at some time since it was made: nobody is to blame.
func (p *Poller) cutOff(address string, asked time.Time, kind fetch.Code) bool {
	switch kind {
	case fetch.DNS, fetch.ResolvesLocally, fetch.Offline, fetch.Timeout, fetch.TooSlow, fetch.Reset:
	default:
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	since := !p.offline.back.IsZero() && !p.offline.back.Before(asked)
	return (!p.offline.unplugged.IsZero() || since) && !ofThisMachine(address)
}

// heldBack reports whether a feed has to wait until the network is back; p.mu is held.
func (p *Poller) heldBack(address string) bool {
	return p.offline.down && !ofThisMachine(address)
}

// answered notes that a server answered what it was asked then; it reports whether the
// network was thought to be gone. That is better than the system's word.
func (p *Poller) answered(asked time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was, back := p.offline.down, p.offline.back
	if asked.Before(p.offline.unplugged) {
		return false // that was before
	}
	p.offline = offline{lastOK: asked, back: back}
	return was
}

// heedSystem holds back what needs a network while the system says that there is
// none. Where no feed needs one, nothing is amiss.
func (p *Poller) heedSystem(ctx context.Context, now time.Time) error {
	p.mu.Lock()
	news := !p.offline.unplugged.IsZero() && !p.offline.down
	p.mu.Unlock()
	if !news {
		return nil
	}
	needed, err := p.needsNetwork(ctx)
	if err != nil || !needed {
		return err
	}
	p.mu.Lock()
	gone := !p.offline.unplugged.IsZero() && !p.offline.down
	if gone {
		p.offline.gone(now)
	}
	p.mu.Unlock()
	if gone {
		p.say(now, "the network is gone (the system says so): nothing is tried")
	}
	return nil
}

// needsNetwork reports whether any feed does that is not paused.
func (p *Poller) needsNetwork(ctx context.Context) (bool, error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT url FROM feed WHERE removed = 0 AND paused = 0")
	if err != nil {
		return false, fmt.Errorf("look for a feed beyond this machine: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return false, fmt.Errorf("look for a feed beyond this machine: %w", err)
		}
		if !ofThisMachine(address) {
			return true, nil
		}
	}
	return false, rows.Err()
}

// networkDown reports whether the network is down and when there is something to do
// about it; zero if the system will say.
func (p *Poller) networkDown(now time.Time) (wait time.Time, down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.offline.unplugged.IsZero() {
		return time.Time{}, p.offline.down
	}
	return later(p.offline.probe, now.Add(settle)), p.offline.down
}

// probe asks one server to see whether the network is back, when it is time to.
func (p *Poller) probe(ctx context.Context, now time.Time) error {
	turn, ok := p.nextProbe(now)
	if !ok {
		return nil
	}
	f, err := p.probed(ctx, now, turn)
	if errors.Is(err, reader.ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	p.say(now, "probing with %s whether the network is back", f.Title)
	p.start(ctx, job{feed: f, code: Probe, why: "to see whether the network is back"}, nil)
	return nil
}

// nextProbe counts a probe if it is time for one.
func (p *Poller) nextProbe(now time.Time) (turn int, ok bool) {
	busy := p.queue.Load() > 0
	p.mu.Lock()
	defer p.mu.Unlock()
	o := &p.offline
	if !o.down || !o.unplugged.IsZero() || busy || now.Before(o.probe) {
		return 0, false
	}
	o.probes++
	o.probe = now.Add(min(max(now.Sub(o.since)/2, firstProbe), slowestProbe))
	return o.probes - 1, true
}

// probed is the feed to probe with: those that answered last first, in turn, as
// one whose name has vanished would never say that the network is back.
func (p *Poller) probed(ctx context.Context, now time.Time, turn int) (reader.Feed, error) {
	rows, err := p.store.Read().QueryContext(ctx, `SELECT f.id, f.url FROM feed f LEFT JOIN poll s ON s.feed = f.id
		WHERE f.removed = 0 AND f.paused = 0 AND coalesce(s.not_before, 0) <= ? AND coalesce(s.gone, 0) = 0
		ORDER BY coalesce(s.fetched, 0) DESC, f.id`, now.Unix())
	if err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var address string
		if err := rows.Scan(&id, &address); err != nil {
			return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
		}
		if !ofThisMachine(address) {
			ids = append(ids, id)
		}
	}
	if err := rows.Err(); err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	if len(ids) == 0 {
		return reader.Feed{}, reader.ErrUnknown
	}
	return p.store.Feed(ctx, ids[turn%len(ids)])
}

// ofThisMachine reports whether a feed can be fetched without a network: a file, or a
// server on this machine.
func ofThisMachine(address string) bool {
	if isFile(address) {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && localnet.Loopback(u.Hostname())
}
