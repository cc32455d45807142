package poller

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/parse"
)

// conclude parses an answer and stores what came of it.
func (j *jobs) conclude(ctx context.Context, one job, s State, o Outcome, a *answer) (Outcome, error) {
	o.At, o.Bytes, o.Took, o.Status, o.asked = a.at, a.resp.Bytes, a.resp.Took, a.resp.Status, a.wasAsked()
	if one.tariff.Bytes > 0 && one.code.Background() {
		o.Cost = one.tariff.Spent(a.forCost())
	}
	feed, done, err := j.documents.feed(ctx, a, s.digest, func() { j.queue.Received(one.transfer) })
	defer done()
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	// What has arrived is stored even if the program is about to end.
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		return j.storeFeed(ctx, one, s, o, a, feed)
	}
	return j.storeNone(ctx, one, s, o, a, err)
}

// storeFeed stores a feed.
func (j *jobs) storeFeed(ctx context.Context, one job, s State, o Outcome, a *answer, feed *parse.Feed) (Outcome, error) {
	first, recovered, lostBefore := s.Fetched.IsZero(), s.Failures > 0, s.posts.Window.Loss
	since, err := j.unreadSince(ctx, o.At, first)
	if err != nil {
		return o, err
	}
	s.succeed(o.At)
	s.noteAnswer(a)
	s.validators, s.validatorsURL, s.Limits.MaxAge = a.resp.Validators, a.resp.URL, a.resp.MaxAge
	s.setLimits(feed)
	s.Hub = cmp.Or(a.resp.Hub, feed.Hub)
	// A body that was cut short is not the version the validators name.
	if s.digest = a.digest; a.resp.Truncated {
		s.validators, s.digest = fetch.Validators{}, 0
	}
	s.moved = a.err == nil && s.noteRedirect(o.At, one.feed, a.resp)
	o.Result, o.Message = Stored, warningsMessage(feed.Warnings)
	if feed.Title != "" && one.feed.OwnTitle == "" {
		o.Title = feed.Title
	}
	var notice *reader.Notice
	var mentioned []int64
	subscribed := false // to feeds of a list
	err = j.commit(ctx, one, &s, &o, func(tx *sql.Tx) error {
		if a.list != nil {
			if feed.Articles, subscribed, err = followList(ctx, tx, one.feed, a, first, o.At); err != nil {
				return err
			}
		}
		saved, err := reader.StoreArticles(ctx, tx, one.feed.ID, feed.Articles, o.At, since)
		if err != nil {
			return err
		}
		o.New, o.Unread, o.Updated = saved.New, saved.Unread, saved.Updated
		notice = saved.Notice
		if err := reader.DescribeFeed(ctx, tx, one.feed.ID, feed.Title, feed.Site, feed.Icon); err != nil || a.list != nil {
			return err // the notes of a list tell of other feeds
		}
		s.posts.Document(o.At, datesOf(feed.Articles), saved.New)
		if lost := s.posts.Window.Loss; lost != lostBefore {
			if err := j.older.wantLost(ctx, tx, one.feed, lost.From, a, feed); err != nil {
				return err
			}
		}
		if !first && saved.New > 0 {
			if mentioned, err = j.mentions.note(ctx, tx, one.feed.ID, o.At); err != nil {
				return err
			}
		}
		return resolveMentions(ctx, tx, one.id, feed.Articles, o.At)
	})
	if err == nil && notice != nil {
		j.notices.tell(*notice)
	}
	switch {
	case err != nil:
	case first || recovered || subscribed:
		j.outages.changed()
		j.signals.feedsChanged()
	case o.New > 0 && a.list == nil && s.posts.Sudden():
		j.signals.burstFound(one.id)
	}
	if err == nil {
		j.signals.feedsMentioned(mentioned)
		if s.posts.Window.Loss != lostBefore {
			j.older.wanted()
		}
	}
	return o, err
}

// unreadSince is from when on the articles of a feed are unread: those of its first fetch
// only if they are new.
func (j *jobs) unreadSince(ctx context.Context, now time.Time, first bool) (time.Time, error) {
	if !first {
		return time.Time{}, nil
	}
	days, err := j.store.Settings.Int(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays)
	return now.AddDate(0, 0, -days), err
}

// storeNone stores the result of a fetch that brought no articles.
func (j *jobs) storeNone(ctx context.Context, one job, s State, o Outcome, a *answer, cause error) (Outcome, error) {
	var fe *fetch.Error
	isFetch := errors.As(cause, &fe)
	recovered := false
	switch {
	case errors.Is(cause, errSame):
		recovered = s.Failures > 0
		o.Result = Unchanged
		s.unchanged(o.At, a.resp)
		s.noteAnswer(a)
		s.moved = s.noteRedirect(o.At, one.feed, a.resp)
	case isFetch && fe.Code == fetch.Waiting:
		o.Result, o.Message = Waiting, messageOf(fe)
		s.NotBefore = later(s.NotBefore, o.At.Add(fe.RetryAfter))
	case isFetch && j.network.cutOff(one.feed.URL, o.At, fe.Code):
		o.Result, o.Message = Offline, Message{Code: NetworkLost}
	case isFetch && fe.BlamesMachine() && j.blameNetwork(one.feed.URL, fe.Code, o.At):
		o.Result, o.Message = Offline, messageOf(fe)
	case !isFetch && a.portal && j.blameNetwork(one.feed.URL, fetch.Portal, o.At):
		o.Result, o.Message = Offline, Message{Code: SignInPage}
	default:
		o.Result, o.Message = Failed, messageOf(cause)
		s.fail(o.At, o.Message, fe)
		s.Kind = kindOf(cause)
		j.logger.Warn("fetch", "feed", o.Feed, "err", cause)
	}
	err := j.commit(ctx, one, &s, &o, func(tx *sql.Tx) error {
		if o.Result != Unchanged {
			return nil
		}
		return resolveMentions(ctx, tx, one.id, nil, o.At)
	})
	if err == nil && (recovered || o.Result == Failed) {
		j.outages.changed()
	}
	if err == nil && recovered {
		j.signals.feedsChanged()
	}
	return o, err
}

// blameNetwork decides whether a failure with this code is the network's; background
// fetches then wait until a probe gets through.
func (j *jobs) blameNetwork(address string, code fetch.Code, now time.Time) bool {
	blamed, lost := j.network.blame(address, code, now)
	if lost {
		j.activity.tell(Activity{At: now, Code: NetworkGone})
	}
	return blamed
}

// commit writes everything that came of a fetch in one transaction: what save writes,
// the poll state, the plan of the feed and, if a request was made, the ledger's line. If the feed has been
// removed or moved to another address meanwhile only the line remains.
func (j *jobs) commit(ctx context.Context, one job, s *State, o *Outcome, save func(tx *sql.Tx) error) error {
	err := j.hosts.commit(ctx, func(tx *sql.Tx) error {
		there, err := isThere(ctx, tx, &one.subject)
		if err != nil {
			return err
		}
		if !there {
			o.Result, o.Message = Dropped, Message{Code: FeedChanged}
			return o.write(ctx, tx)
		}
		if save != nil {
			if err := save(tx); err != nil {
				return err
			}
		}
		merged := false
		if s.moved {
			if merged, err = s.adoptRedirect(ctx, tx, one.feed, o); err != nil {
				return err
			}
		}
		if !merged {
			if err := s.writeAfter(ctx, tx, *o); err != nil {
				return err
			}
		}
		if o.wasNotSent() {
			return nil
		}
		return o.write(ctx, tx)
	})
	if err == nil && s.moved {
		j.signals.feedsChanged()
	}
	return err
}

// isThere reports whether a subject is still what it was when its fetch began.
func isThere(ctx context.Context, tx *sql.Tx, s *subject) (there bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM subject i JOIN reader_feed f ON f.id = i.feed WHERE i.id = ?1 AND f.url = ?2 AND f.account = 0)
		OR EXISTS (SELECT 1 FROM subject i JOIN reader_account a ON a.id = i.account WHERE i.id = ?1 AND a.url = ?2)`, s.id, s.url).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for subject %d: %w", s.id, err)
	}
	return there, nil
}

// writeAfter writes the poll state after a fetch and brings the feed's plan in line.
func (s *State) writeAfter(ctx context.Context, tx *sql.Tx, o Outcome) error {
	if o.Result == Offline {
		return nil // nothing was learned, and what was due is due still
	}
	if err := s.write(ctx, tx); err != nil {
		return err
	}
	if o.Result == Waiting {
		f := s.scheduleFeed()
		return postpone(ctx, tx, &f, s.Gone, o.At)
	}
	return s.served(ctx, tx, o.At, o.Result == Failed)
}
