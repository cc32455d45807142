// Package secret stores the user names and passwords of feeds in the keyring of the desktop: the Secret Service, the macOS
// keychain or the Windows credentials.
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

// ErrNoKeyring says that there is no keyring.
var ErrNoKeyring = errors.New("this machine has no keyring for passwords")

// ErrLocked says that the user did not unlock the keyring.
var ErrLocked = errors.New("the keyring is locked")

// ErrNone says that there is no password for the feed.
var ErrNone = errors.New("there is no password for this feed")

const (
	service = "org.kairos.Reader"
	timeout = 30 * time.Second // a locked keyring asks the user for its password first
)

// Secrets are the passwords of one data folder.
type Secrets struct {
	scope   string
	keyring keyringAPI
	busy    chan struct{}
}

// keyringAPI has the functions of go-keyring.
type keyringAPI interface {
	Set(service, user, password string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// New returns the secrets of a data folder. Folders with different keys share none.
func New(key string) *Secrets { return newSecrets(key, systemKeyring{}) }

func newSecrets(key string, k keyringAPI) *Secrets {
	sum := sha256.Sum256([]byte(key))
	return &Secrets{scope: hex.EncodeToString(sum[:8]), keyring: k, busy: make(chan struct{}, 1)}
}

// login is what the keyring stores for a feed.
type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

// Save stores the user and password of a feed.
func (s *Secrets) Save(ctx context.Context, feedID int64, user, password string) error {
	value, err := json.Marshal(login{user, password})
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	_, err = s.call(ctx, func() (string, error) { return "", s.keyring.Set(service, s.account(feedID), string(value)) })
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	return nil
}

// Load returns what Save stored, or ErrNone.
func (s *Secrets) Load(ctx context.Context, feedID int64) (user, password string, err error) {
	value, err := s.call(ctx, func() (string, error) { return s.keyring.Get(service, s.account(feedID)) })
	if err != nil {
		return "", "", fmt.Errorf("look up the password: %w", err)
	}
	var p login
	if err := json.Unmarshal([]byte(value), &p); err != nil {
		return "", "", fmt.Errorf("look up the password: %w", err)
	}
	return p.User, p.Password, nil
}

// Forget deletes what is stored for a feed, if anything is.
func (s *Secrets) Forget(ctx context.Context, feedID int64) error {
	_, err := s.call(ctx, func() (string, error) { return "", s.keyring.Delete(service, s.account(feedID)) })
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("forget the password: %w", err)
	}
	return nil
}

func (s *Secrets) account(feedID int64) string { return fmt.Sprintf("%s/feed/%d", s.scope, feedID) }

// call runs one function at a time. Calls of the keyring cannot be interrupted: one that hangs is left behind, and blocks
// others until it ends.
func (s *Secrets) call(ctx context.Context, do func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		return "", timeoutError(ctx)
	}
	type result struct {
		value string
		err   error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-s.busy }()
		var r result
		defer func() { done <- r }()
		// go-keyring panics on malformed answers from the bus.
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("malformed answer of the keyring: %v", p)
			}
		}()
		r.value, r.err = do()
	}()
	select {
	case r := <-done:
		return r.value, classify(r.err)
	case <-ctx.Done():
		return "", timeoutError(ctx)
	}
}

// timeoutError is the error of a call whose context has ended.
func timeoutError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: it does not answer: %w", ErrLocked, ctx.Err())
	}
	return ctx.Err()
}

// classify maps the errors of a keyring to those of this package.
func classify(err error) error {
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
