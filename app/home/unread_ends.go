package home

import (
	"context"
	"database/sql"
	"time"

	"kairos/reader"
)

const (
	// endFirst leaves the start of the program alone.
	endFirst = time.Minute
	// endEvery is how long unread articles may stay after their time has come.
	endEvery = 5 * time.Minute
	// endJump is by how much the clock may go on between two looks at it. After more it must prove right first.
	endJump = 26 * time.Hour
)

// endUnread ends the unread articles whose time has come, until ctx ends.
func (h *Home) endUnread(ctx context.Context) {
	timer := time.NewTimer(endFirst)
	defer timer.Stop()
	var ender ender
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if now := h.Now(); ender.may(now, h.Store.Lists()) {
			if _, err := h.Store.Articles.EndUnread(ctx, now); err != nil && ctx.Err() == nil {
				h.logger.Error("end unread articles", "err", err)
			}
		}
		timer.Reset(endEvery)
	}
}

// ender decides when to look for unread articles that end: when others may have come, and once an hour.
type ender struct {
	seen   time.Time // the clock, when it was looked at last
	looked time.Time
	lists  int64
}

const endAnyway = time.Hour

// may reports whether to look for them now. A clock that has jumped is waited for: if it is wrong, it may be set right meanwhile.
func (e *ender) may(now time.Time, lists int64) bool {
	since := now.Sub(e.seen)
	jumped := !e.seen.IsZero() && (since > endJump || since < 0)
	e.seen = now
	if jumped || lists == e.lists && now.Sub(e.looked).Abs() < endAnyway {
		return false
	}
	e.looked, e.lists = now, lists
	return true
}

// EndUnread ends the unread articles whose time has come, and returns which these were.
func (h *Home) EndUnread(ctx context.Context) ([]int64, error) {
	return h.Store.Articles.EndUnread(ctx, h.Now())
}

// Ending counts the unread articles that would end now if this were chosen, and those that are unread where it holds.
func (h *Home) Ending(ctx context.Context, c reader.EndsChoice) (ending, unread int, err error) {
	return h.Store.Articles.Ending(ctx, c, h.Now())
}

// EndedBefore lists the articles that ended and would not end now if this were chosen.
func (h *Home) EndedBefore(ctx context.Context, c reader.EndsChoice) ([]int64, error) {
	return h.Store.Articles.EndedBefore(ctx, c, h.Now())
}

// BringBack makes articles that ended unread again, as if they had not.
func (h *Home) BringBack(ctx context.Context, articles []int64) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.MarkEnded(ctx, tx, articles, false, h.Now()) })
}

// SetEnds stores when unread articles of feeds end for which nothing else was chosen.
func (s *Subscriptions) SetEnds(ctx context.Context, e reader.Ends) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error { return reader.SetEnds(ctx, tx, e) })
}

// SetEndsAgain undoes SetEnds together with what has ended by it, or redoes both: it stores what was chosen and marks articles as not
// ended, or as ended.
func (s *Subscriptions) SetEndsAgain(ctx context.Context, e reader.Ends, articles []int64, ended bool) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error {
		if err := reader.SetEnds(ctx, tx, e); err != nil {
			return err
		}
		return reader.MarkEnded(ctx, tx, articles, ended, s.now())
	})
}

// SetFolder stores what the user chose for a folder, and returns what was chosen before: storing that undoes it.
func (s *Subscriptions) SetFolder(ctx context.Context, p reader.Place, c reader.FolderChoices) (before reader.FolderChoices, err error) {
	folders, err := s.store.Feeds.Folders(ctx)
	if err != nil {
		return before, err
	}
	return folders[p], s.store.Write(ctx, func(tx *sql.Tx) error { return reader.SetFolder(ctx, tx, p, c) })
}

// SetFolderAgain undoes SetFolder together with what has ended by it, or redoes both: it stores what was chosen and marks articles as
// not ended, or as ended.
func (s *Subscriptions) SetFolderAgain(ctx context.Context, p reader.Place, c reader.FolderChoices, articles []int64, ended bool) error {
	return s.store.Write(ctx, func(tx *sql.Tx) error {
		if err := reader.SetFolder(ctx, tx, p, c); err != nil {
			return err
		}
		return reader.MarkEnded(ctx, tx, articles, ended, s.now())
	})
}

// UpdateAgain is SetFolderAgain for Update. The login stays as it is.
func (s *Subscriptions) UpdateAgain(ctx context.Context, f reader.Feed, articles []int64, ended bool) error {
	return s.update(ctx, f, nil, func(tx *sql.Tx) error { return reader.MarkEnded(ctx, tx, articles, ended, s.now()) })
}

// SetQuiet makes a feed quiet, or not, and returns whether it was. Errors: reader.ErrUnknown.
func (s *Subscriptions) SetQuiet(ctx context.Context, feed int64, quiet bool) (before bool, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		f, err := reader.GetFeed(ctx, tx, feed)
		if err != nil {
			return err
		}
		before, f.Quiet = f.Quiet, quiet
		return reader.UpdateFeed(ctx, tx, f)
	})
	return before, err
}
