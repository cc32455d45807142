package away

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/look"
	"kairos/app/widgets"
)

// rowView shows a row in two lines, or a heading.
type rowView struct {
	widgets.ListRow
	row           row
	title, detail *widgets.Line
}

func newRowView() *rowView {
	r := &rowView{title: widgets.NewLine(look.TextSize(theme.SizeNameText)), detail: widgets.NewLine(look.TextSize(theme.SizeNameCaptionText))}
	r.Tooltip = func() string {
		switch {
		case r.title.IsCut():
			return r.row.title
		case r.detail.IsCut():
			return r.row.detail
		}
		return ""
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *rowView) set(to row) {
	r.row = to
	r.title.Content, r.detail.Content = to.title, to.detail
	r.title.TextStyle.Bold = to.heading || to.unread
	r.title.Color, r.detail.Color = widgets.Color(r, look.ColorText), widgets.Color(r, look.ColorMuted)
	if to.article != 0 && !to.unread {
		r.title.Color = r.detail.Color
	}
	if to.heading {
		r.title.Color = widgets.Color(r, look.ColorAccent)
	}
	r.Refresh()
}

// Describe implements describe.Describer.
func (r *rowView) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleListItem, Name: r.row.title, Description: r.row.detail}}
	if r.row.heading {
		n.States |= accessible.Disabled
		return n
	}
	r.Offer(&n, r)
	return n
}

// CreateRenderer implements fyne.Widget.
func (r *rowView) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ *rowView }

func (r *rowRenderer) Destroy() {}

const (
	rowHeight = 48
	rowPad    = 12
)

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, rowHeight) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return append(r.title.Objects(), r.detail.Objects()...)
}

func (r *rowRenderer) Layout(size fyne.Size) {
	width := max(0, size.Width-2*rowPad)
	if r.row.detail == "" {
		r.title.Fit(rowPad, size.Height-r.title.Needs().Height-6, width)
		r.detail.Fit(rowPad, 0, 0)
		return
	}
	r.title.Fit(rowPad, 5, width)
	r.detail.Fit(rowPad, 26, width)
}

func (r *rowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.rowView)
}
