package app

import (
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/reader"
)

// Preferences that hold the order.
const (
	prefOldest   = "list.oldest"
	prefGroup    = "list.group"
	prefHideRead = "list.hide-read"
)

func loadListOrder(p fyne.Preferences) session.Order {
	return session.Order{OldestFirst: p.Bool(prefOldest), Group: session.Grouping(p.String(prefGroup)), HideRead: p.Bool(prefHideRead)}
}

func saveListOrder(o session.Order, p fyne.Preferences) {
	p.SetBool(prefOldest, o.OldestFirst)
	p.SetString(prefGroup, string(o.Group))
	p.SetBool(prefHideRead, o.HideRead)
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

// groupOf names the group an article belongs to, "" where there are no groups.
func groupOf(article *reader.Article, by session.Grouping, now time.Time) string {
	switch by {
	case session.GroupByDay:
		return language.Printer().Day(article.Published, now)
	case session.GroupByFeed:
		return article.FeedTitle
	}
	return ""
}

// groupHeading names the group that starts at row i, "" if none does.
func (t *timeline) groupHeading(i int) string {
	a := t.session.List.Loaded[t.session.List.IDs[i]]
	if t.session.List.Order.Group == session.GroupNone || a == nil {
		return ""
	}
	heading := groupOf(a, t.session.List.Order.Group, t.shell.Now())
	if i == 0 {
		return heading
	}
	// Where the row above is not loaded yet, no heading is better than a wrong one.
	if above := t.session.List.Loaded[t.session.List.IDs[i-1]]; above == nil || groupOf(above, t.session.List.Order.Group, t.shell.Now()) == heading {
		return ""
	}
	return heading
}

// setOrder lists the articles in another order, from the top.
func (t *timeline) setOrder(o session.Order) {
	t.session.List.Order = o
	saveListOrder(o, t.shell.App.Preferences())
	t.newArticles.head = 0
	t.session.List.Kept = nil
	t.list.ScrollToTop()
	t.reload()
}
