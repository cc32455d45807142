package ttrss_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/synctest"
	"kairos/poller/sync/ttrss"
)

var (
	_ sync.Service   = (*ttrss.Client)(nil)
	_ sync.Refresher = (*ttrss.Client)(nil)
)

func TestContract(t *testing.T) {
	base, feeds := synctest.Exchanges(t, "contract", synctest.TinyTinyRSS)
	client, err := ttrss.New(base, "reader", "password1", fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	synctest.Contract(t, client, feeds, "999999", true)
}

// answering returns a client of a server that answers each operation by what answer returns.
func answering(t *testing.T, answer func(op, session string, sent map[string]any) string) *ttrss.Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]any
		_ = json.NewDecoder(r.Body).Decode(&sent)
		w.Header().Set("Date", time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC).Format(http.TimeFormat))
		_, _ = io.WriteString(w, answer(fmt.Sprint(sent["op"]), fmt.Sprint(sent["sid"]), sent))
	}))
	t.Cleanup(server.Close)
	client, err := ttrss.New(server.URL, "anna", "right", fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func ok(content string) string {
	return `{"seq":0,"status":0,"content":` + content + `}`
}

func failed(why string) string {
	return `{"seq":0,"status":1,"content":{"error":"` + why + `"}}`
}

func TestAForgottenSessionIsOpenedAgain(t *testing.T) {
	session, logins := 1, 0
	client := answering(t, func(op, given string, _ map[string]any) string {
		switch {
		case op == "login":
			logins++
			return ok(fmt.Sprintf(`{"session_id":"s%d"}`, session))
		case given != fmt.Sprint("s", session):
			return failed("NOT_LOGGED_IN")
		}
		return ok(`{"status":"OK"}`)
	})
	for range 3 {
		if err := client.SetRead(t.Context(), []string{"1"}, true); err != nil {
			t.Error(err)
		}
		session++
	}
	if logins != 3 {
		t.Errorf("%d logins", logins)
	}
}

func TestRefusals(t *testing.T) {
	for why, code := range map[string]sync.Code{"LOGIN_ERROR": sync.Refused, "NOT_LOGGED_IN": sync.Refused, "API_DISABLED": sync.APIOff,
		"UNKNOWN_METHOD": sync.NoAPI, "INCORRECT_USAGE": sync.Rejected} {
		asked := 0
		client := answering(t, func(string, string, map[string]any) string { asked++; return failed(why) })
		var fault *sync.Error
		if err := client.Check(t.Context()); !errors.As(err, &fault) || fault.Code != code || asked != 1 {
			t.Errorf("%s: %v after %d requests", why, err, asked)
		}
	}
}

// What was read elsewhere before it arrived is told by the greatest id known, else by its date.
func TestDifferenceAsksForWhatCame(t *testing.T) {
	var asked []string
	client := answering(t, func(op, _ string, sent map[string]any) string {
		switch {
		case op == "login":
			return ok(`{"session_id":"s"}`)
		case sent["view_mode"] == "unread" || sent["feed_id"] == -1.0:
			return ok(`[{"id":900,"feed_id":0},{"id":800,"feed_id":"3"}]`)
		}
		asked = append(asked, fmt.Sprint(sent["since_id"]))
		return ok(`[{"id":"850","feed_id":3}]`)
	})
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for range 2 {
		d, err := client.Difference(t.Context(), now.Add(-2*time.Minute))
		if err != nil || !d.Now.Equal(now) || !slices.Equal(d.New, []string{"850"}) || !slices.Equal(d.Marks.Unread, []string{"800"}) || !d.Marks.Whole {
			t.Errorf("%+v, %v", d, err)
		}
	}
	if _, err := client.Difference(t.Context(), now.Add(-time.Hour)); err != nil {
		t.Error(err)
	}
	if want := "<nil>, 800, <nil>"; strings.Join(asked, ", ") != want {
		t.Errorf("what came was asked for after the ids %s, want %s", strings.Join(asked, ", "), want)
	}
}

// Where much is unread, it is listed again only where what was read lately does not explain the number.
func TestMuchUnread(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	server := synctest.NewFake(t, func() time.Time { return now })
	const feed = "http://feeds.test/a.xml"
	server.Subscribe(feed, "")
	for n := range 700 {
		server.Post(feed, fmt.Sprint("article ", n))
	}
	client, err := ttrss.New(server.URL, "anna", synctest.FakePassword, fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	unread := 703
	check := func(what string, requests int) {
		t.Helper()
		before := server.Requests()
		d, err := client.Difference(t.Context(), now.Add(-2*time.Minute))
		if err != nil || len(d.Marks.Unread) != unread || d.Marks.Whole {
			t.Errorf("%s: %d are unread, want %d, %v", what, len(d.Marks.Unread), unread, err)
		}
		if n := server.Requests() - before; n != requests {
			t.Errorf("%s: %d requests, want %d", what, n, requests)
		}
		now = now.Add(5 * time.Minute)
	}
	check("first", 1+4+4+1) // the login, what came, what is unread, what is starred
	check("again", 1+1+1+1)
	server.Mark("article 3", true, false)
	unread--
	check("one is read", 4)
	server.Post(feed, "new")
	unread++
	check("one comes", 4)
	server.Mark("article 3", false, false)
	unread++
	check("one is unread again", 4+4)
	if err := client.SetRead(t.Context(), []string{"5"}, true); err != nil {
		t.Error(err)
	}
	unread--
	check("one is read here", 4)
	server.Mark("article 8", true, false)
	server.Mark("article 8", false, false)
	check("one is read and unread again", 4)
	now = now.Add(30 * time.Hour)
	check("a day later", 4)
}
