package settings

import (
	"context"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/sync/connect"
	"kairos/reader"
)

// accountLine is an account as the page shows it.
type accountLine struct {
	home.AccountStatus
	Feeds, Unread int
	AlsoHere      int // of its feeds that this computer has as well
}

// accountsPage lists the accounts: servers to sync with.
type accountsPage struct {
	*settingsDialog
	list *liveList[accountLine]
}

// newAccountsPage returns the page, which loads its content.
func newAccountsPage(d *settingsDialog) *accountsPage {
	p := &accountsPage{settingsDialog: d}
	p.list = &liveList[accountLine]{cardList: newCardList(d), load: p.load, texts: p.texts, card: p.card,
		gone: func() bool { return d.closed || d.accounts != p }}
	p.list.reload()
	return p
}

func (p *accountsPage) content() fyne.CanvasObject {
	add := p.subpageButton(lang.L("Add account…"), false, func() { p.AddAccount(p.list.reload) })
	add.Icon = theme.ContentAddIcon()
	about := widgets.NewText(lang.L("An account is a server that fetches feeds and that your other devices read them from: Miniflux, FreshRSS, Tiny Tiny RSS, or any with the Google Reader API. Kairos keeps feeds, folders, articles and marks the same here and there."), widgets.Muted)
	return widgets.NewColumn(10, about, p.list.Container, container.NewHBox(add))
}

func (p *accountsPage) load(ctx context.Context) ([]accountLine, error) {
	all, err := p.Home.Subscriptions.Accounts.List(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	feeds, err := p.Home.Store.Feeds.List(ctx)
	lines := make([]accountLine, len(all))
	for i, a := range all {
		lines[i].AccountStatus, lines[i].AlsoHere = a, home.AlsoHere(feeds, a.ID)
		for _, f := range feeds {
			if f.Account == a.ID {
				lines[i].Feeds, lines[i].Unread = lines[i].Feeds+1, lines[i].Unread+f.Unread
			}
		}
	}
	return lines, err
}

func (p *accountsPage) texts(a accountLine) []string {
	return []string{a.Name, a.about(), a.state(p.Home.Now()), a.refreshes(), strconv.Itoa(a.AlsoHere)} // the last when it is removed
}

// about tells whose account it is where, by which protocol, and how much it has.
func (a accountLine) about() string {
	return protocolName(connect.Kind(a.Kind)) + "  ·  " + language.Printer().Feeds(a.Feeds) + "  ·  " + lang.N("{{.PluralCount}} unread", a.Unread) + "  ·  " + lang.L("{{.User}} at {{.Server}}", map[string]any{"User": a.User, "Server": a.URL})
}

func (a accountLine) state(now time.Time) string {
	return language.Printer().AccountStatus(a.Sync, now)
}

// refreshes tells how often Kairos has told the server to fetch, "" if it does not decide that.
func (a accountLine) refreshes() string {
	if a.Refresh == 0 {
		return ""
	}
	return language.Printer().Sentences(lang.N("Kairos told it to fetch a feed {{.PluralCount}} times in the last 24 hours.", a.Refreshed),
		lang.L("The server's own schedule goes on beside that."))
}

// decides lets Kairos decide when the server of an account fetches.
func (p *accountsPage) decides(a accountLine) fyne.CanvasObject {
	about := widgets.NewText(a.refreshes(), widgets.Muted)
	about.Hidden = a.Refresh == 0
	on := widgets.NewCheck(lang.L("Kairos decides when this server fetches"))
	on.Checked = a.Refresh != 0
	on.OnChanged = func(on bool) {
		p.Keys.Used()
		perDay := 0
		if on {
			perDay = poller.RefreshUsual
		}
		p.apply(func(ctx context.Context) error {
			defer p.Do(p.list.renew)
			return p.Home.Subscriptions.Accounts.SetRefresh(ctx, a.ID, perDay)
		})
	}
	p.list.control(on)
	return widgets.NewColumn(0, on, about)
}

// card shows an account in the list.
func (p *accountsPage) card(a accountLine) fyne.CanvasObject {
	button := func(text string, do func()) fyne.CanvasObject {
		b := widgets.NewDialogButton(text, func() { p.Keys.Used(); do() })
		b.Importance = widget.LowImportance
		p.list.control(b)
		return b
	}
	pause := lang.L("Pause")
	if a.Paused {
		pause = lang.L("Resume")
	}
	style := widgets.Plain
	if a.Sync.Error != nil && !a.Sync.Syncing {
		style = widgets.Warning
	}
	lines := widgets.NewColumn(4, widgets.NewText(a.Name, widgets.Bold), widgets.NewText(a.about(), widgets.Muted),
		widgets.NewText(a.state(p.Home.Now()), style),
		widgets.NewFlow(4, button(lang.L("Sync now"), func() { p.SyncAccount(a.ID); p.list.reload() }),
			button(pause, func() { p.pause(a) }),
			button(lang.L("Edit…"), func() { p.edit(a.Account) }),
			button(lang.L("Remove…"), func() { p.askRemove(a) })))
	if connect.Kind(a.Kind).Refreshes() {
		lines.Add(p.decides(a))
	}
	return card(nil, lines)
}

func (p *accountsPage) pause(a accountLine) {
	p.apply(func(ctx context.Context) error {
		defer p.Do(p.list.reload)
		return p.Home.Subscriptions.Accounts.Pause(ctx, a.ID, !a.Paused)
	})
}

// askRemove asks what becomes of the feeds of an account, and removes it.
func (p *accountsPage) askRemove(a accountLine) *dialogs.Dialog {
	texts := []string{lang.L("Nothing changes at the server."), language.Printer().Sentences(
		lang.N("Its {{.PluralCount}} feeds can stay here with their articles: Kairos fetches them from then on. Otherwise they go, but starred articles stay.", a.Feeds),
		lang.L("You can undo that until you quit Kairos."))}
	if a.AlsoHere > 0 {
		texts = append(texts, lang.N("{{.PluralCount}} feeds are on this computer as well. If you keep them, each becomes one with that, and what is unread or starred in either stays so.", a.AlsoHere))
	}
	if a.Sync.Waiting > 0 {
		texts = append(texts, lang.N("{{.PluralCount}} changes made here have not been sent and would never reach the server.", a.Sync.Waiting))
	}
	d := &dialogs.Dialog{Title: lang.L("Remove the account “{{.Name}}”?", map[string]any{"Name": a.Name}),
		Content: widgets.NewText(strings.Join(texts, "\n\n"), widgets.Plain)}
	remove := func(text string, keepFeeds bool) *dialogs.Button {
		return &dialogs.Button{Text: text, Do: func() {
			d.Hide()
			p.remove(a.Account, keepFeeds)
		}}
	}
	cancel := dialogs.Cancel()
	cancel.Highlighted = true
	d.Buttons = []*dialogs.Button{remove(lang.L("Remove with its feeds"), false), remove(lang.L("Remove, keep the feeds"), true), cancel}
	p.Dialogs.Show(d)
	return d
}

// remove removes an account, and offers to undo that if it took the feeds with it.
func (p *accountsPage) remove(a reader.Account, keepFeeds bool) {
	p.apply(func(ctx context.Context) error {
		defer p.Do(p.list.reload)
		undo, err := p.Home.Subscriptions.Accounts.Remove(ctx, a.ID, keepFeeds)
		if undo != nil {
			p.Do(func() {
				p.undo.offer(lang.L("Removed the account “{{.Name}}”", map[string]any{"Name": a.Name}), func(ctx context.Context) error {
					defer p.Do(p.list.reload)
					return undo(ctx)
				})
			})
		}
		return err
	})
}

// edit asks for another name of an account, another address, user and password.
func (p *accountsPage) edit(a reader.Account) *accountForm {
	f := &accountForm{Settings: p.Settings, account: a, done: p.list.reload}
	f.makeFields()
	f.name.SetText(a.Name)
	f.address.SetText(a.URL)
	f.user.SetText(a.User)
	f.password.SetPlaceHolder(lang.L("unchanged"))
	first := f.name
	for _, known := range p.list.items {
		if known.ID == a.ID && known.Sync.Error != nil && known.Sync.Error.NeedsPassword() {
			first = f.password // which is what most come for then
		}
	}
	f.show(lang.L("Edit account"), lang.L("Save"), first,
		widgets.LabeledRow(accountLabel, lang.L("Name"), f.name, ""),
		widgets.LabeledRow(accountLabel, lang.L("Server"), widgets.NewColumn(4, f.address, f.addressProblem), ""),
		widgets.LabeledRow(accountLabel, lang.L("User"), f.user, ""),
		widgets.LabeledRow(accountLabel, lang.L("New password"), widgets.NewColumn(4, f.password, f.passwordProblem),
			language.Printer().Sentences(whichPassword(connect.Kind(a.Kind)), passwordsStored())))
	return f
}
