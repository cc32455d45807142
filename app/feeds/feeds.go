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
}

// Pause stops the background fetches of a feed, or resumes them.
func (a *Actions) Pause(f reader.Feed) {
	f.Paused = !f.Paused
	a.Shell.Work(func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Update(ctx, f, nil) }, nil)
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
		a.Shell.AddUndo(lang.L("Unsubscribed from {{.Feed}}", map[string]any{"Feed": title}), func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Restore(ctx, id) })
	})
}

// Refresh fetches the feeds of the chosen sidebar item.
func (a *Actions) Refresh() {
	var feeds []reader.Feed
	chosen := a.Session.Place
	for _, f := range a.Library.Feeds {
		switch {
		case chosen.Feed != nil && chosen.Feed.ID != f.ID, chosen.Folder != "" && !library.InFolder(a.Library.Path(&f), chosen.Folder),
			chosen.Key == session.Attention && !a.needsAttention(f):
		case chosen.Feed != nil || !f.Paused:
			feeds = append(feeds, f)
		}
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

// refreshFeeds fetches feeds of this computer, and syncs the accounts of the others.
func (a *Actions) refreshFeeds(feeds []reader.Feed) {
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
		a.fetch(ids, FetchRefresh)
	}
}

// fetch fetches feeds and shows the progress.
func (a *Actions) fetch(ids []int64, purpose fetchPurpose) {
	done, fresh, unread, failed, message := 0, 0, 0, 0, ""
	a.Shell.Say(lang.L("Fetching {{.Feeds}}…", map[string]any{"Feeds": language.Printer().Feeds(len(ids))}))
	a.Shell.Work(func(ctx context.Context) error {
		_, err := a.Shell.Home.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
			a.Shell.Do(func() {
				done++
				fresh += o.New
				unread += o.Unread
				if o.Result == poller.Failed || o.Result == poller.Offline {
					failed++
					message = lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": o.Title, "Said": language.Printer().Message(o.Message)})
				}
				if purpose == FetchImported && done == len(ids) && failed > 0 {
					message = lang.N("{{.PluralCount}} could not be read: see “Needs attention” in the sidebar.", failed)
				}
				a.Shell.Say(language.Printer().Sentences(ProgressText(done, len(ids), fresh, unread, failed, purpose), message))
			})
		})
		return err
	}, a.Shell.Polled)
	a.Shell.ReloadStatus()
}

// fetchPurpose is what the user fetches feeds for.
type fetchPurpose int

const (
	FetchRefresh  fetchPurpose = iota
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

// articlesText tells how many articles the first fetch of feeds brought. Older ones come in as read.
func articlesText(all, unread int) string {
	if unread == all {
		return lang.N("{{.PluralCount}} articles", all)
	}
	return lang.N("{{.PluralCount}} articles, {{.Unread}} unread", all, map[string]any{"PluralCount": all, "Unread": unread})
}

func ProgressText(done, all, fresh, unread, failed int, purpose fetchPurpose) string {
	feeds := language.Printer().Feeds(done)
	if done < all {
		feeds = lang.L("{{.Feeds}} of {{.All}}", map[string]any{"Feeds": feeds, "All": all})
	}
	articles := lang.N("{{.PluralCount}} new articles", fresh)
	if purpose == FetchImported {
		articles = articlesText(fresh, unread)
	}
	parts := []string{purpose.text(feeds), articles}
	if failed > 0 {
		parts = append(parts, lang.N("{{.PluralCount}} errors", failed))
	}
	return language.Printer().Sentence(strings.Join(parts, lang.X("join.parts", ", ")))
}
