package timeline

import (
	"slices"

	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/session"
	"kairos/app/widgets"
)

// newArticles is the row above the list that tells how many new articles stand above those on screen.
type newArticles struct {
	*widgets.Button
	seen    bool               // the top of the list was
	newest  int64              // the highest id when it was
	said    int64              // the highest id that a screen reader was told about
	say     func(text string)  // tells it
	resized func(high float32) // the row has appeared, or has gone (a negative height)
}

func newNewArticles(tapped func(), resized func(high float32)) *newArticles {
	n := &newArticles{Button: widgets.NewButton("", tapped), say: func(string) {}, resized: resized}
	n.Importance = widget.HighImportance
	n.Hide()
	return n
}

// show reports so many new articles; 0 hides the row.
func (n *newArticles) show(count int) {
	switch {
	case count > 0:
		n.SetText(newArticlesText(count))
		if !n.Visible() {
			n.Show()
			n.resized(n.MinSize().Height)
		}
	case n.Visible():
		n.Hide()
		n.resized(-n.MinSize().Height)
	}
}

// reset makes ready for another list.
func (n *newArticles) reset() { n.seen = false }

// update counts the new articles among ids that stand above the row with index top, the first one on screen.
func (n *newArticles) update(ids []int64, top int) {
	n.announce(ids, n.seen)
	if !n.seen || top == 0 {
		n.seen, n.newest = true, max(n.newest, slices.Max(ids))
		n.show(0)
		return
	}
	// An article that has come back, as by undo, has a lower id.
	count := 0
	for _, id := range ids[:top] {
		if id > n.newest {
			count++
		}
	}
	n.show(count)
}

// announce says how many of ids have arrived since it was called last; those of another list are not new.
func (n *newArticles) announce(ids []int64, sameList bool) {
	count, last := 0, n.said
	for _, id := range ids {
		if id > last {
			count++
		}
		n.said = max(n.said, id)
	}
	if sameList && count > 0 && last > 0 {
		n.say(arrivedText(count))
	}
}

// makeRoom gives the row above the list its room, or takes it back. The articles on screen stay where they are.
func (t *Pane) makeRoom(high float32) {
	offset := t.List.GetScrollOffset()
	t.top.Refresh()
	if offset > 0 || high > 0 {
		t.List.ScrollToOffset(max(0, offset+high+theme.Padding()*sign(high)))
	}
}

func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}

// announceNew tells how many articles have arrived above those on screen.
func (t *Pane) announceNew() {
	if order := t.session.Order(); len(t.session.List.IDs) == 0 || order.Sort == session.OldestFirst || order.Group == session.GroupByFeed {
		t.NewArticles.show(0)
		return
	}
	t.NewArticles.update(t.session.List.IDs, t.topRow().index)
}

// ToTop scrolls to the new articles.
func (t *Pane) ToTop() {
	t.shell.Used()
	t.List.ScrollToTop()
	t.announceNew()
	t.shell.Focus(t.List)
}
