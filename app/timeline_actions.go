package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
)

// toggleRead marks the articles meant as read if one of them is not, else unread.
func (w *window) toggleRead() { w.toggleFlag(reader.FlagRead) }

// toggleStar stars the articles meant if one of them is not, else takes the stars away.
func (w *window) toggleStar() { w.toggleFlag(reader.FlagStarred) }

func (w *window) toggleFlag(flag reader.Flag) {
	t := w.timeline
	ids := t.meant()
	switch {
	case len(ids) == 0:
		return
	case len(ids) > 1:
		w.toggleMany(ids, flag)
		return
	}
	a := t.article(ids[0])
	if a == nil {
		return
	}
	on := !t.will(a, flag)
	t.mark(ids, flag, on)
	if flag == reader.FlagRead && on {
		t.stay(ids)
	}
	if flag == reader.FlagStarred && on {
		w.reading.countOpened(a.ID)
	}
}

// article is what is known of an article: its row, or what is being read.
func (t *timeline) article(id int64) *reader.Article {
	if a := t.rows[id]; a != nil {
		return a
	}
	if a := t.w.reading.shown; a != nil && a.ID == id {
		return a
	}
	return nil
}

// toggleMany sets a flag of many articles, which is asked of the store as not all of
// them are on screen.
func (w *window) toggleMany(ids []int64, flag reader.Flag) {
	var changed []int64
	on := true
	w.Work(func(ctx context.Context) (err error) {
		if changed, err = w.home.Mark(ctx, ids, flag, true); err != nil || len(changed) > 0 {
			return err
		}
		on = false
		changed, err = w.home.Mark(ctx, ids, flag, false)
		return err
	}, func(err error) {
		if err != nil {
			w.say(language.Printer().Sentences(lang.L("Not marked."), errorText(err)))
			return
		}
		if on && flag == reader.FlagRead {
			w.timeline.stay(changed)
		}
		w.undo.add(markedText(flag, on, len(changed)), w.unmark(changed, flag, on))
	})
}

// unmark undoes a mark.
func (w *window) unmark(ids []int64, flag reader.Flag, on bool) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := w.home.Mark(ctx, ids, flag, !on)
		return err
	}
}

// markIDs marks articles as read; undo brings them back.
func (w *window) markIDs(ids []int64) {
	if len(ids) == 0 {
		w.say(lang.L("Everything here is read."))
		return
	}
	var changed []int64
	w.Work(func(ctx context.Context) (err error) {
		changed, err = w.home.Mark(ctx, ids, reader.FlagRead, true)
		return err
	}, func(err error) { w.readDone(changed, err) })
}

// readDone says what was marked read and offers to undo it.
func (w *window) readDone(changed []int64, err error) {
	switch {
	case err != nil:
		w.say(errorText(err))
	case len(changed) == 0:
		w.say(lang.L("Everything here is read."))
	default:
		w.undo.add(markedText(reader.FlagRead, true, len(changed)), w.unmark(changed, reader.FlagRead, true))
	}
}

// markAbove marks what stands above the article meant as read.
func (w *window) markAbove() {
	if at, ok := w.timeline.at(); ok {
		w.markIDs(slices.Clone(w.timeline.ids[:at]))
	}
}

// markBelow marks what stands below the article meant as read.
func (w *window) markBelow() {
	if at, ok := w.timeline.at(); ok {
		w.markIDs(slices.Clone(w.timeline.ids[at+1:]))
	}
}

// at is the row of the first article meant.
func (t *timeline) at() (int, bool) {
	ids := t.meant()
	if len(ids) == 0 {
		t.w.say(lang.L("Choose an article first."))
		return 0, false
	}
	at := slices.Index(t.ids, ids[0])
	return at, at >= 0
}

// markAllRead marks the list's articles as read; undo brings them back.
func (w *window) markAllRead() { w.markQuery(w.query()) }

// markOlder marks what is in the list and older than so many days as read.
func (w *window) markOlder(days int) {
	q := w.query()
	q.Before = w.now().AddDate(0, 0, -days)
	w.markQuery(q)
}

func (w *window) markQuery(q reader.Query) {
	var changed []int64
	w.Work(func(ctx context.Context) (err error) {
		changed, err = w.home.MarkAllRead(ctx, q)
		return err
	}, func(err error) { w.readDone(changed, err) })
}

// deleteArticles deletes the articles meant, and asks first if one is starred.
func (w *window) deleteArticles() {
	ids := w.timeline.meant()
	if len(ids) == 0 {
		return
	}
	starred := 0
	w.Work(func(ctx context.Context) (err error) {
		starred, err = w.home.Store.Articles.CountStarred(ctx, ids)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			w.say(errorText(err))
		case starred == 0:
			w.deleteIDs(ids)
		default:
			w.dialogs.show(dialog.NewConfirm(lang.L("Delete"), starredText(starred), func(yes bool) {
				if yes {
					w.deleteIDs(ids)
				}
			}, w.win), nil)
		}
	})
}

// deleteIDs deletes articles; undo brings them back. The next one is then shown, if
// what was being read is gone.
func (w *window) deleteIDs(ids []int64) {
	next := w.timeline.afterwards(ids)
	var changed []int64
	w.Work(func(ctx context.Context) (err error) {
		changed, err = w.home.Mark(ctx, ids, reader.FlagDeleted, true)
		return err
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		t := w.timeline
		t.unpick()
		t.drop(changed)
		if slices.Contains(changed, t.chosen) || t.chosen == 0 && next != 0 && w.reading.shown != nil {
			t.chosen = 0
			t.list.Clear()
			w.reading.clear()
			if at := slices.Index(t.ids, next); next != 0 && at >= 0 {
				t.list.Select(at)
			}
		}
		w.undo.add(deletedText(len(changed)), w.unmark(changed, reader.FlagDeleted, true))
	})
}

// afterwards is the article to go on with when ids are gone: the next below the last
// of them, else the last above.
func (t *timeline) afterwards(ids []int64) int64 {
	gone := make(map[int64]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	var above int64
	passed := false
	for _, id := range t.ids {
		switch {
		case gone[id]:
			passed = true
		case passed:
			return id
		default:
			above = id
		}
	}
	return above
}

// drop takes articles out of the list before the store's own news of it comes.
func (t *timeline) drop(ids []int64) {
	gone := make(map[int64]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	t.age++
	t.asked = map[int]bool{}
	t.ids = slices.DeleteFunc(slices.Clone(t.ids), func(id int64) bool { return gone[id] })
	t.list.Refresh()
}

// copyLink copies the addresses of the articles meant.
func (w *window) copyLink() {
	ids := w.timeline.meant()
	if len(ids) == 0 {
		return
	}
	var rows []reader.Article
	w.Work(func(ctx context.Context) (err error) {
		rows, err = w.home.Store.Articles.Load(ctx, ids)
		return err
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		text := ""
		for _, a := range rows {
			if a.Link != "" {
				text += a.Link + "\n"
			}
		}
		if text == "" {
			w.say(lang.L("This article has no address."))
			return
		}
		w.app.Clipboard().SetContent(text[:len(text)-1])
		w.say(lang.L("Link copied."))
	})
}
