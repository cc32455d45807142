package home

import (
	"context"
	"database/sql"
	"io"
	"time"

	"kairos/app/secret"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/opml"
)

// Subscriptions changes which feeds there are, and tells the poller.
type Subscriptions struct {
	Accounts *Accounts

	store   *reader.Store
	poller  *poller.Poller
	secrets *secret.Secrets
	now     func() time.Time
}

// Add subscribes to a candidate, stores its login in the system keyring if it belongs to the host
// that was typed, and makes the first fetch. Errors: *reader.DuplicateError, secret's.
func (s *Subscriptions) Add(ctx context.Context, c poller.Candidate, chosen reader.Feed, login poller.Login) (reader.Feed, poller.Outcome, error) {
	var saveLogin func(int64) error
	if login != (poller.Login{}) && c.SameHost {
		chosen.Login = true
		saveLogin = func(id int64) error { return s.secrets.Save(ctx, id, login.User, login.Password) }
	}
	return s.poller.Subscribe(ctx, c, chosen, saveLogin)
}

// Update stores a changed feed. login nil leaves its login as it is; an empty one deletes it.
// Errors: *reader.DuplicateError, reader.ErrUnknown, secret's.
func (s *Subscriptions) Update(ctx context.Context, f reader.Feed, login *poller.Login) error {
	if login != nil {
		if err := s.setLogin(ctx, &f, *login); err != nil {
			return err
		}
	}
	return s.change(ctx, func(tx *sql.Tx) error { return reader.UpdateFeed(ctx, tx, f) })
}

func (s *Subscriptions) setLogin(ctx context.Context, f *reader.Feed, login poller.Login) error {
	if login == (poller.Login{}) {
		if !f.Login {
			return nil
		}
		f.Login = false
		return s.secrets.Forget(ctx, f.ID)
	}
	f.Login = true
	return s.secrets.Save(ctx, f.ID, login.User, login.Password)
}

// Remove unsubscribes from a feed. Errors: reader.ErrUnknown.
func (s *Subscriptions) Remove(ctx context.Context, id int64) error {
	return s.change(ctx, func(tx *sql.Tx) error { return reader.Unsubscribe(ctx, tx, id, s.now()) })
}

// Restore undoes Remove, as long as the feed has not been purged.
func (s *Subscriptions) Restore(ctx context.Context, id int64) error {
	return s.change(ctx, func(tx *sql.Tx) error { return reader.Resubscribe(ctx, tx, id) })
}

func (s *Subscriptions) change(ctx context.Context, write func(tx *sql.Tx) error) error {
	err := s.store.Write(ctx, write)
	if err == nil {
		s.poller.Changed()
	}
	return err
}

// Import subscribes to the feeds of an OPML document without fetching them.
func (s *Subscriptions) Import(ctx context.Context, r io.Reader) (reader.ImportResult, error) {
	return s.ImportInto(ctx, 0, r)
}

// ImportInto is Import with an account, 0 for this computer; the next synchronization subscribes at its server.
func (s *Subscriptions) ImportInto(ctx context.Context, account int64, r io.Reader) (reader.ImportResult, error) {
	list, err := opml.Read(r)
	if err != nil {
		return reader.ImportResult{}, err
	}
	return s.importList(ctx, account, list)
}

func (s *Subscriptions) importList(ctx context.Context, account int64, list opml.List) (done reader.ImportResult, err error) {
	err = s.store.Write(ctx, func(tx *sql.Tx) error {
		done, err = reader.ImportFeeds(ctx, tx, account, list, s.now())
		return err
	})
	if err == nil && len(done.Added) > 0 {
		s.poller.Changed()
	}
	return done, err
}

// SetFolders moves feeds to folders and returns their previous folders.
func (s *Subscriptions) SetFolders(ctx context.Context, folders map[int64]string) (before map[int64]string, err error) {
	err = s.store.Write(ctx, func(tx *sql.Tx) error {
		before, err = reader.SetFolders(ctx, tx, folders)
		return err
	})
	return before, err
}
