package timeline

import (
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

// olderBar is the row below the list of a feed that offers to load older articles. It is there at the end of the list.
type olderBar struct {
	*widgets.Button
	resized func()         // the row has appeared, or has gone
	ended   map[int64]bool // feeds that have no older articles
}

func newOlderBar(tapped, resized func()) *olderBar {
	b := &olderBar{Button: widgets.NewButton(lang.L("Load older articles"), tapped), resized: resized, ended: map[int64]bool{}}
	b.Importance = widget.LowImportance
	b.Hide()
	return b
}

func (b *olderBar) setVisible(on bool) {
	if on == b.Visible() {
		return
	}
	b.Hidden = !on
	b.resized()
}

// showOlder offers older articles at the end of the list of a feed that is fetched here. A list that hides read articles, or begins
// with the oldest, would not show them there.
func (t *Pane) showOlder() {
	feed, order := t.session.Place.Feed, t.session.Order()
	if feed == nil || !mayHaveOlder(feed) || t.older.ended[feed.ID] || t.session.Search != "" || order.HideRead || order.Sort != session.NewestFirst || len(t.session.List.IDs) == 0 {
		t.older.setVisible(false)
		return
	}
	// The row itself makes the list shorter: where it has appeared, it stays for twice its height.
	below := float32(len(t.session.List.IDs))*t.RowStep() - t.List.GetScrollOffset() - t.List.Size().Height
	t.older.setVisible(below <= 2*t.older.MinSize().Height)
}

// mayHaveOlder reports whether a feed may have pages of older articles: pages that are read as feeds, and lists, have none.
func mayHaveOlder(f *reader.Feed) bool {
	_, isPage := f.Source.Page()
	return f.Account == 0 && !isPage && !f.Source.IsList()
}

// OlderEnded notes that a feed has no older articles, so that they are not offered.
func (t *Pane) OlderEnded(feed int64) {
	t.older.ended[feed] = true
	t.showOlder()
}

// loadOlder asks for older articles of the feed that is listed.
func (t *Pane) loadOlder() {
	t.shell.Used()
	if f := t.session.Place.Feed; f != nil {
		t.Older(f)
	}
}
