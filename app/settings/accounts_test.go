package settings

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/secret"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	accounts "kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/reader"
)

// holds reports whether a password is stored.
func holds(r *hometest.Ring, password string) bool {
	for _, item := range r.Items {
		if strings.Contains(item, `"`+password+`"`) {
			return true
		}
	}
	return false
}

// findServer knows one server, and another one whose kind it cannot find out.
func findServer(_ context.Context, kind string, typed home.Login) (found, url string, err error) {
	fault := func(code accounts.Code) error { return &accounts.Error{Code: code, Host: typed.Address} }
	switch {
	case typed.Address == "shy.test" && kind == "":
		return "", "", fault(accounts.NoAPI)
	case !strings.Contains(typed.Address, "rss.test") && typed.Address != "shy.test":
		return "", "", fault(accounts.Unreachable)
	case !strings.HasPrefix(typed.Password, "right"):
		return "", "", fault(accounts.Refused)
	case kind == "":
		kind = string(connect.Miniflux)
	}
	return kind, "https://" + strings.TrimPrefix(typed.Address, "https://"), nil
}

// minifluxServer is a server that can be told when to fetch.
type minifluxServer struct{ *hometest.Server }

func (minifluxServer) Refresh(context.Context, string) error { return nil }

func newAccountSettings(t *testing.T) (*Settings, *fakeWindow, *asynctest.Queue, *hometest.Ring) {
	r := hometest.NewRing()
	s, w, q := newSettingsWith(t, home.Options{Keyring: r, Servers: home.Servers{Find: findServer,
		Open: func(_, _, _, password string) (accounts.Service, error) {
			if password != "right" {
				return nil, errors.New("nothing is synced")
			}
			return minifluxServer{hometest.NewServer()}, nil
		}}})
	return s, w, q, r
}

func TestAddAccount(t *testing.T) {
	s, w, q, r := newAccountSettings(t)
	added := 0
	f := s.newAccount(func() { added++ })
	wait := func() { q.Until("it has an answer", func() bool { return f.progress.String() == "" }) }
	try := func(address, password string) {
		f.address.SetText(address)
		f.user.SetText("ann")
		f.password.SetText(password)
		f.submit()
		if address != "" && password != "" {
			if f.progress.String() != "Asking the server…" || f.button.Enabled() {
				t.Errorf("while it asks it says %q", f.progress)
			}
			wait()
		}
	}
	for _, c := range []struct{ address, password, atAddress, atPassword string }{
		{"", "right", "Enter the address of your server.", ""},
		{"rss.test", "", "", "Enter your user name and password."},
		{"nowhere.test", "right", "nowhere.test cannot be reached.", ""},
		{"rss.test", "wrong", "", "rss.test does not accept the user name and password."},
		{"shy.test", "right", "Neither Miniflux, Tiny Tiny RSS nor a Google Reader API was found at shy.test. Check the address.", ""},
	} {
		if f.kindRow.Visible() {
			t.Error("it asks for what it may find out")
		}
		try(c.address, c.password)
		if f.addressProblem.String() != c.atAddress || f.passwordProblem.String() != c.atPassword {
			t.Errorf("%s: %q, %q", c.address, f.addressProblem, f.passwordProblem)
		}
	}
	if !f.kindRow.Visible() {
		t.Fatal("it does not ask what kind of server that is")
	}
	r.Err = errors.New("no such service")
	f.kind.SetSelected("Google Reader API")
	try("shy.test", "right")
	if !strings.Contains(f.passwordProblem.String(), "no keyring") || len(s.Dialogs.Open) != 2 || s.Home.Secrets.UsesFile() {
		t.Errorf("without a keyring it says %q, %d dialogs", f.passwordProblem, len(s.Dialogs.Open))
	}
	s.Dialogs.CloseTop()
	r.Err = nil
	f.submit()
	q.Until("it is added", func() bool { return added == 1 })
	all, err := s.Home.Subscriptions.Accounts.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Kind != string(connect.GoogleReader) || all[0].Name != "shy.test" || !slices.Equal(w.synced, []int64{all[0].ID}) {
		t.Errorf("%+v, %v; synced %v", all, err, w.synced)
	}
	if !holds(r, "right") || len(s.Dialogs.Open) != 0 {
		t.Error("the password is not stored, or the dialog is open")
	}
}

// Where no keyring takes the password of an account, a file does once the user has agreed, also for one that is changed. The settings
// move it into the keyring.
func TestAccountPasswordInAFile(t *testing.T) {
	s, _, q, r := newAccountSettings(t)
	r.Err = fmt.Errorf("%w: the prompt was dismissed", secret.ErrLocked)
	added := false
	f := s.newAccount(func() { added = true })
	f.address.SetText("rss.test")
	f.user.SetText("ann")
	f.password.SetText("right")
	f.submit()
	q.Until("it asks", func() bool { return len(s.Dialogs.Open) == 2 })
	s.Dialogs.Key(fyne.KeyReturn)
	q.Until("it is added", func() bool { return added })
	all, err := s.Home.Subscriptions.Accounts.List(t.Context())
	if err != nil || len(all) != 1 || len(r.Items) != 0 {
		t.Fatalf("%+v, %v; the keyring has %v", all, err, r.Items)
	}
	id := all[0].ID
	stored := func() string {
		password, err := s.Home.Secrets.LoadAccount(t.Context(), id, all[0].URL, "ann")
		if err != nil {
			t.Error(err)
		}
		return password
	}
	if got := stored(); got != "right" {
		t.Errorf("the file has %q", got)
	}

	d := openDialog(t, s, Accounts)
	q.Until("it is listed", func() bool { return len(d.accounts.list.items) == 1 })
	f = d.accounts.edit(all[0].Account)
	f.password.SetText("right2")
	f.submit()
	q.Until("it is stored", func() bool { return len(s.Dialogs.Open) == 1 && stored() == "right2" })

	d.names.Select(slices.Index(Pages, Privacy))
	r.Err = nil
	texts := func() string { return strings.Join(widgetstest.Texts(d.body), "\n") }
	if !strings.Contains(texts(), s.Home.Secrets.File()) {
		t.Errorf("it does not say where passwords are:\n%s", texts())
	}
	widgetstest.Button(t, d.body, "Move to the keyring").Tapped(nil)
	q.Until("it is moved", func() bool {
		return holds(r, "right2") && strings.Contains(texts(), "Passwords are in the system keyring.")
	})
	if s.Home.Secrets.UsesFile() || strings.Contains(texts(), s.Home.Secrets.File()) {
		t.Errorf("the file is there:\n%s", texts())
	}
}

func TestAccountsPage(t *testing.T) {
	s, w, q, r := newAccountSettings(t)
	account, err := s.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "right"}, "At home")
	if err != nil {
		t.Fatal(err)
	}
	d := openDialog(t, s, Accounts)
	p := d.accounts
	until := func(what string, done func(a accountLine) bool) {
		t.Helper()
		q.Until(what, func() bool { return len(p.list.items) == 1 && done(p.list.items[0]) })
	}
	press := func(i int) { (*p.list.controls)[i].(interface{ Tapped(*fyne.PointEvent) }).Tapped(nil) }
	until("it is listed", func(accountLine) bool { return true })
	widgetstest.AssertMarkup(t, "accounts.xml", s.Dialogs.Canvas().Overlays().Top())
	press(0)
	if !slices.Equal(w.synced, []int64{account.ID}) {
		t.Error("it is not synced")
	}
	press(1)
	until("it is paused", func(a accountLine) bool { return a.Paused && a.state(s.Home.Now()) == "Paused." })
	press(1)
	until("it is resumed", func(a accountLine) bool { return !a.Paused })

	decides := func() *widgets.Check { return (*p.list.controls)[4].(*widgets.Check) }
	decides().SetChecked(true)
	until("Kairos decides when it fetches", func(a accountLine) bool {
		return a.Refresh == poller.RefreshUsual && strings.HasPrefix(a.refreshes(), "Kairos told it to fetch a feed 0 times")
	})
	decides().SetChecked(false)
	until("the server decides again", func(a accountLine) bool { return a.Refresh == 0 && a.refreshes() == "" && !decides().Checked })

	p.list.items[0].Sync.Error = &accounts.Error{Code: accounts.Refused, Host: "rss.test"}
	f := p.edit(p.list.items[0].Account)
	if s.Dialogs.Canvas().Focused() != fyne.Focusable(f.password) {
		t.Errorf("%T has the focus where the password is refused", s.Dialogs.Canvas().Focused())
	}
	f.dialog.Hide()
	p.list.items[0].Sync.Error = nil
	f = p.edit(p.list.items[0].Account)
	if s.Dialogs.Canvas().Focused() != fyne.Focusable(f.name) {
		t.Errorf("%T has the focus", s.Dialogs.Canvas().Focused())
	}
	f.name.SetText("Elsewhere")
	f.password.SetText("wrong")
	f.submit()
	q.Until("it is refused", func() bool {
		return strings.HasSuffix(f.passwordProblem.String(), "does not accept the user name and password.")
	})
	f.password.SetText("right2")
	f.submit()
	until("it is renamed", func(a accountLine) bool { return a.Name == "Elsewhere" })
	if !holds(r, "right2") || holds(r, "right") || len(w.synced) != 2 {
		t.Errorf("the new password is not stored or used: %v", w.synced)
	}

	for _, keep := range []string{"Cancel", "Remove, keep the feeds"} {
		if ask := p.askRemove(p.list.items[0]); !ask.Press(keep) {
			t.Errorf("no button %q among %q", keep, buttonsOf(ask))
		}
	}
	q.Until("it is gone", func() bool { return len(p.list.items) == 0 })
	if len(r.Items) != 0 {
		t.Error("its password is there")
	}
	d.names.Select(slices.Index(Pages, About))
	if !p.list.gone() {
		t.Error("the page looks at accounts while another one is shown")
	}
}

// Before an account is removed it is said how many of its feeds join those of this computer. Removing it with its feeds can be undone, its
// password too.
func TestRemoveAccount(t *testing.T) {
	s, _, q, r := newAccountSettings(t)
	account, err := s.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "right"}, "At home")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Home.Subscriptions.Accounts.Engine.Sync(t.Context(), account.ID, true); err != nil {
		t.Fatal(err)
	}
	d := openDialog(t, s, Accounts)
	p := d.accounts
	until := func(what string, done func(a accountLine) bool) {
		t.Helper()
		q.Until(what, func() bool { return len(p.list.items) == 1 && done(p.list.items[0]) })
	}
	until("its feed is listed", func(a accountLine) bool { return a.Feeds == 1 })
	says := func() string {
		ask := p.askRemove(p.list.items[0])
		defer ask.Press("Cancel")
		return strings.Join(widgetstest.Texts(ask.Content), " ")
	}
	if got := says(); strings.Contains(got, "as well") || !strings.Contains(got, "You can undo that") {
		t.Error(got)
	}
	err = s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://a.test/feed/"}, s.Home.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	until("it is here as well", func(a accountLine) bool { return a.AlsoHere == 1 })
	if got := says(); !strings.Contains(got, "1 feed is on this computer as well") {
		t.Error(got)
	}
	p.askRemove(p.list.items[0]).Press("Remove with its feeds")
	q.Until("it is gone", func() bool { return len(p.list.items) == 0 && len(d.undo.offers) == 1 })
	if holds(r, "right") || d.undo.what.String() != "Removed the account “At home”" {
		t.Errorf("the keyring has %v; %q", r.Items, d.undo.what)
	}
	d.undo.use()
	until("it is back", func(a accountLine) bool {
		return a.Account == account && a.Feeds == 1 && a.Unread == 2 && holds(r, "right")
	})
}

// How an account stands is told in sentences, the error first.
func TestAccountState(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	fault := &accounts.Error{Code: accounts.Unreachable, Host: "rss.test"}
	for want, status := range map[string]accounts.Status{
		"Not synced yet.":                    {},
		"Last synced: 11:00.":                {State: accounts.State{Phase: accounts.Ready, Synced: now.Add(-time.Hour)}},
		"Syncing…":                           {State: accounts.State{Phase: accounts.Ready, Synced: now, Error: fault}, Syncing: true},
		"First sync: 3,000 articles so far.": {State: accounts.State{Phase: accounts.First, Stored: 3000}, Syncing: true},
		"Paused. 2 changes wait to be sent.": {State: accounts.State{Phase: accounts.Ready}, Paused: true, Waiting: 2},
		"rss.test cannot be reached. Next try: 13:00. 1 change waits to be sent.": {State: accounts.State{Error: fault, NotBefore: now.Add(time.Hour)}, Waiting: 1},
		"The first sync is not finished: 7 articles so far.":                      {State: accounts.State{Phase: accounts.First, Stored: 7}},
	} {
		line := accountLine{AccountStatus: home.AccountStatus{Account: reader.Account{}, Sync: status}}
		if got := line.state(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
