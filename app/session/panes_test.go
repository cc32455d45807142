package session

import "testing"

// Whatever the width, the layout and the pane in use: that pane is on screen unless the sidebar was hidden, no more panes
// than there is room for stand beside each other, and going back ends, having shown the sidebar where it is not hidden.
func TestPanes(t *testing.T) {
	for _, layout := range []Layout{Columns, Wide, Combined} {
		for _, collapsed := range []bool{false, true} {
			for panes := 1; panes <= 3; panes++ {
				for at := PaneSidebar; at <= PaneArticle; at++ {
					a := Panes{Layout: layout, SidebarHidden: collapsed, room: panes, at: at}
					on := a.Shown()
					if !on[at] && !(at == PaneSidebar && collapsed) {
						t.Errorf("%+v shows %v", a, on)
					}
					if n := countShown(on); n == 0 || n > panes {
						t.Errorf("%+v shows %d panes", a, n)
					}
					seen := on
					for range 3 {
						to, ok := a.Before()
						if !ok {
							break
						}
						before := a.Shown()
						a.at = to
						if a.Shown() == before || !a.Shown()[to] {
							t.Errorf("%+v: back shows %v after %v", a, a.Shown(), before)
						}
						for i, is := range a.Shown() {
							seen[i] = seen[i] || is
						}
					}
					if _, ok := a.Before(); ok {
						t.Errorf("%+v: the way back has no end", a)
					}
					if !seen[PaneSidebar] && !(collapsed && (panes == 3 || layout == Combined)) {
						t.Errorf("%+v: the sidebar is out of reach", a)
					}
				}
			}
		}
	}
}

func countShown(on [3]bool) (n int) {
	for _, is := range on {
		if is {
			n++
		}
	}
	return n
}

// Revealing what is on screen already changes nothing: repainting three panes takes as long as the rest of a key.
func TestReveal(t *testing.T) {
	p := NewPanes(Columns, false)
	for _, tt := range []struct {
		width float32
		to    Pane
		want  bool
	}{{1200, PaneArticle, false}, {1200, PaneSidebar, false}, {1200, PaneList, false}, {700, PaneArticle, false}, {700, PaneSidebar, true},
		{700, PaneList, false}, {700, PaneArticle, true}, {500, PaneList, true}, {500, PaneList, false}} {
		p.SetWidth(tt.width)
		if changed := p.Reveal(tt.to); changed != tt.want || !p.Shown()[tt.to] {
			t.Errorf("%v at %v: changed %t; shown %v", tt.to, tt.width, changed, p.Shown())
		}
	}
}

// The room follows the width, what is in use stays, a page has the place of list and article, and the sidebar is hidden for good only
// where there is room for it.
func TestPanesFollowTheWindow(t *testing.T) {
	p := NewPanes(Columns, false)
	p.Reveal(PaneArticle)
	if p.SetWidth(0) || p.SetWidth(1200) || !p.SetWidth(533) || p.Shown() != [3]bool{PaneArticle: true} {
		t.Errorf("at 533: %+v", p)
	}
	if !p.Cover(true) || p.Cover(true) || p.Shown() != [3]bool{PaneList: true} {
		t.Errorf("covered: %+v", p)
	}
	if to, ok := p.Back(); to != PaneSidebar || !ok {
		t.Errorf("back to %v, %t", to, ok)
	}
	if to, ok := p.Back(); to != PaneSidebar || ok {
		t.Errorf("and then to %v, %t", to, ok)
	}
	p.ToggleSidebar()
	if p.SidebarHidden || p.Shown() != [3]bool{PaneList: true} {
		t.Errorf("without room for a sidebar: %+v", p)
	}
	p.SetWidth(1200)
	p.ToggleSidebar()
	if !p.SidebarHidden || p.Shown() != [3]bool{PaneList: true, PaneArticle: true} {
		t.Errorf("with room for it: %+v", p)
	}
}
