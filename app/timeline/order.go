package timeline

import (
	"time"

	"kairos/app/language"
	"kairos/app/preferences"
	"kairos/app/session"
	"kairos/reader"
)

// Preferences that hold the order.
const (
	prefSort     = "list.sort"
	prefOldest   = "list.oldest" // said before whether the oldest come first
	prefGroup    = "list.group"
	prefHideRead = "list.hide-read"
)

func loadOrder(p preferences.Values) session.Order {
	o := session.Order{Group: session.Grouping(p.String(prefGroup)), HideRead: p.Bool(prefHideRead)}
	switch sort := session.Sorting(p.String(prefSort)); {
	case sort == session.OldestFirst, sort == session.LikelyFirst:
		return o.SortedBy(sort)
	case p.Bool(prefOldest):
		return o.SortedBy(session.OldestFirst)
	}
	return o
}

func saveOrder(o session.Order, p preferences.Values) {
	p.SetString(prefSort, string(o.Sort))
	p.SetBool(prefOldest, o.Sort == session.OldestFirst)
	p.SetString(prefGroup, string(o.Group))
	p.SetBool(prefHideRead, o.HideRead)
}

// prefDensity holds how much the rows show; prefPictures said before whether they show pictures.
const (
	prefDensity  = "list.density"
	PrefPictures = "list.pictures"
)

func LoadDensity(p preferences.Values) Density {
	d := Density(p.String(prefDensity))
	if d == RowsNormal && p.Bool(PrefPictures) {
		return RowsPictures
	}
	return d
}

// SetDensity shows more or less of each article. The first one on screen stays there.
func (t *Pane) SetDensity(d Density) {
	top := t.topRow()
	t.Density, t.Thumbs.on = d, d == RowsPictures
	t.shell.Preferences.SetString(prefDensity, string(d))
	t.shell.Preferences.SetBool(PrefPictures, false)
	t.List.Refresh()
	t.List.ScrollToOffset(float32(top.index) * t.RowStep())
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

// GroupHeading names the group that starts at row i, "" if none does.
func (t *Pane) GroupHeading(i int) string {
	a, by := t.session.List.Loaded[t.session.List.IDs[i]], t.session.Order().Group
	if by == session.GroupNone || a == nil || t.session.List.Other(i) {
		return ""
	}
	heading := groupOf(a, by, t.shell.Now())
	if i == 0 {
		return heading
	}
	// Where the row above is not loaded yet, no heading is better than a wrong one.
	if above := t.session.List.Loaded[t.session.List.IDs[t.session.List.Head(i-1)]]; above == nil || groupOf(above, by, t.shell.Now()) == heading {
		return ""
	}
	return heading
}

// SetOrder lists the articles in another order, from the top.
func (t *Pane) SetOrder(o session.Order) {
	t.session.List.Order = o
	t.resorted = true
	saveOrder(o, t.shell.Preferences)
	t.NewArticles.reset()
	t.session.List.Kept = nil
	t.List.ScrollToTop()
	t.Reload()
}
