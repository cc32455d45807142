package feeds

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// feedsSentAfter is how long after feeds of an account were changed here its server is told: as long as undo is offered.
const feedsSentAfter = shell.MessageStays + 5*time.Second

// SyncSoon syncs accounts whose feeds were changed.
func (a *Accounts) SyncSoon(ids ...int64) {
	for _, id := range ids {
		if id == 0 {
			continue
		}
		if timer := a.soon[id]; timer != nil {
			timer.Stop()
		}
		a.soon[id] = time.AfterFunc(feedsSentAfter, func() {
			if a.shell.Ctx.Err() == nil {
				a.shell.Go(func() {
					_, _ = a.shell.Home.Subscriptions.Accounts.Sync(a.shell.Ctx, id) // how it ended is stored, and shown from there
				})
			}
		})
	}
}

// accountsOf are the accounts of feeds, without this computer.
func accountsOf(feeds []reader.Feed) (ids []int64) {
	for _, f := range feeds {
		if f.Account != 0 && !slices.Contains(ids, f.Account) {
			ids = append(ids, f.Account)
		}
	}
	return ids
}

// AccountMenu offers the accounts that feeds can be moved to; nil if there is none. name says what is moved.
func (a *Actions) AccountMenu(name string, feeds []reader.Feed) *fyne.MenuItem {
	if len(a.Library.Accounts) == 0 || len(feeds) == 0 {
		return nil
	}
	entry := func(id int64) *fyne.MenuItem {
		item := fyne.NewMenuItem(a.Library.AccountName(id), func() { a.AskMoveToAccount(name, feeds, id) })
		item.Disabled = !slices.ContainsFunc(feeds, func(f reader.Feed) bool { return f.Account != id })
		return item
	}
	items := []*fyne.MenuItem{entry(0)}
	for _, account := range a.Library.Accounts {
		items = append(items, entry(account.ID))
	}
	return widgets.Submenu(lang.L("Move to account"), items...)
}

// moveToAccountText tells what moving feeds to an account does.
func (a *Actions) moveToAccountText(feeds []reader.Feed, account int64) string {
	var texts []string
	if account == 0 {
		texts = append(texts, lang.L("Kairos fetches from this computer from then on."))
	} else {
		texts = append(texts, lang.L("{{.Account}} subscribes and fetches from then on, also for your other devices.", map[string]any{"Account": a.Library.AccountName(account)}))
	}
	for _, from := range accountsOf(feeds) {
		if from != account {
			texts = append(texts, lang.L("{{.Account}} unsubscribes.", map[string]any{"Account": a.Library.AccountName(from)}))
		}
	}
	if account != 0 && slices.ContainsFunc(feeds, func(f reader.Feed) bool { return f.Login }) {
		texts = append(texts, lang.L("The server does not get the login that you have entered for the feed."))
	}
	return language.Printer().Sentences(append(texts, lang.L("Articles, folders and marks stay."))...)
}

// AskMoveToAccount says what moving feeds to an account does, and moves them.
func (a *Actions) AskMoveToAccount(name string, feeds []reader.Feed, account int64) {
	title := lang.L("Move {{.Name}} to {{.Account}}?", map[string]any{"Name": name, "Account": a.Library.AccountName(account)})
	if account == 0 {
		title = lang.L("Move {{.Name}} to this computer?", map[string]any{"Name": name})
	}
	a.Shell.Dialogs.Confirm(title, a.moveToAccountText(feeds, account), lang.L("Move"), func() { a.moveToAccount(name, feeds, account) })
}

// moveToAccount moves feeds to an account. Undo moves them back, unless one of them was there already.
func (a *Actions) moveToAccount(name string, feeds []reader.Feed, account int64) {
	there, ids := a.Library.AccountName(account), feedIDs(feeds)
	accounts := append(accountsOf(feeds), account)
	moved := 0 // that kept their id: the others were there
	move := func(ctx context.Context, to func(f reader.Feed) int64) error {
		moved = 0
		for i, f := range feeds {
			id, err := a.Shell.Home.Subscriptions.Accounts.MoveFeed(ctx, ids[i], to(f))
			if err != nil {
				return err
			}
			if id == ids[i] && f.Account != account {
				moved++
			}
			ids[i] = id
		}
		a.Shell.Do(func() { a.Accounts.SyncSoon(accounts...) })
		return nil
	}
	moveThere := func(ctx context.Context) error { return move(ctx, func(reader.Feed) int64 { return account }) }
	back := func(ctx context.Context) error { return move(ctx, func(f reader.Feed) int64 { return f.Account }) }
	a.Shell.Work(moveThere, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		text := lang.L("{{.Name}} moved to {{.Folder}}", map[string]any{"Name": name, "Folder": there})
		if account == 0 {
			text = lang.L("{{.Name}} moved to this computer", map[string]any{"Name": name})
		}
		if moved < len(feeds) {
			a.Shell.Say(text)
			return
		}
		a.Shell.AddUndoRedo(text, back, moveThere)
	})
}

// unsubscribedThere tells what unsubscribing from feeds does at the servers of accounts, "" if none is of one.
func (a *Actions) unsubscribedThere(feeds []reader.Feed) string {
	var names []string
	for _, id := range accountsOf(feeds) {
		names = append(names, a.Library.AccountName(id))
	}
	if len(names) == 0 {
		return ""
	}
	return lang.L("You will also be unsubscribed at {{.Accounts}}, and so on your other devices.", map[string]any{"Accounts": language.Printer().List(names)})
}

// askUnsubscribe asks whether to unsubscribe from feeds if that reaches the servers of accounts, and then calls do.
func (a *Actions) askUnsubscribe(feeds []reader.Feed, do func()) {
	there := a.unsubscribedThere(feeds)
	if there == "" {
		do()
		return
	}
	title := unsubscribeText(len(feeds)) + "?"
	if len(feeds) == 1 {
		title = lang.L("Unsubscribe from {{.Feed}}?", map[string]any{"Feed": feeds[0].Title})
	}
	a.Shell.Dialogs.Confirm(title, language.Printer().Sentences(there, lang.L("Starred articles stay.")), lang.L("Unsubscribe"), do)
}

// accountFields are the fields of the properties that concern the account of a feed.
type accountFields struct {
	account int64 // that is chosen
	Effect  *widgets.Text
	Choice  *widgets.Select // nil while there is no account
}

func (a *Actions) newAccountFields(f reader.Feed) *accountFields {
	fields := &accountFields{account: f.Account, Effect: widgets.NewText("", widgets.Muted)}
	if len(a.Library.Accounts) == 0 {
		return fields
	}
	fields.Choice = a.accountChoice(f.Account, func(id int64) {
		fields.account = id
		text := ""
		if id != f.Account {
			text = a.moveToAccountText([]reader.Feed{f}, id)
		}
		fields.Effect.SetText(text, widgets.Muted)
	})
	return fields
}

// accountChoice lets the user choose among this computer and the accounts.
func (a *Actions) accountChoice(chosen int64, changed func(id int64)) *widgets.Select {
	option := func(id int64) widgets.Option { return widgets.Opt(library.AccountPath(id), a.Library.AccountName(id)) }
	options := []widgets.Option{option(0)}
	for _, account := range a.Library.Accounts {
		options = append(options, option(account.ID))
	}
	return widgets.NewChoice(options, library.AccountPath(chosen), func(value string) { changed(library.PlaceOf(value).Account) })
}
