package home

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"kairos/app/secret"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/imports"
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

// Add subscribes to a candidate, stores its login, or else that in the typed address, in the system keyring if it belongs to
// the host that was typed, and makes the first fetch. Errors: *reader.DuplicateError, secret's.
func (s *Subscriptions) Add(ctx context.Context, c poller.Candidate, chosen reader.Feed, login poller.Login) (reader.Feed, poller.Outcome, error) {
	var saveLogin func(int64) error
	if login == (poller.Login{}) {
		login = c.Login
	}
	if login != (poller.Login{}) && c.SameHost {
		chosen.Login = true
		saveLogin = func(id int64) error { return s.secrets.Save(ctx, id, login.User, login.Password) }
	}
	return s.poller.Subscribe(ctx, c, chosen, saveLogin)
}

// Update stores a changed feed. login nil takes that of the address, or leaves the login as it is; an empty one deletes it.
// Errors: *reader.DuplicateError, reader.ErrUnknown, secret's.
func (s *Subscriptions) Update(ctx context.Context, f reader.Feed, login *poller.Login) error {
	return s.update(ctx, f, login, func(*sql.Tx) error { return nil })
}

// update is Update with what else is written in its transaction.
func (s *Subscriptions) update(ctx context.Context, f reader.Feed, login *poller.Login, also func(tx *sql.Tx) error) error {
	if plain, user, password := discover.SplitLogin(f.URL); plain != f.URL {
		f.URL = plain
		if login == nil {
			login = &poller.Login{User: user, Password: password}
		}
	}
	if login != nil {
		if err := s.setLogin(ctx, &f, *login); err != nil {
			return err
		}
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := reader.UpdateFeed(ctx, tx, f); err != nil {
			return err
		}
		return also(tx)
	})
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

// ImportSource subscribes to the feeds of what another reader has left, or of a list, with an account, 0 for this computer; the next
// synchronization subscribes at its server. The articles stay where they are. Feeds of this computer and its network are paused.
func (s *Subscriptions) ImportSource(ctx context.Context, account int64, source *imports.Source) (reader.ImportResult, error) {
	list := opml.List{Refused: source.Refused, Warnings: source.Warnings}
	for _, f := range source.Feeds {
		if f.Subscribed {
			list.Feeds = append(list.Feeds, f.Outline)
		}
	}
	return s.importList(ctx, account, list)
}

func (s *Subscriptions) importList(ctx context.Context, account int64, list opml.List) (done reader.ImportResult, err error) {
	err = s.store.Write(ctx, func(tx *sql.Tx) error {
		done, err = reader.ImportFeeds(ctx, tx, account, list, s.now())
		return err
	})
	if err != nil {
		return done, err
	}
	err = s.keepLogins(ctx, &done)
	if n := len(done.Local); n > 0 {
		done.Warnings = append(done.Warnings, opml.Warning{Code: opml.LocalFeeds, Count: n})
	}
	if len(done.Added) > 0 {
		s.poller.Changed()
	}
	return done, err
}

// keepLogins moves the logins of an import into the keyring. A feed whose login is not kept there is unsubscribed and refused:
// imported again, it is complete.
func (s *Subscriptions) keepLogins(ctx context.Context, done *reader.ImportResult) error {
	var failed error // asked once, a locked keyring is not asked for each feed
	for _, l := range done.Logins {
		if failed == nil {
			failed = s.secrets.Save(ctx, l.Feed, l.Outline.User, l.Outline.Password)
		}
		err := s.store.Write(ctx, func(tx *sql.Tx) error {
			if failed != nil {
				return reader.Unsubscribe(ctx, tx, l.Feed, s.now())
			}
			f, err := reader.GetFeed(ctx, tx, l.Feed)
			if err != nil {
				return err
			}
			f.Login = true
			return reader.UpdateFeed(ctx, tx, f)
		})
		if err != nil {
			return err
		}
		if failed != nil {
			done.Refused = append(done.Refused, opml.Refusal{Text: l.Outline.Title, Code: opml.PasswordNotKept, Err: failed})
			isRefused := func(id int64) bool { return id == l.Feed }
			done.Added, done.Local = slices.DeleteFunc(done.Added, isRefused), slices.DeleteFunc(done.Local, isRefused)
		}
	}
	return nil
}

// moveLogins moves the logins that earlier versions left in addresses into the keyring, as far as that takes them.
func (s *Subscriptions) moveLogins(ctx context.Context) error {
	feeds, err := s.store.Feeds.List(ctx)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if f.Account != 0 || f.URL == discover.WithoutLogin(f.URL) {
			continue
		}
		if err := s.Update(ctx, f, nil); err != nil {
			return err
		}
	}
	return nil
}

// SetFolders moves feeds to folders and returns their previous folders.
func (s *Subscriptions) SetFolders(ctx context.Context, folders map[int64]string) (map[int64]string, error) {
	return write(ctx, s.store, func(tx *sql.Tx) (map[int64]string, error) { return reader.SetFolders(ctx, tx, folders) })
}
