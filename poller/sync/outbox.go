package sync

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"kairos/reader"
)

const (
	// sendBatch is how many marks are in doubt at a time. Services split it further where their server wants that.
	sendBatch = 500
	// maxRefused is how many marks are found out, one by one, that a server does not accept; the others of their batch wait with them.
	maxRefused = 20
	// maxLookedAt is how many marked articles at once are looked for at the server, which can be a request each: more that were marked
	// unread are the undo of something.
	maxLookedAt = 50
)

// toSend returns the marks that wait, without those that the server has not accepted in the last day, unless by hand. These stay in
// the outbox, and hold up no others.
func (e *Engine) toSend(ctx context.Context, account int64, byHand bool) ([]reader.OutboxMark, error) {
	marks, err := reader.Outbox(ctx, e.store.Read(), account)
	if err != nil || byHand {
		return marks, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(marks, func(m reader.OutboxMark) bool {
		at, refused := e.refused[m]
		return refused && apart(e.now(), at) < askAgain
	}), nil
}

// send sends the marks and the labels that wait. While a request is under way it is not known what the server has, and stays so if there is
// no answer: the mark is then sent again, even if it was taken back meanwhile.
func (r *run) send(ctx context.Context) error {
	byHand := r.byHand && len(r.result.Refused) == 0
	marks, err := r.toSend(ctx, r.account.ID, byHand)
	if err == nil && len(marks) > 0 {
		var another bool
		if another, err = r.verifyIDs(ctx, marks); err == nil && another {
			marks, err = r.toSend(ctx, r.account.ID, byHand)
		}
	}
	if err != nil {
		return err
	}
	for _, one := range []struct {
		flag reader.Flag
		on   bool
		set  func(context.Context, []string, bool) error
	}{
		{reader.FlagStarred, true, r.service.SetStarred}, {reader.FlagStarred, false, r.service.SetStarred},
		{reader.FlagRead, true, r.service.SetRead}, {reader.FlagRead, false, r.service.SetRead},
	} {
		of := slices.DeleteFunc(slices.Clone(marks), func(m reader.OutboxMark) bool { return m.Flag != one.flag || m.On != one.on })
		for batch := range slices.Chunk(of, sendBatch) {
			refused := 0
			err := r.sendAccepted(ctx, batch, &refused, one.on, one.set)
			if err == nil && one.flag == reader.FlagRead && !one.on && len(batch) <= maxLookedAt {
				err = r.keepGone(ctx, batch)
			}
			if err != nil {
				return err
			}
		}
	}
	return r.sendLabels(ctx)
}

const (
	// verified is how long after an answer of the server its ids are taken for those it had: nobody sets a server up again in less.
	verified = 10 * time.Minute
	// verifiedMarks is how many of the marked articles are looked at then.
	verifiedMarks = 3
)

// verifyIDs looks whether the server still has the marked articles under their ids, before others are marked there: one that was set up
// again counts from 1 again. If it has not it brings feeds and articles here up to date, and reports so.
func (r *run) verifyIDs(ctx context.Context, marks []reader.OutboxMark) (another bool, err error) {
	r.mu.Lock()
	last := r.answered[r.account.ID]
	r.mu.Unlock()
	if apart(r.now(), last) <= verified || apart(r.now(), r.state.Synced) <= verified {
		return false, nil
	}
	keys := make([]string, len(marks))
	for i, m := range marks {
		keys[i] = m.Key
	}
	found, another, err := r.lookForIDs(ctx, keys[:min(len(keys), verifiedMarks)])
	if err == nil && !another && found < min(len(keys), verifiedMarks) { // cleaned up, or lost: others tell
		_, another, err = r.lookForIDs(ctx, spread(keys[min(len(keys), verifiedMarks):], maxLookedAt))
	}
	if err != nil || !another {
		return false, err
	}
	r.odd = true
	if err := r.syncFeeds(ctx); err != nil {
		return true, err
	}
	ours, err := r.synced(ctx) // of which lists of ids would not tell
	if err == nil {
		marks, err = r.toSend(ctx, r.account.ID, true)
	}
	if err != nil {
		return true, err
	}
	ids := map[string]bool{}
	for _, m := range marks {
		ids[m.Key] = true
	}
	for _, known := range []map[string]int64{ours.unread, ours.starred} {
		for key := range known {
			ids[key] = true
		}
	}
	gone, err := r.retake(ctx, slices.Sorted(maps.Keys(ids)), nil)
	if err == nil && len(gone) > 0 {
		err = r.disown(ctx, gone)
	}
	return true, err
}

// spread returns at most n of these keys, from all over them.
func spread(keys []string, n int) []string {
	if len(keys) <= n {
		return keys
	}
	some := make([]string, n)
	for i := range some {
		some[i] = keys[i*len(keys)/n]
	}
	return some
}

// lookForIDs returns how many of these ids the server has, and whether it has given one to another article.
func (r *run) lookForIDs(ctx context.Context, keys []string) (found int, another bool, err error) {
	err = r.service.Articles(ctx, keys, func(page []Article) error {
		for _, a := range page {
			is, err := reader.IsAnotherArticle(ctx, r.store.Read(), r.account.ID, r.compose(a))
			if err != nil {
				return err
			}
			found, another = found+1, another || is
		}
		return nil
	})
	return found, another, err
}

// keepGone keeps articles that were marked unread and that the server does not have any more: they stay unread here.
func (r *run) keepGone(ctx context.Context, marks []reader.OutboxMark) error {
	keys := make([]string, len(marks))
	for i, m := range marks {
		keys[i] = m.Key
	}
	gone := set(keys)
	err := r.service.Articles(ctx, keys, func(page []Article) error {
		for _, a := range page {
			delete(gone, a.ID)
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	return r.disown(ctx, gone)
}

// sendAccepted sends marks of one kind but for those that the server does not accept, which it finds by halves.
func (r *run) sendAccepted(ctx context.Context, marks []reader.OutboxMark, refused *int, on bool, set func(context.Context, []string, bool) error) error {
	if *refused >= maxRefused {
		r.park(marks)
		return nil
	}
	err := r.sendMarks(ctx, marks, on, set)
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != Rejected {
		return err
	}
	if len(marks) == 1 {
		*refused++
		r.park(marks)
		return r.reportRefused(ctx, marks[0].Key, fault)
	}
	half := len(marks) / 2
	if err := r.sendAccepted(ctx, marks[:half], refused, on, set); err != nil {
		return err
	}
	return r.sendAccepted(ctx, marks[half:], refused, on, set)
}

// park leaves marks that the server does not accept for a day.
func (r *run) park(marks []reader.OutboxMark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range marks {
		r.refused[m] = r.now()
	}
}

// reportRefused reports that a mark of an article was not accepted.
func (r *run) reportRefused(ctx context.Context, key string, fault *Error) error {
	places, err := reader.ServerArticlePlaces(ctx, r.store.Read(), r.account.ID, []string{key})
	if err != nil {
		return err
	}
	f, err := r.store.Feeds.Get(ctx, places[key].Feed)
	r.result.Refused = append(r.result.Refused, Refusal{places[key].Feed, f.Title, fault})
	return ignoreUnknown(err)
}

// sendMarks sends marks of one kind.
func (r *run) sendMarks(ctx context.Context, marks []reader.OutboxMark, on bool, set func(context.Context, []string, bool) error) error {
	var begun []reader.OutboxMark
	err := r.write(ctx, r.state, func(tx *sql.Tx) (err error) {
		begun, err = reader.BeginSending(ctx, tx, r.account.ID, marks)
		return err
	})
	if err != nil || len(begun) == 0 {
		return err
	}
	keys := make([]string, len(begun))
	for i, m := range begun {
		keys[i] = m.Key
	}
	if err := set(ctx, keys, on); err != nil {
		return err
	}
	r.result.Sent += len(begun)
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.MarksSent(ctx, tx, r.account.ID, begun) })
}
