package secret

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"

	"kairos/poller/power/bustest"
)

// memory is a keyring in memory.
type memory struct {
	mu    sync.Mutex
	items map[string]string
}

func newMemory() *memory { return &memory{items: map[string]string{}} }

func (m *memory) Set(service, user, password string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[service+"\n"+user] = password
	return nil
}

func (m *memory) Get(service, user string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.items[service+"\n"+user]; ok {
		return v, nil
	}
	return "", keyring.ErrNotFound
}

func (m *memory) Delete(service, user string) error {
	if _, err := m.Get(service, user); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.items, service+"\n"+user)
	return nil
}

func TestSaveLoadForget(t *testing.T) {
	ctx := t.Context()
	s := In("/home/ann/kairos", newMemory())
	for id, p := range map[int64]login{1: {User: "ann", Password: "p:\"ä\n"}, 2: {Password: "key"}, 3: {User: "bob"}} {
		if err := s.Save(ctx, id, "old", "old"); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(ctx, id, p.User, p.Password); err != nil {
			t.Fatal(err)
		}
		if u, pw, err := s.Load(ctx, id); u != p.User || pw != p.Password || err != nil {
			t.Errorf("%d: %q, %q, %v", id, u, pw, err)
		}
	}
	for range 2 { // the second time there is nothing to forget
		if err := s.Forget(ctx, 1); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := s.Load(ctx, 1); !errors.Is(err, ErrNone) {
		t.Errorf("forgotten: %v", err)
	}
	if _, _, err := s.Load(ctx, 2); err != nil {
		t.Errorf("another: %v", err)
	}
}

// The password of an account is only given out for its server and user: after a backup was restored its id may be another's.
func TestAccounts(t *testing.T) {
	ctx := t.Context()
	s := In("/home/ann/kairos", newMemory())
	if err := s.SaveAccount(ctx, 1, "https://a.test/", "ann", "secret"); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(ctx, 1, "feed", "other"); err != nil {
		t.Fatal(err)
	}
	if p, err := s.LoadAccount(ctx, 1, "https://a.test/", "ann"); err != nil || p != "secret" {
		t.Errorf("%q, %v", p, err)
	}
	for _, other := range [][2]string{{"https://b.test/", "ann"}, {"https://a.test/", "bob"}} {
		if p, err := s.LoadAccount(ctx, 1, other[0], other[1]); !errors.Is(err, ErrNone) || p != "" {
			t.Errorf("%v: %q, %v", other, p, err)
		}
	}
	if err := s.ForgetAccount(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LoadAccount(ctx, 1, "https://a.test/", "ann"); !errors.Is(err, ErrNone) {
		t.Errorf("forgotten: %v", err)
	}
}

func TestFoldersShareNoSecrets(t *testing.T) {
	m := newMemory()
	a, b := In("/a", m), In("/b", m)
	if err := a.Save(t.Context(), 1, "u", "p"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Load(t.Context(), 1); !errors.Is(err, ErrNone) {
		t.Errorf("the other folder's: %v", err)
	}
}

// failing is a keyring that fails.
type failing func() error

func (f failing) Set(_, _, _ string) error        { return f() }
func (f failing) Get(_, _ string) (string, error) { return "", f() }
func (f failing) Delete(_, _ string) error        { return f() }

func TestErrors(t *testing.T) {
	tests := map[string]struct {
		err  error
		want error
	}{
		"no service": {dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}, ErrNoKeyring},
		"no bus":     {errors.New("dial unix: no such file"), ErrNoKeyring},
		"locked":     {dbus.Error{Name: "org.freedesktop.Secret.Error.IsLocked"}, ErrLocked},
		"dismissed":  {fmt.Errorf("failed to unlock correct collection '%v'", "/x"), ErrLocked},
		"long":       {keyring.ErrSetDataTooBig, keyring.ErrSetDataTooBig},
	}
	for name, tt := range tests {
		s := In("k", failing(func() error { return tt.err }))
		_, _, load := s.Load(t.Context(), 1)
		for _, err := range []error{s.Save(t.Context(), 1, "u", "p"), load, s.Forget(t.Context(), 1)} {
			if !errors.Is(err, tt.want) {
				t.Errorf("%s: %v, want %v", name, err, tt.want)
			}
		}
	}
}

func TestPanicIsAnError(t *testing.T) {
	s := In("k", failing(func() error { panic("bad body") }))
	if err := s.Save(t.Context(), 1, "u", "p"); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("got %v", err)
	}
}

// A keyring that hangs delays its callers by the timeout, and takes one
// goroutine in all.
func TestHangingKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var calls atomic.Int32
		s := In("k", failing(func() error { calls.Add(1); <-release; return nil }))
		start := time.Now()
		if err := s.Save(t.Context(), 1, "u", "p"); !errors.Is(err, ErrLocked) || time.Since(start) != timeout {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, _, err := s.Load(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
		if calls.Load() != 1 {
			t.Errorf("%d calls at a time", calls.Load())
		}
		close(release)
		if err := s.Forget(t.Context(), 1); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// A real bus without a keyring.
func TestBusWithoutKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: no D-Bus keyring on this system")
	}
	missing := filepath.Join(t.TempDir(), "none")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+missing)
	if err := New("k").Save(t.Context(), 1, "u", "p"); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("no bus: %v", err)
	}

	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if _, _, err := New("k").Load(t.Context(), 1); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("bus without keyring: %v", err)
	}
}
