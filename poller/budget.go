package poller

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// Presets of the normal budget, in fetches a feed a day.
const (
	FreshPerFeed    = 24
	BalancedPerFeed = 8
	SaverPerFeed    = 2
)

// Saver says when battery saver cuts the budget.
type Saver string

const (
	SaverOff  Saver = "off"
	SaverOn   Saver = "on"
	SaverAuto Saver = "auto" // while the machine runs on battery, is set to save power, or has a metered network
)

// Names of the presets; any whole number is a normal budget too.
const (
	Fresh    = "fresh"
	Balanced = "balanced"
)

const (
	settingNormal = "poller.budget"
	settingSaver  = "poller.saver"
)

// Budget is how many background fetches there are a day. They are earned evenly, and what
// is not spent is kept for a while (plan.Bucket).
type Budget struct {
	Normal string // Fresh, Balanced or a number a day in all; "0" pauses
	Saver  Saver
	Supply Supply // of the machine now
}

// Saving reports whether battery saver is in force.
func (b Budget) Saving() bool {
	return b.Saver == SaverOn || len(b.Reasons()) > 0
}

// PerDay is M for this many feeds.
func (b Budget) PerDay(feeds int) int {
	normal := feeds * BalancedPerFeed
	if b.Normal == Fresh {
		normal = feeds * FreshPerFeed
	} else if n, err := strconv.Atoi(b.Normal); err == nil {
		normal = n
	}
	if b.Saving() {
		return min(normal, feeds*SaverPerFeed)
	}
	return normal
}

// Budget reads the budget that is set.
func (p *Poller) Budget(ctx context.Context) (Budget, error) {
	b, _, err := p.budget(ctx)
	return b, err
}

// budget reads the budget and how many feeds it is for.
func (p *Poller) budget(ctx context.Context) (b Budget, feeds int, err error) {
	err = p.db.Row(ctx, `SELECT coalesce((SELECT value FROM setting WHERE key = ?), ?),
		coalesce((SELECT value FROM setting WHERE key = ?), ?), (SELECT count(*) FROM feed WHERE removed = 0 AND paused = 0)`,
		[]any{settingNormal, Balanced, settingSaver, string(SaverOff)}, &b.Normal, &b.Saver, &feeds)
	if err != nil {
		return Budget{}, 0, fmt.Errorf("read the budget: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b.Supply = p.supply
	return b, feeds, nil
}

// SetBudget sets the normal budget: Fresh, Balanced or a whole number ≥ 0.
func (p *Poller) SetBudget(ctx context.Context, normal string) error {
	if normal != Fresh && normal != Balanced {
		n, err := strconv.Atoi(normal)
		if err != nil || n < 0 || n > 1_000_000 {
			return fmt.Errorf("%q is not a budget: give fresh, balanced, or a number of fetches a day", normal)
		}
	}
	if err := p.store.Settings.Set(ctx, settingNormal, normal); err != nil {
		return err
	}
	p.Changed()
	return nil
}

// SetSaver sets battery saver.
func (p *Poller) SetSaver(ctx context.Context, s Saver) error {
	if s != SaverOff && s != SaverOn && s != SaverAuto {
		return fmt.Errorf("%q is not a setting of battery saver: give on, off or auto", s)
	}
	if err := p.store.Settings.Set(ctx, settingSaver, string(s)); err != nil {
		return err
	}
	p.Changed()
	return nil
}

// Spent is how many background fetches there were in the 24 hours before an instant,
// those in flight included, and how many there may be a day.
func (p *Poller) Spent(ctx context.Context, at time.Time) (spent, perDay int, err error) {
	if spent, err = p.spent(ctx, at); err != nil {
		return 0, 0, err
	}
	perDay, err = p.perDay(ctx)
	return spent, perDay, err
}

// perDay is M now.
func (p *Poller) perDay(ctx context.Context) (int, error) {
	a, err := p.allowed(ctx)
	return a.fetches, err
}

// allowance is M, for so many feeds and with the saver in force or not, as it was after
// so many changes.
type allowance struct {
	changes, fetches, feeds int
	saving                  bool
}

// allowed is the allowance now. It is read again when something has changed.
func (p *Poller) allowed(ctx context.Context) (allowance, error) {
	changes := p.signals.version()
	p.mu.Lock()
	kept := p.lastPerDay
	p.mu.Unlock()
	if kept.changes == changes {
		return kept, nil
	}
	b, feeds, err := p.budget(ctx)
	if err != nil {
		return allowance{}, err
	}
	kept = allowance{changes: changes, fetches: b.PerDay(feeds), feeds: feeds, saving: b.Saving()}
	p.mu.Lock()
	p.lastPerDay = kept
	p.mu.Unlock()
	return kept, nil
}

// spent counts the background fetches of the 24 hours before now, those in
// flight included.
func (p *Poller) spent(ctx context.Context, now time.Time) (int, error) {
	var n int
	err := p.db.Row(ctx, "SELECT count(*) FROM ledger WHERE background = 1 AND at >= ?", []any{now.Add(-day).Unix()}, &n)
	if err != nil {
		return 0, fmt.Errorf("count what was spent: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return n + p.spending, nil
}
