package feeds

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/widgets"
	"kairos/reader"
)

// Quiet leaves feeds out of All, Unread and Today, or lists them there again, which can be undone.
func (a *Actions) Quiet(quiet bool, feeds ...reader.Feed) {
	feeds = slices.DeleteFunc(slices.Clone(feeds), func(f reader.Feed) bool { return f.Quiet == quiet })
	if len(feeds) == 0 {
		return
	}
	set := func(quiet bool) func(context.Context) error {
		return func(ctx context.Context) error {
			for _, f := range feeds {
				if _, err := a.Shell.Home.Subscriptions.SetQuiet(ctx, f.ID, quiet); err != nil {
					return err
				}
			}
			return nil
		}
	}
	a.Shell.Work(set(quiet), func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.AddUndoRedo(quietText(quiet, feeds[0].Title, len(feeds)), set(!quiet), set(quiet))
	})
}

func quietText(quiet bool, name string, n int) string {
	values := map[string]any{"Name": name}
	switch {
	case quiet && n > 1:
		return lang.N("{{.PluralCount}} feeds are quiet", n)
	case quiet:
		return lang.L("{{.Name}} is quiet: not in All, Unread and Today", values)
	case n > 1:
		return lang.N("{{.PluralCount}} feeds are in All, Unread and Today again", n)
	}
	return lang.L("{{.Name}} is in All, Unread and Today again", values)
}

// ToggleQuiet makes a feed or folder quiet, or not any more.
func (a *Actions) ToggleQuiet(item session.Place) {
	switch {
	case item.Feed != nil:
		if f := a.Library.Feed(item.Feed.ID); f != nil {
			a.Quiet(!f.Quiet, *f)
		}
	case item.Folder != "" && !item.Account:
		c := a.Library.FolderChoices[library.PlaceOf(item.Folder)]
		c.Quiet = !c.Quiet
		a.chooseForFolder(item, c, quietText(c.Quiet, item.Name, 1))
	default:
		a.Shell.Say(lang.L("Select a feed or folder first."))
	}
}

// QuietItem is the entry of a menu for ToggleQuiet.
func (a *Actions) QuietItem(item session.Place) *fyne.MenuItem {
	entry := fyne.NewMenuItem(lang.L("Quiet (not in All, Unread and Today)"), func() { a.ToggleQuiet(item) })
	if item.Feed != nil {
		entry.Checked = item.Feed.Quiet
	} else {
		entry.Checked = a.Library.FolderChoices[library.PlaceOf(item.Folder)].Quiet
	}
	return entry
}

// chooseForFolder stores what is chosen for a folder, which can be undone together with what ends by it.
func (a *Actions) chooseForFolder(item session.Place, c reader.FolderChoices, what string) {
	place := library.PlaceOf(item.Folder)
	subscriptions := &a.Shell.Home.Subscriptions
	var before reader.FolderChoices
	var ended []int64
	a.Shell.Work(func(ctx context.Context) (err error) {
		before, err = subscriptions.SetFolder(ctx, place, c)
		if err == nil && c.Ends != before.Ends {
			ended = a.endUnread(ctx)
		}
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.AddUndoRedo(what, func(ctx context.Context) error { return subscriptions.SetFolderAgain(ctx, place, before, ended, false) },
			func(ctx context.Context) error { return subscriptions.SetFolderAgain(ctx, place, c, ended, true) })
	})
}

// endUnread ends the unread articles whose time has come by a new choice, and returns which. The choice is stored even if that fails.
func (a *Actions) endUnread(ctx context.Context) []int64 {
	ended, err := a.Shell.Home.EndUnread(ctx)
	if err != nil {
		a.Shell.Do(func() { a.Shell.Fail(err) })
	}
	return ended
}

// EndsOfFolder asks when unread articles of the feeds of a folder end.
func (a *Actions) EndsOfFolder(item session.Place) {
	place := library.PlaceOf(item.Folder)
	c := a.Library.FolderChoices[place]
	ending := settings.NewEndsNote(a.Shell.Jobs, a.Shell.Home, reader.EndsChoice{Folder: place, Ends: c.Ends})
	days, number := settings.NewEndsFields(c.Ends, true, func(e reader.Ends) {
		c.Ends = e
		ending.Tell(reader.EndsChoice{Folder: place, Ends: e})
	})
	form := widgets.NewForm(widget.NewFormItem(lang.L("Unread articles expire"), container.NewGridWithColumns(2, days, number)), widget.NewFormItem("", ending.Text))
	note := widgets.NewText(lang.L("They then count as read and are listed under Expired unread. Starred and labeled articles never expire. Feeds and folders can differ."), widgets.Muted)
	a.Shell.Dialogs.Show(&dialogs.Dialog{Title: item.Name, Content: widgets.NewColumn(8, form, note), Focus: days, Width: 560,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), func() {
			a.Shell.Dialogs.CloseTop()
			a.chooseForFolder(item, c, lang.L("Changed when unread articles of {{.Name}} expire", map[string]any{"Name": item.Name}))
		})}})
}
