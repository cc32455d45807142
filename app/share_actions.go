package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/share"
	"kairos/app/shell"
	"kairos/reader"
)

// shareActions sends articles elsewhere: by mail, to the clipboard, and to the services that the user has named.
type shareActions struct {
	shell    *shell.Shell
	view     *article.View
	shown    func() *reader.Article // the article being read, nil for none
	targets  func() []int64
	manage   func() // opens the settings of services
	changed  func() // the services are others now
	open     func(link string)
	services []share.Service
}

// loadServices reads the services.
func (a *shareActions) loadServices() {
	var services []share.Service
	a.shell.Work(func(ctx context.Context) error {
		stored, err := a.shell.Home.Store.Settings.Get(ctx, share.Setting, "")
		if err == nil {
			services, err = share.Decode(stored)
		}
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		a.services = services
		a.changed()
	})
}

// withTargets calls do with the articles that a command applies to, and what is shared of them. Of the article being
// read that is what is selected.
func (a *shareActions) withTargets(do func([]share.Article)) {
	ids := a.targets()
	switch {
	case len(ids) == 0:
		a.shell.Say(lang.L("Select an article first."))
		return
	case len(ids) > maxBrowse:
		a.shell.Say(lang.L("Too many articles to open at once."))
		return
	}
	shown, selected := a.shown(), a.view.Selected()
	var articles []share.Article
	a.shell.Work(func(ctx context.Context) error {
		rows, err := a.shell.Home.Store.Articles.Load(ctx, ids)
		if err != nil {
			return err
		}
		labels, err := a.shell.Home.Store.Labels.List(ctx)
		for _, row := range rows {
			one := share.Article{Title: row.Title, Link: row.Link, Author: row.Author, Feed: row.FeedTitle, Text: row.Summary}
			if shown != nil && shown.ID == row.ID && selected != "" {
				one.Text = selected
			}
			for _, l := range labels {
				if labelNames([]reader.Label{l}, row.Labels) != "" {
					one.Labels = append(one.Labels, l.Name)
				}
			}
			articles = append(articles, one)
		}
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		a.shell.NoteRead(ids...)
		do(articles)
	})
}

// send sends the targets to a service.
func (a *shareActions) send(s share.Service) {
	a.withTargets(func(articles []share.Article) {
		for _, one := range articles {
			if s.IsAddress() {
				u, err := s.Address(one)
				if err != nil {
					a.failed(s, err)
					return
				}
				a.open(u.String())
				continue
			}
			if !a.run(s, one) {
				return
			}
		}
		if !s.IsAddress() {
			a.shell.Say(lang.L("Sent to {{.Service}}.", map[string]any{"Service": s.Name}))
		}
	})
}

// run starts the program of a service, and tells if it fails then or later; it reports whether it was started. The
// program may outlive Kairos, which does not wait for it when it quits.
func (a *shareActions) run(s share.Service, one share.Article) bool {
	command, err := s.Command(one)
	if err != nil {
		a.failed(s, err)
		return false
	}
	wait, err := share.Start(command)
	if err != nil {
		a.failed(s, err)
		return false
	}
	go func() {
		err := wait()
		if a.shell.Ctx.Err() != nil {
			return
		}
		a.shell.Do(func() {
			if err != nil {
				a.failed(s, err)
			}
		})
	}()
	return true
}

func (a *shareActions) failed(s share.Service, err error) {
	a.shell.Say(lang.L("{{.Service}}: {{.Why}}", map[string]any{"Service": s.Name, "Why": language.Error(err)}))
}

// mail begins a mail about the targets.
func (a *shareActions) mail() {
	a.withTargets(func(articles []share.Article) {
		subject := lang.N("{{.PluralCount}} articles", len(articles))
		a.open(share.Mail(articles, subject).String())
	})
}

// copyMarkdownLinks copies the titles of the targets as links in Markdown.
func (a *shareActions) copyMarkdownLinks() { a.copy(share.MarkdownLink) }

// copyQuotes copies what is selected of the article, or the beginnings of the targets, as quotations.
func (a *shareActions) copyQuotes() { a.copy(share.Quote) }

// copy copies a text of each of the targets.
func (a *shareActions) copy(text func(share.Article) string) {
	a.withTargets(func(articles []share.Article) {
		all := ""
		for i, one := range articles {
			if i > 0 {
				all += "\n"
			}
			all += text(one)
		}
		a.shell.Copy(all)
		a.shell.Say(lang.L("Copied."))
	})
}

// items are the entries of the menu Share.
func (a *shareActions) items(own func(ids ...string) []*fyne.MenuItem) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, s := range a.services {
		items = append(items, fyne.NewMenuItem(s.Name, func() { a.send(s) }))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	items = append(items, own("mail", "copy-link", "copy-markdown-link", "copy-quote", "copy-markdown", "-")...)
	return append(items, fyne.NewMenuItem(lang.L("Services…"), a.manage))
}

// showShareMenu shows the menu Share beside the article. It takes the keys.
func (w *window) showShareMenu() {
	if len(w.session.List.Targets()) == 0 {
		w.shell.Say(lang.L("Select an article first."))
		return
	}
	items := w.share.items(w.items)
	for _, item := range items {
		item.Shortcut = nil
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.article.pane)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), w.win.Canvas())
	menu.ShowAtPosition(at.AddXY(8, 40))
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
}

func newShareActions(w *window) *shareActions {
	return &shareActions{shell: w.shell, view: w.article.view, shown: w.session.Reading, targets: w.session.List.Targets,
		manage: func() { newSettings(w).Open(settings.Sharing) }, changed: w.bindKeys, open: func(link string) { w.shell.OpenLink(link) }}
}
