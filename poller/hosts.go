package poller

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"kairos/poller/fetch"
)

// hosts stores what the client remembers of hosts (Retry-After, counts of refusals, RateLimit) across
// restarts.
type hosts struct {
	*env

	mu       sync.Mutex // guards what follows
	restored bool
	stored   int // the version of what the client remembers that is stored
}

// commit runs save in a transaction that also stores what the client remembers.
func (h *hosts) commit(ctx context.Context, save func(tx *sql.Tx) error) error {
	version := 0
	err := h.store.Write(ctx, func(tx *sql.Tx) (err error) {
		if err := save(tx); err != nil {
			return err
		}
		version, err = h.write(ctx, tx)
		return err
	})
	if err == nil {
		h.setStored(version)
	}
	return err
}

// write stores what the client remembers, and returns its version. Where nothing has
// changed it costs nothing.
func (h *hosts) write(ctx context.Context, tx *sql.Tx) (version int, err error) {
	states, version := h.client.HostStates()
	h.mu.Lock()
	same := h.stored == version
	h.mu.Unlock()
	if same {
		return version, nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM host"); err != nil {
		return version, fmt.Errorf("store Retry-After: %w", err)
	}
	for name, m := range states {
		_, err := tx.ExecContext(ctx, "INSERT INTO host (host, until, bare, refused, at, pace, paced_until) VALUES (?, ?, ?, ?, ?, ?, ?)",
			name, ceilUnix(m.BlockedUntil), m.BareRefusals, m.Refusals, unix(m.LastRefusal), int64(m.Pace/time.Millisecond), ceilUnix(m.PacedUntil))
		if err != nil {
			return version, fmt.Errorf("store Retry-After: %w", err)
		}
	}
	return version, nil
}

func (h *hosts) setStored(version int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stored = version
}

// replaced notes that the tables hold something else than what was stored.
func (h *hosts) replaced() { h.setStored(-1) }

// restore gives the client, once, what was stored before the program started.
func (h *hosts) restore(ctx context.Context) error {
	h.mu.Lock()
	restored := h.restored
	h.mu.Unlock()
	if restored {
		return nil
	}
	rows, err := h.store.Read().QueryContext(ctx, "SELECT host, until, bare, refused, at, pace, paced_until FROM host")
	if err != nil {
		return fmt.Errorf("read Retry-After: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var host string
		var state fetch.HostState
		var until, at, pace, pacedUntil int64
		if err := rows.Scan(&host, &until, &state.BareRefusals, &state.Refusals, &at, &pace, &pacedUntil); err != nil {
			return fmt.Errorf("read Retry-After: %w", err)
		}
		state.BlockedUntil, state.LastRefusal = instant(until), instant(at)
		state.Pace, state.PacedUntil = time.Duration(pace)*time.Millisecond, instant(pacedUntil)
		h.client.SetHostState(host, state)
	}
	if rows.Err() != nil {
		return rows.Err()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.restored = true
	return nil
}
