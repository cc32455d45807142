package app

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
)

// grouping is what articles that follow each other have in common.
type grouping string

const (
	byNone grouping = ""
	byDay  grouping = "day"
	byFeed grouping = "feed"
)

// arrangement is how the list is put in order.
type arrangement struct {
	oldest   bool
	group    grouping
	hideRead bool
}

const (
	prefOldest   = "list.oldest"
	prefGroup    = "list.group"
	prefHideRead = "list.hide-read"
)

func savedArrangement(p fyne.Preferences) arrangement {
	return arrangement{oldest: p.Bool(prefOldest), group: grouping(p.String(prefGroup)), hideRead: p.Bool(prefHideRead)}
}

func (a arrangement) save(p fyne.Preferences) {
	p.SetBool(prefOldest, a.oldest)
	p.SetString(prefGroup, string(a.group))
	p.SetBool(prefHideRead, a.hideRead)
}

// of puts a query in this order.
func (a arrangement) of(q reader.Query) reader.Query {
	if a.oldest {
		q.Order = reader.OldestFirst
	}
	q.ByFeed = a.group == byFeed && q.Feed == 0
	q.HideRead = a.hideRead && q.View != reader.Starred
	return q
}

// heading names the group an article belongs to, "" where there are none.
func (a arrangement) heading(article *reader.Article, now time.Time) string {
	switch a.group {
	case byDay:
		return language.Printer().Day(article.Published, now)
	case byFeed:
		return article.FeedTitle
	}
	return ""
}

// sort puts the newest or the oldest articles first.
func (w *window) sort(oldest bool) {
	a := w.timeline.arranged
	a.oldest = oldest
	w.arrange(a)
}

// group shows where a new day or feed begins.
func (w *window) group(by grouping) {
	a := w.timeline.arranged
	a.group = by
	w.arrange(a)
}

// toggleHideRead hides or shows what is read.
func (w *window) toggleHideRead() {
	a := w.timeline.arranged
	a.hideRead = !a.hideRead
	w.arrange(a)
	if a.hideRead {
		w.say(lang.L("Read articles are hidden."))
	} else {
		w.say(lang.L("Read articles are shown."))
	}
}

// arrange shows the list in another order, from its top.
func (w *window) arrange(a arrangement) {
	t := w.timeline
	t.arranged = a
	a.save(w.app.Preferences())
	t.head = 0
	t.keep = nil
	t.list.ScrollToTop()
	w.bindKeys() // the menu shows what is chosen
	w.reloadArticles()
}

// check marks which of the items of newest, oldest, by-none, by-day and by-feed,
// which stand in this order, are in force.
func (a arrangement) check(items []*fyne.MenuItem) {
	at := 0
	for _, on := range []bool{!a.oldest, a.oldest, a.group == byNone, a.group == byDay, a.group == byFeed} {
		if items[at].IsSeparator {
			at++
		}
		items[at].Checked = on
		at++
	}
}
