package app

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/settings"
	"kairos/reader"
)

// grouping is what puts consecutive articles into a group.
type grouping string

const (
	groupNone   grouping = settings.GroupNone
	groupByDay  grouping = settings.GroupByDay
	groupByFeed grouping = settings.GroupByFeed
)

// listOrder is how the timeline is sorted and grouped.
type listOrder struct {
	oldestFirst bool
	group       grouping
	hideRead    bool
}

// Preferences that hold the order.
const (
	prefOldest   = "list.oldest"
	prefGroup    = "list.group"
	prefHideRead = "list.hide-read"
)

func loadListOrder(p fyne.Preferences) listOrder {
	return listOrder{oldestFirst: p.Bool(prefOldest), group: grouping(p.String(prefGroup)), hideRead: p.Bool(prefHideRead)}
}

func (o listOrder) save(p fyne.Preferences) {
	p.SetBool(prefOldest, o.oldestFirst)
	p.SetString(prefGroup, string(o.group))
	p.SetBool(prefHideRead, o.hideRead)
}

// prefDensity holds how much the rows show; prefPictures said before whether they show pictures.
const (
	prefDensity  = "list.density"
	prefPictures = "list.pictures"
)

func loadDensity(p fyne.Preferences) density {
	d := density(p.String(prefDensity))
	if d == rowsNormal && p.Bool(prefPictures) {
		return rowsPictures
	}
	return d
}

// setDensity shows more or less of each article. The first one on screen stays there.
func (t *timeline) setDensity(d density) {
	top := t.topRow()
	t.density, t.thumbs.on = d, d == rowsPictures
	t.shell.App.Preferences().SetString(prefDensity, string(d))
	t.shell.App.Preferences().SetBool(prefPictures, false)
	t.list.Refresh()
	t.list.ScrollToOffset(float32(top.index) * t.rowStep())
}

// setDensity shows more or less of each article in the list, as the menu shows, too.
func (w *window) setDensity(d density) {
	w.timeline.setDensity(d)
	w.bindKeys()
}

// apply returns q in this order.
func (o listOrder) apply(q reader.Query) reader.Query {
	if o.oldestFirst {
		q.Order = reader.OldestFirst
	}
	q.ByFeed = o.group == groupByFeed && q.Feed == 0
	q.HideRead = o.hideRead && q.View != reader.Starred
	return q
}

// heading names the group an article belongs to, "" where there are no groups.
func (o listOrder) heading(article *reader.Article, now time.Time) string {
	switch o.group {
	case groupByDay:
		return language.Printer().Day(article.Published, now)
	case groupByFeed:
		return article.FeedTitle
	}
	return ""
}

// check puts the check marks of the menu: items are newest, oldest, by-none, by-day and by-feed in this order, with
// separators between them.
func (o listOrder) check(items []*fyne.MenuItem) {
	at := 0
	for _, on := range []bool{!o.oldestFirst, o.oldestFirst, o.group == groupNone, o.group == groupByDay, o.group == groupByFeed} {
		if items[at].IsSeparator {
			at++
		}
		items[at].Checked = on
		at++
	}
}

// groupHeading names the group that starts at row i, "" if none does.
func (t *timeline) groupHeading(i int) string {
	a := t.rows[t.ids[i]]
	if t.order.group == groupNone || a == nil {
		return ""
	}
	heading := t.order.heading(a, t.shell.Now())
	if i == 0 {
		return heading
	}
	// Where the row above is not loaded yet, no heading is better than a wrong one.
	if above := t.rows[t.ids[i-1]]; above == nil || t.order.heading(above, t.shell.Now()) == heading {
		return ""
	}
	return heading
}

// setOrder lists the articles in another order, from the top.
func (t *timeline) setOrder(o listOrder) {
	t.order = o
	o.save(t.shell.App.Preferences())
	t.newArticles.head = 0
	t.kept = nil
	t.list.ScrollToTop()
	t.reload()
}

// sort puts the newest or the oldest articles first.
func (w *window) sort(oldestFirst bool) {
	o := w.timeline.order
	o.oldestFirst = oldestFirst
	w.setOrder(o)
}

// group shows where a new day or feed starts.
func (w *window) group(by grouping) {
	o := w.timeline.order
	o.group = by
	w.setOrder(o)
}

// toggleHideRead hides or shows the articles that are read.
func (w *window) toggleHideRead() {
	o := w.timeline.order
	o.hideRead = !o.hideRead
	w.setOrder(o)
	if o.hideRead {
		w.shell.Say(lang.L("Read articles are hidden."))
	} else {
		w.shell.Say(lang.L("Read articles are shown."))
	}
}

// setOrder lists the articles in another order, which the menu shows, too.
func (w *window) setOrder(o listOrder) {
	w.timeline.setOrder(o)
	w.bindKeys()
}
