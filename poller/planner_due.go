package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/poller/schedule"
)

// selectDue reads what is due and, with each of its rows, what is left in the bucket and when something else is due next: three queries
// would take twice the time.
func (p *planner) selectDue() string {
	return "SELECT " + plannedColumns + `, a.instants, p.title, p.own_title, p.login, p.remote,
	coalesce((SELECT per_day FROM bucket WHERE account = ?2), 0), coalesce((SELECT days FROM bucket WHERE account = ?2), 0),
	coalesce((SELECT at FROM bucket WHERE account = ?2), 0), coalesce((SELECT min(next) FROM agenda WHERE next > ?1), 0)
	FROM agenda a, ` + p.subjects() + ` p LEFT JOIN poll s ON s.subject = a.subject WHERE a.next <= ?1 AND p.id = a.subject`
}

// dueNow is what a look finds due.
type dueNow struct {
	all      []schedule.Due // most valuable first
	subjects map[int64]subject
	later    time.Time // the first instant after now of these; zero if there is none
	next     int64     // that of the others, Unix; 0 if there is none
	left     storedBucket
	spending float64 // what background fetches in flight are expected to cost, summed up before what is left was read
}

// dueRow is what the rows of selectDue are read into, look after look: the loop has one.
type dueRow struct {
	*plannedRow
	stored   sql.RawBytes // instants
	planned  plannedFeed
	instants []Instant
	left     storedBucket
	next     int64
}

func newDueRow() *dueRow {
	r := new(dueRow)
	p := newPlannedRow()
	p.into = append(p.into, &r.stored, &p.subject.title, &p.subject.feed.OwnTitle, &p.subject.feed.Login, &p.subject.remote, &r.left.perDay, &r.left.days, &r.left.at, &r.next)
	r.plannedRow = p
	return r
}

func (r *dueRow) scan(rows *sql.Rows) (err error) {
	if err := r.plannedRow.scan(rows, &r.planned); err != nil {
		return err
	}
	r.subject.feed.Title = r.subject.title
	r.instants, err = readInstants(r.instants[:0], r.planned.ID, r.stored)
	return err
}

// due returns the instants that have come. They stay in the plan until their fetch is in the ledger, so that they are not lost if
// the program ends in between.
func (p *planner) due(ctx context.Context, now time.Time) (due dueNow, err error) {
	due.spending = p.jobs.spent(p.server.account)
	// The few rows are read before anybody could give up, and watching for that takes longer.
	rows, err := p.db.Rows(context.WithoutCancel(ctx), p.selectDue(), now.Unix(), p.server.account)
	if err != nil {
		return due, fmt.Errorf("read what is due: %w", err)
	}
	defer rows.Close()
	row := p.row
	row.subject.server = p.server.account
	for rows.Next() {
		if err := row.scan(rows); err != nil {
			return due, fmt.Errorf("read what is due: %w", err)
		}
		f := &row.planned
		for _, at := range row.instants {
			if at.At.After(now) {
				if due.later.IsZero() || at.At.Before(due.later) {
					due.later = at.At
				}
				break
			}
			due.all = append(due.all, schedule.Due{Instant: at, Of: f.Feed, Gone: f.gone,
				Running: p.jobs.isRunning(f.ID), Held: p.server.account == 0 && p.network.holdsBack(f.url)})
		}
		if due.subjects == nil {
			due.subjects = map[int64]subject{}
		}
		due.subjects[f.ID] = row.subject
		due.left, due.next = row.left, row.next
	}
	schedule.SortDue(due.all)
	return due, rows.Err()
}

// startDue starts what is due, as far as the budget reaches, and little by little when
// saving has ended. What finds no room stays due; room is when there will be some, zero
// if nothing waits for it. Next is the first instant that is planned after now.
func (p *planner) startDue(ctx context.Context, now time.Time, due dueNow) (room, next time.Time, err error) {
	if len(due.all) == 0 {
		next, err = p.nextAgenda(ctx, now)
		return time.Time{}, next, err
	}
	may, err := p.allowed(ctx)
	if err != nil {
		return time.Time{}, now, err
	}
	bucket, tariff := due.left.without(due.spending, now, may.perDay), may.tariff()
	for i := range due.all {
		due.all[i].Of.Charge(tariff)
	}
	p.mu.Lock()
	s := rules.Start(now, due.all, bucket, &p.ramp)
	p.mu.Unlock()
	for _, d := range s.Begin {
		one := job{subject: due.subjects[d.Feed], code: Code(d.Reason.Code), reason: d.Reason, cost: rules.Cost(&d.Of), tariff: tariff}
		if one.server != 0 {
			one.code, one.url = Refresh, p.server.url // which is asked
		}
		p.jobs.start(ctx, one, nil)
	}
	if next = agendaTime(due.next, now); len(s.TooSoon) > 0 {
		if err = p.postpone(ctx, now, s.TooSoon); err == nil {
			next, err = p.nextAgenda(ctx, now)
		}
	}
	if !due.later.IsZero() && due.later.Before(next) {
		next = due.later
	}
	return s.Room, next, err
}

// postpone moves instants that came too soon (after a manual fetch, a failure or a Retry-After,
// in a skipped hour) to when their feed may be fetched again.
func (p *planner) postpone(ctx context.Context, now time.Time, due []*schedule.Due) error {
	return p.store.Write(ctx, func(tx *sql.Tx) error {
		for _, d := range due {
			if err := postpone(ctx, tx, &d.Of, d.Gone, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// postpone merges the feed's instants before it may be fetched again into one
// then; a feed that is gone for good has none.
func postpone(ctx context.Context, tx *sql.Tx, f *schedule.Feed, gone bool, now time.Time) error {
	return changeInstants(ctx, tx, f.ID, gone, func(instants []Instant) []Instant { return rules.Postpone(f, instants, now) })
}

// served takes what is due at now off the feed's plan. After a failure it plans another
// try, if the feed has nothing to do before.
func (s *State) served(ctx context.Context, tx *sql.Tx, now time.Time, failed bool) error {
	f, now := s.scheduleFeed(), now.Add(s.lead)
	return changeInstants(ctx, tx, s.subject, s.Gone, func(instants []Instant) []Instant {
		instants = rules.Served(&f, instants, now)
		if failed {
			instants = rules.Retried(&f, instants, now)
		}
		return instants
	})
}
