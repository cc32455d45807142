package app

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

// troubleOf says what is wrong with a feed and what helps, "" if nothing is.
func (w *window) troubleOf(f reader.Feed) string {
	t := w.sidebar.states[f.ID].Trouble(f, w.now())
	if t == nil {
		return ""
	}
	return language.Printer().Sentences(language.Printer().Sentence(spoken(t.Lasting(w.now()))), spoken(t.Said), spoken(t.Advice))
}

// remedies are buttons for what can be done about a feed that fails; the first one
// stands out.
func (w *window) remedies(f reader.Feed, actions []poller.Action) *fyne.Container {
	row := widgets.NewFlow(8)
	for i, a := range actions {
		text, icon, do := w.remedy(f, a)
		b := widget.NewButtonWithIcon(text, icon, func() {
			w.used()
			do()
		})
		if i > 0 {
			b.Importance = widget.LowImportance
		}
		row.Add(b)
	}
	return row
}

func (w *window) remedy(f reader.Feed, a poller.Action) (text string, icon fyne.Resource, do func()) {
	switch a {
	case poller.TryNow:
		return lang.L("Try now"), theme.ViewRefreshIcon(), func() { w.fetch([]int64{f.ID}, triedByHand) }
	case poller.EnterLogin:
		return lang.L("Enter login…"), theme.LoginIcon(), func() {
			p := w.properties(&f)
			p.focus(p.user)
		}
	case poller.FindAddress:
		return lang.L("Look for its address…"), theme.SearchIcon(), func() { w.findAddress(f) }
	case poller.EditAddress:
		return lang.L("Edit address…"), theme.DocumentCreateIcon(), func() {
			p := w.properties(&f)
			p.focus(p.address)
		}
	case poller.OpenPage:
		return lang.L("Open in browser"), theme.ComputerIcon(), func() { w.openLink(f.URL) }
	}
	return lang.L("Unsubscribe"), theme.DeleteIcon(), func() { w.unsubscribe(&f) }
}

// findAddress looks on a feed's site for the address it has now.
func (w *window) findAddress(f reader.Feed) {
	site := f.Site
	if site == "" {
		site = rootOf(f.URL)
	}
	w.say(lang.L("Looking for feeds at {{.Site}}…", map[string]any{"Site": site}))
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	var want async.Request
	async.Load(w.Jobs, &want, func(ctx context.Context) (found, error) {
		c, err := w.home.Poller.Discover(ctx, site, poller.Login{})
		return found{c, err}, nil
	}, func(r found) {
		w.say("")
		var known *reader.DuplicateError
		others := slices.DeleteFunc(r.candidates, func(c poller.Candidate) bool { return c.URL == f.URL })
		switch {
		case errors.As(r.err, &known) && known.Feed.ID != f.ID:
			w.dialogs.inform(lang.L("Its new address"), lang.L("The feed at {{.Site}} is one you have already, as “{{.Feed}}”.", map[string]any{"Site": site, "Feed": known.Feed.Title}))
		case r.err != nil && known == nil:
			w.dialogs.inform(lang.L("Its new address"), lang.L("Nothing was found at {{.Site}}.", map[string]any{"Site": site})+"\n"+errorText(r.err))
		case len(others) == 0:
			w.dialogs.inform(lang.L("Its new address"), lang.L("There is no other feed at {{.Site}}.", map[string]any{"Site": site}))
		default:
			w.chooseAddress(f, others)
		}
	})
}

// chooseAddress moves a feed to one of the addresses that were found.
func (w *window) chooseAddress(f reader.Feed, found []poller.Candidate) {
	names := candidateNames(found)
	choice := widgets.NewSelect(names)
	choice.SetSelected(names[0])
	said := widget.NewLabel(lang.L("What you have of “{{.Feed}}” stays, and new articles come from there.", map[string]any{"Feed": cutMiddle(f.Title, 60)}))
	said.Wrapping = fyne.TextWrapWord
	d := dialog.NewCustomWithoutButtons(lang.L("Its new address"), container.NewVBox(choice, said), w.win)
	use := widget.NewButton(lang.L("Use this address"), func() {
		to := found[slices.Index(names, choice.Selected)].URL
		login := movedLogin(f, to)
		f.URL = to
		w.Work(func(ctx context.Context) error { return w.home.Update(ctx, f, login) }, func(err error) {
			if err != nil {
				said.SetText(errorText(err))
				return
			}
			d.Hide()
			w.say(lang.L("{{.Feed}} is fetched from {{.Address}} now.", map[string]any{"Feed": f.Title, "Address": f.URL}))
		})
	})
	use.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), d.Hide), use})
	d.Resize(fyne.NewSize(560, 300))
	w.dialogs.show(d, nil)
}

// movedLogin is what becomes of a feed's login at another address: nil keeps it, an
// empty one forgets it, as a password is for nobody else.
func movedLogin(f reader.Feed, to string) *poller.Login {
	if f.Login && fetch.Host(to) != fetch.Host(f.URL) {
		return &poller.Login{}
	}
	return nil
}

// rootOf is the beginning of a site, of which the address of a feed tells only this.
func rootOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String()
}
