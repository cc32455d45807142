package app

import (
	"slices"

	"fyne.io/fyne/v2/widget"
)

// newArticles is the button that tells how many new articles stand above those on screen.
type newArticles struct {
	*widget.Button
	head   int64 // the first article when the top of the list was last seen
	newest int64 // the highest id seen
}

func newNewArticles(tapped func()) *newArticles {
	n := &newArticles{Button: widget.NewButton("", tapped)}
	n.Importance = widget.HighImportance
	n.Hide()
	return n
}

// update counts the new articles in ids. At the top of the list all are seen.
func (n *newArticles) update(ids []int64, atTop bool) {
	above := slices.Index(ids, n.head)
	if above < 0 || atTop {
		n.head, n.newest = ids[0], max(n.newest, slices.Max(ids))
		n.Hide()
		return
	}
	// An article that has come back, as by undo, has a lower id.
	count := 0
	for _, id := range ids[:above] {
		if id > n.newest {
			count++
		}
	}
	if count == 0 {
		n.Hide()
		return
	}
	n.SetText(newArticlesText(count))
	n.Show()
}

// announceNew tells how many articles have arrived above those on screen.
func (t *timeline) announceNew() {
	if len(t.ids) == 0 || t.order.oldestFirst || t.order.group == groupByFeed {
		t.newArticles.Hide()
		return
	}
	t.newArticles.update(t.ids, t.list.GetScrollOffset() < timelineRowHeight/2)
}

// toTop scrolls to the new articles.
func (t *timeline) toTop() {
	t.used()
	t.list.ScrollToTop()
	t.announceNew()
	t.focus(t.list)
}
