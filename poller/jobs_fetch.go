package poller

import (
	"context"
	"time"

	"kairos/poller/fetch"
)

// checkedFor is how long a feed that was checked is not checked again, even by hand.
const checkedFor = time.Minute

// fetch carries one job out: request, parse, and one transaction for articles,
// validators, poll state and the ledger's line. It is not ok if the job was given
// up, which leaves no trace.
func (j *jobs) fetch(ctx context.Context, one job) (o Outcome, ok bool) {
	o = Outcome{subject: one.id, Feed: one.feed.ID, Account: one.account, Title: one.title, At: j.now(), Reason: one.code, Cause: Cause{Reason: one.reason}}
	if ctx.Err() != nil || j.isHeldBack(one) {
		return o, false
	}
	s, err := j.state(ctx, one.id)
	if err == nil {
		switch {
		case one.account != 0:
			s.setSubject(&one.subject)
			return j.sync(ctx, one, s, o)
		case one.server != 0:
			s.setSubject(&one.subject)
			return j.refresh(ctx, one, s, o)
		}
		if one.answer == nil && j.client.BlockedUntil(fetch.Host(one.feed.URL)).IsZero() && s.justChecked(one, &o) {
			return o, true
		}
		if one.untried && s.wasTriedAt(one.feed.URL) {
			return o, false // by a fetch that ended while this one was decided on
		}
		if one.code == Manual && !s.wasTriedAt(one.feed.URL) {
			one.code, o.Reason = First, First
		}
		s.setSubject(&one.subject)
		if one.code.Background() && o.At.Before(s.allowed(o.At)) {
			return o, false // it was fetched a moment ago
		}
		a := one.answer
		if a == nil {
			if j.client.BlockedUntil(fetch.Host(one.feed.URL)).IsZero() {
				j.activity.tell(Activity{At: o.At, Code: Fetching, Feed: o.Title, Why: o.Reason})
			}
			a = j.ask(ctx, one, &s)
			defer a.lease.Release()
		} else {
			s.digest = 0 // it may be read in another way than before
		}
		if ctx.Err() != nil {
			return o, false
		}
		a.source = one.feed.Source
		o, err = j.conclude(ctx, one, s, o, a)
	}
	if ctx.Err() != nil && err != nil {
		return o, false
	}
	return j.noteStored(o, err), true
}

// noteStored notes whether what came of a fetch could be stored.
func (j *jobs) noteStored(o Outcome, err error) Outcome {
	j.failure.note(err, j.now())
	if err != nil {
		j.activity.tell(Activity{At: o.At, Code: StoringFailed, Pause: failurePause})
		j.logger.Error("fetch", "feed", o.Feed, "err", err)
		o.Result, o.Message = Failed, messageOf(err)
	}
	return o
}

// ask makes the request, or opens the file.
func (j *jobs) ask(ctx context.Context, one job, s *State) *answer {
	if isFile(one.feed.URL) {
		return openFile(one.feed.URL, j.now())
	}
	r := fetch.Request{URL: one.feed.URL, Local: fetch.IsLocal(one.feed.URL), Validators: s.validators, ValidatorsURL: s.validatorsURL,
		ByUser: one.code == Manual || one.code == First, Lease: j.documents.memory.NewLease(), Received: &one.transfer.Bytes}
	if one.feed.Login {
		var err error
		if r.User, r.Password, err = j.secrets(ctx, one.feed.ID); err != nil {
			return &answer{resp: &fetch.Response{}, err: err, at: j.now()}
		}
	}
	switch {
	case isPage(one.feed):
		r.Accept = pageTypes
		if err := j.robots.check(ctx, one.feed.URL, r.ByUser); err != nil {
			return &answer{resp: &fetch.Response{}, err: err, at: j.now()}
		}
	case one.feed.Source.IsList():
		r.Accept = listTypes
	}
	return j.requests.do(ctx, r)
}

// justChecked answers for a feed that is asked for again at once. A login that failed may
// have been corrected, and a wait that the server asked for may be over.
func (s *State) justChecked(one job, o *Outcome) bool {
	ago := o.At.Sub(s.Tried)
	if one.code != Manual || s.Tried.IsZero() || ago < 0 || ago >= checkedFor || s.address != one.feed.URL ||
		isFile(one.feed.URL) || s.Failures > 0 && (one.feed.Login || s.waitedFor(ago)) {
		return false
	}
	o.Result, o.Message = Unchanged, Message{Code: JustChecked, Ago: ago}
	if s.Failures > 0 {
		last := s.Message
		o.Result, o.Message.Last = Failed, &last
	}
	return true
}

// waitedFor reports whether the server said with its failure when to ask again, and that is so long ago.
func (s *State) waitedFor(ago time.Duration) bool {
	failed := s.Message.Fetch
	return failed != nil && failed.RetryAfter > 0 && ago >= failed.RetryAfter
}

// wasTriedAt reports whether a feed was asked for at an address before, whatever came of it.
func (s *State) wasTriedAt(address string) bool { return !s.Tried.IsZero() && s.address == address }

// isHeldBack reports whether a background job has to wait until the network is back.
func (j *jobs) isHeldBack(one job) bool {
	return j.network.holdsBack(one.url) && (one.code.Background() || one.server != 0 || one.code == First && one.answer == nil)
}
