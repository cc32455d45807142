package sync

import (
	"context"
	"database/sql"
	"time"

	"kairos/reader"
	"kairos/reader/discover"
)

// Move makes an account one at another address, of another user or by another protocol, which service speaks. What the server has under
// the ids that are known here stays linked. The rest is as if it were new here, so that nothing is lost: the next synchronization
// subscribes to it there, and recognizes its articles. store is called in the same transaction. Errors: *Error, reader.ErrUnknown,
// reader.ErrAccountExists, store's.
func (e *Engine) Move(ctx context.Context, to reader.Account, service Service, store func(tx *sql.Tx) error) error {
	done, err := e.turns.Take(ctx, to.ID)
	if err != nil {
		return err
	}
	defer done()
	was, err := e.store.Accounts.Get(ctx, to.ID)
	if err != nil {
		return err
	}
	r := &run{Engine: e, account: to, service: service}
	if err := r.loadFeeds(ctx); err != nil {
		return err
	}
	theirs, err := service.Feeds(ctx)
	if err != nil {
		return err
	}
	var sampled sampledArticles
	if was.Kind == to.Kind { // each protocol has ids of its own
		if sampled, err = r.sampled(ctx); err != nil {
			return err
		}
	}
	defer e.Forget(to.ID)
	return e.store.Write(ctx, func(tx *sql.Tx) error {
		same := was.Kind == to.Kind
		if same {
			if same, err = r.hasOurs(ctx, tx, sampled); err != nil {
				return err
			}
		}
		if err := r.relink(ctx, tx, theirs, same); err != nil {
			return err
		}
		if err := reader.SetAccountToRecheck(ctx, tx, to.ID, true); err != nil {
			return err
		}
		return store(tx)
	})
}

// sampledArticles are articles that were asked for by the ids they have here.
type sampledArticles struct {
	asked int
	found map[string][]reader.ServerArticle // by the server's ids of their feeds
}

// sampled gets the newest articles of some feeds by the ids they have here.
func (r *run) sampled(ctx context.Context) (s sampledArticles, err error) {
	var ids []string
	for _, f := range r.feeds {
		keys, err := reader.ServerKeys(ctx, r.store.Read(), r.account.ID, f.id)
		if err != nil {
			return s, err
		}
		if ids = append(ids, keys[:min(len(keys), 3)]...); len(ids) >= sample {
			break
		}
	}
	if s.asked = len(ids); s.asked == 0 {
		return s, nil
	}
	s.found = map[string][]reader.ServerArticle{}
	err = r.service.Articles(ctx, ids, func(page []Article) error {
		for _, a := range page {
			s.found[a.Feed] = append(s.found[a.Feed], r.compose(a))
		}
		return nil
	})
	return s, err
}

// hasOurs reports whether the server has articles under the ids they have here. One that was set up again gives them to others.
func (r *run) hasOurs(ctx context.Context, tx *sql.Tx, sampled sampledArticles) (bool, error) {
	others := 0
	for remote, articles := range sampled.found {
		n, err := reader.DisownReusedIDs(ctx, tx, r.account.ID, r.feeds[remote].id, articles)
		if others += n; err != nil {
			return false, err
		}
	}
	return sampled.asked == 0 || len(sampled.found) > 0 && others == 0, nil
}

// relink forgets the ids of feeds that the server does not have under them, or of all.
func (r *run) relink(ctx context.Context, tx *sql.Tx, theirs []Feed, same bool) error {
	byID := map[string]Feed{}
	for _, t := range theirs {
		byID[t.ID] = t
	}
	ours, err := reader.ServerFeeds(ctx, tx, r.account.ID)
	if err != nil {
		return err
	}
	kept := 0
	for _, o := range ours {
		t, there := byID[o.Remote]
		switch {
		case same && there && discover.SameFeed(t.URL) == discover.SameFeed(o.URL):
			kept++
		case o.Unsubscribed:
			err = reader.UnlinkServerFeed(ctx, tx, o.ID)
		case o.Remote != "":
			err = reader.ForgetServerID(ctx, tx, o.ID)
		}
		if err != nil {
			return err
		}
	}
	state, err := readState(ctx, tx, r.account.ID)
	if err != nil {
		return err
	}
	if kept == 0 {
		state = State{}
	}
	state.Failures, state.NotBefore, state.Error = 0, time.Time{}, nil
	return state.write(ctx, tx, r.account.ID)
}
