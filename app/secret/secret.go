// Package secret stores the user names and passwords of feeds, accounts and destinations in the keyring of the desktop: the Secret Service, the macOS
// keychain or the Windows credentials.
package secret

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/zalando/go-keyring"
)

// ErrNoKeyring says that there is no keyring.
var ErrNoKeyring = errors.New("this machine has no keyring for passwords")

// ErrLocked says that the user did not unlock the keyring.
var ErrLocked = errors.New("the keyring is locked")

// ErrNone says that there is no password for the feed or account.
var ErrNone = errors.New("there is no password for it")

const (
	service = "org.kairos.Reader"
	timeout = 30 * time.Second // a locked keyring asks the user for its password first

	maxValue = 64 << 10 // bytes of what is stored: more is not what Kairos has stored
)

// Secrets are the passwords of one data folder.
type Secrets struct {
	scope   string
	keyring Keyring
	file    file
	busy    chan struct{}
}

// Keyring has the functions of go-keyring.
type Keyring interface {
	Set(service, user, password string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// New returns the secrets of a data folder. Folders share none.
func New(dir string) *Secrets { return In(dir, systemKeyring{}) }

// In is New with another keyring.
func In(dir string, k Keyring) *Secrets {
	sum := sha256.Sum256([]byte(dir))
	return &Secrets{scope: hex.EncodeToString(sum[:8]), keyring: k, file: file(filepath.Join(dir, "passwords.json")), busy: make(chan struct{}, 1)}
}

// login is what the keyring stores for a feed or an account.
type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
	URL      string `json:"url,omitempty"` // of an account's server
}

// Save stores the user and password of a feed.
func (s *Secrets) Save(ctx context.Context, feedID int64, user, password string) error {
	return s.save(ctx, s.ofFeed(feedID), login{User: user, Password: password})
}

// SaveAccount stores the password of an account.
func (s *Secrets) SaveAccount(ctx context.Context, id int64, url, user, password string) error {
	return s.save(ctx, s.ofAccount(id), login{user, password, url})
}

func (s *Secrets) save(ctx context.Context, name string, l login) error {
	value, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	_, err = s.call(ctx, func() (string, error) {
		err := s.keyring.Set(service, name, string(value))
		switch {
		case !s.file.exists():
			return "", err
		case err != nil:
			return "", s.file.set(name, string(value))
		}
		return "", s.file.set(name, "")
	})
	if err != nil {
		return fmt.Errorf("save the password: %w", err)
	}
	return nil
}

// Load returns what Save stored, or ErrNone.
func (s *Secrets) Load(ctx context.Context, feedID int64) (user, password string, err error) {
	l, err := s.load(ctx, s.ofFeed(feedID))
	return l.User, l.Password, err
}

// LoadAccount returns the password that SaveAccount stored for this user of this server, or ErrNone: that of another one, which
// had the id in a backup, is not sent there.
func (s *Secrets) LoadAccount(ctx context.Context, id int64, url, user string) (password string, err error) {
	return s.loadFor(ctx, s.ofAccount(id), url, user)
}

// loadFor returns the password of a name that was stored for this user of this server, or ErrNone.
func (s *Secrets) loadFor(ctx context.Context, name, url, user string) (password string, err error) {
	l, err := s.load(ctx, name)
	if err == nil && (l.URL != url || l.User != user) {
		err = fmt.Errorf("look up the password: %w", ErrNone)
	}
	if err != nil {
		return "", err
	}
	return l.Password, nil
}

// SaveDestination stores what proves to a destination of starred articles who asks.
func (s *Secrets) SaveDestination(ctx context.Context, id int64, url, user, secret string) error {
	return s.save(ctx, s.ofDestination(id), login{user, secret, url})
}

// LoadDestination returns what SaveDestination stored for this user of this server, or ErrNone.
func (s *Secrets) LoadDestination(ctx context.Context, id int64, url, user string) (secret string, err error) {
	return s.loadFor(ctx, s.ofDestination(id), url, user)
}

// ForgetDestination deletes what is stored for a destination, if anything is.
func (s *Secrets) ForgetDestination(ctx context.Context, id int64) error {
	return s.forget(ctx, s.ofDestination(id))
}

func (s *Secrets) load(ctx context.Context, name string) (l login, err error) {
	value, err := s.call(ctx, func() (string, error) {
		stored, err := s.file.read()
		if value := stored[name]; value != "" || err != nil {
			return value, err
		}
		value, err := s.keyring.Get(service, name)
		if s.file.exists() && errors.Is(classify(err), ErrNoKeyring) {
			return "", keyring.ErrNotFound // the file would have it
		}
		return value, err
	})
	if err == nil && len(value) > maxValue {
		err = fmt.Errorf("the keyring answers with %d bytes", len(value))
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), &l)
	}
	if err != nil {
		return login{}, fmt.Errorf("look up the password: %w", err)
	}
	return l, nil
}

// Forget deletes what is stored for a feed, if anything is.
func (s *Secrets) Forget(ctx context.Context, feedID int64) error {
	return s.forget(ctx, s.ofFeed(feedID))
}

// ForgetAccount deletes what is stored for an account, if anything is.
func (s *Secrets) ForgetAccount(ctx context.Context, id int64) error {
	return s.forget(ctx, s.ofAccount(id))
}

func (s *Secrets) forget(ctx context.Context, name string) error {
	_, err := s.call(ctx, func() (string, error) {
		stored, err := s.file.read()
		if err == nil && stored[name] != "" {
			return "", s.file.set(name, "")
		}
		return "", errors.Join(err, s.keyring.Delete(service, name))
	})
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("forget the password: %w", err)
	}
	return nil
}

func (s *Secrets) ofFeed(id int64) string { return fmt.Sprintf("%s/feed/%d", s.scope, id) }

func (s *Secrets) ofAccount(id int64) string { return fmt.Sprintf("%s/account/%d", s.scope, id) }

func (s *Secrets) ofDestination(id int64) string {
	return fmt.Sprintf("%s/destination/%d", s.scope, id)
}

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
