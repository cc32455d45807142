package reading

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/share"
	"kairos/app/shell"
	"kairos/reader"
)

// Share sends articles elsewhere: by mail, to the clipboard, and to the services that the user has named.
type Share struct {
	Shell    *shell.Shell
	View     *article.View
	Shown    func() *reader.Article // the article being read, nil for none
	Targets  func() []int64
	Manage   func() // opens the settings of services
	Changed  func() // the services are others now
	Open     func(link string)
	Services []share.Service

	destinations []reader.Destination
}

// SetDestinations says where starred articles are sent: any article can be sent there.
func (a *Share) SetDestinations(destinations []reader.Destination) {
	same := slices.EqualFunc(a.destinations, destinations, func(a, b reader.Destination) bool { return a.ID == b.ID && a.Name == b.Name })
	if a.destinations = destinations; !same {
		a.Changed()
	}
}

// deliver has the targets sent to a destination.
func (a *Share) deliver(to reader.Destination) {
	ids := a.Targets()
	if len(ids) == 0 {
		a.Shell.Say(lang.L("Select an article first."))
		return
	}
	n := 0
	a.Shell.Work(func(ctx context.Context) (err error) {
		n, err = a.Shell.Home.Destinations.Deliver(ctx, to.ID, ids)
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.NoteRead(ids...)
		a.Shell.Say(lang.N("Sending {{.PluralCount}} articles to {{.Name}}.", n, map[string]any{"PluralCount": n, "Name": to.Name}))
	})
}

// LoadServices reads the services.
func (a *Share) LoadServices() {
	var services []share.Service
	a.Shell.Work(func(ctx context.Context) error {
		stored, err := a.Shell.Home.Store.Settings.Get(ctx, share.Setting, "")
		if err == nil {
			services, err = share.Decode(stored)
		}
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Services = services
		a.Changed()
	})
}

// maxShared is how many articles are shared at once.
const maxShared = 20

// withTargets calls do with the articles that a command applies to, and what is shared of them. Of the article being
// read that is what is selected.
func (a *Share) withTargets(do func([]share.Article)) {
	ids := a.Targets()
	switch {
	case len(ids) == 0:
		a.Shell.Say(lang.L("Select an article first."))
		return
	case len(ids) > maxShared:
		a.Shell.Say(lang.L("Too many articles to open at once."))
		return
	}
	shown, selected := a.Shown(), a.View.Selected()
	var articles []share.Article
	a.Shell.Work(func(ctx context.Context) error {
		rows, err := a.Shell.Home.Store.Articles.Load(ctx, ids)
		if err != nil {
			return err
		}
		labels, err := a.Shell.Home.Store.Labels.List(ctx)
		for _, row := range rows {
			one := share.Article{Title: row.Title, Link: row.Link, Author: row.Author, Feed: row.FeedTitle, Text: row.Summary}
			if shown != nil && shown.ID == row.ID && selected != "" {
				one.Text = selected
			}
			for _, l := range labels {
				if icon.LabelNames([]reader.Label{l}, row.Labels) != "" {
					one.Labels = append(one.Labels, l.Name)
				}
			}
			articles = append(articles, one)
		}
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.NoteRead(ids...)
		do(articles)
	})
}

// send sends the targets to a service.
func (a *Share) send(s share.Service) {
	a.withTargets(func(articles []share.Article) {
		for _, one := range articles {
			if s.IsAddress() {
				u, err := s.Address(one)
				if err != nil {
					a.failed(s, err)
					return
				}
				a.Open(u.String())
				continue
			}
			if !a.run(s, one) {
				return
			}
		}
		if !s.IsAddress() {
			a.Shell.Say(lang.L("Sent to {{.Service}}.", map[string]any{"Service": s.Name}))
		}
	})
}

// run starts the program of a service, and tells if it fails then or later; it reports whether it was started. The
// program may outlive Kairos, which does not wait for it when it quits.
func (a *Share) run(s share.Service, one share.Article) bool {
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
		if a.Shell.Ctx.Err() != nil {
			return
		}
		a.Shell.Do(func() {
			if err != nil {
				a.failed(s, err)
			}
		})
	}()
	return true
}

func (a *Share) failed(s share.Service, err error) {
	a.Shell.Say(lang.L("{{.Service}}: {{.Why}}", map[string]any{"Service": s.Name, "Why": language.Error(err)}))
}

// Mail begins a mail about the targets.
func (a *Share) Mail() {
	a.withTargets(func(articles []share.Article) {
		subject := lang.N("{{.PluralCount}} articles", len(articles))
		a.Open(share.Mail(articles, subject).String())
	})
}

// CopyMarkdownLinks copies the titles of the targets as links in Markdown.
func (a *Share) CopyMarkdownLinks() { a.copy(share.MarkdownLink) }

// CopyQuotes copies what is selected of the article, or the beginnings of the targets, as quotations.
func (a *Share) CopyQuotes() { a.copy(share.Quote) }

// copy copies a text of each of the targets.
func (a *Share) copy(text func(share.Article) string) {
	a.withTargets(func(articles []share.Article) {
		all := ""
		for i, one := range articles {
			if i > 0 {
				all += "\n"
			}
			all += text(one)
		}
		a.Shell.Copy(all)
		a.Shell.Say(lang.L("Copied."))
	})
}

// Items are the entries of the menu Share.
func (a *Share) Items(own func(ids ...string) []*fyne.MenuItem) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, to := range a.destinations {
		items = append(items, fyne.NewMenuItem(lang.L("Send to {{.Name}}", map[string]any{"Name": to.Name}), func() { a.deliver(to) }))
	}
	if len(items) > 0 && len(a.Services) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, s := range a.Services {
		items = append(items, fyne.NewMenuItem(s.Name, func() { a.send(s) }))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	items = append(items, own("mail", "copy-link", "copy-markdown-link", "copy-quote", "copy-markdown", "-", "save-page", "print", "-")...)
	return append(items, fyne.NewMenuItem(lang.L("Services…"), a.Manage))
}
