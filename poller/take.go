package poller

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/parse"
)

// allBodies is what the bodies of all feeds may take at once.
const allBodies = 32 << 20

// heavy reports whether it takes much to parse a body, by its length and by how many items seem to
// be in it: few feeds have half a megabyte or a thousand.
func heavy(body []byte) bool {
	return len(body) > 512<<10 || bytes.Count(body, []byte("<item"))+bytes.Count(body, []byte("<entry")) > 1000 ||
		bytes.HasPrefix(body, []byte("{")) && bytes.Count(body, []byte("{")) > 10_000
}

// parsers is how many feeds are parsed at once. One more than there are processors keeps them
// busy while another is stored; who has a window to paint keeps one of them.
func parsers(gentle bool) int {
	n := runtime.GOMAXPROCS(0)
	if gentle {
		return max(1, n-1)
	}
	return n + 1
}

// take stores what an answer came to.
func (p *Poller) take(ctx context.Context, j job, s State, o Outcome, a *answer) (Outcome, error) {
	o.At, o.Bytes, o.Took, o.Status = a.at, a.resp.Bytes, a.resp.Took, a.resp.Status
	o.asked = !a.resp.StartedAt.IsZero()
	// As many parse at once as there are processors, so that the documents of
	// many feeds are not all held in memory; and one that takes a second and
	// a multiple of its size.
	parsing := p.parsing
	if heavy(a.resp.Body) {
		parsing = p.heavy
		p.queue.Received(j.transfer)
	}
	select {
	case parsing <- struct{}{}:
		if parsing == p.heavy {
			a.held.Reserve(2 * int64(len(a.resp.Body)))
		}
	case <-ctx.Done():
		return o, ctx.Err()
	}
	var feed *parse.Feed
	var err error
	// Whoever wants to end does not wait for a long document: nothing depends on it.
	parsed := make(chan struct{})
	go func() {
		defer close(parsed)
		feed, err = a.feed(ctx, s.digest, p.parse)
	}()
	select {
	case <-parsed:
		defer func() { <-parsing }()
	case <-ctx.Done():
		go func() { <-parsed; <-parsing }()
	}
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	// What has arrived is stored also if somebody now wants to end.
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		return p.succeeded(ctx, j, s, o, a, feed)
	}
	return p.brought(ctx, j, s, o, a, err)
}

// succeeded stores a feed.
func (p *Poller) succeeded(ctx context.Context, j job, s State, o Outcome, a *answer, feed *parse.Feed) (Outcome, error) {
	first, recovered := s.Fetched.IsZero(), s.Failures > 0
	since, err := p.unreadSince(ctx, o.At, first)
	if err != nil {
		return o, err
	}
	s.welcome(o.At)
	s.validators, s.answered, s.limits.MaxAge = a.resp.Validators, a.resp.URL, a.resp.MaxAge
	s.asks(feed)
	s.hub = cmp.Or(a.resp.Hub, feed.Hub)
	// A body that was cut short is not the version the validators name.
	if s.digest = a.digest; a.resp.Truncated {
		s.validators, s.digest = fetch.Validators{}, 0
	}
	s.moved = a.err == nil && s.redirected(o.At, j.feed, a.resp)
	o.Result, o.Said = Stored, warningSentences(feed.Warnings)
	if feed.Title != "" && j.feed.OwnTitle == "" {
		o.Title = feed.Title
	}
	var notice *reader.Notice
	err = p.settle(ctx, j, &s, &o, func(tx *sql.Tx) error {
		saved, err := reader.StoreArticles(ctx, tx, j.feed.ID, feed.Articles, o.At, since)
		if err != nil {
			return err
		}
		o.New, o.Unread, o.Updated = saved.New, saved.Unread, saved.Updated
		notice = saved.Notice
		s.posts.Document(o.At, dates(feed.Articles), saved.New)
		return reader.DescribeFeed(ctx, tx, j.feed.ID, feed.Title, feed.Site, feed.Icon)
	})
	if err == nil && notice != nil {
		p.notices.tell(*notice)
	}
	switch {
	case err != nil:
	case first || recovered:
		p.Changed()
	case o.New > 0 && s.posts.Sudden():
		p.inBurst(j.feed.ID)
	}
	return o, err
}

func (p *Poller) unreadSince(ctx context.Context, now time.Time, first bool) (time.Time, error) {
	if !first {
		return time.Time{}, nil
	}
	days, err := p.store.Settings.Int(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays)
	return now.AddDate(0, 0, -days), err
}

// brought records a fetch that brought no articles.
func (p *Poller) brought(ctx context.Context, j job, s State, o Outcome, a *answer, cause error) (Outcome, error) {
	var fe *fetch.Error
	isFetch := errors.As(cause, &fe)
	recovered := false
	switch {
	case errors.Is(cause, errSame):
		recovered = s.Failures > 0
		o.Result = Unchanged
		s.unchanged(o.At, a.resp)
		s.moved = s.redirected(o.At, j.feed, a.resp)
	case isFetch && fe.Code == fetch.Waiting:
		o.Result, o.Said = Waiting, fe.Sentence()
		s.NotBefore = later(s.NotBefore, o.At.Add(fe.RetryAfter))
	case isFetch && p.network.cutOff(j.feed.URL, o.At, fe.Code):
		o.Result, o.Said = Offline, "The network went away meanwhile."
	case isFetch && fe.BlamesMachine() && p.blameNetwork(fe.Code, o.At):
		o.Result, o.Said = Offline, fe.Sentence()
	case !isFetch && a.portal && p.blameNetwork(fetch.Portal, o.At):
		o.Result, o.Said = Offline, "The network may want a sign-in before it lets anything through: a web page came instead of the feed."
	default:
		o.Result, o.Said = Fault, Sentence(cause)
		s.fail(o.At, o.Said, fe)
		s.Fault = faultOf(cause)
		p.logger.Warn("fetch", "feed", o.Feed, "err", cause)
	}
	err := p.settle(ctx, j, &s, &o, nil)
	if err == nil && recovered {
		p.Changed()
	}
	return o, err
}

// settle writes everything a fetch came to in one transaction: what save writes,
// the poll state, the plan of the feed and the ledger's line. If the feed has been
// removed or moved to another address meanwhile only the line remains.
func (p *Poller) settle(ctx context.Context, j job, s *State, o *Outcome, save func(tx *sql.Tx) error) error {
	version := 0
	err := p.store.Write(ctx, func(tx *sql.Tx) error {
		there, err := subscribed(ctx, tx, j.feed)
		if err != nil {
			return err
		}
		if !there {
			o.Result, o.Said = Dropped, "The feed was removed or changed while it was fetched."
			return o.write(ctx, tx)
		}
		if save != nil {
			if err := save(tx); err != nil {
				return err
			}
		}
		merged := false
		if s.moved {
			if merged, err = s.adopt(ctx, tx, j.feed, o); err != nil {
				return err
			}
		}
		if merged {
			return o.write(ctx, tx)
		}
		if err := s.settle(ctx, tx, *o); err != nil {
			return err
		}
		version, err = p.hosts.write(ctx, tx)
		return errors.Join(o.write(ctx, tx), err)
	})
	if err == nil && version > 0 {
		p.hosts.committed(version)
	}
	if err == nil && s.moved {
		p.Changed()
	}
	return err
}

// subscribed reports whether a feed is still what it was when its fetch began.
func subscribed(ctx context.Context, tx *sql.Tx, f reader.Feed) (bool, error) {
	var there bool
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM feed WHERE id = ? AND url = ? AND removed = 0)", f.ID, f.URL).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for feed %d: %w", f.ID, err)
	}
	return there, nil
}

// settle writes the poll state after a fetch and brings the feed's plan in line.
func (s *State) settle(ctx context.Context, tx *sql.Tx, o Outcome) error {
	if o.Result == Offline {
		return nil // nothing was learned, and what was due is due still
	}
	if err := s.write(ctx, tx); err != nil {
		return err
	}
	if o.Result == Waiting {
		return s.postpone(ctx, tx, o.At)
	}
	return s.served(ctx, tx, o.At, o.Result == Fault)
}
