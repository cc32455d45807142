package home_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller/handoff"
	"kairos/reader"
)

// watchedRing calls stores before a password is stored.
type watchedRing struct {
	*hometest.Ring
	stores func()
}

func (r watchedRing) Set(service, user, password string) error {
	r.stores()
	return r.Ring.Set(service, user, password)
}

// A destination that is added again with another password is not tried before that is stored: it would be refused once more, and wait.
func TestNewPasswordIsStoredBeforeItIsTried(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"results":[]}`) }))
	defer server.Close()
	stores := func() {}
	h := hometest.OpenWith(t.Context(), t, home.Options{Keyring: watchedRing{hometest.NewRing(), func() { stores() }}})
	defer h.Close()
	add := func(token string) reader.Destination {
		t.Helper()
		d, err := h.Destinations.Add(t.Context(), home.NewDestination{Kind: handoff.Linkding, Address: server.URL, Secret: handoff.Secret{Password: token}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := add("old")
	failed := reader.DestinationState{Failures: 1, Tried: h.Now(), NotBefore: h.Now(), Error: `{"code":"server"}`}
	if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error { return reader.SetDestinationState(t.Context(), tx, first.ID, failed) }); err != nil {
		t.Fatal(err)
	}
	stored := 0
	stores = func() {
		stored++
		if d, err := h.Store.Destinations.Get(t.Context(), first.ID); err != nil || d.Error == "" {
			t.Errorf("it may be tried before its password is stored: %+v, %v", d, err)
		}
	}
	if again := add("new"); again.ID != first.ID || again.Error != "" || stored != 1 {
		t.Errorf("%+v; %d passwords stored", again, stored)
	}
}
