package timeline

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/reader"
)

// Actions are the commands that apply to articles of the timeline: the selected ones, the one that a context
// menu was opened on, or the current one.
type Actions struct {
	Shell    *shell.Shell
	Session  *session.Session
	Timeline *Pane
	Dropped  func() // articles have left the list
	Left     func() // the article being read is gone
}

// ToggleRead marks the targets as read if one of them is unread, else as unread.
func (a *Actions) ToggleRead() { a.toggleFlag(reader.FlagRead) }

// ToggleStar stars the targets if one of them is not starred, else removes the stars.
func (a *Actions) ToggleStar() { a.toggleFlag(reader.FlagStarred) }

func (a *Actions) toggleFlag(flag reader.Flag) {
	ids := a.Session.List.Targets()
	switch {
	case len(ids) == 0:
		return
	case len(ids) > 1:
		a.toggleMany(ids, flag)
		return
	}
	one := a.Session.Find(ids[0])
	if one == nil {
		return
	}
	on := !a.Session.Marks.Value(one, flag)
	a.Timeline.MarkThen(ids, flag, on, func(changed []int64) {
		a.Shell.Announce(markText(flag, on)) // a row that changes is not read again
		remember := a.Shell.RememberUndo
		if len(changed) > 1 { // also others that tell the same, which the list does not show
			remember = a.Shell.AddUndoRedo
		}
		if len(changed) > 0 {
			remember(shell.MarkedText(flag, on, len(changed)), a.Session.Marks.Undo(changed, flag, on), a.Session.Marks.Undo(changed, flag, !on))
		}
	})
	if flag == reader.FlagRead && on {
		a.Session.List.Keep(ids...)
	}
	if flag == reader.FlagStarred && on {
		a.Shell.NoteRead(one.ID)
	}
}

// markText says how an article is marked now.
func markText(flag reader.Flag, on bool) string {
	switch {
	case flag == reader.FlagStarred && on:
		return lang.L("starred")
	case flag == reader.FlagStarred:
		return lang.L("not starred")
	case on:
		return lang.L("read")
	}
	return lang.L("unread")
}

// toggleMany changes a flag of many articles. Their flags are read from the store, as not all of them are on screen.
func (a *Actions) toggleMany(ids []int64, flag reader.Flag) {
	a.Session.Marks.Toggle(ids, flag, func(on bool, changed []int64, err error) {
		if err != nil {
			a.Shell.Say(language.Printer().Sentences(lang.L("The articles could not be marked."), language.Error(err)))
			return
		}
		if on && flag == reader.FlagRead {
			a.Session.List.Keep(changed...)
		}
		if on && flag == reader.FlagStarred {
			a.Shell.NoteRead(changed...)
		}
		a.Shell.AddUndoRedo(shell.MarkedText(flag, on, len(changed)), a.Session.Marks.Undo(changed, flag, on), a.Session.Marks.Undo(changed, flag, !on))
	})
}

// MarkRead marks articles as read, which can be undone.
func (a *Actions) MarkRead(ids []int64) { a.markIDs(ids) }

// markIDs marks articles as read, which can be undone.
func (a *Actions) markIDs(ids []int64) {
	if len(ids) == 0 {
		a.Shell.Say(lang.L("None of these articles is unread."))
		return
	}
	a.Session.Marks.SetMany(ids, reader.FlagRead, true, a.offerUndoOfRead)
}

// offerUndoOfRead tells what was marked read and offers to undo it: also the undo of Mark all read.
func (a *Actions) offerUndoOfRead(changed []int64, err error) {
	switch {
	case err != nil:
		a.Shell.Fail(err)
	case len(changed) == 0:
		a.Shell.Say(lang.L("None of these articles is unread."))
	default:
		a.Shell.AddUndoRedo(shell.MarkedText(reader.FlagRead, true, len(changed)), a.Session.Marks.Undo(changed, reader.FlagRead, true), a.Session.Marks.Undo(changed, reader.FlagRead, false))
	}
}

// MarkAbove marks what stands above the first target as read.
func (a *Actions) MarkAbove() {
	if at, ok := a.targetRow(); ok {
		a.markIDs(slices.Clone(a.Session.List.IDs[:at]))
	}
}

// MarkBelow marks what stands below the first target as read.
func (a *Actions) MarkBelow() {
	if at, ok := a.targetRow(); ok {
		a.markIDs(slices.Clone(a.Session.List.IDs[at+1:]))
	}
}

// targetRow is the row of the first target.
func (a *Actions) targetRow() (int, bool) {
	ids := a.Session.List.Targets()
	if len(ids) == 0 {
		a.Shell.Say(lang.L("Select an article first."))
		return 0, false
	}
	at := slices.Index(a.Session.List.IDs, ids[0])
	return at, at >= 0
}

// MarkAllRead marks all listed articles as read, which can be undone.
func (a *Actions) MarkAllRead() { a.MarkQueries(a.Timeline.Query()) }

// MarkOlder marks the listed articles that are older than so many days as read.
func (a *Actions) MarkOlder(days int) {
	q := a.Timeline.Query()
	q.Before = a.Shell.Now().AddDate(0, 0, -days)
	a.MarkQueries(q)
}

// MarkQueries marks the articles of queries as read, which can be undone.
func (a *Actions) MarkQueries(queries ...reader.Query) {
	a.Session.Marks.AllRead(a.offerUndoOfRead, queries...)
}

// DeleteTargets deletes the targets. It asks first if any of them is starred or has a label.
func (a *Actions) DeleteTargets() {
	ids := a.Session.List.Targets()
	if len(ids) == 0 {
		return
	}
	kept := 0
	a.Shell.Work(func(ctx context.Context) (err error) {
		kept, err = a.Shell.Home.Store.Articles.CountKept(ctx, ids)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			a.Shell.Fail(err)
		case kept == 0:
			a.DeleteIDs(ids)
		default:
			a.Shell.Dialogs.Confirm(keptText(kept), lang.L("You can undo this."), lang.N("Delete {{.PluralCount}} articles", len(ids)), func() { a.DeleteIDs(ids) })
		}
	})
}

// DeleteIDs deletes articles, which can be undone. If the article being read is among them, the next one is opened.
func (a *Actions) DeleteIDs(ids []int64) {
	next := a.Session.List.After(ids)
	a.Session.Marks.SetMany(ids, reader.FlagDeleted, true, func(changed []int64, err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.leave(changed, next)
		a.Shell.AddUndoRedo(deletedText(len(changed)), a.Session.Marks.Undo(changed, reader.FlagDeleted, true), a.Session.Marks.Undo(changed, reader.FlagDeleted, false))
	})
}

// leave takes articles out of the list. If the article being read is among them, the next one is opened.
func (a *Actions) leave(gone []int64, next int64) {
	t := a.Timeline
	t.ClearSelection()
	t.session.List.Drop(gone)
	t.List.Refresh()
	a.Dropped()
	if slices.Contains(gone, t.session.List.Current) || t.session.List.Current == 0 && next != 0 && a.Session.Shown != nil {
		t.Close()
		a.Left()
		if at := slices.Index(t.session.List.IDs, next); next != 0 && at >= 0 {
			t.List.Select(at)
		}
	}
}

// CopyLinks copies the addresses of the targets.
func (a *Actions) CopyLinks() {
	ids := a.Session.List.Targets()
	if len(ids) == 0 {
		return
	}
	var rows []reader.Article
	a.Shell.Work(func(ctx context.Context) (err error) {
		rows, err = a.Shell.Home.Store.Articles.Load(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		text := ""
		for _, row := range rows {
			if row.Link != "" {
				text += row.Link + "\n"
			}
		}
		if text == "" {
			a.Shell.Say(lang.L("This article has no link."))
			return
		}
		a.Shell.Copy(text[:len(text)-1])
		a.Shell.Say(lang.L("Link copied."))
	})
}

// maxBrowse is how many articles are opened in the browser at once.
const maxBrowse = 20

// Browse opens the targets in the browser.
func (a *Actions) Browse() {
	ids := a.Session.List.Targets()
	if len(ids) > maxBrowse {
		a.Shell.Say(lang.L("Too many articles to open at once."))
		return
	}
	opened := false
	for _, id := range ids {
		opened = a.browseOne(id) || opened
	}
	if len(ids) > 0 && !opened {
		a.Shell.Say(lang.L("This article has no link."))
	}
}

// BrowseOne opens an article in the browser, whether it is selected or not, and marks it read.
func (a *Actions) BrowseOne(id int64) {
	if !a.browseOne(id) {
		a.Shell.Say(lang.L("This article has no link."))
		return
	}
	if one := a.Session.Find(id); !a.Session.Marks.Value(one, reader.FlagRead) {
		a.Timeline.MarkRead(id)
	}
}

// browseOne opens an article in the browser; it reports whether there is anything to open.
func (a *Actions) browseOne(id int64) bool {
	one := a.Session.Find(id)
	if one == nil || one.Link == "" {
		return false
	}
	a.Shell.OpenLink(one.Link)
	a.Shell.NoteRead(one.ID)
	return true
}
