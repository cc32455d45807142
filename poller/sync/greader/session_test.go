package greader_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/greader"
)

// fake is a server whose sessions and tokens can be forgotten.
type fake struct {
	t              *testing.T
	session, token int
	logins, marked int
	login          func(w http.ResponseWriter) // instead of the usual one
	ids            func(query string) string   // answer to a list of ids
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/reader/api/0/")
	if r.URL.Path == "/accounts/ClientLogin" {
		f.logins++
		switch {
		case f.login != nil:
			f.login(w)
		case r.FormValue("Passwd") != "right":
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "Error=BadAuthentication\n")
		default:
			fmt.Fprintf(w, "SID=unused\nLSID=null\nAuth=s%d\n", f.session)
		}
		return
	}
	if r.Header.Get("Authorization") != fmt.Sprintf("GoogleLogin auth=s%d", f.session) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch method {
	case "token":
		fmt.Fprintf(w, "t%d", f.token)
	case "stream/items/ids":
		_, _ = io.WriteString(w, f.ids(r.URL.RawQuery))
	case "edit-tag":
		if r.FormValue("T") != fmt.Sprintf("t%d", f.token) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		f.marked += len(r.Form["i"])
		_, _ = io.WriteString(w, "OK")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (f *fake) client(t *testing.T, password string) *greader.Client {
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	client, err := greader.New(server.URL, "anna", password, fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func code(err error) sync.Code {
	var e *sync.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestAForgottenSessionOrTokenIsOpenedAgain(t *testing.T) {
	f := &fake{t: t}
	client := f.client(t, "right")
	for round, forget := range []func(){func() {}, func() { f.session++ }, func() { f.token++ }, func() { f.session++; f.token++ }} {
		forget()
		if err := client.SetRead(t.Context(), []string{"0000000000000001"}, true); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	if f.logins != 4 || f.marked != 4 {
		t.Errorf("%d logins, %d marks", f.logins, f.marked)
	}
}

func TestAWrongPasswordIsRefusedAndAskedOnce(t *testing.T) {
	f := &fake{t: t}
	client := f.client(t, "wrong")
	err := client.Check(t.Context())
	if code(err) != sync.Refused || f.logins != 1 || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%d logins: %v", f.logins, err)
	}
}

func TestALoginPageIsNoServer(t *testing.T) {
	f := &fake{t: t, login: func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>Log in</html>") }}
	if err := f.client(t, "right").Check(t.Context()); code(err) != sync.NoAPI {
		t.Errorf("got %v", err)
	}
	f.login = func(w http.ResponseWriter) { _, _ = io.WriteString(w, "Error=BadAuthentication") }
	if err := f.client(t, "right").Check(t.Context()); code(err) != sync.Refused {
		t.Errorf("got %v", err)
	}
}

func TestMarksAreSentInPortions(t *testing.T) {
	f := &fake{t: t}
	ids := make([]string, 1001)
	for i := range ids {
		ids[i] = fmt.Sprintf("%016x", i)
	}
	if err := f.client(t, "right").SetStarred(t.Context(), ids, true); err != nil || f.marked != len(ids) {
		t.Errorf("%d marked: %v", f.marked, err)
	}
}

func TestListsOfSeveralPagesAreNotWhole(t *testing.T) {
	f := &fake{t: t, ids: func(query string) string {
		switch {
		case strings.Contains(query, "starred"):
			return `{"itemRefs":[]}`
		case strings.Contains(query, "c=2"):
			return `{"itemRefs":[{"id":"-1"}]}`
		default:
			return `{"itemRefs":[{"id":"1"},{"id":"tag:google.com,2005:reader/item/00000000000000ff"}],"continuation":"2"}`
		}
	}}
	marks, err := f.client(t, "right").Marks(t.Context())
	want := "[0000000000000001 00000000000000ff ffffffffffffffff]"
	if err != nil || marks.Whole || fmt.Sprint(marks.Unread) != want {
		t.Errorf("%v: %+v, want %s", err, marks, want)
	}
}

func TestAListThatNeverEndsIsGivenUp(t *testing.T) {
	f := &fake{t: t, ids: func(string) string { return `{"itemRefs":[{"id":"1"}],"continuation":"same"}` }}
	if _, err := f.client(t, "right").Marks(t.Context()); code(err) != sync.Garbled {
		t.Errorf("got %v", err)
	}
}

func TestADifferenceOfNothingTakesThreeRequests(t *testing.T) {
	requests := 0
	f := &fake{t: t, ids: func(string) string { requests++; return `{"itemRefs":[]}` }}
	client := f.client(t, "right")
	if _, err := client.Difference(t.Context(), time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)); err != nil || requests != 3 {
		t.Errorf("%d requests: %v", requests, err)
	}
}
