package sync

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"kairos/reader"
)

const (
	// overlap is how much of the time before the last difference is asked for again: a server shows what it stores a little
	// later than the time it gives it.
	overlap = 2 * time.Minute
	// sample is how many of the articles that a list does not have are looked at before the list is believed.
	sample = 20
)

// difference gets what has changed at the server.
func (r *run) difference(ctx context.Context) error {
	ours, err := r.synced(ctx)
	if err != nil {
		return err
	}
	since := r.state.since
	if !since.IsZero() {
		since = since.Add(-overlap)
	}
	d, err := r.service.Difference(ctx, since)
	if err != nil {
		return err
	}
	if skew := r.now().Sub(d.Now); !d.Now.IsZero() && skew.Abs() > overlap {
		r.skew = skew
	}
	if d.Now.Before(r.state.since.Add(-overlap)) {
		r.odd = true // its clock was set back, or its data
	}
	if err := r.storeArticles(ctx, d.Articles, r.state); err != nil {
		return err
	}
	if d.Rest != nil {
		if err := d.Rest(ctx, func(page []Article) error { return r.storeArticles(ctx, page, r.state) }); err != nil {
			return err
		}
	}
	if _, err := r.fetch(ctx, d.New); err != nil {
		return err
	}
	if d.Marks != nil {
		if err := r.takeMarks(ctx, ours, *d.Marks); err != nil {
			return err
		}
	}
	next := r.state
	next.since = d.Now
	return r.write(ctx, next, func(tx *sql.Tx) error { return reader.DisownServerArticles(ctx, tx, r.account.ID, d.Removed) })
}

// reconcile compares all marks.
func (r *run) reconcile(ctx context.Context) error {
	ours, err := r.synced(ctx)
	if err != nil {
		return err
	}
	marks, err := r.service.Marks(ctx)
	if err != nil {
		return err
	}
	if err := r.takeMarks(ctx, ours, marks); err != nil {
		return err
	}
	r.result.Full = true
	next := r.state
	next.Reconciled = r.now()
	return r.write(ctx, next, nil)
}

// syncedMarks are the articles that are unread and starred here and not in the outbox, by the server's ids.
type syncedMarks struct{ unread, starred map[string]int64 }

// synced reads them. It is called before the server is asked: an article that is stored between the server's list and now is not
// in the list, and must not be taken for read.
func (r *run) synced(ctx context.Context) (m syncedMarks, err error) {
	m.unread, m.starred, err = reader.SyncedMarks(ctx, r.store.Read(), r.account.ID)
	return m, err
}

// takeMarks marks articles as the server lists them, and gets those that are listed and not stored.
func (r *run) takeMarks(ctx context.Context, ours syncedMarks, theirs Marks) error {
	unread, starred := set(theirs.Unread), set(theirs.Starred)
	toUnread, toStarred := missing(unread, ours.unread), missing(starred, ours.starred)
	fetched, err := r.fetch(ctx, slices.Concat(toUnread, toStarred)) // with marks newer than the list's
	if err != nil {
		return err
	}
	now := set(fetched)
	for _, marked := range []struct {
		ids  []string
		flag reader.Flag
		on   bool
	}{{toUnread, reader.FlagRead, false}, {toStarred, reader.FlagStarred, true}} {
		// They are looked at, too: a server that was restored from a backup gives their ids to others.
		ids, err := reader.MarkedOtherwise(ctx, r.store.Read(), r.account.ID, without(marked.ids, now), marked.flag, marked.on)
		if err == nil && len(ids) > 0 {
			_, err = r.look(ctx, ids, unread, starred)
		}
		if err != nil {
			return err
		}
	}
	// Absence may have other reasons.
	noLonger := map[string]int64{}
	for _, id := range missing(ours.unread, unread) {
		noLonger[id] = ours.unread[id]
	}
	for _, id := range missing(ours.starred, starred) {
		noLonger[id] = ours.starred[id]
	}
	believed, err := r.confirm(ctx, noLonger, unread, starred, theirs.Whole && !r.odd)
	if err != nil {
		return err
	}
	var read, unstarred []string
	for _, id := range believed {
		if _, was := ours.unread[id]; was && !unread[id] {
			read = append(read, id)
		}
		if _, was := ours.starred[id]; was && !starred[id] {
			unstarred = append(unstarred, id)
		}
	}
	if err := r.take(ctx, read, reader.FlagRead, true); err != nil {
		return err
	}
	return r.take(ctx, unstarred, reader.FlagStarred, false)
}

// confirm asks for articles that the lists of marks do not have any more. Of a whole list it asks for the newest, and returns
// the others if these are as the list says: a server that was restored from a backup does not have them any more, and they
// were not read. Otherwise it asks for all.
func (r *run) confirm(ctx context.Context, noLonger map[string]int64, unread, starred map[string]bool, whole bool) (believed []string, err error) {
	if len(noLonger) == 0 {
		return nil, nil
	}
	ids := slices.SortedFunc(maps.Keys(noLonger), func(a, b string) int { return int(noLonger[b] - noLonger[a]) }) // newest first
	first, rest := ids[:min(len(ids), sample)], ids[min(len(ids), sample):]
	if !whole {
		first, rest = ids, nil
	}
	asTheListSays, err := r.look(ctx, first, unread, starred)
	if err != nil || len(rest) == 0 || asTheListSays {
		return rest, err
	}
	r.odd = true
	_, err = r.look(ctx, rest, unread, starred)
	return nil, err
}

// look gets articles as they are, and reports whether the server has them all and marked as its lists say.
func (r *run) look(ctx context.Context, ids []string, unread, starred map[string]bool) (asListed bool, err error) {
	asListed = true
	gone, err := r.retake(ctx, ids, func(a Article) { asListed = asListed && a.Read != unread[a.ID] && a.Starred == starred[a.ID] })
	if err != nil || len(gone) == 0 {
		return asListed, err
	}
	return false, r.letGo(ctx, gone)
}

// retake stores articles as the server has them, and returns those it does not have.
func (r *run) retake(ctx context.Context, ids []string, visit func(Article)) (gone map[string]bool, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	gone = set(ids)
	err = r.service.Articles(ctx, ids, func(page []Article) error {
		for _, a := range page {
			delete(gone, a.ID)
			if visit != nil {
				visit(a)
			}
		}
		return r.storeArticles(ctx, page, r.state)
	})
	return gone, err
}

// laterArticles is how many of the newest articles are asked for before it is believed that a server has cleaned up others.
const laterArticles = 3

// letGo keeps articles here that the server does not have any more. Those that it has cleaned up count as read, as they do there. A
// server whose backup was restored has lost what came last, and one that lacks a feed all of that: nobody has read these. What came
// since all marks were compared may have come after that.
func (r *run) letGo(ctx context.Context, gone map[string]bool) error {
	if err := r.syncFeeds(ctx); err != nil { // again: one may have been unsubscribed from since
		return err
	}
	keys := slices.Sorted(maps.Keys(gone))
	places, err := reader.ServerArticlePlaces(ctx, r.store.Read(), r.account.ID, keys)
	if err != nil {
		return err
	}
	ofFeeds := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !r.listed[places[key].Feed] })
	newest, err := reader.LatestServerKeys(ctx, r.store.Read(), r.account.ID, r.state.Reconciled, laterArticles)
	if err != nil {
		return err
	}
	reused := r.reused
	lost, err := r.retake(ctx, newest, nil)
	if err != nil {
		return err
	}
	later := without(newest, lost)
	if r.reused > reused {
		later = nil // its ids are others' now
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		read, err := reader.ReadCleanedUpArticles(ctx, tx, r.account.ID, ofFeeds, later)
		r.result.Marked += read
		if err != nil {
			return err
		}
		return reader.DisownServerArticles(ctx, tx, r.account.ID, keys)
	})
}

// take marks articles as they are marked at the server.
func (r *run) take(ctx context.Context, ids []string, flag reader.Flag, on bool) error {
	for chunk := range slices.Chunk(ids, storeBatch) {
		err := r.write(ctx, r.state, func(tx *sql.Tx) error {
			changed, err := reader.TakeServerMarks(ctx, tx, r.account.ID, chunk, flag, on)
			r.result.Marked, r.result.Elsewhere = r.result.Marked+len(changed), r.result.Elsewhere+len(changed)
			for _, id := range changed {
				if on {
					r.noteRead(id, time.Time{})
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func set(ids []string) map[string]bool {
	m := make(map[string]bool, len(ids))
	for _, id := range ids {
		m[id] = true
	}
	return m
}

func without(ids []string, leave map[string]bool) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return leave[id] })
}

// missing returns the keys of a that b does not have, in order.
func missing[A, B any](a map[string]A, b map[string]B) []string {
	var keys []string
	for key := range a {
		if _, ok := b[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
