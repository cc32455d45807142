// Package feeds is what concerns feeds and their accounts: to subscribe, change, refresh and move them, and the pages that tell
// how they fare.
package feeds

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/poller"
	"kairos/reader"
)

// Tree is where feeds are chosen and moved: the sidebar.
type Tree interface {
	ChooseFeed(reader.Feed)                        // that it may not list yet
	ChooseKey(key string)                          // of an item
	Move(folders map[int64]string, message string) // moves feeds into folders, which can be undone
	MoveMenu(name string, account int64, moves func(path string) map[int64]string) *fyne.MenuItem
}

// Actions are the commands that apply to feeds.
type Actions struct {
	Shell    *shell.Shell
	Library  *library.Library
	Session  *session.Session
	Sidebar  Tree
	MarkRead func(...reader.Query) // marks all articles of queries as read, which can be undone
	Accounts *Accounts
	OpenPage func(*reader.Feed) // shows the status of a feed

	OlderEnded func(feed int64) // called when a feed turned out to have no older articles

	report fyne.CanvasObject // the row that tells what an import could not read, nil for none
}

// Unsubscribe removes a feed, but asks first if that is done at a server as well. Undo brings it back with all its articles.
func (a *Actions) Unsubscribe(f *reader.Feed) {
	if f == nil {
		a.Shell.Say(lang.L("Select a feed first."))
		return
	}
	a.askUnsubscribe([]reader.Feed{*f}, func() { a.remove(*f) })
}

func (a *Actions) remove(f reader.Feed) {
	id, title := f.ID, f.Title
	a.Shell.Work(func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Remove(ctx, id) }, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Accounts.SyncSoon(f.Account)
		a.Shell.AddUndoRedo(lang.L("Unsubscribed from {{.Feed}}", map[string]any{"Feed": title}),
			func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Restore(ctx, id) },
			func(ctx context.Context) error {
				defer a.Shell.Do(func() { a.Accounts.SyncSoon(f.Account) })
				return a.Shell.Home.Subscriptions.Remove(ctx, id)
			})
	})
}

// Refresh fetches the feeds of the chosen sidebar item.
func (a *Actions) Refresh() {
	var feeds []reader.Feed
	chosen, paused := a.Session.Place, 0
	for _, f := range a.Library.Feeds {
		switch {
		case chosen.Feed != nil && chosen.Feed.ID != f.ID, chosen.Folder != "" && !library.InFolder(a.Library.Path(&f), chosen.Folder),
			chosen.Key == session.Attention && !a.needsAttention(f):
		case chosen.Feed == nil && f.Paused:
			paused++
		default:
			feeds = append(feeds, f)
		}
	}
	if len(feeds) == 0 && paused > 0 {
		a.Shell.Say(lang.L("All feeds here are paused: resume one, or refresh it by itself."))
		return
	}
	if p := library.PlaceOf(chosen.Folder); chosen.Account && p.Account != 0 && len(feeds) == 0 {
		a.Accounts.Sync([]int64{p.Account}) // it may have some by now
		return
	}
	a.refreshFeeds(feeds)
}

// needsAttention reports whether a feed has failed for long, or is gone.
func (a *Actions) needsAttention(f reader.Feed) bool {
	t := a.Library.Trouble(f, a.Shell.Now())
	return t != nil && t.Attention
}

// refreshFeeds fetches feeds of this computer, and syncs the accounts of the others. The server of one that fails there is told to
// fetch it.
func (a *Actions) refreshFeeds(feeds []reader.Feed) {
	if len(feeds) == 1 && a.failsThere(feeds[0]) {
		a.Accounts.refetch(feeds[0])
		return
	}
	var ids, accounts []int64
	for _, f := range feeds {
		switch account := a.Library.Account(f.Account); {
		case f.Account == 0:
			ids = append(ids, f.ID)
		case account == nil || slices.Contains(accounts, f.Account) || account.Paused && len(feeds) > 1:
		default:
			accounts = append(accounts, f.Account)
		}
	}
	if len(ids) == 0 && len(accounts) == 0 {
		a.Shell.Say(lang.L("No feeds to fetch here."))
		return
	}
	if len(accounts) > 0 {
		a.Accounts.Sync(accounts)
	}
	if len(ids) > 0 {
		a.fetch(ids, fetchRefresh)
	}
}

// failsThere reports whether the server of its account fails to fetch a feed.
func (a *Actions) failsThere(f reader.Feed) bool {
	t := a.Library.Trouble(f, a.Shell.Now())
	return t != nil && t.There
}

// fetch fetches feeds and shows the progress.
func (a *Actions) fetch(ids []int64, purpose fetchPurpose) {
	a.endReport()
	p := fetchProgress{purpose: purpose, all: len(ids)}
	a.Accounts.say(lang.L("Fetching {{.Feeds}}…", map[string]any{"Feeds": language.Printer().Feeds(len(ids))}), false)
	a.Shell.Work(func(ctx context.Context) error {
		_, err := a.Shell.Home.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
			a.Shell.Do(func() {
				p.add(&o)
				a.Accounts.say(p.text(), p.new+p.checked+p.waiting+p.failed > 0)
				if p.done == p.all && p.failed+p.waiting < p.done {
					a.Accounts.Answered()
				}
			})
		})
		return err
	}, func(err error) {
		a.Shell.Polled(err)
		if len(p.failures) > 0 {
			a.reportImport(&p)
		}
	})
	a.Shell.ReloadStatus()
}

// fetchPurpose is what the user fetches feeds for.
type fetchPurpose int

const (
	fetchRefresh  fetchPurpose = iota
	fetchRetry                 // of a feed that failed
	FetchImported              // the feeds of a list
)

// text tells how many feeds were fetched.
func (p fetchPurpose) text(feeds string) string {
	values := map[string]any{"Feeds": feeds}
	switch p {
	case fetchRetry:
		return lang.L("Retried {{.Feeds}}", values)
	case FetchImported:
		return lang.L("Imported and fetched {{.Feeds}}", values)
	}
	return lang.L("Fetched {{.Feeds}}", values)
}

// fetchProgress is how far feeds are fetched.
type fetchProgress struct {
	purpose   fetchPurpose
	all, done int      // feeds
	checked   int      // of them, were asked less than a minute ago and not again
	waiting   int      // of them, have a host that asked to wait
	new       int      // articles
	unread    int      // of the new ones
	failed    int      // feeds
	failures  []string // of imported feeds: what is wrong with which
	message   string
}

func (p *fetchProgress) add(o *poller.Outcome) {
	p.done++
	p.new += o.New
	p.unread += o.Unread
	said := ""
	switch {
	case o.Message.Code == poller.JustChecked:
		if p.checked++; o.Message.Last != nil {
			said = language.Printer().Message(o.Message)
		}
	case o.Result == poller.Failed, o.Result == poller.Offline:
		p.failed++
		said = language.Printer().Message(o.Message)
	case o.Result == poller.Waiting:
		p.waiting++
		said = language.Printer().Message(o.Message)
	}
	if said != "" {
		p.message = lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": o.Title, "Said": said})
	}
	if p.purpose == FetchImported && o.Result == poller.Failed { // those that wait for the network are not in need
		p.failures = append(p.failures, p.message)
	}
	if p.importFailed() {
		p.message = ""
		if len(p.failures) == 0 {
			p.message = lang.N("{{.PluralCount}} feeds could not be read.", p.failed)
		}
	}
}

// importFailed reports whether feeds of an import could not be read: its report says how many, unless there was no network.
func (p *fetchProgress) importFailed() bool {
	return p.purpose == FetchImported && p.done == p.all && p.failed > 0
}

// text tells what came so far, and which feeds were not asked; of a single one only what is wrong with it.
func (p *fetchProgress) text() string {
	if p.all == 1 && p.message != "" {
		return p.message
	}
	var parts []string
	if p.checked > 0 {
		parts = append(parts, lang.N("{{.PluralCount}} checked less than a minute ago", p.checked))
	}
	if p.waiting > 0 {
		parts = append(parts, lang.N("{{.PluralCount}} asked to wait", p.waiting))
	}
	if p.failed > 0 && !p.importFailed() {
		parts = append(parts, lang.N("{{.PluralCount}} errors", p.failed))
	}
	together := func(parts []string) string { return strings.Join(parts, lang.X("join.parts", ", ")) }
	all := ""
	if asked := p.done - p.checked - p.waiting; asked == 0 && p.done == p.all {
		all = lang.L("Nothing was fetched: {{.Why}}", map[string]any{"Why": together(parts)})
	} else {
		feeds := language.Printer().Feeds(asked)
		if p.done < p.all {
			feeds = lang.L("{{.Feeds}} of {{.All}}", map[string]any{"Feeds": language.Printer().Feeds(p.done), "All": p.all})
		}
		articles := lang.N("{{.PluralCount}} new articles", p.new)
		if p.purpose == FetchImported {
			articles = language.Printer().FirstArticles(p.new, p.unread)
		}
		all = together(append([]string{p.purpose.text(feeds), articles}, parts...))
	}
	return language.Printer().Sentences(language.Printer().Sentence(all), p.message)
}
