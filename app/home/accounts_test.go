package home_test

import (
	"errors"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/secret"
	"kairos/poller/sync"
	"kairos/poller/sync/synctest"
)

// closedRing is a keyring that does not hand anything out.
type closedRing struct {
	secret.Keyring
	err error // nil: it does
}

func (r *closedRing) Get(service, user string) (string, error) {
	if r.err != nil {
		return "", r.err
	}
	return r.Keyring.Get(service, user)
}

// A keyring that is locked, as at login, or missing is a fault of the account, which is tried again: it is not the end of all
// fetching.
func TestClosedKeyring(t *testing.T) {
	server := synctest.NewFake(t, time.Now)
	ring := &closedRing{Keyring: hometest.NewRing()}
	h := hometest.OpenWith(t.Context(), t, home.Options{Keyring: ring, Now: time.Now})
	defer h.Close()
	accounts := h.Subscriptions.Accounts
	account, err := accounts.Add(t.Context(), "", home.Login{Address: server.URL, User: "anna", Password: synctest.FakePassword}, "")
	if err != nil {
		t.Fatal(err)
	}
	for code, cause := range map[sync.Code]error{
		sync.KeyringLocked: errors.New("failed to unlock correct collection '/org/freedesktop/secrets/collection/login'"),
		sync.NoKeyring:     errors.New("no session bus"),
		"":                 nil,
	} {
		ring.err = cause
		accounts.Engine.Forget(account.ID)
		_, err := accounts.Sync(t.Context(), account.ID)
		var fault *sync.Error
		if code == "" && err != nil || code != "" && (!errors.As(err, &fault) || fault.Code != code) {
			t.Errorf("%v: %v, not %s", cause, err, code)
		}
	}
}
