package session

// Pane is one of the three parts of the window, from the leading one to the trailing one.
type Pane int

// The panes.
const (
	PaneSidebar Pane = iota
	PaneList
	PaneArticle
)

// Layout is how the panes stand to each other. It is stored under its value.
type Layout string

// The layouts.
const (
	Columns  Layout = ""         // three columns
	Wide     Layout = "wide"     // the list above the article
	Combined Layout = "combined" // the articles, one below the other, take the place of the list
)

// Widths of the window, in Fyne's units, below which there is room for fewer panes. They are those at which libadwaita's
// readers fold theirs: 14-point text keeps lines of some fifty characters.
const (
	threeFrom = 900
	twoFrom   = 600
)

// Panes is what decides which panes are on screen.
type Panes struct {
	Layout        Layout
	SidebarHidden bool // where there would be room for it
	Covered       bool // a page has the place of the list and the article

	room int  // how many panes stand beside each other
	at   Pane // the pane that is certainly on screen
}

// NewPanes returns the panes of a window that has room for all, with the list in use.
func NewPanes(l Layout, sidebarHidden bool) Panes {
	return Panes{Layout: l, SidebarHidden: sidebarHidden, room: 3, at: PaneList}
}

// Shown tells which panes are on screen, or have their place there while the list and the article are covered.
func (p Panes) Shown() (on [3]bool) {
	if p.room == 1 {
		on[p.at] = true
		return on
	}
	if p.Layout == Combined {
		on[PaneSidebar] = !p.SidebarHidden
		on[PaneArticle] = p.at == PaneArticle
		on[PaneList] = !on[PaneArticle]
		return on
	}
	if p.room == 2 {
		on[PaneList], on[PaneSidebar], on[PaneArticle] = true, p.at == PaneSidebar, p.at != PaneSidebar
		return on
	}
	return [3]bool{!p.SidebarHidden, true, true}
}

// Before is the pane to go back to so that what stands before those on screen is seen; ok is false if that is nothing.
func (p Panes) Before() (to Pane, ok bool) {
	was := p.Shown()
	for to = p.at - 1; to >= PaneSidebar; to-- {
		b := p
		b.at = to
		if is := b.Shown(); is != was && is[to] {
			return to, true
		}
	}
	return p.at, false
}

// SetWidth gives the window a width in Fyne's units, and reports whether there is room for more or fewer panes now. A window has no
// width before it is on screen.
func (p *Panes) SetWidth(width float32) (changed bool) {
	room := 3
	switch {
	case width <= 0:
		return false
	case width < twoFrom:
		room = 1
	case width < threeFrom:
		room = 2
	}
	changed = room != p.room
	p.room = room
	return changed
}

// Reveal brings a pane on screen if it is not, and remembers that it is the one in use: it stays when the window becomes narrow. It
// reports whether that changes what is seen.
func (p *Panes) Reveal(which Pane) (changed bool) {
	to := *p
	to.at = which
	_, back := p.Before()
	_, toBack := to.Before()
	same := to.Shown() == p.Shown()
	if same || !p.Shown()[which] {
		*p = to
		return !same || back != toBack
	}
	return false
}

// Back reveals what stands before the panes on screen, and returns which pane that is; ok is false if there is nothing.
func (p *Panes) Back() (to Pane, ok bool) {
	to, ok = p.Before()
	p.at = to
	return to, ok
}

// ToggleSidebar hides the sidebar where it has room beside the others, and shows it again; elsewhere it brings the sidebar on
// screen and back.
func (p *Panes) ToggleSidebar() {
	switch {
	case p.room == 3 || p.Layout == Combined && p.room == 2:
		p.SidebarHidden = !p.SidebarHidden
	case p.Shown()[PaneSidebar]:
		p.at = PaneList
	default:
		p.at = PaneSidebar
	}
}

// Cover puts a page in the place of the list and the article, or these again, and reports whether that changes anything.
func (p *Panes) Cover(on bool) (changed bool) {
	if p.Covered == on {
		return false
	}
	p.Covered = on
	p.at = min(p.at, PaneList) // the page has the place of both
	return true
}
