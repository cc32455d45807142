package home

import (
	"context"
	"database/sql"
	"io"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/opml"
)

// SettingLearn is the switch "learn when I read": "on" or "off".
const SettingLearn = "useraccess.learn"

// Subscribe subscribes a candidate, keeps its login in the system keyring if it
// belongs to the host that was typed, and makes its first fetch. Errors: *reader.DuplicateError, secret's.
func (h *Home) Subscribe(ctx context.Context, c poller.Candidate, chosen reader.Feed, login poller.Login) (reader.Feed, poller.Outcome, error) {
	var keep func(int64) error
	if login != (poller.Login{}) && c.Own {
		chosen.Login = true
		keep = func(id int64) error { return h.Secrets.Save(ctx, id, login.User, login.Password) }
	}
	return h.Poller.Subscribe(ctx, c, chosen, keep)
}

// Update stores what the user changed of a feed. login nil leaves it as it is;
// empty forgets it. Errors: *reader.DuplicateError, reader.ErrUnknown, secret's.
func (h *Home) Update(ctx context.Context, f reader.Feed, login *poller.Login) error {
	if login != nil {
		if err := h.setLogin(ctx, &f, *login); err != nil {
			return err
		}
	}
	err := h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.UpdateFeed(ctx, tx, f) })
	if err != nil {
		return err
	}
	h.Poller.Changed()
	return nil
}

func (h *Home) setLogin(ctx context.Context, f *reader.Feed, login poller.Login) error {
	if login == (poller.Login{}) {
		if !f.Login {
			return nil
		}
		f.Login = false
		return h.Secrets.Forget(ctx, f.ID)
	}
	f.Login = true
	return h.Secrets.Save(ctx, f.ID, login.User, login.Password)
}

// Remove unsubscribes a feed; Restore undoes it.
func (h *Home) Remove(ctx context.Context, id int64) error {
	err := h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.Unsubscribe(ctx, tx, id, h.Now()) })
	if err == nil {
		h.Poller.Changed()
	}
	return err
}

// Restore undoes Remove.
func (h *Home) Restore(ctx context.Context, id int64) error {
	err := h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.Resubscribe(ctx, tx, id) })
	if err == nil {
		h.Poller.Changed()
	}
	return err
}

// Mark sets a flag of articles and returns the ids it changed.
func (h *Home) Mark(ctx context.Context, ids []int64, flag reader.Flag, on bool) (changed []int64, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		changed, err = reader.Mark(ctx, tx, ids, flag, on)
		if err == nil && flag == reader.FlagRead && on {
			changed, err = readTogether(ctx, tx, changed)
		}
		return err
	})
	return changed, err
}

// MarkAllRead marks what a query selects as read and returns the ids it changed.
func (h *Home) MarkAllRead(ctx context.Context, q reader.Query) (changed []int64, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		changed, err = reader.MarkAllRead(ctx, tx, q)
		if err == nil {
			changed, err = readTogether(ctx, tx, changed)
		}
		return err
	})
	return changed, err
}

// SaveSearch stores a search under its id, a new one if that is 0, and returns the id.
func (h *Home) SaveSearch(ctx context.Context, one reader.SavedSearch) (id int64, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		id, err = reader.SaveSearch(ctx, tx, one)
		return err
	})
	return id, err
}

// DeleteSearch deletes a saved search. Errors: reader.ErrUnknown.
func (h *Home) DeleteSearch(ctx context.Context, id int64) error {
	return h.Store.Write(ctx, func(tx *sql.Tx) error { return reader.DeleteSearch(ctx, tx, id) })
}

// readTogether marks the other articles of the same stories as read, if the user wants that, and
// returns all that were marked.
func readTogether(ctx context.Context, tx *sql.Tx, read []int64) ([]int64, error) {
	others, err := reader.SameStories(ctx, tx, read)
	if err != nil || len(others) == 0 {
		return read, err
	}
	marked, err := reader.Mark(ctx, tx, others, reader.FlagRead, true)
	return append(read, marked...), err
}

// Import subscribes the feeds of a list without fetching them.
func (h *Home) Import(ctx context.Context, r io.Reader) (done reader.ImportResult, err error) {
	list, err := opml.Read(r)
	if err != nil {
		return done, err
	}
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		done, err = reader.ImportFeeds(ctx, tx, list, h.Now())
		return err
	})
	if err == nil && len(done.Added) > 0 {
		h.Poller.Changed()
	}
	return done, err
}

// Access logs an access at the instant at, unless the user has switched learning
// off. It reports whether one was logged.
func (h *Home) Access(ctx context.Context, at time.Time) (bool, error) {
	if learn, err := h.Store.Settings.Get(ctx, SettingLearn, "on"); err != nil || learn == "off" {
		return false, err
	}
	counts, err := h.Store.Articles.Counts(ctx, at, false)
	if err != nil {
		return false, err
	}
	var offered []int64
	for feed, n := range counts.Unread {
		if n > 0 {
			offered = append(offered, feed)
		}
	}
	fresh, err := h.Log.Record(ctx, at, offered)
	if fresh {
		h.Poller.Accessed()
	}
	return fresh, err
}

// Opened notes that an article of feed was opened, unless learning is off.
func (h *Home) Opened(ctx context.Context, feed int64) error {
	if learn, err := h.Store.Settings.Get(ctx, SettingLearn, "on"); err != nil || learn == "off" {
		return err
	}
	return h.Log.Opened(ctx, h.Now(), feed)
}

// Used notes that the reader was in use at the instant at, unless learning is
// off.
func (h *Home) Used(ctx context.Context, at time.Time) error {
	if learn, err := h.Store.Settings.Get(ctx, SettingLearn, "on"); err != nil || learn == "off" {
		return err
	}
	return h.Log.Touch(ctx, at)
}

// Forget clears the access log and what was learned from it.
func (h *Home) Forget(ctx context.Context) error {
	if err := h.Log.Clear(ctx); err != nil {
		return err
	}
	h.Poller.Changed()
	return nil
}

// SetFolders puts feeds into folders and returns where they were.
func (h *Home) SetFolders(ctx context.Context, folders map[int64]string) (before map[int64]string, err error) {
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		before, err = reader.SetFolders(ctx, tx, folders)
		return err
	})
	return before, err
}
