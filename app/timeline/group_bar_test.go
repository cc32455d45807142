package timeline

import (
	"testing"

	"kairos/app/session"
)

// The heading of the group at the top of the list stays in sight while one scrolls, and goes with the groups.
func TestHeadingOfGroupStaysInSight(t *testing.T) {
	p := newPane(t)
	p.room.Place(p.Object, 400, 160)
	if p.group.Visible() || p.List.Position().Y != 0 {
		t.Errorf("without groups there is a heading %q", p.group.name.Content)
	}
	by := func(g session.Grouping) {
		version := p.room.Session.List.Version
		p.SetOrder(session.Order{Group: g})
		p.room.Queue.Until("it is grouped", func() bool { return p.room.Session.List.Version > version })
	}
	by(session.GroupByFeed)
	feed := func(i int) string { return p.room.Session.List.Loaded[p.room.Session.List.IDs[i]].FeedTitle }
	last := len(p.room.Session.List.IDs) - 1
	if feed(0) == feed(last) || p.group.name.Content != feed(0) || !p.group.Visible() {
		t.Fatalf("%q stands above %q", p.group.name.Content, feed(0))
	}
	if list := p.group.pane.Objects[0]; list.Position().Y < p.group.Size().Height || p.group.Size().Height < 10 {
		t.Errorf("the list begins at %v below a heading of %v", list.Position().Y, p.group.Size())
	}
	for i := 0; i <= last; i++ {
		p.List.ScrollToOffset(float32(i) * p.RowStep())
		if top := p.topRow().index; p.group.name.Content != feed(top) {
			t.Errorf("%q stands above row %d of %q", p.group.name.Content, top, feed(top))
		}
	}
	p.List.Select(0)
	if p.group.name.Content != feed(0) {
		t.Errorf("back at the top, %q stands there", p.group.name.Content)
	}
	by(session.GroupNone)
	if p.group.Visible() || p.group.pane.Objects[0].Position().Y != 0 {
		t.Error("the heading stays without groups")
	}
}
