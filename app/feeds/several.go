package feeds

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

func feedIDs(feeds []reader.Feed) (ids []int64) {
	for _, f := range feeds {
		ids = append(ids, f.ID)
	}
	return ids
}

// MenuOfSeveral returns the context menu of several feeds.
func (a *Actions) MenuOfSeveral(feeds []reader.Feed) []*fyne.MenuItem {
	n := len(feeds)
	move := a.Sidebar.MoveMenu(language.Printer().Feeds(n), feeds[0].Account, func(path string) map[int64]string {
		to := map[int64]string{}
		for i := range feeds {
			maps.Copy(to, a.Library.Moves(library.Branch{Feed: &feeds[i]})(path))
		}
		return to
	})
	move.Disabled = slices.ContainsFunc(feeds, func(f reader.Feed) bool { return f.Account != feeds[0].Account })
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Mark all read"), func() { a.markReadOf(feeds) }),
		fyne.NewMenuItem(lang.L("Refresh"), func() { a.refreshFeeds(feeds) }),
		fyne.NewMenuItemSeparator(), move,
	}
	if account := a.AccountMenu(language.Printer().Feeds(n), feeds); account != nil {
		items = append(items, account)
	}
	items = append(items, a.PauseItems(feeds...)...)
	return append(items, fyne.NewMenuItem(unsubscribeText(n), func() { a.askUnsubscribe(feeds, func() { a.unsubscribeAll(feeds) }) }))
}

func unsubscribeText(n int) string { return lang.N("Unsubscribe from {{.PluralCount}} feeds", n) }

// markReadOf marks all articles of feeds as read, which can be undone.
func (a *Actions) markReadOf(feeds []reader.Feed) {
	var queries []reader.Query
	for _, f := range feeds {
		queries = append(queries, reader.Query{Feed: f.ID})
	}
	a.MarkRead(queries...)
}

// unsubscribeAll removes feeds. Undo brings them back with all their articles.
func (a *Actions) unsubscribeAll(feeds []reader.Feed) {
	var removed []int64
	remove := func(ctx context.Context) error {
		removed = nil
		for _, id := range feedIDs(feeds) {
			if err := a.Shell.Home.Subscriptions.Remove(ctx, id); err != nil {
				return err
			}
			removed = append(removed, id)
		}
		return nil
	}
	a.Shell.Work(remove, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
		}
		if len(removed) == 0 {
			return
		}
		a.Accounts.SyncSoon(accountsOf(feeds)...)
		a.Shell.AddUndoRedo(lang.N("Unsubscribed from {{.PluralCount}} feeds", len(removed)), func(ctx context.Context) error {
			for _, id := range removed {
				if err := a.Shell.Home.Subscriptions.Restore(ctx, id); err != nil {
					return err
				}
			}
			return nil
		}, func(ctx context.Context) error {
			defer a.Shell.Do(func() { a.Accounts.SyncSoon(accountsOf(feeds)...) })
			return remove(ctx)
		})
	})
}

// AskDeleteFolder asks what becomes of the feeds of a folder, and deletes it. Both answers can be undone.
func (a *Actions) AskDeleteFolder(item session.Place) {
	feeds := a.Library.FeedsOf(item.Branch())
	parent := a.Library.Root(library.PlaceOf(item.Folder).Account)
	if i := strings.LastIndex(item.Folder, reader.FolderSeparator); i >= 0 {
		parent = item.Folder[:i]
	}
	there := ""
	if accounts := accountsOf(feeds); len(accounts) > 0 {
		there = lang.L("Your choice also applies at {{.Account}}.", map[string]any{"Account": a.Library.AccountName(accounts[0])})
	}
	a.Shell.Dialogs.Show(&dialogs.Dialog{
		Title:   lang.L("Delete the folder “{{.Name}}”?", map[string]any{"Name": item.Name}),
		Content: widgets.NewText(language.Printer().Sentences(lang.N("Its {{.PluralCount}} feeds can be kept outside of it. You can undo either.", len(feeds)), there), widgets.Plain),
		Buttons: []*dialogs.Button{
			dialogs.Cancel(),
			{Text: unsubscribeText(len(feeds)), Do: func() {
				a.Shell.Dialogs.CloseTop()
				a.unsubscribeAll(feeds)
			}},
			dialogs.Do(lang.N("Keep the feeds", len(feeds)), func() {
				a.Shell.Dialogs.CloseTop()
				a.Sidebar.Move(a.Library.Renames(item.Folder, parent), lang.L("Deleted the folder {{.Name}}", map[string]any{"Name": item.Name}))
			}),
		}})
}
