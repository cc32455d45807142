package home_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/synctest"
)

// newTLSServer serves something with a certificate that nobody known has signed.
func newTLSServer(t *testing.T, handler http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// The server of an account with a certificate of its own is used once its certificate is trusted, without a scheme too: it is not
// spoken to by plain HTTP any more. What is trusted is stored with the data, and can be taken back.
func TestTrustedServer(t *testing.T) {
	fake := synctest.NewFake(t, time.Now)
	var asked []string // paths
	server := newTLSServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		fake.Config.Handler.ServeHTTP(w, r)
	}))
	h := hometest.OpenWith(t.Context(), t, home.Options{Keyring: hometest.NewRing(), Now: time.Now})
	defer h.Close()
	login := home.Login{Address: strings.TrimPrefix(server.URL, "https://"), User: "anna", Password: synctest.FakePassword}
	_, err := h.Subscriptions.Accounts.Add(t.Context(), "", login, "")
	var fault *sync.Error
	refused, ok := home.RefusedCertificate(err)
	if !ok || refused.Changed || !errors.As(err, &fault) || fault.Code != sync.Untrusted || len(asked) > 0 {
		t.Fatalf("%v, asked %q", err, asked)
	}
	if err := h.Certificates.Trust(t.Context(), refused.Host, refused.Fingerprint); err != nil {
		t.Fatal(err)
	}
	account, err := h.Subscriptions.Accounts.Add(t.Context(), "", login, "")
	if err != nil || account.URL != server.URL {
		t.Fatalf("%+v, %v", account, err)
	}
	if _, err := h.Subscriptions.Accounts.Sync(t.Context(), account.ID); err != nil {
		t.Error(err)
	}

	again, err := home.OpenReadOnly(t.Context(), h.Dir, home.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := again.Certificates.List(t.Context())
	if err != nil || len(all) != 1 || all[0] != (home.TrustedCertificate{Host: refused.Host, Fingerprint: refused.Fingerprint}) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}

	n := len(asked)
	if err := h.Certificates.Trust(t.Context(), refused.Host, fetch.Fingerprint(strings.Repeat("0", 64))); err != nil {
		t.Fatal(err)
	}
	if _, err = h.Subscriptions.Accounts.Sync(t.Context(), account.ID); !errors.As(err, &fault) || fault.Code != sync.Changed || len(asked) > n {
		t.Errorf("another certificate: %v, asked %q", err, asked[n:])
	}
	if err := h.Certificates.Distrust(t.Context(), refused.Host); err != nil {
		t.Fatal(err)
	}
	if _, err = h.Subscriptions.Accounts.Sync(t.Context(), account.ID); !errors.As(err, &fault) || fault.Code != sync.Untrusted || len(asked) > n {
		t.Errorf("taken back: %v, asked %q", err, asked[n:])
	}
	if all, err = h.Certificates.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("taken back: %v, %v", all, err)
	}
}

// A backup, whoever made it, brings no trust in a certificate that the user does not trust here.
func TestBackupBringsNoTrust(t *testing.T) {
	h := hometest.OpenWith(t.Context(), t, home.Options{Now: time.Now})
	defer h.Close()
	theirs, ours := fetch.Fingerprint(strings.Repeat("0", 64)), fetch.Fingerprint(strings.Repeat("1", 64))
	kept := home.TrustedCertificate{Host: "nas.lan", Fingerprint: ours}
	for host, f := range map[string]fetch.Fingerprint{kept.Host: ours, "bank.test": theirs, "rss.lan:8443": theirs} {
		if err := h.Certificates.Trust(t.Context(), host, f); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "made.kairos")
	if _, err := h.Backups.Create(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := h.Certificates.Distrust(t.Context(), "bank.test"); err != nil {
		t.Fatal(err)
	}
	if err := h.Certificates.Trust(t.Context(), "rss.lan:8443", ours); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Backups.Restore(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if all, err := h.Certificates.List(t.Context()); err != nil || len(all) != 1 || all[0] != kept {
		t.Errorf("%+v, %v", all, err)
	}
}
