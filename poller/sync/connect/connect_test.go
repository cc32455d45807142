package connect_test

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
)

func codeOf(err error) sync.Code {
	var e *sync.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// greaderAt answers as a server of Google Reader's protocol does, below a path.
func greaderAt(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == path+"/accounts/ClientLogin" && r.FormValue("Passwd") == "right":
			_, _ = io.WriteString(w, "Auth=s")
		case strings.HasPrefix(r.URL.Path, path+"/reader/"), r.URL.Path == path+"/accounts/ClientLogin":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

// minifluxAt answers as Miniflux does, below a path.
func minifluxAt(path string) http.Handler {
	other := greaderAt(path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		switch {
		case r.URL.Path != path+"/v1/me":
			other.ServeHTTP(w, r)
		case password == "web":
			_, _ = io.WriteString(w, `{"id":1,"username":"anna"}`)
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name     string
		server   http.Handler
		typed    string // after the address of the server
		password string
		kind     connect.Kind
		base     string
		code     sync.Code
	}{
		{"Miniflux", minifluxAt(""), "", "web", connect.Miniflux, "", ""},
		{"Miniflux' page", minifluxAt(""), "/unread?page=2#top", "web", connect.Miniflux, "", ""},
		{"Miniflux in a folder", minifluxAt("/feeds"), "/feeds/", "web", connect.Miniflux, "/feeds", ""},
		{"Miniflux with the other password", minifluxAt(""), "", "right", connect.GoogleReader, "", ""},
		{"Miniflux, wrong password", minifluxAt(""), "", "wrong", "", "", sync.Refused},
		{"FreshRSS", greaderAt("/api/greader.php"), "", "right", connect.GoogleReader, "/api/greader.php", ""},
		{"FreshRSS' interface", greaderAt("/api/greader.php"), "/api/greader.php", "right", connect.GoogleReader, "/api/greader.php", ""},
		{"FreshRSS' page", greaderAt("/api/greader.php"), "/i/?rid=1", "right", connect.GoogleReader, "/api/greader.php", ""},
		{"FreshRSS, wrong password", greaderAt("/api/greader.php"), "", "wrong", "", "", sync.Refused},
		{"another", greaderAt(""), "/reader/api/0/", "right", connect.GoogleReader, "", ""},
		{"Tiny Tiny RSS", ttrssAt(""), "", "right", connect.TinyTinyRSS, "", ""},
		{"Tiny Tiny RSS' page", ttrssAt("/rss"), "/rss/prefs.php?a=1", "right", connect.TinyTinyRSS, "/rss", ""},
		{"Tiny Tiny RSS' interface", ttrssAt(""), "/api/", "right", connect.TinyTinyRSS, "", ""},
		{"Tiny Tiny RSS below the address", ttrssAt("/tt-rss"), "", "right", connect.TinyTinyRSS, "/tt-rss", ""},
		{"Tiny Tiny RSS, wrong password", ttrssAt(""), "", "wrong", "", "", sync.Refused},
		{"other JSON", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":0,"content":[]}`) }),
			"", "right", "", "", sync.NoAPI},
		{"no server of this kind", http.NotFoundHandler(), "", "right", "", "", sync.NoAPI},
		{"a page for everything", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }),
			"", "right", "", "", sync.NoAPI},
		{"broken", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }), "", "right", "", "", sync.Faulty},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.server)
			defer server.Close()
			found, err := connect.Find(t.Context(), "", server.URL+test.typed, "anna", test.password, fetch.New(fetch.Options{}))
			if codeOf(err) != test.code || (err == nil) != (test.code == "") {
				t.Fatalf("error %v, want %q", err, test.code)
			}
			if err == nil && (found.Kind != test.kind || found.Base != server.URL+test.base) {
				t.Errorf("found %+v", found)
			}
		})
	}
}

// ttrssAt answers as Tiny Tiny RSS does, below a path.
func ttrssAt(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Op, Password string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		switch {
		case r.URL.Path != path+"/api/":
			w.WriteHeader(http.StatusNotFound)
		case sent.Op == "isLoggedIn":
			_, _ = io.WriteString(w, `{"seq":0,"status":0,"content":{"status":false}}`)
		case sent.Op == "login" && sent.Password == "right":
			_, _ = io.WriteString(w, `{"seq":0,"status":0,"content":{"session_id":"s"}}`)
		default:
			_, _ = io.WriteString(w, `{"seq":0,"status":1,"content":{"error":"LOGIN_ERROR"}}`)
		}
	})
}

func TestNoPasswordGoesToWhatIsNoServer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "secret") || r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s was sent the password", r.Method, r.URL)
		}
		_, _ = io.WriteString(w, `{"username":"guest"}`)
	}))
	defer server.Close()
	if _, err := connect.Find(t.Context(), "", server.URL, "anna", "secret", fetch.New(fetch.Options{})); codeOf(err) != sync.NoAPI {
		t.Errorf("got %v", err)
	}
}

// Who says what kind of server it is gets that protocol, also from a server that does not show it before a login.
func TestTheKindThatIsChosen(t *testing.T) {
	shy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/accounts/ClientLogin" && r.FormValue("Passwd") == "right" {
			_, _ = io.WriteString(w, "Auth=s")
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
	for _, test := range []struct {
		name   string
		server http.Handler
		kind   connect.Kind
		code   sync.Code
	}{
		{"of two", minifluxAt(""), connect.GoogleReader, ""},
		{"not before a login", shy, connect.GoogleReader, ""},
		{"another", shy, connect.Miniflux, sync.NoAPI},
		{"none", http.NotFoundHandler(), connect.GoogleReader, sync.NoAPI},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.server)
			defer server.Close()
			found, err := connect.Find(t.Context(), test.kind, server.URL, "anna", "right", fetch.New(fetch.Options{}))
			if codeOf(err) != test.code || err == nil && (found.Kind != test.kind || found.Base != server.URL) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

func TestAnAddressWithoutASchemeIsEncryptedUnlessAtHome(t *testing.T) {
	server := httptest.NewServer(minifluxAt(""))
	defer server.Close()
	found, err := connect.Find(t.Context(), "", strings.TrimPrefix(server.URL, "http://"), "anna", "web", fetch.New(fetch.Options{}))
	if err != nil || found.Base != server.URL {
		t.Errorf("%+v, %v", found, err)
	}
	for _, address := range []string{"", "  ", "ftp://example.org", "http://", "https://exa mple.org", "foo bar"} {
		if _, err := connect.Find(t.Context(), "", address, "anna", "web", fetch.New(fetch.Options{})); codeOf(err) != sync.BadAddress {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A server at home that only speaks TLS is spoken to by TLS, though it was assumed not to, and what is wrong with its certificate is told.
func TestAServerAtHomeWithTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(minifluxAt(""))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "https://")
	for _, kind := range []connect.Kind{"", connect.Miniflux} {
		if _, err := connect.Find(t.Context(), kind, address, "anna", "web", fetch.New(fetch.Options{})); codeOf(err) != sync.Untrusted {
			t.Errorf("%q: %v", kind, err)
		}
		trusting := fetch.New(fetch.Options{Transport: server.Client().Transport.(*http.Transport)})
		if found, err := connect.Find(t.Context(), kind, address, "anna", "web", trusting); err != nil || found.Base != server.URL {
			t.Errorf("%q: %+v, %v", kind, found, err)
		}
		if _, err := connect.Find(t.Context(), kind, "http://"+address, "anna", "web", trusting); codeOf(err) != sync.Rejected {
			t.Errorf("an address that says http: %v", err)
		}
	}
}

func TestOpenRefusesAnUnknownKind(t *testing.T) {
	if _, err := connect.Open("rssyl", "https://example.org", "anna", "x", fetch.New(fetch.Options{})); !errors.Is(err, connect.ErrKind) {
		t.Errorf("got %v", err)
	}
}

func TestWhatKindsCan(t *testing.T) {
	for _, kind := range connect.Kinds {
		service, err := connect.Open(kind, "https://rss.test", "ann", "right", fetch.New(fetch.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		if _, can := service.(sync.Refresher); can != kind.Refreshes() {
			t.Errorf("%s refreshes: %v, its service says %v", kind, kind.Refreshes(), can)
		}
		if _, can := service.(sync.Editor); can != kind.Edits() {
			t.Errorf("%s edits: %v, its service says %v", kind, kind.Edits(), can)
		}
	}
}
