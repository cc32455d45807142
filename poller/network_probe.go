package poller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// blameNetwork decides whether a failure with this code is the network's; background fetches
// then wait until a probe gets through.
func (p *Poller) blameNetwork(code fetch.Code, now time.Time) bool {
	blamed, lost := p.network.blame(code, now)
	if lost {
		p.say(now, "the network is gone (%s): nothing is tried but a probe from time to time", code)
	}
	return blamed
}

// heedUnplugged holds back what needs the network while the system says that there is
// none, unless no feed needs it.
func (p *Poller) heedUnplugged(ctx context.Context, now time.Time) error {
	if !p.network.loseUnplugged(now, false) {
		return nil
	}
	needed, err := p.needsNetwork(ctx)
	if err != nil || !needed {
		return err
	}
	if p.network.loseUnplugged(now, true) {
		p.say(now, "the network is gone (the system says so): nothing is tried")
	}
	return nil
}

// needsNetwork reports whether any feed does that is not paused.
func (p *Poller) needsNetwork(ctx context.Context) (bool, error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT url FROM feed WHERE removed = 0 AND paused = 0")
	if err != nil {
		return false, fmt.Errorf("look for a feed that needs the network: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return false, fmt.Errorf("look for a feed that needs the network: %w", err)
		}
		if !ofThisMachine(address) {
			return true, nil
		}
	}
	return false, rows.Err()
}

// probe asks one server to see whether the network is back, when it is time to.
func (p *Poller) probe(ctx context.Context, now time.Time) error {
	if p.queue.Load() > 0 {
		return nil
	}
	before, ok := p.network.countProbe(now)
	if !ok {
		return nil
	}
	f, err := p.feedToProbe(ctx, now, before)
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

// feedToProbe is the feed to probe with: those that answered last first, in turn, as one
// whose name has vanished would never tell that the network is back.
func (p *Poller) feedToProbe(ctx context.Context, now time.Time, turn int) (reader.Feed, error) {
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
	return p.store.Feeds.Get(ctx, ids[turn%len(ids)])
}
