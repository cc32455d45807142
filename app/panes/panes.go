// Package panes arranges the three panes of the window: beside each other, the list above the article, or, where there
// is no room, one in the place of another with a way back. Which of them are on screen the session decides (session.Panes).
package panes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/preferences"
	"kairos/app/session"
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

	state                  *session.Panes
	prefs                  preferences.Values
	panes                  [3]fyne.CanvasObject
	cover                  fyne.CanvasObject // pages that take the place of the list and the article
	beside, between        *divider          // of the sidebar; of the list and the article
	sidebar, width, height float32           // of the sidebar and the list as the user left them
	from                   float32           // the size when a drag began, 0 before
}

// New arranges the panes as they were left, and keeps state from then on. The objects of cover take the place of the list and the article.
func New(prefs preferences.Values, state *session.Panes, sidebar, list, article fyne.CanvasObject, cover ...fyne.CanvasObject) *Panes {
	p := &Panes{Changed: func() {}, prefs: prefs, state: state, panes: [3]fyne.CanvasObject{sidebar, list, article}, cover: container.NewStack(cover...)}
	*state = session.NewPanes(session.Layout(prefs.String(prefLayout)), prefs.Bool(prefCollapsed))
	p.sidebar = float32(prefs.Float(prefSidebarWidth))
	p.width, p.height = float32(prefs.Float(prefListWidth)), float32(prefs.Float(prefListHeight))
	p.beside = newDivider(func(by float32) { p.drag(&p.sidebar, sidebar.Size().Width, by) }, p.dragged, func() { p.reset(&p.sidebar) })
	p.between = newDivider(func(by float32) {
		if p.state.Layout == session.Wide {
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
	if p.sidebar > 0 && p.panes[session.PaneSidebar].Visible() {
		p.sidebar = p.panes[session.PaneSidebar].Size().Width
	}
	p.prefs.SetFloat(prefSidebarWidth, float64(p.sidebar))
	p.prefs.SetFloat(prefListWidth, float64(p.width))
	p.prefs.SetFloat(prefListHeight, float64(p.height))
	p.Object.Refresh()
}

// Shown reports whether a pane is on screen, or has its place there while the list and the article are covered.
func (p *Panes) Shown(which session.Pane) bool { return p.state.Shown()[which] }

// Reveal brings a pane on screen if it is not.
func (p *Panes) Reveal(which session.Pane) {
	if p.state.Reveal(which) {
		p.draw()
	}
}

// Back shows what stands before the panes on screen and returns which pane that is; false if there is nothing before
// them.
func (p *Panes) Back() (session.Pane, bool) {
	to, ok := p.state.Back()
	if ok {
		p.draw()
	}
	return to, ok
}

// CanGoBack reports whether Back shows anything.
func (p *Panes) CanGoBack() bool {
	_, ok := p.state.Before()
	return ok
}

// ToggleSidebar hides the sidebar or shows it, and stores that.
func (p *Panes) ToggleSidebar() {
	p.state.ToggleSidebar()
	p.prefs.SetBool(prefCollapsed, p.state.SidebarHidden)
	p.draw()
}

// Layout returns the layout in force.
func (p *Panes) Layout() session.Layout { return p.state.Layout }

// SetLayout arranges the panes in this layout from now on.
func (p *Panes) SetLayout(l session.Layout) {
	p.state.Layout = l
	p.prefs.SetString(prefLayout, string(l))
	p.draw()
}

// Cover shows the cover in the place of the list and the article, or these again.
func (p *Panes) Cover(on bool) {
	if p.state.Cover(on) {
		p.draw()
	}
}

// Covered reports whether the cover is shown.
func (p *Panes) Covered() bool { return p.state.Covered }

// draw shows what is on screen now.
func (p *Panes) draw() {
	p.Object.Refresh()
	p.Changed()
}

// objects shows and hides what the arrangement asks for.
func (p *Panes) objects() (on [3]bool, cover bool) {
	on = p.state.Shown()
	if p.state.Covered {
		cover = on[session.PaneList] || on[session.PaneArticle]
		on[session.PaneList], on[session.PaneArticle] = false, false
	}
	for i, o := range p.panes {
		show(o, on[i])
	}
	show(p.cover, cover)
	show(p.beside, on[session.PaneSidebar] && (on[session.PaneList] || on[session.PaneArticle] || cover))
	show(p.between, on[session.PaneList] && on[session.PaneArticle])
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
