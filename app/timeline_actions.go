package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/reader"
)

// articleActions are the commands that apply to articles of the timeline: the selected ones, the one that a context
// menu was opened on, or the current one.
type articleActions struct {
	shell    *shell.Shell
	session  *session.Session
	timeline *timeline
	article  *articlePane
	labels   *labelActions
}

// toggleRead marks the targets as read if one of them is unread, else as unread.
func (a *articleActions) toggleRead() { a.toggleFlag(reader.FlagRead) }

// toggleStar stars the targets if one of them is not starred, else removes the stars.
func (a *articleActions) toggleStar() { a.toggleFlag(reader.FlagStarred) }

func (a *articleActions) toggleFlag(flag reader.Flag) {
	ids := a.session.List.Targets()
	switch {
	case len(ids) == 0:
		return
	case len(ids) > 1:
		a.toggleMany(ids, flag)
		return
	}
	one := a.session.Find(ids[0])
	if one == nil {
		return
	}
	on := !a.session.Marks.Value(one, flag)
	a.timeline.markThen(ids, flag, on, func([]int64) { a.shell.Announce(markText(flag, on)) }) // a row that changes is not read again
	if flag == reader.FlagRead && on {
		a.session.List.Keep(ids...)
	}
	if flag == reader.FlagStarred && on {
		a.shell.NoteRead(one.ID)
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
func (a *articleActions) toggleMany(ids []int64, flag reader.Flag) {
	a.session.Marks.Toggle(ids, flag, func(on bool, changed []int64, err error) {
		if err != nil {
			a.shell.Say(language.Printer().Sentences(lang.L("The articles could not be marked."), language.Error(err)))
			return
		}
		if on && flag == reader.FlagRead {
			a.session.List.Keep(changed...)
		}
		if on && flag == reader.FlagStarred {
			a.shell.NoteRead(changed...)
		}
		a.shell.AddUndo(markedText(flag, on, len(changed)), a.session.Marks.Undo(changed, flag, on))
	})
}

// markIDs marks articles as read, which can be undone.
func (a *articleActions) markIDs(ids []int64) {
	if len(ids) == 0 {
		a.shell.Say(lang.L("No unread articles here."))
		return
	}
	a.session.Marks.SetMany(ids, reader.FlagRead, true, a.markedRead)
}

// markedRead tells what was marked read and offers to undo it.
func (a *articleActions) markedRead(changed []int64, err error) {
	switch {
	case err != nil:
		a.shell.Fail(err)
	case len(changed) == 0:
		a.shell.Say(lang.L("No unread articles here."))
	default:
		a.shell.AddUndo(markedText(reader.FlagRead, true, len(changed)), a.session.Marks.Undo(changed, reader.FlagRead, true))
	}
}

// markAbove marks what stands above the first target as read.
func (a *articleActions) markAbove() {
	if at, ok := a.targetRow(); ok {
		a.markIDs(slices.Clone(a.session.List.IDs[:at]))
	}
}

// markBelow marks what stands below the first target as read.
func (a *articleActions) markBelow() {
	if at, ok := a.targetRow(); ok {
		a.markIDs(slices.Clone(a.session.List.IDs[at+1:]))
	}
}

// targetRow is the row of the first target.
func (a *articleActions) targetRow() (int, bool) {
	ids := a.session.List.Targets()
	if len(ids) == 0 {
		a.shell.Say(lang.L("Select an article first."))
		return 0, false
	}
	at := slices.Index(a.session.List.IDs, ids[0])
	return at, at >= 0
}

// markAllRead marks all listed articles as read, which can be undone.
func (a *articleActions) markAllRead() { a.markQueries(a.timeline.query()) }

// markOlder marks the listed articles that are older than so many days as read.
func (a *articleActions) markOlder(days int) {
	q := a.timeline.query()
	q.Before = a.shell.Now().AddDate(0, 0, -days)
	a.markQueries(q)
}

// markQueries marks the articles of queries as read, which can be undone.
func (a *articleActions) markQueries(queries ...reader.Query) {
	a.session.Marks.AllRead(a.markedRead, queries...)
}

// deleteTargets deletes the targets. It asks first if any of them is starred or has a label.
func (a *articleActions) deleteTargets() {
	ids := a.session.List.Targets()
	if len(ids) == 0 {
		return
	}
	kept := 0
	a.shell.Work(func(ctx context.Context) (err error) {
		kept, err = a.shell.Home.Store.Articles.CountKept(ctx, ids)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			a.shell.Fail(err)
		case kept == 0:
			a.deleteIDs(ids)
		default:
			a.shell.Dialogs.Confirm(keptText(kept), lang.L("You can undo this."), lang.N("Delete {{.PluralCount}} articles", len(ids)), func() { a.deleteIDs(ids) })
		}
	})
}

// deleteIDs deletes articles, which can be undone. If the article being read is among them, the next one is opened.
func (a *articleActions) deleteIDs(ids []int64) {
	next := a.session.List.After(ids)
	a.session.Marks.SetMany(ids, reader.FlagDeleted, true, func(changed []int64, err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		t := a.timeline
		t.clearSelection()
		t.session.List.Drop(changed)
		t.list.Refresh()
		a.article.stream.follow()
		if slices.Contains(changed, t.session.List.Current) || t.session.List.Current == 0 && next != 0 && a.session.Shown != nil {
			t.close()
			a.article.clear()
			if at := slices.Index(t.session.List.IDs, next); next != 0 && at >= 0 {
				t.list.Select(at)
			}
		}
		a.shell.AddUndo(deletedText(len(changed)), a.session.Marks.Undo(changed, reader.FlagDeleted, true))
	})
}

// copyLinks copies the addresses of the targets.
func (a *articleActions) copyLinks() {
	ids := a.session.List.Targets()
	if len(ids) == 0 {
		return
	}
	var rows []reader.Article
	a.shell.Work(func(ctx context.Context) (err error) {
		rows, err = a.shell.Home.Store.Articles.Load(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		text := ""
		for _, row := range rows {
			if row.Link != "" {
				text += row.Link + "\n"
			}
		}
		if text == "" {
			a.shell.Say(lang.L("This article has no link."))
			return
		}
		a.shell.Copy(text[:len(text)-1])
		a.shell.Say(lang.L("Link copied."))
	})
}

// maxBrowse is how many articles are opened in the browser at once.
const maxBrowse = 20

// browse opens the targets in the browser.
func (a *articleActions) browse() {
	ids := a.session.List.Targets()
	if len(ids) > maxBrowse {
		a.shell.Say(lang.L("Too many articles to open at once."))
		return
	}
	for _, id := range ids {
		if one := a.session.Find(id); one != nil && one.Link != "" {
			a.shell.OpenLink(one.Link)
			a.shell.NoteRead(one.ID)
		}
	}
}
