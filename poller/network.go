package poller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// offline is what the poller believes of the machine's network.
type offline struct {
	down   bool
	since  time.Time
	probe  time.Time // when to try again
	probes int       // tried since it is down
	lastOK time.Time // last answer from any server
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
func (p *Poller) blameMachine(kind fetch.Kind, now time.Time) bool {
	blamed, gone := p.blame(kind, now)
	if gone {
		p.say(now, "the network is gone (%s): nothing is tried but a probe from time to time", kind)
	}
	return blamed
}

// blame reports whether a failure is the network's, and whether it was thought to be
// there.
func (p *Poller) blame(kind fetch.Kind, now time.Time) (blamed, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if (kind == fetch.DNS || kind == fetch.Portal) && now.Sub(p.offline.lastOK) < recentAnswer {
		return false, false
	}
	if gone = !p.offline.down; gone {
		p.offline.down, p.offline.since, p.offline.probes = true, now, 0
		p.offline.probe = now.Add(firstProbe)
	}
	return true, gone
}

// answered notes that a server answered; it reports whether the network was
// thought to be gone.
func (p *Poller) answered(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.offline.down
	p.offline = offline{lastOK: now}
	if was {
		p.stir()
	}
	return was
}

func (p *Poller) networkDown(now time.Time) (wait time.Time, down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	busy := p.jobs.load() > 0
	p.mu.Lock()
	defer p.mu.Unlock()
	o := &p.offline
	if !o.down || busy || now.Before(o.probe) {
		return 0, false
	}
	o.probes++
	o.probe = now.Add(min(max(now.Sub(o.since)/2, firstProbe), slowestProbe))
	return o.probes - 1, true
}

// probed is the feed to probe with: those that answered last first, in turn, as
// one whose name has vanished would never say that the network is back.
func (p *Poller) probed(ctx context.Context, now time.Time, turn int) (reader.Feed, error) {
	const candidates = `FROM feed f LEFT JOIN poll s ON s.feed = f.id
		WHERE f.removed = 0 AND f.paused = 0 AND f.url LIKE 'http%' AND coalesce(s.not_before, 0) <= ? AND coalesce(s.gone, 0) = 0`
	var n int
	err := p.store.Read().QueryRowContext(ctx, "SELECT count(*) "+candidates, now.Unix()).Scan(&n)
	if err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	if n == 0 {
		return reader.Feed{}, reader.ErrUnknown
	}
	var id int64
	err = p.store.Read().QueryRowContext(ctx, "SELECT f.id "+candidates+" ORDER BY coalesce(s.fetched, 0) DESC, f.id LIMIT 1 OFFSET ?",
		now.Unix(), turn%n).Scan(&id)
	if err != nil {
		return reader.Feed{}, fmt.Errorf("choose a probe: %w", err)
	}
	return p.store.Feed(ctx, id)
}
