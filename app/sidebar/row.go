package sidebar

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
)

const (
	rowHeight   = look.RowHeight
	indentWidth = 18
)

// row shows a view, a folder or a feed with its count.
type row struct {
	widgets.ListRow
	icon     *widget.Icon
	feedIcon *icon.Feed
	name     *widgets.Line
	count    *widgets.Line
	badge    *canvas.Rectangle
	indent   int

	item       Item
	heading    bool
	picked     *canvas.Rectangle      // behind a feed that is picked with others
	triangle   *widget.Icon           // of a folder
	onTriangle func()                 // opens or closes the folder
	dragged    func(at fyne.Position) // on its way to another folder
	dropped    func()
}

// triangleSide is the side of the triangle of a folder, which stands before its icon.
const triangleSide = 18

// Tapped implements fyne.Tappable.
func (r *row) Tapped(ev *fyne.PointEvent) {
	if r.onTriangle != nil && ev.Position.X < float32(8+r.indent*indentWidth+triangleSide) {
		r.onTriangle()
		return
	}
	r.ListRow.Tapped(ev)
}

var _ fyne.Draggable = (*row)(nil)

func newRow() *row {
	r := &row{icon: widget.NewIcon(nil), feedIcon: icon.NewFeed(), name: widgets.NewLine(look.TextSize(theme.SizeNameText)), count: widgets.NewLine(look.TextSize(theme.SizeNameCaptionText)),
		badge: canvas.NewRectangle(nil), picked: canvas.NewRectangle(nil), triangle: widget.NewIcon(nil)}
	r.badge.CornerRadius = 8
	r.Tooltip = func() string {
		if r.heading || !r.name.IsCut() {
			return ""
		}
		return r.name.Content
	}
	r.ExtendBaseWidget(r)
	return r
}

// set shows an item; image is the icon of a feed, and picked feeds are marked.
func (r *row) set(item Item, image *icon.Image, picked bool) {
	r.item = item
	r.name.Content, r.indent, r.heading = item.Name, item.Indent, item.Heading
	r.name.TextStyle.Bold = item.Count > 0 && !item.quiet || item.Heading
	r.name.Color = widgets.Color(r, look.ColorText)
	if item.paused || item.quiet || item.Heading {
		r.name.Color = widgets.Color(r, look.ColorMuted)
	}
	r.name.TextSize = look.TextSize(theme.SizeNameText)
	if item.Heading {
		r.name.TextSize = look.TextSize(theme.SizeNameCaptionText)
	}
	r.picked.FillColor, r.picked.Hidden = widgets.Color(r, look.ColorSelectedRow), !picked
	if r.triangle.Hidden = item.Folder == ""; !r.triangle.Hidden {
		name := theme.IconNameArrowDropDown
		if item.collapsed {
			name = theme.IconNameMenuExpand
		}
		r.triangle.SetResource(icon.Theme(name))
	}
	r.count.Content = language.Printer().Count(item.Count)
	r.count.Color = widgets.Color(r, look.ColorBadgeText)
	r.badge.FillColor = widgets.Color(r, look.ColorBadge)
	if item.quiet {
		r.count.Color, r.badge.FillColor = widgets.Color(r, look.ColorMuted), color.Transparent
	}
	if item.Count == 0 && item.Total > 0 {
		r.count.Content, r.count.Color, r.badge.FillColor = language.Printer().Count(item.Total), widgets.Color(r, look.ColorMuted), color.Transparent
	}
	if r.icon.Hidden = item.icon == nil; item.Heading {
		r.feedIcon.Hide()
	} else if item.icon == nil {
		r.feedIcon.Set(r, item.Feed.ID, item.Name, image, item.paused)
	} else {
		r.feedIcon.Hide()
		r.icon.SetResource(item.icon)
	}
	r.Refresh()
}

// Describe implements describe.Describer.
func (r *row) Describe() describe.Node {
	item := &r.item
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleTreeItem, Level: item.Indent + 1}, Key: item.Key}
	n.Name = language.Printer().SidebarRow(text.SidebarRow{Name: item.Name, Unread: item.Count, Total: item.Total, Failing: item.failing, Paused: item.paused, Quiet: item.quiet})
	n.States = n.States.With(accessible.Selected, !r.picked.Hidden)
	if item.Heading {
		n.States |= accessible.Disabled
		return n
	}
	r.Offer(&n, r)
	if r.onTriangle != nil {
		n.States = (n.States | accessible.Expandable).With(accessible.Expanded, !item.collapsed)
		n.Act("expand or contract", lang.L("Open or close the folder"), r.onTriangle)
	}
	return n
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ *row }

func (r *rowRenderer) Destroy() {}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(60, rowHeight) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	objects := append([]fyne.CanvasObject{r.picked}, r.feedIcon.Objects()...)
	objects = append(append(objects, r.triangle, r.icon), r.name.Objects()...)
	return append(objects, r.badge, r.count.Text)
}

func (r *rowRenderer) Layout(size fyne.Size) {
	const pad = 8
	x := float32(pad + r.indent*indentWidth)
	r.picked.Resize(size)
	if r.heading {
		height := r.name.Needs().Height
		r.name.Fit(pad, size.Height-height-2, size.Width-2*pad)
		r.badge.Hidden, r.count.Hidden = true, true
		return
	}
	if !r.triangle.Hidden {
		r.triangle.Resize(fyne.NewSquareSize(triangleSide))
		r.triangle.Move(fyne.NewPos(x-4, (size.Height-triangleSide)/2))
		x += indentWidth
	}
	r.icon.Resize(fyne.NewSquareSize(icon.Side))
	r.icon.Move(fyne.NewPos(x, (size.Height-icon.Side)/2))
	r.feedIcon.Layout(x, size.Height/2)
	x += icon.Side + pad

	right := size.Width - pad
	show := r.count.Content != ""
	r.badge.Hidden, r.count.Hidden = !show, !show
	if show {
		text := r.count.Needs()
		box := fyne.NewSize(text.Width+12, text.Height+2)
		r.badge.Resize(box)
		r.badge.Move(fyne.NewPos(right-box.Width, (size.Height-box.Height)/2))
		r.count.Fit(right-box.Width+6, (size.Height-text.Height)/2, text.Width+1)
		right -= box.Width + pad
	}
	height := r.name.Needs().Height
	r.name.Fit(x, (size.Height-height)/2, max(0, right-x))
}

func (r *rowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.row)
}
