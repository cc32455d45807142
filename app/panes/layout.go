package panes

import (
	"fyne.io/fyne/v2"

	"kairos/app/session"
)

// arranger is the fyne.Layout of the panes.
type arranger struct{ *Panes }

// MinSize implements fyne.Layout. The panes scroll or cut what they have no room for, so that they never keep the window
// from becoming small.
func (p arranger) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

// Layout implements fyne.Layout. The trailing pane takes what the others leave.
func (p arranger) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if p.state.SetWidth(size.Width) {
		defer p.Changed()
	}
	on, cover := p.objects()
	at, rest := fyne.NewPos(0, 0), size
	if on[session.PaneSidebar] {
		width := rest.Width
		if p.beside.Visible() {
			width = sidebarWidth(p.sidebar, size.Width)
			p.beside.place(fyne.NewPos(width, 0), size.Height, false)
		}
		place(p.panes[session.PaneSidebar], at, fyne.NewSize(width, size.Height))
		at.X, rest.Width = width+lineThickness, rest.Width-width-lineThickness
	}
	if cover {
		place(p.cover, at, rest)
		return
	}
	if on[session.PaneList] {
		list := rest
		switch {
		case !on[session.PaneArticle]:
		case p.state.Layout == session.Wide:
			list.Height = listHeight(p.height, rest.Height)
			p.between.place(at.AddXY(0, list.Height), rest.Width, true)
		default:
			list.Width = listWidth(p.width, rest.Width)
			p.between.place(at.AddXY(list.Width, 0), rest.Height, false)
		}
		place(p.panes[session.PaneList], at, list)
		if p.state.Layout == session.Wide {
			at.Y, rest.Height = at.Y+list.Height+lineThickness, rest.Height-list.Height-lineThickness
		} else {
			at.X, rest.Width = at.X+list.Width+lineThickness, rest.Width-list.Width-lineThickness
		}
	}
	if on[session.PaneArticle] {
		place(p.panes[session.PaneArticle], at, rest)
	}
}

func place(o fyne.CanvasObject, at fyne.Position, size fyne.Size) {
	o.Move(at)
	o.Resize(size)
}
