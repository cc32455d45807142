// Package secret keeps the user names and passwords of feeds in the keyring of
// the desktop: the Secret Service, the macOS keychain or Windows credentials.
package secret

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// ErrNoKeyring: there is no keyring to be used.
var ErrNoKeyring = errors.New("there is no keyring on this machine that could hold a password")

// ErrLocked: the keyring is there, but its user did not open it.
var ErrLocked = errors.New("the keyring is locked")

// ErrNone: no password is kept for the feed.
var ErrNone = errors.New("no password is kept for this feed")

const (
	service  = "org.kairos.Reader"
	patience = 30 * time.Second // a locked keyring may ask its user for the password first
)

// Secrets are the passwords of one data folder.
type Secrets struct {
	scope string
	ring  ring
	turn  chan struct{}
}

// ring is what go-keyring's functions do.
type ring interface {
	Set(service, user, password string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// New returns the secrets of the data folder that key names: two folders with
// different keys share none.
func New(key string) *Secrets { return with(key, system{}) }

func with(key string, r ring) *Secrets {
	sum := sha256.Sum256([]byte(key))
	return &Secrets{scope: hex.EncodeToString(sum[:8]), ring: r, turn: make(chan struct{}, 1)}
}

type pair struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

// Save keeps user and password of a feed, instead of any before.
func (s *Secrets) Save(ctx context.Context, feedID int64, user, password string) error {
	value, err := json.Marshal(pair{user, password})
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	_, err = s.do(ctx, func() (string, error) { return "", s.ring.Set(service, s.account(feedID), string(value)) })
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	return nil
}

// Load returns what Save kept, or ErrNone.
func (s *Secrets) Load(ctx context.Context, feedID int64) (user, password string, err error) {
	value, err := s.do(ctx, func() (string, error) { return s.ring.Get(service, s.account(feedID)) })
	if err != nil {
		return "", "", fmt.Errorf("look up the password: %w", err)
	}
	var p pair
	if err := json.Unmarshal([]byte(value), &p); err != nil {
		return "", "", fmt.Errorf("look up the password: %w", err)
	}
	return p.User, p.Password, nil
}

// Forget deletes what is kept for a feed, if anything is.
func (s *Secrets) Forget(ctx context.Context, feedID int64) error {
	_, err := s.do(ctx, func() (string, error) { return "", s.ring.Delete(service, s.account(feedID)) })
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("forget the password: %w", err)
	}
	return nil
}

func (s *Secrets) account(feedID int64) string { return fmt.Sprintf("%s/feed/%d", s.scope, feedID) }

// do runs one call at a time. Calls of the keyring cannot be interrupted: one
// that hangs is left behind, and holds the turn until it ends.
func (s *Secrets) do(ctx context.Context, call func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return "", silent(ctx)
	}
	type result struct {
		value string
		err   error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-s.turn }()
		var r result
		defer func() { done <- r }()
		// go-keyring trusts what the other side of the bus says to have its form.
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("the keyring's answer makes no sense: %v", p)
			}
		}()
		r.value, r.err = call()
	}()
	select {
	case r := <-done:
		return r.value, meaning(r.err)
	case <-ctx.Done():
		return "", silent(ctx)
	}
}

func silent(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: it does not answer: %w", ErrLocked, ctx.Err())
	}
	return ctx.Err()
}

// meaning sorts a keyring's errors.
func meaning(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNone
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return fmt.Errorf("the password is too long for the keyring: %w", err)
	case isLocked(err):
		return fmt.Errorf("%w: %w", ErrLocked, err)
	}
	return fmt.Errorf("%w: %w", ErrNoKeyring, err)
}
