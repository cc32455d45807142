package poller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/useraccess"
)

// Accounts syncs accounts (sync.Engine).
type Accounts interface {
	// Sync brings an account up to date. Errors: *sync.Error, *sync.WaitError, sync.ErrPaused, reader.ErrUnknown, those of the
	// store.
	Sync(ctx context.Context, account int64, byHand bool) (sync.Result, error)
	// Refresh makes the server of an account fetch a feed, named by the server's id. Errors: as Sync's, sync.ErrNoRefresh.
	Refresh(ctx context.Context, account int64, feed string) error
	// FeedHealth returns how the servers fare with fetching their feeds, by feed, as far as they tell. Errors: those of the store.
	FeedHealth(ctx context.Context) (map[int64]sync.FeedHealth, error)
}

// synced is what a synchronization has brought.
type synced struct {
	result sync.Result
	err    error
}

// Sync syncs an account now by the user's hand. One that is being synced already is not synced twice. Errors: those of
// Accounts.Sync, the context's.
func (p *Poller) Sync(ctx context.Context, account int64) (sync.Result, error) {
	s, err := p.accountSubject(ctx, account)
	if err != nil {
		return sync.Result{}, err
	}
	outcomes := p.jobs.runAll(ctx, []job{{subject: s, code: Manual}}, nil)
	switch {
	case ctx.Err() != nil:
		return sync.Result{}, ctx.Err()
	case len(outcomes) == 0:
		return sync.Result{}, reader.ErrUnknown // it was removed meanwhile
	case outcomes[0].synced == nil:
		return sync.Result{}, fmt.Errorf("sync account %d: %w", account, p.failure.why())
	}
	return outcomes[0].synced.result, outcomes[0].synced.err
}

// Used tells that the window is in use: accounts are synchronized every few minutes.
func (p *Poller) Used() { p.signals.windowUsed(p.now()) }

// sync synchronizes an account, and stores what that says of its plan. What came of the
// articles is stored by then.
func (j *jobs) sync(ctx context.Context, one job, s State, o Outcome) (_ Outcome, ok bool) {
	if one.code.Background() && o.At.Before(s.allowed(o.At)) {
		return o, false // it was synced a moment ago
	}
	j.activity.tell(Activity{At: o.At, Code: Fetching, Feed: o.Title, Why: o.Reason})
	latest, err := j.latestArticle(ctx, s)
	if err != nil {
		return j.noteStored(o, err), true
	}
	r, fault := j.accounts.Sync(ctx, one.account, one.code == Manual || one.code == Probe)
	for _, n := range r.Notices {
		j.notices.tell(n)
	}
	var server *sync.Error
	var waits *sync.WaitError
	switch {
	case ctx.Err() != nil, errors.Is(fault, sync.ErrPaused), errors.Is(fault, reader.ErrUnknown):
		return o, false
	case fault != nil && !errors.As(fault, &server) && !errors.As(fault, &waits):
		return j.noteStored(o, fault), true
	}
	o.synced = &synced{r, fault}
	o.New, o.Unread, o.Updated, o.Requests, o.Bytes, o.Took = r.New, r.Unread, r.Updated, r.Requests, r.Bytes, j.now().Sub(o.At)
	ctx = context.WithoutCancel(ctx)
	if err := j.noteElsewhere(ctx, &r, one.account, s.Fetched, o.At); err != nil {
		j.logger.Error("access", "err", err) // it costs no article
	}
	recovered := s.Failures > 0 || s.Fetched.IsZero()
	switch {
	case fault == nil:
		dates, err := j.arrived(ctx, one.account, latest)
		if err != nil {
			return j.noteStored(o, err), true
		}
		s.succeed(o.At)
		s.posts.Arrived(o.At, dates)
		if o.Result = Unchanged; r.New+r.Updated+r.Marked > 0 {
			o.Result = Stored
		}
		o.asked = true
		j.requests.answered(one.url, o.At)
	case server == nil:
		o.Result, s.NotBefore = Waiting, later(s.NotBefore, r.NotBefore)
		o.Message = messageOf(&fetch.Error{URL: one.url, Code: fetch.Waiting, Host: waits.Host, RetryAfter: waits.Until.Sub(o.At)})
	default:
		j.failSync(&s, &o, one.url, server, r.NotBefore)
	}
	err = j.commit(ctx, one, &s, &o, nil)
	switch {
	case err != nil || fault != nil:
	case recovered:
		j.signals.feedsChanged()
	case o.New > 0 && s.posts.Sudden():
		j.signals.burstFound(one.id)
	}
	return j.noteStored(o, err), true
}

// noteElsewhere logs that the user read on other devices. Where the server does not tell when, one access is known to have been
// since the last synchronization.
func (j *jobs) noteElsewhere(ctx context.Context, r *sync.Result, account int64, since, now time.Time) error {
	if r.Elsewhere == 0 {
		return nil
	}
	learning, err := j.learning(ctx)
	if err != nil || !learning {
		return err
	}
	if err := j.noteReadElsewhere(ctx, account, r.Read, now); err != nil {
		return err
	}
	added := 0
	if len(r.MarkedAt) > 0 {
		added, err = j.log.RecordElsewhere(ctx, r.MarkedAt, now)
	} else if !since.IsZero() {
		var one bool
		if one, err = j.log.RecordBetween(ctx, since, now); one {
			added = 1
		}
	}
	if added > 0 {
		j.signals.userCame()
	}
	return err
}

// noteReadElsewhere notes what was read on other devices. Where the server does not tell when, all of it was read now: so much at
// once that everything may have been marked as read tells nothing.
func (j *jobs) noteReadElsewhere(ctx context.Context, account int64, read []sync.ReadThere, now time.Time) error {
	ids := make([]string, len(read))
	for i := range read {
		ids[i] = read[i].ID
	}
	places, err := reader.ServerArticlePlaces(ctx, j.store.Read(), account, ids)
	if err != nil {
		return err
	}
	var readings []useraccess.Reading
	for _, r := range read {
		place, there := places[r.ID]
		if !there {
			continue
		}
		if r.At.IsZero() {
			r.At = now
		}
		readings = append(readings, useraccess.Reading{At: r.At, Feed: place.Feed, Article: place.Article, Evidence: useraccess.ReadElsewhere})
	}
	_, err = j.log.NoteReadings(ctx, now, readings...)
	return err
}

// failSync notes that a server failed, or that the network did.
func (j *jobs) failSync(s *State, o *Outcome, address string, e *sync.Error, notBefore time.Time) {
	o.Result, o.Status, o.Message, o.asked = Failed, e.Status, messageOf(e), e.Status != 0
	var request *fetch.Error
	if e.Code == sync.Unreachable && errors.As(e, &request) &&
		(j.network.cutOff(address, o.At, request.Code) || request.BlamesMachine() && j.blameNetwork(address, request.Code, o.At)) {
		o.Result = Offline
		return
	}
	s.Tried, s.Message, s.NotBefore = o.At, o.Message, later(notBefore, o.At.Add(time.Minute))
	s.Failures++
	if s.Since.IsZero() {
		s.Since = o.At
	}
	if e.Code == sync.Unreachable {
		return
	}
	j.requests.answered(address, o.At)
}

// latestArticle is where the articles begin that the next synchronization of an account brings: 0 before the first one has
// ended.
func (j *jobs) latestArticle(ctx context.Context, s State) (int64, error) {
	if s.Fetched.IsZero() {
		return 0, nil
	}
	return j.store.Articles.Latest(ctx)
}

// arrived returns when the articles of an account after one were published.
func (j *jobs) arrived(ctx context.Context, account, after int64) ([]time.Time, error) {
	return j.times(ctx, "SELECT s.published FROM reader_article s JOIN reader_feed f ON f.id = s.feed WHERE s.id > ? AND f.account = ?", after, account)
}
