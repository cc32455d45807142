package home_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/secret"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/opml"
)

const password = "s3cret-w0rd"

// checkNoPassword fails if the data folder, the exported list or the feeds as JSON have the password.
func checkNoPassword(t *testing.T, h *home.Home) {
	t.Helper()
	var list bytes.Buffer
	if _, err := h.Store.Feeds.Export(t.Context(), &list, hometest.Noon); err != nil {
		t.Fatal(err)
	}
	feeds, err := h.Store.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(feeds)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{"the list": list.Bytes(), "the feeds": asJSON}
	files, _ := filepath.Glob(filepath.Join(h.Dir, "*"))
	for _, name := range files {
		texts[name], _ = os.ReadFile(name)
	}
	for name, text := range texts {
		if bytes.Contains(text, []byte(password)) {
			t.Errorf("%s has the password", name)
		}
	}
}

func openWithRing(t *testing.T) (*home.Home, *hometest.Ring) {
	t.Helper()
	ring := hometest.NewRing()
	h := hometest.OpenWith(t.Context(), t, home.Options{Keyring: ring})
	t.Cleanup(func() { h.Close() })
	return h, ring
}

func checkLogin(t *testing.T, h *home.Home, feed int64) {
	t.Helper()
	f, err := h.Store.Feeds.Get(t.Context(), feed)
	if err != nil || !f.Login || strings.Contains(f.URL, "@") {
		t.Errorf("%+v (%v)", f, err)
	}
	if user, kept, err := h.Secrets.Load(t.Context(), feed); user != "ann" || kept != password || err != nil {
		t.Errorf("the keyring has %q, %q (%v)", user, kept, err)
	}
}

const secretFeed = "https://ann:" + password + "@a.test/feed"

var secretList = `<opml><body><outline text="` + secretFeed + `" htmlUrl="` + secretFeed + `" xmlUrl="` + secretFeed + `"/><outline text="B" xmlUrl="https://b.test/"/>
<outline text="" xmlUrl="gopher://ann:` + password + `@a.test/"/></body></opml>`

// The passwords of a list move into the keyring.
func TestImportedPassword(t *testing.T) {
	h, _ := openWithRing(t)
	done, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(secretList))
	if err != nil || len(done.Added) != 2 || len(done.Refused) != 1 || strings.Contains(done.Refused[0].Text, password) {
		t.Fatalf("%+v (%v)", done, err)
	}
	checkLogin(t, h, done.Added[0])
	checkNoPassword(t, h)
}

// Without a keyring a feed with a password is refused, and complete when the list is imported again.
func TestImportedPasswordIsRefused(t *testing.T) {
	h, ring := openWithRing(t)
	ring.Err = secret.ErrLocked
	done, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(secretList))
	if err != nil || len(done.Added) != 1 || len(done.Refused) != 2 || done.Refused[1].Code != opml.PasswordNotKept || !errors.Is(done.Refused[1].Err, secret.ErrLocked) {
		t.Fatalf("%+v (%v)", done, err)
	}
	checkNoPassword(t, h)
	ring.Err = nil
	if done, err = h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(secretList)); err != nil || len(done.Added) != 1 {
		t.Fatalf("%+v (%v)", done, err)
	}
	checkLogin(t, h, done.Added[0])
}

// A feed of this network that is refused for its password is not counted among those that are paused.
func TestImportedLocalFeedIsRefused(t *testing.T) {
	h, ring := openWithRing(t)
	ring.Err = secret.ErrLocked
	list := `<opml><body><outline text="A" xmlUrl="http://127.0.0.1/a"/><outline text="B" xmlUrl="http://ann:` + password + `@127.0.0.1/b"/></body></opml>`
	done, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(list))
	if err != nil || len(done.Local) != 1 || len(done.Refused) != 1 || len(done.Warnings) != 1 || done.Warnings[0].Count != 1 {
		t.Errorf("%+v (%v)", done, err)
	}
}

// The server of an account is not given the password of a feed.
func TestImportedPasswordIntoAccount(t *testing.T) {
	h, _ := openWithRing(t)
	list, err := opml.Read(strings.NewReader(secretList))
	if err != nil {
		t.Fatal(err)
	}
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		done, err := reader.ImportFeeds(t.Context(), tx, 7, list, hometest.Noon)
		if len(done.Added) != 1 || len(done.Refused) != 2 || done.Refused[1].Code != opml.PasswordOfServer {
			t.Errorf("%+v", done)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A password that is typed in an address stays in use, and moves into the keyring; one that a feed is moved to, too.
func TestTypedPassword(t *testing.T) {
	h, _ := openWithRing(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, given, _ := r.BasicAuth(); user != "ann" || given != password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Write([]byte(`<rss><channel><title>A</title><item><guid>1</guid><title>One</title></item></channel></rss>`)) //nolint:errcheck // the client reads it
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://ann:"+password+"@", 1) + "/feed"
	found, err := h.Poller.Discover(t.Context(), address, poller.Login{})
	if err != nil {
		t.Fatal(err)
	}
	f, outcome, err := h.Subscriptions.Add(t.Context(), found[0], reader.Feed{}, poller.Login{})
	if err != nil || outcome.New != 1 {
		t.Fatalf("%+v (%v)", outcome, err)
	}
	checkLogin(t, h, f.ID)
	other, err := h.Store.Feeds.Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	other.URL = secretFeed
	if err := h.Subscriptions.Update(t.Context(), other, nil); err != nil {
		t.Fatal(err)
	}
	checkLogin(t, h, 1)
	checkNoPassword(t, h)
}

// Passwords that an earlier version left in the file move out of it when the keyring takes them.
func TestStoredPasswordMoves(t *testing.T) {
	h, ring := openWithRing(t)
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE feed SET url = ? WHERE id = 1", secretFeed)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ring.Err = secret.ErrLocked
	if err := home.MoveLogins(&h.Subscriptions, t.Context()); !errors.Is(err, secret.ErrLocked) {
		t.Error(err)
	}
	if f, err := h.Store.Feeds.Get(t.Context(), 1); err != nil || f.URL != secretFeed {
		t.Errorf("the password is lost: %+v (%v)", f, err)
	}
	ring.Err = nil
	if err := home.MoveLogins(&h.Subscriptions, t.Context()); err != nil {
		t.Error(err)
	}
	checkLogin(t, h, 1)
}

// Whoever made a list does not choose what is fetched on this computer and in its network.
func TestImportedLocalFeeds(t *testing.T) {
	h, _ := openWithRing(t)
	const list = `<opml><body><outline text="F" xmlUrl="file:///etc/feed.xml"/><outline text="R" xmlUrl="http://192.168.0.1/feed"/>
<outline text="W" xmlUrl="https://a.test/"/></body></opml>`
	done, err := h.Subscriptions.ImportInto(t.Context(), 0, strings.NewReader(list))
	if err != nil || len(done.Added) != 1 || len(done.Local) != 2 || len(done.Warnings) != 1 || done.Warnings[0].Code != opml.LocalFeeds {
		t.Fatalf("%+v (%v)", done, err)
	}
	for _, id := range done.Local {
		if f, err := h.Store.Feeds.Get(t.Context(), id); err != nil || !f.Paused {
			t.Errorf("%+v (%v)", f, err)
		}
		if err := h.Subscriptions.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
}
