package secret

import (
	"cmp"
	"errors"
	"os"
	"testing"
)

// absent is a keyring that is not there until it has another one.
type absent struct {
	Keyring
	err error // of Get; nil: there is no keyring
}

func (a *absent) Set(service, user, password string) error {
	if a.Keyring == nil {
		return errors.New("no keyring")
	}
	return a.Keyring.Set(service, user, password)
}

func (a *absent) Get(service, user string) (string, error) {
	if a.Keyring == nil {
		return "", cmp.Or(a.err, errors.New("no keyring"))
	}
	return a.Keyring.Get(service, user)
}

func (a *absent) Delete(service, user string) error {
	if a.Keyring == nil {
		return errors.New("no keyring")
	}
	return a.Keyring.Delete(service, user)
}

// Passwords go into a file that only its user can read if that is allowed and there is no keyring, and from there into the keyring.
func TestFile(t *testing.T) {
	ctx := t.Context()
	k := &absent{}
	s := In(t.TempDir(), k)
	if err := s.Save(ctx, 1, "ann", "secret"); !IsUnavailable(err) || s.UsesFile() {
		t.Fatalf("%v; uses a file: %v", err, s.UsesFile())
	}
	if err := s.UseFile(); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(ctx, 1, "ann", "secret"); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveAccount(ctx, 1, "https://a.test", "bob", "other"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.File())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	check := func() {
		t.Helper()
		if user, password, err := s.Load(ctx, 1); user != "ann" || password != "secret" || err != nil {
			t.Errorf("loaded %q %q, %v", user, password, err)
		}
		if password, err := s.LoadAccount(ctx, 1, "https://a.test", "bob"); password != "other" || err != nil {
			t.Errorf("loaded %q, %v", password, err)
		}
	}
	check()
	if err := s.MoveToKeyring(ctx); !IsUnavailable(err) {
		t.Errorf("moved: %v", err)
	}
	check()
	k.Keyring = newMemory()
	if err := s.MoveToKeyring(ctx); err != nil || s.UsesFile() {
		t.Errorf("%v; uses a file: %v", err, s.UsesFile())
	}
	check()
}

// What is forgotten is in neither.
func TestFileForgets(t *testing.T) {
	ctx := t.Context()
	s := In(t.TempDir(), &absent{})
	if err := s.UseFile(); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(ctx, 1, "ann", "secret"); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if _, password, err := s.Load(ctx, 1); password != "" || err == nil {
		t.Errorf("loaded %q, %v", password, err)
	}
}

// Where the file is used instead of a keyring, a password that it lacks is what is missing, not the keyring. Both may have it where a
// keyring is locked.
func TestNotInFile(t *testing.T) {
	ctx := t.Context()
	k := &absent{}
	s := In(t.TempDir(), k)
	if _, err := s.LoadAccount(ctx, 1, "https://a.test", "bob"); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("without a file: %v", err)
	}
	if err := s.UseFile(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LoadAccount(ctx, 1, "https://a.test", "bob"); !errors.Is(err, ErrNone) {
		t.Errorf("with a file: %v", err)
	}
	k.err = errors.New("failed to unlock correct collection '/org/freedesktop/secrets/collection/login'")
	if _, err := s.LoadAccount(ctx, 1, "https://a.test", "bob"); !errors.Is(err, ErrLocked) {
		t.Errorf("with a locked keyring: %v", err)
	}
}

// A file that cannot be read is an error, and is not written over.
func TestBrokenFile(t *testing.T) {
	s := In(t.TempDir(), &absent{})
	if err := os.WriteFile(s.File(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), 1, "ann", "secret"); err == nil {
		t.Error("saved")
	}
	if text, err := os.ReadFile(s.File()); string(text) != "{" || err != nil {
		t.Errorf("the file is %q, %v", text, err)
	}
}
