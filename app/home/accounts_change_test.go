package home_test

import (
	"database/sql"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// articlesOf returns title, read and starred of all articles of an account.
func articlesOf(t *testing.T, h *home.Home) (lines []string) {
	t.Helper()
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	articles, err := h.Store.Articles.Load(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range articles {
		line := a.FeedTitle + ": " + a.Title
		if a.Read {
			line += ", read"
		}
		if a.Starred {
			line += ", starred"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// changing is an account with a feed, of which one article is read and another one starred here.
func changing(t *testing.T) (h *home.Home, fake *synctest.Fake, account reader.Account, ring *hometest.Ring) {
	t.Helper()
	fake = synctest.NewFake(t, time.Now)
	fake.Subscribe("https://a.test/river.xml", "News")
	ring = hometest.NewRing()
	h = hometest.OpenWith(t.Context(), t, home.Options{Keyring: ring, Now: time.Now})
	t.Cleanup(func() { h.Close() })
	accounts := h.Subscriptions.Accounts
	account, err := accounts.Add(t.Context(), "", home.Login{Address: fake.URL, User: "anna", Password: synctest.FakePassword}, "")
	if err != nil {
		t.Fatal(err)
	}
	mustSync(t, h, account)
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{Accounts: []int64{account.ID}})
	if err != nil || len(ids) != 3 {
		t.Fatalf("%v, %v", ids, err)
	}
	for i, flag := range []reader.Flag{reader.FlagRead, reader.FlagStarred} {
		if _, err := h.Marks.Set(t.Context(), ids[i:i+1], flag, true); err != nil {
			t.Fatal(err)
		}
	}
	return h, fake, account, ring
}

func mustSync(t *testing.T, h *home.Home, a reader.Account) {
	t.Helper()
	r, err := h.Subscriptions.Accounts.Sync(t.Context(), a.ID)
	if err != nil || len(r.Refused) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

// A server that has moved keeps its account: the same feeds and articles with their marks, also those that it was not sent before.
func TestAccountAtAnotherAddress(t *testing.T) {
	h, fake, account, ring := changing(t)
	before := articlesOf(t, h)
	moved := httptest.NewServer(fake.Config.Handler)
	defer moved.Close()
	accounts := h.Subscriptions.Accounts

	if _, err := accounts.Change(t.Context(), account.ID, home.Login{Address: moved.URL}); !errors.Is(err, home.ErrPasswordNeeded) {
		t.Errorf("without the password: %v", err)
	}
	if _, err := accounts.Change(t.Context(), account.ID, home.Login{Address: moved.URL, Password: "wrong"}); err == nil {
		t.Error("a wrong password is accepted")
	}
	now, err := accounts.Change(t.Context(), account.ID, home.Login{Address: moved.URL, Password: synctest.FakePassword})
	if err != nil || now.ID != account.ID || now.URL != moved.URL || now.Name != "Miniflux ("+strings.TrimPrefix(moved.URL, "http://")+")" || now.Kind != account.Kind {
		t.Fatalf("%+v, %v", now, err)
	}
	stored, err := h.Store.Accounts.List(t.Context())
	if err != nil || len(stored) != 1 || stored[0] != now || len(ring.Items) != 1 {
		t.Errorf("%+v, %v; %d passwords", stored, err, len(ring.Items))
	}
	fake.Config.Handler, fake.URL = http.NotFoundHandler(), moved.URL
	mustSync(t, h, now)
	if after := articlesOf(t, h); !slices.Equal(after, before) {
		t.Errorf("before:\n%s\nafter:\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	read, starred := 0, 0
	fake.Do(func(entries []*synctest.Entry) {
		for _, e := range entries {
			if e.Read {
				read++
			}
			if e.Starred {
				starred++
			}
		}
	})
	if read != 1 || starred != 1 || len(fake.Feeds()) != 1 {
		t.Errorf("the server has %d read, %d starred; %q", read, starred, fake.Feeds())
	}
}

// Another server, whose ids stand for other feeds and articles, is brought the feeds of the account. Nothing is lost on either side, and
// no mark comes to an article that it was not set for.
func TestAccountAtAnotherServer(t *testing.T) {
	h, _, account, _ := changing(t)
	before := articlesOf(t, h)
	other := synctest.NewFake(t, time.Now)
	other.Subscribe("https://b.test/sea.xml", "") // with the ids of the feed and the articles that are here
	now, err := h.Subscriptions.Accounts.Change(t.Context(), account.ID, home.Login{Address: other.URL, Password: synctest.FakePassword})
	if err != nil || now.ID != account.ID {
		t.Fatalf("%+v, %v", now, err)
	}
	mustSync(t, h, now)
	mustSync(t, h, now)
	after := articlesOf(t, h)
	for _, line := range before {
		if !slices.Contains(after, line) {
			t.Errorf("lost: %s", line)
		}
	}
	if want := []string{"river in News", "sea in All"}; !slices.Equal(other.Feeds(), want) || len(after) != len(before)+3 {
		t.Errorf("the server has %q; here are\n%s", other.Feeds(), strings.Join(after, "\n"))
	}
	other.Do(func(entries []*synctest.Entry) {
		for _, e := range entries {
			if strings.Contains(e.Link, "b.test") && (e.Read || e.Starred) {
				t.Errorf("marked: %+v", e)
			}
		}
	})
}

// What answers at another address gets no password unless it is a server of feeds: the address may be mistyped.
func TestAccountAtAMistypedAddress(t *testing.T) {
	h, fake, account, _ := changing(t)
	for _, kind := range []connect.Kind{connect.Miniflux, connect.GoogleReader, connect.TinyTinyRSS} {
		account.Kind = string(kind)
		if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error { return reader.MoveAccount(t.Context(), tx, account) }); err != nil {
			t.Fatal(err)
		}
		page := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, password, _ := r.BasicAuth()
			if body, err := io.ReadAll(r.Body); err != nil || password != "" || strings.Contains(string(body)+r.URL.RawQuery, synctest.FakePassword) {
				t.Errorf("%s: %s %s has the password, %v", kind, r.Method, r.URL.Path, err)
			}
		}))
		defer page.Close()
		var fault *sync.Error
		if _, err := h.Subscriptions.Accounts.Change(t.Context(), account.ID, home.Login{Address: page.URL, Password: synctest.FakePassword}); !errors.As(err, &fault) || fault.Code != sync.NoAPI {
			t.Errorf("%s: %v", kind, err)
		}
	}
	moved := httptest.NewServer(fake.Config.Handler) // with both protocols
	defer moved.Close()
	account.Kind = string(connect.GoogleReader)
	if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error { return reader.MoveAccount(t.Context(), tx, account) }); err != nil {
		t.Fatal(err)
	}
	now, err := h.Subscriptions.Accounts.Change(t.Context(), account.ID, home.Login{Address: moved.URL, Password: synctest.FakePassword})
	if err != nil || now.Kind != account.Kind {
		t.Errorf("%+v, %v", now, err)
	}
}

// Where a password is one for another protocol of the server, the account goes on by that.
func TestPasswordOfAnotherProtocol(t *testing.T) {
	h, fake, account, _ := changing(t)
	before := articlesOf(t, h)
	for _, to := range []struct {
		refused string
		kind    connect.Kind
	}{{"/v1/", connect.GoogleReader}, {"/accounts/ClientLogin", connect.Miniflux}} {
		fake.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
			refuses := strings.HasPrefix(r.URL.Path, to.refused)
			if refuses {
				w.WriteHeader(http.StatusUnauthorized)
			}
			return refuses
		})
		now, err := h.Subscriptions.Accounts.Change(t.Context(), account.ID, home.Login{Password: synctest.FakePassword})
		if err != nil || connect.Kind(now.Kind) != to.kind || now.ID != account.ID {
			t.Fatalf("to %s: %+v, %v", to.kind, now, err)
		}
		mustSync(t, h, now)
		mustSync(t, h, now)
		if after := articlesOf(t, h); !slices.Equal(after, before) || len(fake.Feeds()) != 1 {
			t.Errorf("to %s, before:\n%s\nafter:\n%s\nthe server has %q", to.kind, strings.Join(before, "\n"), strings.Join(after, "\n"), fake.Feeds())
		}
	}
}
