package feeds

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/poller"
	"kairos/poller/sync"
	"kairos/reader"
)

// Accounts are the commands that apply to accounts: servers to sync with.
type Accounts struct {
	shell    *shell.Shell
	settings func() *settings.Settings
	soon     map[int64]*time.Timer // until accounts whose feeds were changed are synced
	Answered func()                // called after a refresh or sync by hand, unless no server answered

	newsUntil time.Time // until when a message about new articles is shown
}

func NewAccounts(sh *shell.Shell, settings func() *settings.Settings) *Accounts {
	return &Accounts{shell: sh, settings: settings, soon: map[int64]*time.Timer{}, Answered: func() {}}
}

// Add asks for a server and adds it.
func (a *Accounts) Add() { a.settings().AddAccount(nil) }

// Open shows the accounts in the settings.
func (a *Accounts) Open() { a.settings().Open(settings.Accounts) }

// Sync syncs accounts now and tells how that went.
func (a *Accounts) Sync(ids []int64) {
	for _, id := range ids {
		a.syncOne(id)
	}
	a.shell.ReloadStatus()
}

func (a *Accounts) syncOne(id int64) {
	var name string
	var result sync.Result
	a.shell.Work(func(ctx context.Context) error {
		account, err := a.shell.Home.Store.Accounts.Get(ctx, id)
		if err != nil {
			return err
		}
		name = account.Name
		a.shell.Do(func() { a.say(lang.L("Syncing {{.Account}}…", map[string]any{"Account": name}), false) })
		result, err = a.shell.Home.Subscriptions.Accounts.Sync(ctx, id)
		return err
	}, func(err error) {
		a.shell.ReloadStatus()
		switch {
		case settings.OfferTrust(a.shell.Jobs, a.shell.Dialogs, a.shell.Home, err, a.shell.Fail, func() { a.syncOne(id) }):
		case err != nil:
			a.shell.Fail(err)
		default:
			text := syncedText(name, result)
			a.say(text, text != syncedText(name, sync.Result{}))
			a.Answered()
		}
	})
}

// say tells how a refresh or sync goes. One that has no news does not replace the message about the news of another while that is
// shown: it is only announced.
func (a *Accounts) say(text string, news bool) {
	now := a.shell.Now()
	if !news && now.Before(a.newsUntil) {
		a.shell.Announce(text)
		return
	}
	if news {
		a.newsUntil = now.Add(shell.MessageStays)
	}
	a.shell.Say(text)
}

// refetch makes the server of an account fetch a feed that failed there, syncs, and tells what came of it.
func (a *Accounts) refetch(f reader.Feed) {
	a.shell.Say(lang.L("Fetching {{.Feeds}}…", map[string]any{"Feeds": f.Title}))
	var result sync.Result
	var state poller.State
	var account reader.Account
	a.shell.Work(func(ctx context.Context) (err error) {
		if account, err = a.shell.Home.Store.Accounts.Get(ctx, f.Account); err != nil {
			return err
		}
		if err = a.shell.Home.Subscriptions.Accounts.FetchThere(ctx, f); err != nil {
			return err
		}
		if result, err = a.shell.Home.Subscriptions.Accounts.Sync(ctx, f.Account); err != nil {
			return err
		}
		states, err := a.shell.Home.Poller.States(ctx)
		state = states[f.ID]
		return err
	}, func(err error) {
		a.shell.ReloadStatus()
		switch {
		case err != nil:
			a.shell.Fail(err)
		case state.Failures > 0:
			a.shell.Say(lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": f.Title, "Said": language.Printer().Message(state.Message)}))
		default:
			a.shell.Say(syncedText(account.Name, result))
		}
	})
}

// syncedText tells what a synchronization has changed.
func syncedText(account string, r sync.Result) string {
	texts := []string{lang.L("Synced {{.Account}}: {{.Articles}}.", map[string]any{"Account": account, "Articles": lang.N("{{.PluralCount}} new articles", r.New)})}
	if r.FeedsJoined > 0 {
		texts = append(texts, lang.N("{{.PluralCount}} feeds that you kept here are feeds of the account again, with their articles and marks.", r.FeedsJoined))
	}
	texts = append(texts, language.Printer().Refusals(r.Refused)...)
	if r.Shortened > 0 {
		texts = append(texts, lang.N("{{.PluralCount}} articles have no text here: it is too long.", r.Shortened))
	}
	return language.Printer().Sentences(texts...)
}

// pause stops the synchronization of an account, or resumes it.
func (a *Accounts) pause(id int64, paused bool) {
	a.shell.Work(func(ctx context.Context) error { return a.shell.Home.Subscriptions.Accounts.Pause(ctx, id, paused) }, nil)
}

// Menu returns the context menu of an account; nil is this computer.
func (a *Accounts) Menu(account *home.AccountStatus) []*fyne.MenuItem {
	if account == nil {
		return nil
	}
	id, paused := account.ID, account.Paused
	pause := lang.L("Pause syncing")
	if paused {
		pause = lang.L("Resume syncing")
	}
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Sync now"), func() { a.Sync([]int64{id}) }),
		fyne.NewMenuItem(pause, func() { a.pause(id, !paused) }),
		fyne.NewMenuItem(lang.L("Account settings…"), a.Open),
	}
}
