package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/session"
	"kairos/app/timeline"
)

// setDensity shows more or less of each article in the list, as the menu shows, too.
func (w *window) setDensity(d timeline.Density) {
	w.timeline.SetDensity(d)
	w.bindKeys()
}

// sort puts other articles first.
func (w *window) sort(by session.Sorting) { w.setOrder(w.session.List.Order.SortedBy(by)) }

// group shows where a new day or feed starts.
func (w *window) group(by session.Grouping) { w.setOrder(w.session.List.Order.GroupedBy(by)) }

// toggleHideRead hides or shows the articles that are read.
func (w *window) toggleHideRead() {
	o := w.session.List.Order
	o.HideRead = !o.HideRead
	w.setOrder(o)
	if o.HideRead {
		w.shell.Say(lang.L("Read articles are hidden."))
	} else {
		w.shell.Say(lang.L("Read articles are shown."))
	}
}

// setOrder lists the articles in another order, which the menu shows, too. The queue keeps its own.
func (w *window) setOrder(o session.Order) {
	w.timeline.SetOrder(o)
	w.bindKeys()
	if w.session.Place.Query.Queued {
		w.shell.Say(lang.L("The queue is always listed in the order in which it plays."))
	}
}

// checkOrder puts the check marks of the menu: items are newest, oldest, likely, by-none, by-day and by-feed in this order, with
// separators between them.
func checkOrder(o session.Order, items []*fyne.MenuItem) {
	at := 0
	for _, on := range []bool{o.Sort == session.NewestFirst, o.Sort == session.OldestFirst, o.Sort == session.LikelyFirst, o.Group == session.GroupNone, o.Group == session.GroupByDay, o.Group == session.GroupByFeed} {
		if items[at].IsSeparator {
			at++
		}
		items[at].Checked = on
		at++
	}
}
