package home

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/app/secret"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/reader"
	"kairos/reader/discover"
)

// Login is what a person enters to log in to a server.
type Login struct{ Address, User, Password string }

// Servers finds and opens servers to sync with; the zero value is replaced by those of poller/sync/connect.
type Servers struct {
	// Find finds the server behind what a person has typed, and logs in. kind is "" where it is to find that out. Errors: *sync.Error.
	Find func(ctx context.Context, kind string, typed Login) (found, url string, err error)
	// Open returns the service of a server. It sends nothing.
	Open func(kind, url, user, password string) (sync.Service, error)
}

// realServers are those whose protocols Kairos speaks.
func realServers(client *fetch.Client) Servers {
	return Servers{
		Find: func(ctx context.Context, kind string, typed Login) (found, url string, err error) {
			server, err := connect.Find(ctx, connect.Kind(kind), typed.Address, typed.User, typed.Password, client)
			return string(server.Kind), server.Base, err
		},
		Open: func(kind, url, user, password string) (sync.Service, error) {
			return connect.Open(connect.Kind(kind), url, user, password, client)
		},
	}
}

// Accounts adds servers to sync with, and syncs them.
type Accounts struct {
	Engine *sync.Engine
	Keeper *sync.Keeper

	store   *reader.Store
	poller  *poller.Poller
	secrets *secret.Secrets
	servers Servers
	now     func() time.Time
}

// newAccounts returns the accounts of a home whose poller is still to come.
func newAccounts(h *Home, o Options) *Accounts {
	a := &Accounts{store: h.Store, secrets: h.Secrets, servers: o.Servers, now: o.Now}
	if a.servers.Find == nil {
		a.servers = realServers(o.Client)
	}
	a.Engine = sync.NewEngine(h.Store, a.open, o.Now, o.Logger)
	a.Keeper = sync.NewKeeper(a.Engine)
	return a
}

// Sync syncs an account now, by the user's hand. Errors: those of poller.Sync.
func (a *Accounts) Sync(ctx context.Context, id int64) (sync.Result, error) {
	return a.poller.Sync(ctx, id)
}

// open opens the service of an account with its password.
func (a *Accounts) open(ctx context.Context, account reader.Account) (sync.Service, error) {
	password, err := a.secrets.LoadAccount(ctx, account.ID, account.URL, account.User)
	switch {
	case errors.Is(err, secret.ErrNone):
		return nil, &sync.Error{Code: sync.NoPassword, Err: err}
	case errors.Is(err, secret.ErrLocked): // as at login, before the user has unlocked it: tried again later
		return nil, &sync.Error{Code: sync.KeyringLocked, Err: err}
	case errors.Is(err, secret.ErrNoKeyring):
		return nil, &sync.Error{Code: sync.NoKeyring, Err: err}
	case err != nil:
		return nil, err
	}
	return a.servers.Open(account.Kind, account.URL, account.User, password)
}

// Add finds a server, logs in, and stores it as an account and its password in the keyring. An account that is there already
// gets the new password. kind is "" where it is to be found out. Errors: *sync.Error, secret's.
func (a *Accounts) Add(ctx context.Context, kind string, typed Login, name string) (reader.Account, error) {
	kind, url, err := a.servers.Find(ctx, kind, typed)
	if err != nil {
		return reader.Account{}, err
	}
	user, password := typed.User, typed.Password
	account := reader.Account{Kind: kind, URL: url, User: user, Name: cmp.Or(name, accountName(kind, url))}
	known, err := a.find(ctx, account)
	if err != nil {
		return reader.Account{}, err
	}
	if known.ID != 0 {
		defer a.poller.Changed()
		a.Engine.Forget(known.ID)
		return known, a.secrets.SaveAccount(ctx, known.ID, url, user, password)
	}
	err = a.store.Write(ctx, func(tx *sql.Tx) error {
		account.ID, err = reader.AddAccount(ctx, tx, account, a.now())
		return err
	})
	if err != nil {
		return reader.Account{}, err
	}
	if err := a.secrets.SaveAccount(ctx, account.ID, url, user, password); err != nil {
		return reader.Account{}, errors.Join(err, a.remove(context.WithoutCancel(ctx), account.ID, false))
	}
	a.poller.Changed() // not before the password is there
	return a.store.Accounts.Get(ctx, account.ID)
}

// find returns the account of the same server and user; its ID is 0 if there is none.
func (a *Accounts) find(ctx context.Context, like reader.Account) (reader.Account, error) {
	all, err := a.store.Accounts.List(ctx)
	for _, one := range all {
		if one.Kind == like.Kind && one.URL == like.URL && one.User == like.User {
			return one, err
		}
	}
	return reader.Account{}, err
}

// AlsoHere counts the feeds of an account that this computer has as well: those that are kept when it is removed join them.
func AlsoHere(feeds []reader.Feed, account int64) (n int) {
	here := map[string]bool{}
	for _, f := range feeds {
		if f.Account == 0 {
			here[discover.SameFeed(f.URL)] = true
		}
	}
	for _, f := range feeds {
		if f.Account == account && here[discover.SameFeed(f.URL)] {
			n++
		}
	}
	return n
}

// Remove removes an account and its password. Nothing changes at its server. Its feeds are unsubscribed here, or stay as feeds
// of this computer. What undoes the former has the password, which is stored nowhere then; nil where the feeds are kept. Errors:
// reader.ErrUnknown.
func (a *Accounts) Remove(ctx context.Context, id int64, keepFeeds bool) (undo func(context.Context) error, err error) {
	account, err := a.store.Accounts.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !keepFeeds {
		password, unknown := a.secrets.LoadAccount(ctx, id, account.URL, account.User)
		undo = func(ctx context.Context) error { return a.restore(ctx, account, password, unknown == nil) }
	}
	if err := a.remove(ctx, id, keepFeeds); err != nil {
		return nil, err
	}
	if err := a.secrets.ForgetAccount(ctx, id); err != nil && !errors.Is(err, secret.ErrNoKeyring) {
		return undo, fmt.Errorf("the account was removed, but not its password: %w", err)
	}
	return undo, nil
}

// restore undoes the removal of an account with its feeds, and stores its password again if that is known.
func (a *Accounts) restore(ctx context.Context, account reader.Account, password string, known bool) error {
	var notStored error
	if known { // before anything is synced
		notStored = a.secrets.SaveAccount(ctx, account.ID, account.URL, account.User, password)
	}
	if err := a.change(ctx, func(tx *sql.Tx) error { return reader.RestoreAccount(ctx, tx, account.ID) }); err != nil {
		return errors.Join(err, a.secrets.ForgetAccount(context.WithoutCancel(ctx), account.ID))
	}
	return notStored
}

// remove removes an account that has no password.
func (a *Accounts) remove(ctx context.Context, id int64, keepFeeds bool) error {
	err := a.change(ctx, func(tx *sql.Tx) error { return reader.RemoveAccount(ctx, tx, id, keepFeeds, a.now()) })
	if err == nil {
		a.Engine.Forget(id)
	}
	return err
}

// Pause stops or resumes the synchronization of an account. Errors: reader.ErrUnknown.
func (a *Accounts) Pause(ctx context.Context, id int64, paused bool) error {
	return a.update(ctx, id, func(account *reader.Account) { account.Paused = paused })
}

// Rename gives an account another name; "" is that of its server. Errors: reader.ErrUnknown.
func (a *Accounts) Rename(ctx context.Context, id int64, name string) error {
	return a.update(ctx, id, func(account *reader.Account) { account.Name = name })
}

func (a *Accounts) update(ctx context.Context, id int64, change func(*reader.Account)) error {
	return a.change(ctx, func(tx *sql.Tx) error {
		account, err := reader.GetAccount(ctx, tx, id)
		if err != nil {
			return err
		}
		change(&account)
		account.Name = cmp.Or(account.Name, accountName(account.Kind, account.URL))
		return reader.UpdateAccount(ctx, tx, account)
	})
}

// ErrPasswordNeeded says that the address or the user of an account is not changed without its password: the one that is stored is
// sent to no other.
var ErrPasswordNeeded = errors.New("the password is needed")

// Change logs in to the server of an account at another address, as another user or with another password, and goes on with that; an
// empty field of typed stays as it is. A password that its protocol does not accept is tried with the others: some servers have one of
// their own for each. Nothing that is stored here is lost. Errors: ErrPasswordNeeded, *sync.Error, reader.ErrUnknown,
// reader.ErrAccountExists, secret's.
func (a *Accounts) Change(ctx context.Context, id int64, typed Login) (reader.Account, error) {
	was, err := a.store.Accounts.Get(ctx, id)
	if err != nil {
		return was, err
	}
	if typed.Password == "" {
		return was, ErrPasswordNeeded
	}
	typed.Address, typed.User = cmp.Or(typed.Address, was.URL), cmp.Or(typed.User, was.User)
	now := was
	now.User = typed.User
	if now.Kind, now.URL, err = a.findAgain(ctx, was, typed); err != nil {
		return was, err
	}
	if now.Name == accountName(was.Kind, was.URL) || now.Name == hostOf(was.URL) { // as accounts were called before
		now.Name = accountName(now.Kind, now.URL)
	}
	return now, a.move(ctx, was, now, typed.Password)
}

// findAgain finds the server of an account, if need be by another protocol. A host that was typed now may be mistyped: it gets the
// password only if it answers as a server of some kind.
func (a *Accounts) findAgain(ctx context.Context, was reader.Account, typed Login) (found, url string, err error) {
	if fetch.Host(typed.Address) != fetch.Host(was.URL) {
		other, there, err := a.servers.Find(ctx, "", typed)
		if err != nil || other == was.Kind {
			return other, there, err
		}
		if found, url, err = a.servers.Find(ctx, was.Kind, typed); err == nil {
			return found, url, nil
		}
		return other, there, nil
	}
	found, url, err = a.servers.Find(ctx, was.Kind, typed)
	var fault *sync.Error
	if errors.As(err, &fault) && (fault.Code == sync.Refused || fault.Code == sync.NoAPI) {
		if other, there, err := a.servers.Find(ctx, "", typed); err == nil {
			return other, there, nil
		}
	}
	return found, url, err
}

// move stores the password of an account, and where it is now.
func (a *Accounts) move(ctx context.Context, was, now reader.Account, password string) error {
	before, notStored := a.secrets.LoadAccount(ctx, was.ID, was.URL, was.User)
	if err := a.secrets.SaveAccount(ctx, now.ID, now.URL, now.User, password); err != nil {
		return err
	}
	defer a.Engine.Forget(now.ID)
	if now == was {
		return nil
	}
	service, err := a.servers.Open(now.Kind, now.URL, now.User, password)
	if err == nil {
		err = a.Engine.Move(ctx, now, service, func(tx *sql.Tx) error {
			if err := reader.MoveAccount(ctx, tx, now); err != nil {
				return err
			}
			return reader.UpdateAccount(ctx, tx, now)
		})
	}
	switch {
	case err == nil:
		a.poller.Changed()
		a.Keeper.Changed()
	case notStored == nil:
		err = errors.Join(err, a.secrets.SaveAccount(context.WithoutCancel(ctx), was.ID, was.URL, was.User, before))
	}
	return err
}

// AccountStatus is an account and how it stands.
type AccountStatus struct {
	reader.Account
	Sync      sync.Status
	Refresh   int // as SetRefresh has set it
	Refreshed int // times that the server was told to fetch a feed in the last 24 hours
}

// List returns the accounts in the order they were added.
func (a *Accounts) List(ctx context.Context) ([]AccountStatus, error) {
	accounts, err := a.store.Accounts.List(ctx)
	all := make([]AccountStatus, len(accounts))
	for i := 0; i < len(accounts) && err == nil; i++ {
		all[i].Account = accounts[i]
		if all[i].Sync, err = a.Engine.Status(ctx, accounts[i]); err == nil {
			all[i].Refresh, all[i].Refreshed, err = a.Refresh(ctx, accounts[i].ID)
		}
	}
	return all, err
}

// SetRefresh lets Kairos decide when the server of an account fetches its feeds: so many times a day for all of them together,
// poller.RefreshUsual for the usual number, 0 to leave it to the server. Errors: sync.ErrNoRefresh, reader.ErrUnknown.
func (a *Accounts) SetRefresh(ctx context.Context, id int64, perDay int) error {
	if perDay != 0 {
		if err := a.Engine.CanRefresh(ctx, id); err != nil {
			return err
		}
	}
	return a.poller.SetRefresh(ctx, id, perDay)
}

// Refresh returns what SetRefresh has set, and how often the server was told to fetch a feed in the last 24 hours.
func (a *Accounts) Refresh(ctx context.Context, id int64) (perDay, last24h int, err error) {
	return a.poller.Refresh(ctx, id)
}

// FetchThere makes the server of an account fetch one of its feeds now; of one that it did not add it is asked again by the next
// synchronization, which also tells if it fails: that is no error. Errors: as sync.Engine's Refresh.
func (a *Accounts) FetchThere(ctx context.Context, feed reader.Feed) error {
	feeds, err := reader.ServerFeeds(ctx, a.store.Read(), feed.Account)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		switch {
		case f.ID != feed.ID:
			continue
		case f.Remote == "":
			return a.Engine.AskAgain(ctx, f.ID)
		}
		err := a.Engine.Refresh(ctx, feed.Account, f.Remote)
		var fault *sync.Error
		if errors.As(err, &fault) && fault.BlamesFeed() {
			return nil
		}
		return err
	}
	return nil // it was unsubscribed meanwhile
}

// Subscribe subscribes to a feed with an account; the next synchronization does so at its server. Errors: *reader.DuplicateError,
// reader.ErrUnknown.
func (a *Accounts) Subscribe(ctx context.Context, chosen reader.Feed) (feed reader.Feed, err error) {
	err = a.change(ctx, func(tx *sql.Tx) error {
		if _, err := reader.GetAccount(ctx, tx, chosen.Account); err != nil {
			return err
		}
		id, err := reader.Subscribe(ctx, tx, chosen, a.now())
		if err == nil {
			feed, err = reader.GetFeed(ctx, tx, id)
		}
		return err
	})
	return feed, err
}

// Added is a feed that was subscribed to with an account.
type Added struct {
	Feed  reader.Feed
	New   int   // articles
	Later error // why its server will be told later; nil: it was told
}

// SubscribeNow subscribes to a feed with an account, and syncs. A feed that the server does not accept is unsubscribed again, one
// with a login of its own is refused: not all servers can be told it. Errors: *sync.Error of such feeds, those of Subscribe.
func (a *Accounts) SubscribeNow(ctx context.Context, chosen reader.Feed, login poller.Login) (Added, error) {
	if login != (poller.Login{}) {
		return Added{}, &sync.Error{Code: sync.FeedPassword}
	}
	f, err := a.Subscribe(ctx, chosen)
	if err == nil {
		err = a.Engine.AskAgain(ctx, f.ID) // it may have been refused before
	}
	if err != nil {
		return Added{}, err
	}
	r, err := a.Sync(ctx, chosen.Account)
	if err != nil {
		return Added{Feed: f, Later: err}, nil
	}
	for _, refused := range r.Refused {
		if refused.Feed == f.ID {
			return Added{}, errors.Join(refused.Err, a.change(ctx, func(tx *sql.Tx) error { return reader.Unsubscribe(ctx, tx, f.ID, a.now()) }))
		}
	}
	f, err = a.store.Feeds.Get(ctx, f.ID)
	return Added{Feed: f, New: r.New}, err
}

// MoveFeed moves a feed with its articles and marks to an account, or to this computer if account is 0, and returns the id it has
// there. The next synchronization subscribes to it at the server, or unsubscribes where it was. Errors: reader.ErrUnknown.
func (a *Accounts) MoveFeed(ctx context.Context, feed, account int64) (id int64, err error) {
	err = a.change(ctx, func(tx *sql.Tx) error {
		if account != 0 {
			if _, err := reader.GetAccount(ctx, tx, account); err != nil {
				return err
			}
		}
		id, err = reader.MoveFeed(ctx, tx, feed, account)
		return err
	})
	return id, err
}

func (a *Accounts) change(ctx context.Context, write func(tx *sql.Tx) error) error {
	err := a.store.Write(ctx, write)
	if err == nil {
		a.poller.Changed()
		a.Keeper.Changed()
	}
	return err
}
