package poller

import (
	"context"
	"database/sql"
	"fmt"

	"kairos/poller/fetch"
)

// keep stores what the client remembers of hosts (who is to be left alone, who refused
// how often), so that a restart does not forget it. Where nothing has changed it costs
// nothing. It returns the version that is stored if the transaction succeeds.
func (p *Poller) keep(ctx context.Context, tx *sql.Tx) (version int, err error) {
	memories, version := p.client.HostStates()
	p.mu.Lock()
	same := p.kept == version
	p.mu.Unlock()
	if same {
		return version, nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM host"); err != nil {
		return version, fmt.Errorf("store Retry-After: %w", err)
	}
	for name, m := range memories {
		_, err := tx.ExecContext(ctx, "INSERT INTO host (host, until, bare, refused, at) VALUES (?, ?, ?, ?, ?)",
			name, ceilUnix(m.BlockedUntil), m.BareRefusals, m.Refusals, unix(m.LastRefusal))
		if err != nil {
			return version, fmt.Errorf("store Retry-After: %w", err)
		}
	}
	return version, nil
}

func (p *Poller) keptNow(version int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = version
}

// restore tells the client, once, what it knew before the program started.
func (p *Poller) restore(ctx context.Context) error {
	p.mu.Lock()
	ready := p.ready
	p.mu.Unlock()
	if ready {
		return nil
	}
	rows, err := p.store.Read().QueryContext(ctx, "SELECT host, until, bare, refused, at FROM host")
	if err != nil {
		return fmt.Errorf("read Retry-After: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var host string
		var m fetch.HostState
		var until, at int64
		if err := rows.Scan(&host, &until, &m.BareRefusals, &m.Refusals, &at); err != nil {
			return fmt.Errorf("read Retry-After: %w", err)
		}
		m.BlockedUntil, m.LastRefusal = instant(until), instant(at)
		p.client.SetHostState(host, m)
	}
	p.mu.Lock()
	p.ready = rows.Err() == nil
	p.mu.Unlock()
	return rows.Err()
}
