package poller

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller/sync"
	"kairos/reader"
)

// refresh has the server of an account fetch a feed, and stores what came of it. If the server is to blame it is left alone for a
// while, else the feed is.
func (j *jobs) refresh(ctx context.Context, one job, s State, o Outcome) (_ Outcome, ok bool) {
	if o.At.Before(j.leftAloneUntil(one.server)) {
		return o, false
	}
	err := j.accounts.Refresh(ctx, one.server, one.remote)
	if ctx.Err() != nil {
		return o, false
	}
	o.Result, o.Took = Stored, j.now().Sub(o.At)
	var fault *sync.Error
	switch {
	case err == nil:
		fetched := s.Fetched
		s.succeed(o.At)
		s.Fetched = fetched // which is of here
		j.noteServer(one.server, time.Time{})
	case errors.As(err, &fault) && fault.BlamesFeed():
		o.Result, o.Status, o.Message = Failed, fault.Status, messageOf(fault)
		s.fail(o.At, o.Message, nil)
	default:
		until := o.At
		if fault != nil {
			until = o.At.Add(fault.RetryAfter)
		}
		j.noteServer(one.server, until)
		j.logger.Warn("refresh", "account", one.server, "err", err)
		return o, false
	}
	err = j.store.Write(ctx, func(tx *sql.Tx) error {
		if _, err := reader.GetFeed(ctx, tx, one.feed.ID); err != nil {
			return ignoreUnknown(err)
		}
		if err := s.write(ctx, tx); err != nil {
			return err
		}
		if err := s.served(ctx, tx, o.At, false); err != nil {
			return err
		}
		if err := pay(ctx, tx, one.server, o.At.Add(refreshLead), o.cost()); err != nil {
			return err
		}
		return o.write(ctx, tx)
	})
	return j.noteStored(o, err), true
}

func ignoreUnknown(err error) error {
	if errors.Is(err, reader.ErrUnknown) {
		return nil
	}
	return err
}

// serverFailure is how the server of an account fails.
type serverFailure struct {
	failures int // in a row
	until    time.Time
}

// noteServer notes that a server failed and wants to be left alone until then at least, or answered, if until is zero.
func (j *jobs) noteServer(account int64, until time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if until.IsZero() {
		delete(j.failing, account)
		return
	}
	f := j.failing[account]
	f.failures++
	f.until = later(until, j.now().Add(backOff(f.failures)))
	j.failing[account] = f
}

// clockSetBack forgets until when servers are left alone: that may lie years ahead.
func (j *jobs) clockSetBack() {
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.failing)
}

// leftAloneUntil is when the server of an account may be told to fetch again; zero if it may be now.
func (j *jobs) leftAloneUntil(account int64) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failing[account].until
}
