package feeds

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/report"
	"kairos/reader"
)

// troubleText tells what is wrong with a feed and what helps, "" if nothing is wrong.
func (a *Actions) troubleText(f reader.Feed) string {
	t := a.Library.Trouble(f, a.Shell.Now())
	if t == nil {
		return ""
	}
	words := language.Printer()
	return words.Sentences(words.Sentence(words.TroubleSince(t, a.Shell.Now())), words.Message(t.Message), words.Advice(t.Advice))
}

// fixButtons returns buttons for what can be done about a feed that fails. The first one stands out.
func (a *Actions) fixButtons(f reader.Feed, actions []report.Action) *fyne.Container {
	row := widgets.NewFlow(8)
	for i, action := range actions {
		text, icon, do := a.Fix(f, action)
		b := widgets.NewIconButton(text, icon, func() {
			a.Shell.Used()
			do()
		})
		if i > 0 {
			b.Importance = widget.LowImportance
		}
		row.Add(b)
	}
	return row
}

// Fix returns the button for one action.
func (a *Actions) Fix(f reader.Feed, action report.Action) (text string, icon fyne.Resource, do func()) {
	switch action {
	case report.TryNow:
		return lang.L("Try now"), theme.ViewRefreshIcon(), func() { a.retry(f) }
	case report.EnterLogin:
		return lang.L("Enter login…"), theme.LoginIcon(), func() {
			p := a.Properties(&f)
			p.Shell.Focus(p.user)
		}
	case report.FindAddress:
		return lang.L("Find new address…"), theme.SearchIcon(), func() { a.findAddress(f) }
	case report.EditAddress:
		return lang.L("Edit address…"), theme.DocumentCreateIcon(), func() {
			p := a.Properties(&f)
			p.Shell.Focus(p.Address)
		}
	case report.ChoosePage:
		return lang.L("Choose articles…"), theme.ListIcon(), func() { a.choosePageAgain(f) }
	case report.TrustCertificate:
		return lang.L("Trust certificate…"), theme.ConfirmIcon(), func() { a.trustCertificate(f) }
	case report.OpenPage:
		return lang.L("Open in browser"), theme.ComputerIcon(), func() { a.Shell.OpenLink(f.URL) }
	}
	return lang.L("Unsubscribe"), theme.DeleteIcon(), func() { a.Unsubscribe(&f) }
}

// retry fetches a feed that failed.
func (a *Actions) retry(f reader.Feed) {
	if f.Account != 0 {
		a.Accounts.refetch(f)
		return
	}
	a.fetch([]int64{f.ID}, fetchRetry)
}

// trustCertificate asks whether to trust the certificate that a feed failed for, and fetches it then.
func (a *Actions) trustCertificate(f reader.Feed) {
	if t := a.Library.Trouble(f, a.Shell.Now()); t != nil && t.Message.Fetch != nil {
		settings.OfferTrust(a.Shell.Jobs, a.Shell.Dialogs, a.Shell.Home, t.Message.Fetch, a.Shell.Fail, func() { a.retry(f) })
	}
}

// findAddress looks for the feed's new address on its site.
func (a *Actions) findAddress(f reader.Feed) {
	site := f.Site
	if site == "" {
		site = rootOf(f.URL)
	}
	a.Shell.Say(lang.L("Looking for feeds at {{.Site}}…", map[string]any{"Site": site}))
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	var r async.Request
	async.Load(a.Shell.Jobs, &r, func(ctx context.Context) (found, error) {
		c, err := a.Shell.Home.Poller.Discover(ctx, site, poller.Login{})
		return found{c, err}, nil
	}, func(got found) {
		a.Shell.Say("")
		var known *reader.DuplicateError
		others := slices.DeleteFunc(got.candidates, func(c poller.Candidate) bool { return c.URL == f.URL })
		switch {
		case errors.As(got.err, &known) && known.Feed.ID != f.ID:
			a.Shell.Dialogs.Inform(lang.L("New address"), lang.L("You already have the feed at {{.Site}}, as “{{.Feed}}”.", map[string]any{"Site": site, "Feed": known.Feed.Title}))
		case got.err != nil && known == nil:
			a.Shell.Dialogs.Inform(lang.L("New address"), lang.L("Nothing was found at {{.Site}}.", map[string]any{"Site": site})+"\n"+language.Error(got.err))
		case len(others) == 0:
			a.Shell.Dialogs.Inform(lang.L("New address"), lang.L("There is no other feed at {{.Site}}.", map[string]any{"Site": site}))
		default:
			a.ChooseAddress(f, others)
		}
	})
}

// ChooseAddress asks which of the addresses that were found the feed should use.
func (a *Actions) ChooseAddress(f reader.Feed, found []poller.Candidate) {
	names := candidateNames(found)
	choice := widgets.NewSelect(names)
	choice.SetSelected(names[0])
	message := widgets.NewText(lang.L("The articles of “{{.Feed}}” stay; new ones come from this address.", map[string]any{"Feed": text.CutMiddle(f.Title, 60)}), widgets.Plain)
	d := &dialogs.Dialog{Title: lang.L("New address"), Content: widgets.NewColumn(12, choice, message), Width: 560, Focus: choice}
	use := dialogs.Do(lang.L("Use this address"), func() {
		to := found[slices.Index(names, choice.Selected)].URL
		login := movedLogin(f, to)
		f.URL = to
		a.Shell.Work(func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Update(ctx, f, login) }, func(err error) {
			if err != nil {
				message.SetText(language.Error(err), widgets.Warning)
				return
			}
			d.Hide()
			a.Shell.Say(lang.L("{{.Feed}} is now fetched from {{.Address}}.", map[string]any{"Feed": f.Title, "Address": f.URL}))
		})
	})
	d.Buttons = []*dialogs.Button{dialogs.Cancel(), use}
	a.Shell.Dialogs.Show(d)
}

// movedLogin is the login of a feed at another address: nil keeps it, an empty one forgets it. A password is never sent
// to another host.
func movedLogin(f reader.Feed, to string) *poller.Login {
	if f.Login && fetch.Host(to) != fetch.Host(f.URL) {
		return &poller.Login{}
	}
	return nil
}

// rootOf is the start page of the site that an address belongs to.
func rootOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String()
}
