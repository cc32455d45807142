// Package panes arranges the three panes of the window: beside each other, the list above the article, or, where there
// is no room, one in the place of another with a way back. It knows nothing of what they show.
package panes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/preferences"
)

// Preferences that hold how the window was left. Sizes are in Fyne's units, 0 for the usual one.
const (
	prefSidebarWidth = "panes.sidebar"
	prefListWidth    = "panes.list"
	prefListHeight   = "panes.list-height"
	prefCollapsed    = "panes.sidebar-hidden"
	prefLayout       = "panes.layout"
)

// Panes holds the panes. It belongs to Fyne's goroutine.
type Panes struct {
	Object  *fyne.Container
	Changed func() // which panes are on screen has changed; set before the window is shown

	arrangement
	prefs                  preferences.Values
	panes                  [3]fyne.CanvasObject
	cover                  fyne.CanvasObject // pages that take the place of the list and the article
	covered                bool
	beside, between        *divider // of the sidebar; of the list and the article
	sidebar, width, height float32  // of the sidebar and the list as the user left them
	from                   float32  // the size when a drag began, 0 before
}

// New arranges the panes as they were left. The objects of cover take the place of the list and the article.
func New(prefs preferences.Values, sidebar, list, article fyne.CanvasObject, cover ...fyne.CanvasObject) *Panes {
	p := &Panes{Changed: func() {}, prefs: prefs, panes: [3]fyne.CanvasObject{sidebar, list, article}, cover: container.NewStack(cover...)}
	p.arrangement = arrangement{layout: Layout(prefs.String(prefLayout)), collapsed: prefs.Bool(prefCollapsed), room: 3, at: List}
	p.sidebar = float32(prefs.Float(prefSidebarWidth))
	p.width, p.height = float32(prefs.Float(prefListWidth)), float32(prefs.Float(prefListHeight))
	p.beside = newDivider(func(by float32) { p.drag(&p.sidebar, sidebar.Size().Width, by) }, p.dragged, func() { p.reset(&p.sidebar) })
	p.between = newDivider(func(by float32) {
		if p.layout == Wide {
			p.drag(&p.height, list.Size().Height, by)
		} else {
			p.drag(&p.width, list.Size().Width, by)
		}
	}, p.dragged, func() { p.width, p.height = 0, 0; p.dragged() })
	p.Object = container.New(arranger{p}, sidebar, list, article, p.cover, p.beside, p.between)
	return p
}

// drag gives a pane the size that it had when the drag began and by more.
func (p *Panes) drag(size *float32, now, by float32) {
	if p.from == 0 {
		p.from = now
	}
	*size = max(1, p.from+by)
	p.Object.Refresh()
}

func (p *Panes) reset(size *float32) {
	*size = 0
	p.dragged()
}

// dragged stores the sizes.
func (p *Panes) dragged() {
	p.from = 0
	// What the window has no room for is not asked for again when it grows.
	if p.sidebar > 0 && p.panes[Sidebar].Visible() {
		p.sidebar = p.panes[Sidebar].Size().Width
	}
	p.prefs.SetFloat(prefSidebarWidth, float64(p.sidebar))
	p.prefs.SetFloat(prefListWidth, float64(p.width))
	p.prefs.SetFloat(prefListHeight, float64(p.height))
	p.Object.Refresh()
}

// Shown reports whether a pane is on screen, or has its place there while the list and the article are covered.
func (p *Panes) Shown(which Pane) bool { return p.shown()[which] }

// Reveal brings a pane on screen if it is not, and remembers that it is the one in use: it stays when the window becomes
// narrow.
func (p *Panes) Reveal(which Pane) {
	to := p.arrangement
	to.at = which
	_, back := p.back()
	switch _, toBack := to.back(); {
	case to.shown() == p.shown() && back == toBack:
		p.at = which // nothing to see
	case to.shown() == p.shown() || !p.shown()[which]:
		p.change(func() { p.at = which })
	}
}

// Back shows what stands before the panes on screen and returns which pane that is; false if there is nothing before
// them.
func (p *Panes) Back() (Pane, bool) {
	to, ok := p.back()
	if ok {
		p.change(func() { p.at = to })
	}
	return to, ok
}

// CanGoBack reports whether Back shows anything.
func (p *Panes) CanGoBack() bool {
	_, ok := p.back()
	return ok
}

// ToggleSidebar hides the sidebar where it has room beside the others, and shows it again; elsewhere it brings the
// sidebar on screen and back.
func (p *Panes) ToggleSidebar() {
	p.change(func() {
		switch {
		case p.room == 3 || p.layout == Combined && p.room == 2:
			p.collapsed = !p.collapsed
			p.prefs.SetBool(prefCollapsed, p.collapsed)
		case p.shown()[Sidebar]:
			p.at = List
		default:
			p.at = Sidebar
		}
	})
}

// Layout returns the layout in force.
func (p *Panes) Layout() Layout { return p.layout }

// SetLayout arranges the panes in this layout from now on.
func (p *Panes) SetLayout(l Layout) {
	p.change(func() {
		p.layout = l
		p.prefs.SetString(prefLayout, string(l))
	})
}

// Cover shows the cover in the place of the list and the article, or these again.
func (p *Panes) Cover(on bool) {
	if p.covered != on {
		p.change(func() {
			p.covered = on
			p.at = min(p.at, List) // the cover has the place of both
		})
	}
}

// Covered reports whether the cover is shown.
func (p *Panes) Covered() bool { return p.covered }

// change changes the arrangement and what is on screen.
func (p *Panes) change(what func()) {
	what()
	p.Object.Refresh()
	p.Changed()
}

// objects shows and hides what the arrangement asks for.
func (p *Panes) objects() (on [3]bool, cover bool) {
	on = p.shown()
	if p.covered {
		cover = on[List] || on[Article]
		on[List], on[Article] = false, false
	}
	for i, o := range p.panes {
		show(o, on[i])
	}
	show(p.cover, cover)
	show(p.beside, on[Sidebar] && (on[List] || on[Article] || cover))
	show(p.between, on[List] && on[Article])
	return on, cover
}

func show(o fyne.CanvasObject, on bool) {
	switch {
	case on == o.Visible():
	case on:
		o.Show()
	default:
		o.Hide()
	}
}
