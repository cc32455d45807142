package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/poller/fetch"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
)

// A server is added by typing, one of its articles is read and starred in the window, and the server knows: the one in memory by
// both protocols, and with KAIROS_SOAK the real ones.
func TestReadingFromAServer(t *testing.T) {
	for name, start := range map[string]func(*testing.T) serverToAdd{
		"in memory": startFake,
		"Miniflux":  func(t *testing.T) serverToAdd { return startReal(t, synctest.Miniflux, connect.Miniflux) },
		"FreshRSS":  func(t *testing.T) serverToAdd { return startReal(t, synctest.FreshRSS, connect.GoogleReader) },
	} {
		t.Run(name, func(t *testing.T) { readFromServer(t, start(t)) })
	}
}

// serverToAdd is a server with an empty account.
type serverToAdd struct {
	login home.Login
	kind  connect.Kind
	base  string
}

func startFake(t *testing.T) serverToAdd {
	f := synctest.NewFake(t, time.Now)
	return serverToAdd{home.Login{Address: f.URL, User: "anna", Password: synctest.FakePassword}, connect.Miniflux, f.URL}
}

func startReal(t *testing.T, kind synctest.Kind, protocol connect.Kind) serverToAdd {
	if os.Getenv("KAIROS_SOAK") == "" {
		t.Skip("only with KAIROS_SOAK")
	}
	s := synctest.Start(t, kind)
	password := s.APIPassword
	if protocol == connect.Miniflux {
		password = s.Password
	}
	return serverToAdd{home.Login{Address: s.URL, User: s.User, Password: password}, protocol, s.Base}
}

func readFromServer(t *testing.T, server serverToAdd) {
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/rss+xml") // FreshRSS wants to be told
		fmt.Fprint(out, `<?xml version="1.0"?><rss version="2.0"><channel><title>Letters</title>`)
		for i := range 3 {
			fmt.Fprintf(out, `<item><title>Letter %d</title><guid>%[1]d</guid><pubDate>%s</pubDate><description>Text</description></item>`,
				i, time.Now().Add(-time.Duration(i)*time.Hour).UTC().Format(time.RFC1123Z))
		}
		fmt.Fprint(out, `</channel></rss>`)
	}))
	defer site.Close()
	there, err := connect.Open(server.kind, server.base, server.login.User, server.login.Password, fetch.New(fetch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := there.Subscribe(t.Context(), site.URL+"/feed", "", "Post"); err != nil {
		t.Fatal(err)
	}

	w, q := newTestWindowWith(t, home.Options{Keyring: hometest.NewRing(), Now: time.Now})
	w.watchStore()
	w.perform("add-account")
	canvas := w.win.Canvas()
	for _, text := range []string{server.login.Address, server.login.User, server.login.Password, "Somewhere"} {
		test.Type(canvas.Focused(), text)
		canvas.FocusNext()
	}
	w.shell.Dialogs.Key(fyne.KeyReturn)
	q.Until("it is synced", func() bool {
		return strings.HasPrefix(w.status.message.Text, "Synced Somewhere: ") && len(w.library.Accounts) == 1
	})

	w.sidebar.ChooseKey(session.FolderKey(library.AccountPath(w.library.Accounts[0].ID)))
	q.Until("its articles are listed", func() bool { return len(w.session.List.IDs) == 3 && !w.reloader.running })
	w.timeline.List.TypedRune('j')
	q.Until("one is shown", func() bool {
		return w.session.Shown != nil && w.session.Shown.ID == w.session.List.Current
	})
	w.timeline.List.TypedRune('s')
	engine, id := w.shell.Home.Subscriptions.Accounts.Engine, w.library.Accounts[0].ID
	q.Until("its marks are stored", func() bool {
		n, err := engine.Waiting(t.Context(), id)
		return err == nil && n == 2 && w.shell.Pending() == 0
	})
	if _, err := engine.Send(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	marks, err := there.Marks(t.Context())
	if err != nil || len(marks.Starred) != 1 || slices.Contains(marks.Unread, marks.Starred[0]) {
		t.Errorf("at the server: %+v, %v", marks, err)
	}
}
