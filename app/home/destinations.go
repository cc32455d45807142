package home

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kairos/app/secret"
	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
)

// Destinations are where starred articles are sent.
type Destinations struct {
	Engine *handoff.Engine
	Keeper *handoff.Keeper

	store   *reader.Store
	secrets *secret.Secrets
	around  handoff.Surroundings
	now     func() time.Time
}

// newDestinations returns the destinations of a home.
func newDestinations(h *Home, o Options) Destinations {
	d := Destinations{store: h.Store, secrets: h.Secrets, now: o.Now}
	d.around = handoff.Surroundings{Client: o.Client, Now: o.Now, Pictures: func(address string) ([]byte, bool) { return h.Album.Cache().Read(address) }}
	d.Engine = handoff.NewEngine(h.Store, d.open, o.Now, o.Logger)
	d.Keeper = handoff.NewKeeper(d.Engine)
	return d
}

// open opens a destination with its secret.
func (d *Destinations) open(ctx context.Context, to reader.Destination) (handoff.Receiver, error) {
	var s handoff.Secret
	if handoff.Kind(to.Kind).IsServer() {
		stored, err := d.secrets.LoadDestination(ctx, to.ID, to.Address, to.User)
		if err != nil {
			return nil, secretError(err)
		}
		if err := json.Unmarshal([]byte(stored), &s); err != nil {
			return nil, secretError(secret.ErrNone)
		}
	}
	return handoff.Connect(to, s, d.around)
}

// secretError is an error of the keyring as one of a destination.
func secretError(err error) error {
	var code sync.Code
	switch {
	case errors.Is(err, secret.ErrNone):
		code = sync.NoPassword
	case errors.Is(err, secret.ErrLocked): // as at login, before the user has unlocked it: tried again later
		code = sync.KeyringLocked
	case errors.Is(err, secret.ErrNoKeyring):
		code = sync.NoKeyring
	default:
		return err
	}
	return &handoff.Error{Code: handoff.Server, Server: &sync.Error{Code: code, Err: err}}
}

// NewDestination is what a person enters for a destination.
type NewDestination struct {
	Kind    handoff.Kind
	Name    string // empty: that of its server or folder
	Address string // as typed
	User    string
	Secret  handoff.Secret
	Options handoff.Options
	Starred bool // each article that is starred goes there
	Plain   bool // the password may be sent unencrypted
}

// Add checks a destination by logging in or looking at the folder, and stores it and its secret in the keyring. One that is there
// already is changed. Errors: *handoff.Error, handoff.ErrPlainHTTP, handoff.ErrNoFolder, secret's.
func (d *Destinations) Add(ctx context.Context, n NewDestination) (reader.Destination, error) {
	to := reader.Destination{Kind: string(n.Kind), Name: strings.TrimSpace(n.Name), User: n.User, Options: n.Options.Encode(), Starred: n.Starred}
	if n.Kind.IsServer() {
		address, plain, err := handoff.ServerAddress(n.Address)
		if err != nil {
			return to, err
		}
		if plain && !n.Plain {
			return to, handoff.ErrPlainHTTP
		}
		to.Address, to.Name = address, cmp.Or(to.Name, hostOf(address))
	} else {
		if !filepath.IsAbs(n.Address) {
			return to, handoff.ErrNoFolder
		}
		to.Address = filepath.Clean(n.Address)
		to.Name = cmp.Or(to.Name, filepath.Base(to.Address))
	}
	receiver, err := handoff.Connect(to, n.Secret, d.around)
	if err == nil {
		err = receiver.Check(ctx)
	}
	if err != nil {
		return to, handoff.Reason(err)
	}
	known, err := d.find(ctx, to)
	if err != nil {
		return to, err
	}
	isNew := known.ID == 0
	if isNew {
		err = d.change(ctx, func(tx *sql.Tx) error { to.ID, err = reader.AddDestination(ctx, tx, to, d.now()); return err })
	} else {
		to.ID, to.Paused = known.ID, known.Paused
	}
	if err == nil && n.Kind.IsServer() {
		if err = d.saveSecret(ctx, to, n.Secret); err != nil && isNew {
			err = errors.Join(err, d.Remove(context.WithoutCancel(ctx), to.ID))
		}
	}
	if err == nil && !isNew { // what waits is tried again at once, so the password has to be there
		err = d.reopen(ctx, to.ID, func(tx *sql.Tx) error {
			if err := reader.UpdateDestination(ctx, tx, to); err != nil {
				return err
			}
			return reader.SetDestinationState(ctx, tx, to.ID, reader.DestinationState{})
		})
	}
	if err != nil {
		return to, err
	}
	return d.store.Destinations.Get(ctx, to.ID)
}

func (d *Destinations) saveSecret(ctx context.Context, to reader.Destination, s handoff.Secret) error {
	value, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	return d.secrets.SaveDestination(ctx, to.ID, to.Address, to.User, string(value))
}

// find returns the destination of the same kind, address and user; its ID is 0 if there is none.
func (d *Destinations) find(ctx context.Context, like reader.Destination) (reader.Destination, error) {
	all, err := d.store.Destinations.List(ctx)
	for _, one := range all {
		if one.Kind == like.Kind && one.Address == like.Address && one.User == like.User {
			return one, err
		}
	}
	return reader.Destination{}, err
}

// Remove removes a destination and its secret. What is there stays there. Errors: reader.ErrUnknown.
func (d *Destinations) Remove(ctx context.Context, id int64) error {
	to, err := d.store.Destinations.Get(ctx, id)
	if err != nil {
		return err
	}
	if err := d.reopen(ctx, id, func(tx *sql.Tx) error { return reader.RemoveDestination(ctx, tx, id) }); err != nil {
		return err
	}
	if !handoff.Kind(to.Kind).IsServer() {
		return nil
	}
	if err := d.secrets.ForgetDestination(ctx, id); err != nil && !errors.Is(err, secret.ErrNoKeyring) {
		return fmt.Errorf("the destination was removed, but not its password: %w", err)
	}
	return nil
}

// Update changes what the user can change of a destination. Errors: reader.ErrUnknown.
func (d *Destinations) Update(ctx context.Context, id int64, change func(*reader.Destination)) error {
	return d.reopen(ctx, id, func(tx *sql.Tx) error {
		to, err := reader.GetDestination(ctx, tx, id)
		if err != nil {
			return err
		}
		change(&to)
		return reader.UpdateDestination(ctx, tx, to)
	})
}

// Pause stops or resumes what is sent to a destination by itself. Errors: reader.ErrUnknown.
func (d *Destinations) Pause(ctx context.Context, id int64, paused bool) error {
	return d.Update(ctx, id, func(to *reader.Destination) { to.Paused = paused })
}

// Deliver has articles sent to a destination, by the user's hand, and returns how many. Errors: reader.ErrUnknown.
func (d *Destinations) Deliver(ctx context.Context, id int64, articles []int64) (n int, err error) {
	err = d.change(ctx, func(tx *sql.Tx) error { n, err = reader.Deliver(ctx, tx, id, articles); return err })
	return n, err
}

// DeliverStarred has all starred articles sent that were not sent there yet, and returns how many. Errors: reader.ErrUnknown.
func (d *Destinations) DeliverStarred(ctx context.Context, id int64) (n int, err error) {
	err = d.change(ctx, func(tx *sql.Tx) error { n, err = reader.DeliverStarred(ctx, tx, id); return err })
	return n, err
}

// Retry tries everything that waits for a destination again. Errors: reader.ErrUnknown.
func (d *Destinations) Retry(ctx context.Context, id int64) (n int, err error) {
	err = d.reopen(ctx, id, func(tx *sql.Tx) error { n, err = reader.RetryDeliveries(ctx, tx, id); return err })
	return n, err
}

// Discard gives up what a destination has refused, and returns how many articles that were.
func (d *Destinations) Discard(ctx context.Context, id int64) (n int, err error) {
	err = d.change(ctx, func(tx *sql.Tx) error { n, err = reader.DiscardDeliveries(ctx, tx, id, false); return err })
	return n, err
}

func (d *Destinations) change(ctx context.Context, write func(tx *sql.Tx) error) error {
	err := d.store.WriteAside(ctx, write)
	if err == nil {
		d.Keeper.Changed()
	}
	return err
}

// reopen is change where a destination is to be opened again, since its options or its password may be others.
func (d *Destinations) reopen(ctx context.Context, id int64, write func(tx *sql.Tx) error) error {
	err := d.store.WriteAside(ctx, write)
	if err == nil {
		d.Engine.Forget(id)
		d.Keeper.Changed()
	}
	return err
}

// List returns the destinations and how they stand, in the order they were added.
func (d *Destinations) List(ctx context.Context) ([]handoff.Status, error) {
	all, err := d.store.Destinations.List(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]handoff.Status, len(all))
	for i, to := range all {
		if list[i], err = d.Engine.Status(ctx, to); err != nil {
			return nil, err
		}
	}
	return list, nil
}
