package timeline

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
	"kairos/reader/snooze"
)

// SnoozeItems gives show the entries of a menu that puts the targets away, with the times that they stand for, or brings them back.
func (a *Actions) SnoozeItems(show func([]*fyne.MenuItem)) {
	ids := a.Session.List.Targets()
	if len(ids) == 0 {
		a.Shell.Say(lang.L("Select an article first."))
		return
	}
	offers := []snooze.When{snooze.Evening, snooze.Tomorrow, snooze.Weekend, snooze.Visit}
	times := make([]time.Time, len(offers))
	away := a.Session.Place.Query.Snoozed
	a.Shell.Work(func(ctx context.Context) (err error) {
		for i, w := range offers {
			if times[i], _, err = a.Shell.Home.Snoozes.Until(ctx, w); err != nil {
				return err
			}
		}
		return nil
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		var items []*fyne.MenuItem
		for i, w := range offers {
			items = append(items, fyne.NewMenuItem(a.offerText(w, times[i]), func() { a.snooze(ids, times[i], w == snooze.Visit) }))
		}
		if away {
			items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("Bring back now"), func() { a.wake(ids) }))
		}
		show(items)
	})
}

// offerText names a time that is offered.
func (a *Actions) offerText(w snooze.When, at time.Time) string {
	now := a.Shell.Now()
	values := map[string]any{"Time": language.Printer().When(at, now), "Clock": language.Printer().Clock(at.In(now.Location()))}
	today := at.In(now.Location()).YearDay() == now.YearDay()
	switch {
	case w == snooze.Evening && today:
		return lang.L("This evening ({{.Clock}})", values)
	case w == snooze.Evening:
		return lang.L("Tomorrow evening ({{.Clock}})", values)
	case w == snooze.Tomorrow:
		return lang.L("Tomorrow ({{.Clock}})", values)
	case w == snooze.Weekend:
		return lang.L("Weekend ({{.Time}})", values)
	}
	return lang.L("Next visit (about {{.Time}})", values)
}

// snooze puts articles away, which can be undone. If the article being read is among them, the next one is opened.
func (a *Actions) snooze(ids []int64, until time.Time, visit bool) {
	next := a.Session.List.After(ids)
	var change reader.SnoozeChange
	put := func(ctx context.Context) (err error) {
		change, err = a.Shell.Home.Snoozes.Put(ctx, ids, until, visit)
		return err
	}
	a.Shell.Work(put, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		if !a.Session.Place.Query.Snoozed {
			a.leave(change.Articles, next)
		}
		a.Shell.AddUndoRedo(a.snoozedText(change.Articles, until), func(ctx context.Context) error { return a.Shell.Home.Snoozes.Undo(ctx, change) }, put)
	})
}

// wake brings articles back that are away, which can be undone.
func (a *Actions) wake(ids []int64) {
	var change reader.SnoozeChange
	put := func(ctx context.Context) (err error) {
		change, err = a.Shell.Home.Snoozes.Wake(ctx, ids)
		return err
	}
	a.Shell.Work(put, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.leave(change.Articles, a.Session.List.After(ids))
		a.Shell.AddUndoRedo(lang.N("{{.PluralCount}} articles are back", len(change.Articles)), func(ctx context.Context) error { return a.Shell.Home.Snoozes.Undo(ctx, change) }, put)
	})
}

// snoozedText tells until when articles are away, and that their servers do not know if some are of accounts.
func (a *Actions) snoozedText(ids []int64, until time.Time) string {
	text := lang.N("{{.PluralCount}} articles snoozed until {{.Time}}", len(ids), map[string]any{"PluralCount": len(ids), "Time": language.Printer().When(until, a.Shell.Now())})
	if !slices.ContainsFunc(ids, func(id int64) bool {
		one := a.Session.Find(id)
		if one == nil {
			return false
		}
		f := a.Timeline.library.Feed(one.Feed)
		return f != nil && f.Account != 0
	}) {
		return text
	}
	return lang.L("{{.What}}, on this computer only", map[string]any{"What": text})
}
