// Package insights tells what Kairos achieved for its user, from what is stored: the ledger, the
// articles' own times, the log of accesses and of times awake. All it tells are facts, which
// app/text words.
//
// Insights.Realized compares what was realized with a timer and with hindsight; Visits tells when the
// user read; Costs what each feed cost and was good for; Calibration how well visits and articles
// were predicted. No figure is given without data behind it: Known is false, and notes say why.
//
// A history sees only what fetches brought. How many articles were lost is estimated from documents of nothing but new
// ones (Realized.Lost); these count as not there.
package insights

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"kairos/reader"
	"kairos/useraccess"
)

// Insights reads the history. Its methods may be called at the same time.
type Insights struct {
	store *reader.Store
	log   *useraccess.Log
	now   func() time.Time

	mu       sync.Mutex // guards what follows
	realized map[int]cached
	recent   *recent // nil: none
}

// recent is a history that was read a moment ago.
type recent struct {
	history *history
	state   state
}

// shareFor is how long a history is kept for others who ask for it: the page of the window asks for that of the same days three times
// as it is opened.
const shareFor = 5 * time.Second

type cached struct {
	day   time.Time // on which it was computed,
	state state     // and from what
	Realized
}

// state changes whenever something is stored that figures are computed from.
type state [11]int64

func (in *Insights) state(ctx context.Context) (s state, err error) {
	err = in.store.Read().QueryRowContext(ctx, `SELECT (SELECT coalesce(max(id), 0) FROM ledger), (SELECT coalesce(max(at), 0) FROM access), (SELECT count(*) FROM access),
		(SELECT coalesce(max(until), 0) FROM awake), (SELECT count(*) FROM awake), (SELECT count(*) FROM learning_pause), (SELECT coalesce(sum(until), 0) FROM learning_pause),
		(SELECT count(*) FROM `+fetched+`), (SELECT coalesce(max(id), 0) FROM subject),
		(SELECT coalesce(max(at), 0) FROM reading), (SELECT count(*) FROM reading WHERE evidence = `+strconv.Itoa(int(useraccess.Read))+`)`).
		Scan(&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9], &s[10])
	if err != nil {
		return s, fmt.Errorf("read what is new: %w", err)
	}
	return s, nil
}

// New returns the insights into a store and a log of accesses, as known at now, whose zone is that of
// the wall clock.
func New(store *reader.Store, log *useraccess.Log, now func() time.Time) *Insights {
	return &Insights{store: store, log: log, now: now, realized: map[int]cached{}}
}

// Code names what limits a figure, or why there is none.
type Code string

// What limits figures.
const (
	NoVisits    Code = "no-visits"    // none was logged in the period: nothing is known
	FewVisits   Code = "few-visits"   // Count of them, too few: nothing is known
	FirstDay    Code = "first-day"    // the record is shorter than a day: what a timer would have done in hours is chance; nothing is known
	NoFetches   Code = "no-fetches"   // none in the period, the last one at At (zero: ever): nothing is known
	OnlyFirst   Code = "only-first"   // no feed was fetched again after it was added: nothing is known
	NoArticles  Code = "no-articles"  // none came between two visits: nothing is known
	LearningOff Code = "learning-off" // visits from At to Until (zero: still) are not in the log
	ShortRecord Code = "short-record" // the record begins at At; the whole period will be known at Until
	Interrupted Code = "interrupted"  // nothing was fetched from At to Until: the longest time of several days
	ClockSet    Code = "clock-set"    // the clock was wrong, as Count fetches show, the last at At: times are uncertain
	OtherZone   Code = "other-zone"   // Count visits were on another clock than today's
	Sampled     Code = "sampled"      // computed from Count of the feeds, because there are so many
)

// Note tells what limits the figures. Which values it has its code says.
type Note struct {
	Code  Code
	At    time.Time
	Until time.Time
	Count int
}

// MostDays is how far back a record of all fetches reaches.
const MostDays = 30

const day = 24 * time.Hour

// civil is the calendar day of an instant as midnight UTC.
func civil(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Realized returns what was realized in the last days, up to MostDays; it is computed once a day, and
// again when something was stored since, or while less than two days are known.
func (in *Insights) Realized(ctx context.Context, days int) (Realized, error) {
	days = min(max(days, 1), MostDays)
	today := civil(in.now())
	state, err := in.state(ctx) // before what it reports, so that nothing newer is missed
	if err != nil {
		return Realized{}, err
	}
	in.mu.Lock()
	have, ok := in.realized[days]
	in.mu.Unlock()
	if ok && have.day.Equal(today) && have.state == state {
		return have.Realized, nil
	}
	h, err := in.history(ctx, days, state)
	if err != nil {
		return Realized{}, err
	}
	r := h.realize()
	if r.Known && r.To.Sub(r.From) >= 2*day {
		in.mu.Lock()
		in.realized[days] = cached{today, state, r}
		in.mu.Unlock()
	}
	return r, nil
}

// history returns the history of the last days, given the state that was read before it, which a history of a moment ago must have
// been read in, too. The caller may note on it, and change nothing else.
func (in *Insights) history(ctx context.Context, days int, s state) (*history, error) {
	in.mu.Lock()
	kept := in.recent
	in.mu.Unlock()
	if kept != nil && kept.state == s && kept.history.days == days && in.now().Sub(kept.history.now).Abs() < shareFor {
		return kept.history.share(), nil
	}
	h, err := in.read(ctx, days)
	if err != nil {
		return nil, err
	}
	kept = &recent{h, s}
	in.mu.Lock()
	in.recent = kept
	in.mu.Unlock()
	time.AfterFunc(shareFor, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		if in.recent == kept {
			in.recent = nil
		}
	})
	return h.share(), nil
}

// share returns the history for another who notes on it.
func (h *history) share() *history {
	of := *h
	of.notes = slices.Clip(h.notes)
	return &of
}

// Forget forgets what was computed: the history was changed, as by forgetting a period.
func (in *Insights) Forget() {
	in.mu.Lock()
	defer in.mu.Unlock()
	clear(in.realized)
	in.recent = nil
}
