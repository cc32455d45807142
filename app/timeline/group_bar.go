package timeline

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/widgets"
)

// groupBar names, above the list, the group of the first row on screen: its heading stays in sight while its rows do.
type groupBar struct {
	widget.BaseWidget
	name *widgets.Line
	pane *fyne.Container // the bar above the list
}

// newGroupBar returns the bar, hidden.
func newGroupBar(list fyne.CanvasObject) *groupBar {
	b := &groupBar{name: widgets.NewLine(look.TextSize(theme.SizeNameCaptionText))}
	b.name.TextStyle.Bold = true
	b.ExtendBaseWidget(b)
	b.Hide()
	b.pane = container.NewBorder(b, nil, nil, nil, list)
	return b
}

// show names a group; "" hides the bar.
func (b *groupBar) show(name string) {
	if name == b.name.Content {
		return
	}
	b.name.Content = name
	if on := name != ""; on != b.Visible() {
		b.Hidden = !on
		b.pane.Refresh() // else the list keeps its place
		return
	}
	b.Refresh()
}

// showGroup names the group of the first row on screen.
func (t *Pane) showGroup() {
	by := t.session.Order().Group
	a := t.session.List.Loaded[t.topRow().id]
	switch {
	case by == session.GroupNone || len(t.session.List.IDs) == 0:
		t.group.show("")
	case a != nil: // else it is known soon
		t.group.show(groupOf(a, by, t.shell.Now()))
	}
}

// Describe implements describe.Describer.
func (b *groupBar) Describe() describe.Node {
	return describe.Node{Node: accessible.Node{Role: accessible.RoleHeading, Name: b.name.Content, Level: 2}}
}

func (b *groupBar) CreateRenderer() fyne.WidgetRenderer { return groupBarRenderer{b} }

type groupBarRenderer struct{ *groupBar }

func (r groupBarRenderer) Destroy()                     {}
func (r groupBarRenderer) Objects() []fyne.CanvasObject { return r.name.Objects() }
func (r groupBarRenderer) MinSize() fyne.Size           { return fyne.NewSize(60, r.name.Needs().Height+4) }

func (r groupBarRenderer) Layout(size fyne.Size) {
	r.name.Color = widgets.Color(r.groupBar, look.ColorAccent)
	r.name.Fit(rowLeft, 2, max(0, size.Width-rowLeft-rowRight))
}

func (r groupBarRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.groupBar)
}
