package settings

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/reader"
)

// accountForm adds an account, or changes one. What was typed stays until it has worked.
type accountForm struct {
	*Settings
	account reader.Account // ID 0: a new one
	done    func()         // it was added or changed; nil: nothing follows

	dialog                        *dialogs.Dialog
	button                        *dialogs.Button
	address, user, password, name *widgets.Entry
	kind                          *widgets.Select // of a server whose kind was not found out
	kindRow                       fyne.CanvasObject
	chosen                        connect.Kind
	addressProblem                *widgets.Text
	passwordProblem               *widgets.Text
	progress                      *widgets.Text
	request                       async.Request
}

const accountLabel = 120

// AddAccount asks for a server to sync with, and adds it. done is called then, if not nil.
func (s *Settings) AddAccount(done func()) { s.newAccount(done) }

func (s *Settings) newAccount(done func()) *accountForm {
	f := &accountForm{Settings: s, done: done}
	f.makeFields()
	f.address.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": "rss.example.org"}))
	f.name.SetPlaceHolder(lang.L("as the server"))
	f.kind = widgets.NewChoice([]widgets.Option{widgets.Opt("", lang.L("Find out")), widgets.Opt(string(connect.Miniflux), "Miniflux"),
		widgets.Opt(string(connect.TinyTinyRSS), "Tiny Tiny RSS"), widgets.Opt(string(connect.GoogleReader), "Google Reader API")}, "", func(kind string) { f.chosen = connect.Kind(kind) })
	f.kindRow = widgets.LabeledRow(accountLabel, lang.L("Kind of server"), f.kind, lang.L("FreshRSS, The Old Reader, Inoreader and BazQux have the Google Reader API."))
	f.kindRow.Hide()
	f.show(lang.L("Add an account"), lang.L("Add"), f.address,
		widgets.LabeledRow(accountLabel, lang.L("Server"), widgets.NewColumn(4, f.address, f.addressProblem), ""),
		f.kindRow,
		widgets.LabeledRow(accountLabel, lang.L("User"), f.user, ""),
		widgets.LabeledRow(accountLabel, lang.L("Password"), widgets.NewColumn(4, f.password, f.passwordProblem),
			language.Printer().Sentences(whichPassword(connect.GoogleReader), whichPassword(connect.Miniflux), passwordsStored())),
		widgets.LabeledRow(accountLabel, lang.L("Name"), f.name, ""))
	return f
}

// whichPassword tells which of the passwords that a server of a kind has for its users is meant.
func whichPassword(kind connect.Kind) string {
	switch kind {
	case connect.TinyTinyRSS:
		return lang.L("With two-factor authentication, Tiny Tiny RSS wants an app password.")
	case connect.Miniflux:
		return lang.L("For Miniflux, enter the password with which you log in to its page.")
	}
	return lang.L("FreshRSS and some others have a separate API password for apps.")
}

// protocolName is the name of a protocol for people.
func protocolName(kind connect.Kind) string {
	switch kind {
	case connect.TinyTinyRSS:
		return "Tiny Tiny RSS"
	case connect.Miniflux:
		return "Miniflux"
	}
	return "Google Reader API"
}

func (f *accountForm) makeFields() {
	leave := func() { f.dialog.Hide() }
	f.address, f.user, f.password, f.name = widgets.NewEntry(leave), widgets.NewEntry(leave), widgets.NewEntry(leave), widgets.NewEntry(leave)
	f.password.Password = true
	f.addressProblem, f.passwordProblem, f.progress = widgets.NewText("", widgets.Warning), widgets.NewText("", widgets.Warning), widgets.NewText("", widgets.Muted)
}

func (f *accountForm) show(title, verb string, first fyne.Focusable, rows ...fyne.CanvasObject) {
	f.button = dialogs.Do(verb, f.submit)
	content := widgets.NewColumn(10, rows...)
	content.Add(f.progress)
	f.dialog = &dialogs.Dialog{Title: title, Content: content, Width: 540, Focus: first, Closed: f.request.Stop,
		Buttons: []*dialogs.Button{dialogs.Cancel(), f.button}}
	f.Dialogs.Show(f.dialog)
}

// submit asks the server, unless something is missing.
func (f *accountForm) submit() {
	f.addressProblem.Clear()
	f.passwordProblem.Clear()
	if f.account.ID != 0 {
		f.change()
		return
	}
	typed := home.Login{Address: strings.TrimSpace(f.address.Text), User: strings.TrimSpace(f.user.Text), Password: f.password.Text}
	switch {
	case typed.Address == "":
		f.refuse(f.addressProblem, f.address, lang.L("Enter the address of your server."))
		return
	case typed.User == "" || typed.Password == "":
		f.refuse(f.passwordProblem, f.user, lang.L("Enter your user name and password."))
		return
	}
	f.ask(func(ctx context.Context) (reader.Account, error) {
		return f.Home.Subscriptions.Accounts.Add(ctx, string(f.chosen), typed, strings.TrimSpace(f.name.Text))
	})
}

// change stores another name, and logs in again where an address, a user or a password was typed.
func (f *accountForm) change() {
	was, name := f.account, strings.TrimSpace(f.name.Text)
	typed := home.Login{Address: strings.TrimSpace(f.address.Text), User: strings.TrimSpace(f.user.Text), Password: f.password.Text}
	again := typed.Password != "" || typed.Address != "" && typed.Address != was.URL || typed.User != "" && typed.User != was.User
	f.ask(func(ctx context.Context) (a reader.Account, err error) {
		if again {
			a, err = f.Home.Subscriptions.Accounts.Change(ctx, was.ID, typed)
		}
		if err == nil && name != was.Name {
			err = f.Home.Subscriptions.Accounts.Rename(ctx, was.ID, name)
		}
		return a, err
	})
}

// tellProtocol tells that a password was accepted by another protocol than the account had.
func (f *accountForm) tellProtocol(now reader.Account) {
	switch {
	case f.account.ID == 0 || now.ID == 0 || now.Kind == f.account.Kind || connect.Kind(now.Kind) == connect.TinyTinyRSS || now.URL != f.account.URL: // another server may have another one
	case connect.Kind(now.Kind) == connect.Miniflux:
		f.Dialogs.Inform(now.Name, lang.L("The server accepted the password by Miniflux's own protocol. Kairos syncs by that from now on."))
	default:
		f.Dialogs.Inform(now.Name, lang.L("The server accepted the password by the Google Reader API only. Kairos syncs by that from now on, and cannot see which feeds fail there or tell the server when to fetch."))
	}
}

// ask does something that may ask the server, and then syncs the account it returns; ID 0 stands for no account.
func (f *accountForm) ask(do func(ctx context.Context) (reader.Account, error)) {
	f.progress.SetText(lang.L("Asking the server…"), widgets.Muted)
	f.button.SetEnabled(false)
	type answer struct {
		account reader.Account
		err     error
	}
	async.Load(f.Jobs, &f.request, func(ctx context.Context) (answer, error) {
		a, err := do(ctx)
		return answer{a, err}, nil
	}, func(a answer) {
		f.progress.Clear()
		f.button.SetEnabled(true)
		if a.err != nil {
			f.fail(a.err)
			return
		}
		f.dialog.Hide()
		f.tellProtocol(a.account)
		if a.account.ID != 0 {
			f.SyncAccount(a.account.ID)
		}
		if f.done != nil {
			f.done()
		}
	})
}

// fail says what is wrong beside the field that it is about.
func (f *accountForm) fail(err error) {
	if OfferTrust(f.Jobs, f.Dialogs, f.Home, err, f.failPassword, f.submit) {
		return
	}
	if OfferPasswordFile(f.Dialogs, f.Home.Secrets, err, f.failPassword, f.submit) {
		f.passwordProblem.SetText(errorText(err), widgets.Warning)
		return
	}
	var fault *sync.Error
	switch {
	case errors.Is(err, home.ErrPasswordNeeded):
		f.refuse(f.passwordProblem, f.password, lang.L("Enter the password, too: the one that is stored is sent to no other server or user."))
		return
	case !errors.As(err, &fault) || fault.Code == sync.Refused || fault.Code == sync.APIOff:
		f.failPassword(err)
		return
	case fault.Code == sync.NoAPI && f.kindRow != nil:
		f.kindRow.Show()
	}
	f.refuse(f.addressProblem, f.address, errorText(err))
}

func (f *accountForm) failPassword(err error) {
	f.refuse(f.passwordProblem, f.password, errorText(err))
}

func (f *accountForm) refuse(problem *widgets.Text, field *widgets.Entry, text string) {
	problem.SetText(text, widgets.Warning)
	f.focus(field)
}
