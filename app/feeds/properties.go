package feeds

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/poller/sync/connect"
	"kairos/reader"
)

type namedWeight struct {
	name   string
	weight float64
}

// weightNames returns the weights on offer, from low to high.
func weightNames() []namedWeight {
	return []namedWeight{{lang.X("weight.low", "low"), reader.WeightLow}, {lang.X("weight.normal", "normal"), reader.WeightNormal},
		{lang.X("weight.high", "high"), reader.WeightHigh}}
}

type namedInterest struct {
	name     string
	interest float64
}

// interestNames returns how much of a feed can be said to be read.
func interestNames() []namedInterest {
	return []namedInterest{{lang.L("Automatic"), 0}, {lang.X("interest.most", "nearly everything"), 0.95}, {lang.X("interest.half", "about half"), 0.5},
		{lang.X("interest.few", "now and then an article"), 0.1}}
}

type namedGap struct {
	name  string
	every time.Duration
}

// everyNames returns the maximum gaps on offer.
func everyNames() []namedGap {
	hours := func(n int) string { return lang.N("{{.PluralCount}} hours", n) }
	return []namedGap{
		{lang.L("Automatic"), 0}, {lang.N("{{.PluralCount}} minutes", 30), 30 * time.Minute}, {lang.X("every.hour", "hour"), time.Hour},
		{hours(3), 3 * time.Hour}, {hours(6), 6 * time.Hour}, {hours(12), 12 * time.Hour}, {lang.X("every.day", "day"), 24 * time.Hour},
		{lang.N("{{.PluralCount}} days", 3), 72 * time.Hour}, {lang.X("every.week", "week"), schedule.MaxEvery},
	}
}

// propertiesDialog changes the properties of a feed.
type propertiesDialog struct {
	*Actions
	Feed reader.Feed

	Title, Address, user, password *widgets.Entry
	Folder                         *widgets.SelectEntry
	weight, interest               *widgets.Select
	every                          *widgets.Select
	Days, Number                   *widgets.Select // of articles that are kept
	keep                           reader.Keep
	Account                        *accountFields
	paused, notify, fullText       *widgets.Check
	quiet                          *widgets.Check
	episodes                       *widgets.Select // nil: the feed has none
	episodesBefore                 int
	ends                           reader.Ends
	EndDays, EndNumber             *widgets.Select // of its unread articles
	ending                         *settings.EndsNote
	trouble, message               *widgets.Text
	dialog                         *dialogs.Dialog
}

// Properties opens the dialog for a feed; it returns nil if f is nil.
func (a *Actions) Properties(f *reader.Feed) *propertiesDialog {
	if f == nil {
		a.Shell.Say(lang.L("Select a feed first."))
		return nil
	}
	p := &propertiesDialog{Actions: a, Feed: *f, Folder: widgets.NewSelectEntry(a.Library.Folders(f.Account)),
		paused:   widgets.NewCheck(lang.L("Paused: not fetched in the background")),
		notify:   widgets.NewCheck(lang.L("Notify me of new articles")),
		quiet:    widgets.NewCheck(lang.L("Quiet (not in All, Unread and Today)")),
		fullText: widgets.NewCheck(lang.L("Always show the full article")), trouble: widgets.NewText("", widgets.Warning), message: widgets.NewText("", widgets.Warning)}
	p.Account = a.newAccountFields(*f)
	p.Title, p.Address, p.user, p.password = widgets.NewEntry(p.close), widgets.NewEntry(p.close), widgets.NewEntry(p.close), widgets.NewEntry(p.close)
	p.password.Password = true
	p.fill()
	p.show()
	return p
}

func (p *propertiesDialog) close() { p.dialog.Hide() }

func (p *propertiesDialog) fill() {
	f := p.Feed
	p.Title.SetPlaceHolder(f.Title)
	p.Title.SetText(f.OwnTitle)
	p.Address.SetText(f.URL)
	p.Folder.SetPlaceHolder(lang.L("none"))
	p.Folder.SetText(f.Folder)
	p.weight = widgets.NewSelect(nil)
	for _, o := range weightNames() {
		p.weight.Options = append(p.weight.Options, o.name)
		if o.weight == f.Weight {
			p.weight.SetSelected(o.name)
		}
	}
	p.interest = widgets.NewSelect(nil)
	for _, o := range interestNames() {
		p.interest.Options = append(p.interest.Options, o.name)
		if o.interest == f.Interest {
			p.interest.SetSelected(o.name)
		}
	}
	if p.interest.Selected == "" {
		p.interest.Options = append(p.interest.Options, language.Printer().Percent(f.Interest))
		p.interest.SetSelected(language.Printer().Percent(f.Interest))
	}
	p.every = widgets.NewSelect(nil)
	for _, o := range everyNames() {
		p.every.Options = append(p.every.Options, o.name)
		if o.every == f.Every {
			p.every.SetSelected(o.name)
		}
	}
	if p.every.Selected == "" {
		p.every.Options = append(p.every.Options, language.Printer().Span(f.Every))
		p.every.SetSelected(language.Printer().Span(f.Every))
	}
	p.keep = f.Keep
	p.Days = settings.NewDaysSelect(f.Keep.Days, true, func(n int) { p.keep.Days = n })
	p.Number = settings.NewNumberSelect(f.Keep.Number, true, func(n int) { p.keep.Number = n })
	p.ends = f.Ends
	p.ending = settings.NewEndsNote(p.Shell.Jobs, p.Shell.Home, reader.EndsChoice{Feed: f.ID, Ends: f.Ends})
	p.EndDays, p.EndNumber = settings.NewEndsFields(f.Ends, true, func(e reader.Ends) {
		p.ends = e
		p.ending.Tell(reader.EndsChoice{Feed: f.ID, Ends: e})
	})
	p.quiet.SetChecked(f.Quiet)
	p.paused.SetChecked(f.Paused)
	p.notify.SetChecked(f.Notify)
	p.fullText.SetChecked(f.FullText)
	p.makeEpisodes()
	p.user.SetPlaceHolder(lang.L("user"))
	p.password.SetPlaceHolder(lang.L("password"))
	if f.Login {
		p.user.SetPlaceHolder(lang.L("stored in the system keyring"))
		if p.Shell.Home.Secrets.InFile(f.ID) {
			p.user.SetPlaceHolder(lang.L("stored in {{.File}}", map[string]any{"File": filepath.Base(p.Shell.Home.Secrets.File())}))
		}
		p.password.SetPlaceHolder(lang.L("leave both empty to forget it"))
	}
	p.trouble.SetText(p.troubleText(f), widgets.Warning)
}

func (p *propertiesDialog) show() {
	forget := widgets.NewCheck(lang.L("Forget the login"))
	loginItem := container.NewGridWithColumns(2, p.user, p.password)
	items := []*widget.FormItem{
		widget.NewFormItem(lang.L("Title"), p.Title),
		widget.NewFormItem(lang.L("Address"), p.Address),
	}
	if item := p.sourceItem(); item != nil {
		items = append(items, item)
	}
	items = append(items, widget.NewFormItem(lang.L("Folder"), p.Folder))
	if p.Account.Choice != nil {
		items = append(items, widget.NewFormItem(lang.L("Account"), widgets.NewColumn(4, p.Account.Choice, p.Account.Effect)))
	}
	items = append(items, widget.NewFormItem(lang.L("Weight"), p.weight), widget.NewFormItem(lang.L("You read"), p.interest))
	here := p.Feed.Account == 0
	if here { // else its server decides when it is fetched, and how it logs in
		items = append(items, widget.NewFormItem(lang.L("At least every"), p.every), widget.NewFormItem("", p.paused))
	} else {
		p.Address.Disable()
	}
	focus := fyne.Focusable(p.Title)
	if account := p.Library.Account(p.Feed.Account); account != nil && !connect.Kind(account.Kind).Edits() {
		p.Title.Disable()
		p.Folder.Disable()
		focus = p.weight
		items = slices.Insert(items, 1, widget.NewFormItem("", widgets.NewText(lang.L("Its server lets no app rename or move feeds. Do that on its own page."), widgets.Muted)))
	}
	items = append(items,
		widget.NewFormItem("", p.notify),
		widget.NewFormItem("", p.fullText),
		widget.NewFormItem("", p.quiet))
	if p.episodes != nil {
		items = append(items, widget.NewFormItem(lang.L("Episodes"), p.episodes))
	}
	items = append(items,
		widget.NewFormItem(lang.L("Unread articles expire"), widgets.NewColumn(4, container.NewGridWithColumns(2, p.EndDays, p.EndNumber), p.ending.Text)),
		widget.NewFormItem(lang.L("Keep"), container.NewGridWithColumns(2, p.Days, p.Number)))
	if here {
		items = append(items, widget.NewFormItem(lang.L("Login"), loginItem))
	}
	if p.Feed.Login && here {
		p.password.SetPlaceHolder(lang.L("password"))
		items = append(items, widget.NewFormItem("", forget))
	}
	p.dialog = &dialogs.Dialog{Title: lang.L("Feed properties"), Content: widgets.NewColumn(8, widgets.NewForm(items...), p.trouble, p.message), Width: 600, Focus: focus,
		Buttons: []*dialogs.Button{
			{Text: lang.L("Unsubscribe"), Aside: true, Do: func() {
				p.dialog.Hide()
				p.Unsubscribe(&p.Feed)
			}},
			{Text: lang.L("Feed status"), Aside: true, Do: func() {
				p.dialog.Hide()
				p.OpenPage(&p.Feed)
			}},
			dialogs.Cancel(), dialogs.Do(lang.L("Save"), func() { p.Save(forget.Checked) }),
		}}
	p.Shell.Dialogs.Show(p.dialog)
}

func (p *propertiesDialog) Save(forget bool) {
	f := p.Feed
	f.OwnTitle = strings.TrimSpace(p.Title.Text)
	f.Folder = strings.TrimSpace(p.Folder.Text)
	f.Paused, f.Notify, f.FullText, f.Keep = p.paused.Checked, p.notify.Checked, p.fullText.Checked, p.keep
	f.Quiet, f.Ends = p.quiet.Checked, p.ends
	for _, o := range weightNames() {
		if o.name == p.weight.Selected {
			f.Weight = o.weight
		}
	}
	for _, o := range interestNames() {
		if o.name == p.interest.Selected {
			f.Interest = o.interest
		}
	}
	for _, o := range everyNames() {
		if o.name == p.every.Selected {
			f.Every = o.every
		}
	}
	address, err := poller.Address(p.Address.Text)
	if err != nil {
		p.message.SetText(language.Error(err), widgets.Warning)
		return
	}
	f.URL = address
	var login *poller.Login
	switch {
	case p.user.Text != "" || p.password.Text != "":
		login = &poller.Login{User: p.user.Text, Password: p.password.Text}
	case forget:
		login = &poller.Login{}
	}
	var ended []int64
	p.Shell.Work(func(ctx context.Context) error {
		if err := p.Shell.Home.Subscriptions.Update(ctx, f, login); err != nil {
			return err
		}
		err := p.storeEpisodes(ctx)
		if err == nil && f.Ends != p.Feed.Ends {
			ended = p.endUnread(ctx)
		}
		return err
	}, func(err error) {
		if err != nil {
			p.message.SetText(language.Error(err), widgets.Warning)
			settings.OfferPasswordFile(p.Shell.Dialogs, p.Shell.Home.Secrets, err, p.Shell.Fail, func() { p.Save(forget) })
			return
		}
		p.dialog.Hide()
		p.offerUndo(f, ended)
		p.Accounts.SyncSoon(f.Account)
		if login != nil && *login != (poller.Login{}) && !f.Paused && f.Account == 0 {
			p.fetch([]int64{f.ID}, fetchRetry) // whether it is accepted is known then
		}
		if p.Account.account != f.Account {
			p.moveToAccount(f.Title, []reader.Feed{f}, p.Account.account)
		}
	})
}

// offerUndo offers to undo a change of the properties and that articles have ended by it. A login is not brought back: its password may be gone.
func (p *propertiesDialog) offerUndo(now reader.Feed, ended []int64) {
	before := p.Feed
	now.Login = before.Login
	if now == before {
		return
	}
	set := func(to reader.Feed, end bool) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			f, err := p.Shell.Home.Store.Feeds.Get(ctx, to.ID)
			if err != nil {
				return err
			}
			f.URL, f.OwnTitle, f.Folder, f.Weight, f.Interest, f.Every = to.URL, to.OwnTitle, to.Folder, to.Weight, to.Interest, to.Every
			f.Paused, f.Notify, f.FullText, f.Keep = to.Paused, to.Notify, to.FullText, to.Keep
			f.Quiet, f.Ends = to.Quiet, to.Ends
			p.Shell.Do(func() { p.Accounts.SyncSoon(f.Account) })
			return p.Shell.Home.Subscriptions.UpdateAgain(ctx, f, ended, end)
		}
	}
	p.Shell.AddUndoRedo(lang.L("Changed the properties of {{.Feed}}", map[string]any{"Feed": before.Title}), set(before, false), set(now, true))
}
