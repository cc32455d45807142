package text

import (
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/handoff"
	"kairos/poller/sync"
)

func TestSyncErrors(t *testing.T) {
	worded(t, func(p *Printer, c sync.Code) string { return p.SyncError(&sync.Error{Code: c, Host: "rss.test"}) })
	if got, ok := English().Fact(&sync.Error{Code: sync.Busy, Status: 429}); !ok || got != "The server is busy. Kairos tries again later." {
		t.Errorf("%q, %t", got, ok)
	}
	at := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	if got, ok := English().Fact(&sync.WaitError{Host: "rss.test", At: at, Until: at.Add(20 * time.Minute)}); !ok || got != "rss.test asked Kairos to wait until 12:20." {
		t.Errorf("%q, %t", got, ok)
	}
}

// A certificate that nobody known has signed is told as such, with what can be done.
func TestCertificates(t *testing.T) {
	worded(t, func(p *Printer, c fetch.CertificateFault) string {
		return p.FetchError(&fetch.Error{Code: fetch.TLS, Host: "rss.test", Certificate: c})
	})
	unknown := "The certificate of rss.test is not signed by anyone this computer trusts. "
	help := "If the server is yours, you can trust its certificate."
	for want, err := range map[string]error{
		unknown + "Kairos did not send the password. " + help:                                                                                        &sync.Error{Code: sync.Untrusted, Host: "rss.test", Err: &fetch.Error{Code: fetch.TLS, Host: "rss.test", Certificate: fetch.Untrusted}},
		"The certificate of rss.test is not valid. Kairos did not send the password.":                                                                &sync.Error{Code: sync.Insecure, Host: "rss.test"},
		"The certificate of rss.test has expired or is not valid yet. Kairos did not send the password.":                                             &sync.Error{Code: sync.Expired, Host: "rss.test"},
		"The certificate of rss.test is not the one that you trusted. Somebody may be between you and the server. Kairos did not send the password.": &sync.Error{Code: sync.Changed, Host: "rss.test"},
		"The certificate of rss.test is for another name.":                                                                                           &fetch.Error{Code: fetch.TLS, Host: "rss.test", Certificate: fetch.OtherName},
	} {
		if got := English().Error(err); !strings.HasPrefix(got, want) {
			t.Errorf("%q", got)
		}
	}
	server := &handoff.Error{Code: handoff.Server, Server: &sync.Error{Code: sync.Untrusted, Host: "rss.test"}}
	if got := English().HandoffError(server); !strings.HasPrefix(got, unknown) {
		t.Errorf("of a destination: %q", got)
	}
	if got := English().FetchError(&fetch.Error{Code: fetch.TLS, Host: "rss.test", Certificate: fetch.Untrusted}); !strings.HasPrefix(got, unknown+help) {
		t.Errorf("of a feed: %q", got)
	}
}

func TestRefusedPasswordOfFreshRSS(t *testing.T) {
	got := English().SyncError(&sync.Error{Code: sync.Refused, Host: "rss.test", OwnAPI: true})
	want := "rss.test does not accept the user name and password. FreshRSS has an API password of its own. Set it there in your profile, and enter it here."
	if got != want {
		t.Errorf("%q", got)
	}
}

func TestStatusOfMissingFeeds(t *testing.T) {
	at := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	status := sync.Status{State: sync.State{Phase: sync.Ready, Synced: at, Missing: at}}
	want := "Last synced: 12:00. The server lists far fewer feeds than before. Kairos keeps the others until 18:00, in case they come back."
	if got := English().AccountStatus(status, at); got != want {
		t.Errorf("%q", got)
	}
}

// A server that refuses a password is told as such, and not as a page that wants one; why it cannot be reached the request tells.
func TestSyncErrorsBeforeTheirCauses(t *testing.T) {
	for want, err := range map[string]error{
		"rss.test does not accept the user name and password.":                                              &sync.Error{Code: sync.Refused, Host: "rss.test", Err: &fetch.Error{Code: fetch.Auth, Host: "rss.test", Status: 401}},
		"Neither Miniflux, Tiny Tiny RSS nor a Google Reader API was found at rss.test. Check the address.": &sync.Error{Code: sync.NoAPI, Host: "rss.test", Err: &fetch.Error{Code: fetch.ClientError, Host: "rss.test", Status: 404}},
		"rss.test refused the connection.":                                                                  &sync.Error{Code: sync.Unreachable, Host: "rss.test", Err: &fetch.Error{Code: fetch.Refused, Host: "rss.test"}},
	} {
		if got := English().Error(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
