package settings

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
)

// destinationForm adds a destination, or changes one. What was typed stays until it has worked.
type destinationForm struct {
	*destinationsPage
	kind  handoff.Kind
	known reader.Destination // ID 0: a new one
	plain bool               // the password may be sent unencrypted

	dialog                                                *dialogs.Dialog
	button                                                *dialogs.Button
	address, user, password, clientID, clientSecret, name *widgets.Entry
	option                                                *widgets.Check // the one that the kind has
	addressProblem, secretProblem, progress               *widgets.Text
	request                                               async.Request
}

func (p *destinationsPage) addDestination(k handoff.Kind) *destinationForm {
	f := &destinationForm{destinationsPage: p, kind: k}
	f.makeFields()
	f.show(lang.L("Add a destination: {{.Kind}}", map[string]any{"Kind": kindName(k)}), lang.L("Add"), f.address)
	return f
}

// editDestination asks for another name, another password and other options. Where it is stays.
func (p *destinationsPage) editDestination(d handoff.Status) *destinationForm {
	f := &destinationForm{destinationsPage: p, kind: handoff.Kind(d.Kind), known: d.Destination}
	f.makeFields()
	options := handoff.OptionsOf(d.Destination)
	f.address.SetText(d.Address)
	f.user.SetText(d.User)
	f.clientID.SetText(options.ClientID)
	f.name.SetText(d.Name)
	f.option.SetChecked(options.Content || options.Unread || options.Pictures)
	f.address.Disable()
	f.user.Disable()
	f.password.SetPlaceHolder(lang.L("unchanged"))
	f.clientSecret.SetPlaceHolder(lang.L("unchanged"))
	f.show(lang.L("Edit the destination"), lang.L("Save"), f.name)
	return f
}

func (f *destinationForm) makeFields() {
	entry := func() *widgets.Entry { return widgets.NewEntry(func() { f.dialog.Hide() }) }
	f.address, f.user, f.password, f.clientID, f.clientSecret, f.name = entry(), entry(), entry(), entry(), entry(), entry()
	f.password.Password, f.clientSecret.Password = true, true
	f.addressProblem, f.secretProblem, f.progress = widgets.NewText("", widgets.Warning), widgets.NewText("", widgets.Warning), widgets.NewText("", widgets.Muted)
	option := lang.L("Save pictures that are here already beside the articles")
	switch f.kind {
	case handoff.Wallabag:
		option = lang.L("Send the text, too, so that Wallabag does not fetch the page")
	case handoff.Linkding:
		option = lang.L("Mark bookmarks as unread")
	}
	f.option = widgets.NewCheck(option)
}

func (f *destinationForm) show(title, verb string, first fyne.Focusable) {
	row := func(label string, field fyne.CanvasObject, about string) fyne.CanvasObject {
		return widgets.LabeledRow(accountLabel, label, field, about)
	}
	content := widgets.NewColumn(10)
	if f.kind == handoff.Folder {
		choose := widgets.NewIconButton(lang.L("Choose a folder…"), theme.FolderOpenIcon(), func() { f.Dialogs.OpenFolder(f.address.Text, f.address.SetText) })
		field := fyne.CanvasObject(f.address)
		if f.known.ID == 0 {
			field = container.NewBorder(nil, nil, nil, choose, f.address)
		}
		content.Add(row(lang.L("Folder"), widgets.NewColumn(4, field, f.addressProblem),
			lang.L("Each article becomes a file with its address, feed, author, dates and labels above the text, as Obsidian reads it. Kairos replaces no file.")))
	} else {
		f.address.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": string(f.kind) + ".example.org"}))
		content.Add(row(lang.L("Server"), widgets.NewColumn(4, f.address, f.addressProblem), ""))
	}
	stored := passwordsStored()
	switch f.kind {
	case handoff.Wallabag:
		content.Add(row(lang.L("User"), f.user, ""))
		content.Add(row(lang.L("Password"), f.password, ""))
		content.Add(row(lang.L("Client ID"), f.clientID, ""))
		content.Add(row(lang.L("Client secret"), widgets.NewColumn(4, f.clientSecret, f.secretProblem),
			language.Printer().Sentences(lang.L("Wallabag shows both when you create a client under API clients management."), stored)))
	case handoff.Linkding:
		content.Add(row(lang.L("Token"), widgets.NewColumn(4, f.password, f.secretProblem), language.Printer().Sentences(lang.L("Linkding shows it under Settings, Integrations."), stored)))
	}
	content.Add(row(lang.L("Name"), f.name, ""))
	content.Add(row("", f.option, ""))
	content.Add(f.progress)
	f.button = dialogs.Do(verb, func() { f.submit(false) })
	f.dialog = &dialogs.Dialog{Title: title, Content: content, Width: 560, Focus: first, Closed: f.request.Stop,
		Buttons: []*dialogs.Button{dialogs.Cancel(), f.button}}
	f.Dialogs.Show(f.dialog)
}

// entered is what was typed.
func (f *destinationForm) entered() home.NewDestination {
	n := home.NewDestination{Kind: f.kind, Name: strings.TrimSpace(f.name.Text), Address: strings.TrimSpace(f.address.Text), Starred: true}
	if f.known.ID != 0 {
		n.Starred = f.known.Starred
	}
	switch f.kind {
	case handoff.Wallabag:
		n.User = strings.TrimSpace(f.user.Text)
		n.Secret = handoff.Secret{Password: f.password.Text, ClientSecret: strings.TrimSpace(f.clientSecret.Text)}
		n.Options = handoff.Options{ClientID: strings.TrimSpace(f.clientID.Text), Content: f.option.Checked}
	case handoff.Linkding:
		n.Secret, n.Options = handoff.Secret{Password: strings.TrimSpace(f.password.Text)}, handoff.Options{Unread: f.option.Checked}
	default:
		n.Options = handoff.Options{Pictures: f.option.Checked}
	}
	return n
}

// submit checks the destination and stores it, unless something is missing. plain is whether the password may be sent unencrypted.
func (f *destinationForm) submit(plain bool) {
	f.plain = plain
	f.addressProblem.Clear()
	f.secretProblem.Clear()
	n := f.entered()
	n.Plain = plain
	noSecret := f.kind.IsServer() && n.Secret == handoff.Secret{}
	switch {
	case n.Address == "" && f.kind.IsServer():
		f.refuse(f.addressProblem, f.address, lang.L("Enter the address of your server."))
		return
	case n.Address == "":
		f.refuse(f.addressProblem, f.address, lang.L("Choose a folder that exists."))
		return
	case f.known.ID != 0 && (noSecret || !f.kind.IsServer()):
		f.ask(func(ctx context.Context) error {
			return f.Home.Destinations.Update(ctx, f.known.ID, func(to *reader.Destination) {
				to.Options = n.Options.Encode()
				if n.Name != "" {
					to.Name = n.Name
				}
			})
		})
		return
	case f.kind == handoff.Wallabag && (n.User == "" || n.Secret.Password == "" || n.Options.ClientID == "" || n.Secret.ClientSecret == ""):
		f.refuse(f.secretProblem, f.user, lang.L("Enter all four: user, password, client ID and client secret."))
		return
	case noSecret:
		f.refuse(f.secretProblem, f.password, lang.L("Enter your token."))
		return
	}
	f.ask(func(ctx context.Context) error { _, err := f.Home.Destinations.Add(ctx, n); return err })
}

// ask does something that may ask the server.
func (f *destinationForm) ask(do func(ctx context.Context) error) {
	if f.kind.IsServer() {
		f.progress.SetText(lang.L("Asking the server…"), widgets.Muted)
	}
	f.button.SetEnabled(false)
	async.Load(f.Jobs, &f.request, func(ctx context.Context) (error, error) { return do(ctx), nil }, func(err error) {
		f.progress.Clear()
		f.button.SetEnabled(true)
		if err != nil {
			f.fail(err)
			return
		}
		f.dialog.Hide()
		f.list.renew()
	})
}

// fail says what is wrong beside the field that it is about, or asks whether the password may be sent unencrypted.
func (f *destinationForm) fail(err error) {
	var fault *sync.Error
	switch {
	case errors.Is(err, handoff.ErrPlainHTTP):
		f.Dialogs.ConfirmLoss(lang.L("Send the password unencrypted?"), lang.L("The address begins with http: whoever is on the way can read your password and your articles. An address with https is safer."),
			lang.L("Cancel"), lang.L("Send unencrypted"), func() { f.submit(true) })
	case OfferTrust(f.Jobs, f.Dialogs, f.Home, err, f.failSecret, func() { f.submit(f.plain) }):
	case OfferPasswordFile(f.Dialogs, f.Home.Secrets, err, f.failSecret, func() { f.submit(f.plain) }):
		f.secretProblem.SetText(errorText(err), widgets.Warning)
	case errors.As(err, &fault) && fault.Code == sync.Refused:
		f.refuse(f.secretProblem, f.password, errorText(err))
	default:
		f.refuse(f.addressProblem, f.address, errorText(err))
	}
}

func (f *destinationForm) failSecret(err error) {
	f.refuse(f.secretProblem, f.password, errorText(err))
}

func (f *destinationForm) refuse(problem *widgets.Text, field *widgets.Entry, text string) {
	problem.SetText(text, widgets.Warning)
	f.focus(field)
}
