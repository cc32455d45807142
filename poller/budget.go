package poller

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"kairos/poller/schedule"
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

// mostPerDay is the largest budget that can be set.
const mostPerDay = 1_000_000

// Budget is how many background fetches there are a day. They are earned evenly; unused
// ones roll over for a while (plan.Bucket).
type Budget struct {
	Normal  string  // Fresh, Balanced, a number a day in all ("0" pauses), or a goal (Goal)
	Promise Promise // what was found for the goal; zero if none is set, or nothing is found yet
	Saver   Saver
	Power   PowerState // of the machine now
}

// Number is the normal budget where that is a number of fetches a day; 0, which pauses, is none.
func (b Budget) Number() (perDay int, ok bool) {
	n, err := strconv.Atoi(b.Normal)
	return n, err == nil && n > 0
}

// Paused reports whether nothing is fetched in the background.
func (b Budget) Paused() bool { return b.Normal == "0" }

// Saving reports whether battery saver is in force.
func (b Budget) Saving() bool {
	return b.Saver == SaverOn || len(b.SavingReasons()) > 0
}

// Reduced reports whether battery saver makes a difference for this many feeds: it is in force, and the normal budget is
// larger than its own.
func (b Budget) Reduced(feeds int) bool { return b.PerDay(feeds) < b.NormalPerDay(feeds) }

// PerDay is M for this many feeds.
func (b Budget) PerDay(feeds int) int {
	normal := b.NormalPerDay(feeds)
	if b.Saving() {
		return min(normal, feeds*SaverPerFeed)
	}
	return normal
}

// NormalPerDay is M without battery saver.
func (b Budget) NormalPerDay(feeds int) int {
	normal := feeds * BalancedPerFeed
	if b.Normal == Fresh {
		normal = feeds * FreshPerFeed
	} else if n, err := strconv.Atoi(b.Normal); err == nil {
		normal = n
	} else if b.Promise.PerFeed > 0 {
		normal = int(math.Ceil(b.Promise.PerFeed * float64(feeds)))
		if b.Promise.Goal.Ceiling > 0 {
			normal = min(normal, b.Promise.Goal.Ceiling)
		}
	}
	return normal
}

// budget reads what may be spent and what has been.
type budget struct {
	*env
	signals *signals
	jobs    *jobs

	mu     sync.Mutex // guards what follows
	power  PowerState
	cached allowance
	noted  *bool // whether battery saver makes a difference, as stored; nil: not known
}

// read reads the budget that is set, and how many feeds it is for: an account counts as one for each of its requests.
func (b *budget) read(ctx context.Context) (set Budget, feeds int, err error) {
	if set.Normal, err = b.store.Settings.Get(ctx, settingNormal, Balanced); err != nil {
		return Budget{}, 0, err
	}
	saver, err := b.store.Settings.Get(ctx, settingSaver, string(SaverOff))
	if err != nil {
		return Budget{}, 0, err
	}
	set.Saver = Saver(saver)
	err = b.db.Row(ctx, "SELECT coalesce(sum(CASE WHEN account = 0 THEN 1 ELSE ? END), 0) FROM "+polled, []any{rules.AccountRequests}, &feeds)
	if err != nil {
		return Budget{}, 0, fmt.Errorf("count the feeds of the budget: %w", err)
	}
	if g, ok := set.Goal(); ok {
		found, err := b.promise(ctx)
		if err != nil {
			return Budget{}, 0, err
		}
		if found.Goal == g {
			set.Promise = found
		} else {
			set.Promise.Goal = g
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	set.Power = b.power
	return set, feeds, nil
}

// setPower notes the power state of the machine and returns the one before.
func (b *budget) setPower(p PowerState) (before PowerState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, b.power = b.power, p
	return before
}

// set sets the normal budget: Fresh, Balanced or a whole number ≥ 0.
func (b *budget) set(ctx context.Context, normal string) error {
	if normal != Fresh && normal != Balanced {
		n, err := strconv.Atoi(normal)
		if n > mostPerDay || errors.Is(err, strconv.ErrRange) && n > 0 {
			return fmt.Errorf("a budget is at most %d fetches a day, for all feeds together", mostPerDay)
		}
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a budget: give fresh, balanced, or a number of fetches a day", normal)
		}
		normal = strconv.Itoa(n) // 00 is 0
	}
	if err := b.store.Settings.Set(ctx, settingNormal, normal); err != nil {
		return err
	}
	b.signals.feedsChanged()
	return nil
}

// setSaver sets battery saver.
func (b *budget) setSaver(ctx context.Context, s Saver) error {
	if s != SaverOff && s != SaverOn && s != SaverAuto {
		return fmt.Errorf("%q is not a setting of battery saver: give on, off or auto", s)
	}
	if err := b.store.Settings.Set(ctx, settingSaver, string(s)); err != nil {
		return err
	}
	b.signals.feedsChanged()
	return nil
}

// allowance is what may be spent, as it was after so many changes.
type allowance struct {
	changes int
	perDay  int // M
	feeds   int // that it is for
	saving  bool
	reduced bool      // by battery saver
	adjust  time.Time // when the budget of the goal is to be found again; zero if there is no goal
}

// allowed returns the allowance now. It is read again when something has changed.
func (b *budget) allowed(ctx context.Context) (allowance, error) {
	changes := b.signals.version()
	b.mu.Lock()
	cached := b.cached
	b.mu.Unlock()
	if cached.changes == changes {
		return cached, nil
	}
	set, feeds, err := b.read(ctx)
	if err != nil {
		return allowance{}, err
	}
	cached = allowance{changes: changes, perDay: set.PerDay(feeds), feeds: feeds, saving: set.Saving(), reduced: set.Reduced(feeds)}
	if _, ok := set.Goal(); ok {
		cached.adjust = set.Promise.At.Add(adjustEvery)
	}
	b.mu.Lock()
	b.cached = cached
	b.mu.Unlock()
	return cached, nil
}

// tariff is what fetches take out of the budget.
func (a allowance) tariff() schedule.Tariff { return rules.TariffFor(a.saving) }

// perDay is M now.
func (b *budget) perDay(ctx context.Context) (int, error) {
	a, err := b.allowed(ctx)
	return a.perDay, err
}

// countSpent is what background fetches took out of the budget since an instant: most took 1.
const countSpent = `(SELECT count(*) FROM ledger WHERE background = 1 AND at >= ?1)
	+ (SELECT coalesce(sum(requests - 1), 0) FROM ledger WHERE background = 1 AND at >= ?1 AND requests > 1)
	+ (SELECT coalesce(sum(cost - requests), 0) FROM ledger WHERE background = 1 AND at >= ?1 AND cost IS NOT NULL)`

// spent returns what background fetches took out of the budget in the 24 hours before now, those in flight
// included, as a number of usual fetches.
func (b *budget) spent(ctx context.Context, now time.Time) (int, error) {
	var n float64
	err := b.db.Row(ctx, "SELECT "+countSpent, []any{now.Add(-day).Unix()}, &n)
	if err != nil {
		return 0, fmt.Errorf("count what was spent: %w", err)
	}
	return int(math.Ceil(n + b.jobs.spent(0) - 1e-6)), nil
}
