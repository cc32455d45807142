package feeds

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/secret"
	"kairos/app/settings"
	"kairos/app/shell/shelltest"
	"kairos/poller"
	"kairos/reader"
)

// Where no keyring takes a password, a file does once the user has agreed; nobody is asked again.
func TestPasswordsInAFile(t *testing.T) {
	ring := hometest.NewRing()
	ring.Err = errors.New("no keyring")
	room := shelltest.New(t, home.Options{Keyring: ring})
	again := 0
	secrets := room.Home.Secrets
	offerFile := func(err error) bool {
		return settings.OfferPasswordFile(room.Dialogs, secrets, err, room.Fail, func() { again++ })
	}
	if offerFile(errors.New("another error")) {
		t.Error("it asks for any error")
	}
	save := func() error { return secrets.Save(t.Context(), 1, "ann", "secret") }
	if !offerFile(save()) {
		t.Fatal("it does not ask")
	}
	if _, err := os.Stat(secrets.File()); err == nil || again != 0 {
		t.Error("there is a file before the answer")
	}
	room.Dialogs.Key(fyne.KeyReturn)
	if again != 1 || save() != nil {
		t.Errorf("tried %d times again: %v", again, save())
	}
	if _, password, err := secrets.Load(t.Context(), 1); password != "secret" || err != nil {
		t.Errorf("stored %q, %v", password, err)
	}
	if offerFile(fmt.Errorf("save: %w", secret.ErrLocked)) {
		t.Error("it asks again")
	}
}

// The properties of a feed tell where its login is.
func TestLoginInAFileIsTold(t *testing.T) {
	ring := hometest.NewRing()
	room, actions := newRoomWith(t, home.Options{Keyring: ring})
	store := func(user, password string) *reader.Feed {
		t.Helper()
		f := *room.Library.Feed(1)
		if err := room.Home.Subscriptions.Update(t.Context(), f, &poller.Login{User: user, Password: password}); err != nil {
			t.Fatal(err)
		}
		f.Login = true
		return &f
	}
	if p := actions.Properties(store("ann", "secret")); p.user.PlaceHolder != "stored in the system keyring" {
		t.Errorf("in the keyring: %q", p.user.PlaceHolder)
	}
	if err := room.Home.Secrets.UseFile(); err != nil {
		t.Fatal(err)
	}
	ring.Err = secret.ErrLocked
	if p := actions.Properties(store("ann", "another")); p.user.PlaceHolder != "stored in passwords.json" {
		t.Errorf("in the file: %q", p.user.PlaceHolder)
	}
}

// Whether a new login is accepted is found out at once.
func TestNewLoginIsTried(t *testing.T) {
	var asked atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "ann" || password != "secret" {
			out.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked.Add(1)
		fmt.Fprint(out, `<rss version="2.0"><channel><title>Members</title><item><title>First</title></item></channel></rss>`)
	}))
	defer site.Close()
	room, actions := newRoomWith(t, home.Options{Keyring: hometest.NewRing()})
	f := *room.Library.Feed(1)
	f.URL = site.URL
	if err := room.Home.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := room.Home.Poller.Fetch(t.Context(), []int64{1}, nil); err != nil {
		t.Fatal(err)
	}
	p := actions.Properties(&f)
	p.user.SetText("ann")
	p.password.SetText("secret")
	p.Save(false)
	room.Queue.Until("the feed is fetched with it", func() bool { return asked.Load() == 1 && room.Pending() == 0 })
}
