package call_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

func caller(t *testing.T, base string) *call.Caller {
	t.Helper()
	c, err := call.New(base, fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	c.Authorize = func(r *http.Request) { r.SetBasicAuth("anna", "hunter2") }
	return c
}

func codeOf(err error) (sync.Code, *sync.Error) {
	var e *sync.Error
	if errors.As(err, &e) {
		return e.Code, e
	}
	return "", nil
}

func TestStatusesHaveTheirReasons(t *testing.T) {
	for _, test := range []struct {
		status int
		header map[string]string
		code   sync.Code
		after  time.Duration
	}{
		{status: 200}, {status: 204},
		{status: 400, code: sync.Rejected}, {status: 401, code: sync.Refused}, {status: 403, code: sync.Refused},
		{status: 404, code: sync.NoAPI}, {status: 409, code: sync.Rejected},
		{status: 429, header: map[string]string{"Retry-After": "90"}, code: sync.Busy, after: 90 * time.Second},
		{status: 429, header: map[string]string{"Retry-After": "-5"}, code: sync.Busy},
		{status: 429, header: map[string]string{"Retry-After": "soon"}, code: sync.Busy},
		{status: 429, header: map[string]string{"Retry-After": "99999999999"}, code: sync.Busy, after: 24 * time.Hour},
		{status: 503, header: map[string]string{"Date": "Sun, 22 Nov 2026 20:00:00 GMT", "Retry-After": "Sun, 22 Nov 2026 20:02:00 GMT"},
			code: sync.Busy, after: 2 * time.Minute},
		{status: 500, code: sync.Faulty}, {status: 502, code: sync.Faulty},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for key, value := range test.header {
				w.Header().Set(key, value)
			}
			w.WriteHeader(test.status)
		}))
		_, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/v1/me", nil)
		server.Close()
		code, e := codeOf(err)
		if code != test.code || e != nil && (e.RetryAfter != test.after || e.Status != test.status) {
			t.Errorf("HTTP %d with %v: %v", test.status, test.header, err)
		}
	}
}

func TestAnswersThatAreNoJSON(t *testing.T) {
	for _, test := range []struct {
		kind, answer string
		code         sync.Code
	}{
		{"application/json", `{"entries":[{"id":1},{"id"`, sync.Garbled},
		{"application/json", ``, sync.Garbled},
		{"application/json", ` null `, sync.Garbled},
		{"application/json", `{"entries":"none"}`, sync.Garbled},
		{"text/html; charset=utf-8", `<!doctype html><title>Log in</title>`, sync.NoAPI},
		{"application/json", "\n <html>", sync.NoAPI},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", test.kind)
			_, _ = io.WriteString(w, test.answer)
		}))
		c := caller(t, server.URL)
		answer, err := c.Do(t.Context(), http.MethodGet, "/", nil)
		var into struct{ Entries []struct{ ID int } }
		if err == nil {
			err = c.Decode(answer, &into)
		}
		if code, _ := codeOf(err); code != test.code {
			t.Errorf("%s %q: %v, want %s", test.kind, test.answer, err, test.code)
		}
		server.Close()
	}
}

func TestABodyThatIsCutOffIsGarbled(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"entries":[`)
	}))
	defer server.Close()
	_, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/", nil)
	if code, _ := codeOf(err); code != sync.Garbled {
		t.Errorf("got %v", err)
	}
}

func TestNothingIsSentToAnotherHost(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	_, err := caller(t, server.URL).Do(t.Context(), http.MethodPost, "/accounts/ClientLogin", call.Form(url.Values{"Passwd": {"hunter2"}}))
	if code, _ := codeOf(err); code != sync.NoAPI || asked > 0 {
		t.Errorf("the other host was asked %d times: %v", asked, err)
	}
}

func TestRedirectsWithinAHostAreFollowed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			return
		}
		if user, password, _ := r.BasicAuth(); user != "anna" || password != "hunter2" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	if _, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/old", nil); err != nil {
		t.Error(err)
	}
}

func TestACertificateThatIsNotValidIsToldAndNotWavedThrough(t *testing.T) {
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	server.Config.ErrorLog = nil
	server.StartTLS()
	defer server.Close()
	_, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/", nil)
	if code, _ := codeOf(err); code != sync.Untrusted || asked > 0 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// A server without TLS at an address of https has no certificate that could be blamed.
func TestPlainServerAtASecureAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := caller(t, "https"+strings.TrimPrefix(server.URL, "http")).Do(t.Context(), http.MethodGet, "/?T=hunter2", nil)
	if code, _ := codeOf(err); code != sync.Unreachable || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestNoServerAndNoAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/token?T=hunter2", nil)
	if code, _ := codeOf(err); code != sync.Unreachable || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
	for _, base := range []string{"", "example.org", "ftp://example.org", "https://", "http://[::1", "ftp://anna:hunter2@example.org"} {
		_, err := call.New(base, nil)
		if code, e := codeOf(err); code != sync.BadAddress || strings.Contains(err.Error()+e.Host, "hunter2") {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// A server that does not tell the time is asked for what changed by ours.
func TestClockOfAServerThatDoesNotTellIt(t *testing.T) {
	date := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header()["Date"] = date }))
	defer server.Close()
	for range 2 {
		before := time.Now()
		answer, err := caller(t, server.URL).Do(t.Context(), http.MethodGet, "/", nil)
		if err != nil || answer.Date.Before(before) || answer.Date.After(time.Now()) {
			t.Fatalf("%v, %v", answer.Date, err)
		}
		date = []string{"yesterday"}
	}
}

// A redirect that makes a question of a change (RFC 9110 §15.4.3) may end at a page that says that all is well.
func TestAChangeThatIsRedirectedIsNotDone(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/entries" {
			http.Redirect(w, r, "/welcome", http.StatusFound)
		}
	}))
	defer server.Close()
	_, err := caller(t, server.URL).Do(t.Context(), http.MethodPut, "/v1/entries", call.JSON(1))
	if code, _ := codeOf(err); code != sync.NoAPI {
		t.Errorf("got %v", err)
	}
}

func TestAnEndedContextEndsTheRequest(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	c := caller(t, server.URL)
	go func() {
		_, err := c.Do(ctx, http.MethodGet, "/", nil)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
