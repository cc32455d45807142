package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
)

const (
	sidebarRowHeight = 30
	sidebarIndent    = 18
)

// sidebarRow shows a view, a folder or a feed with its count.
type sidebarRow struct {
	widgets.ListRow
	icon     *widget.Icon
	feedIcon *feedIcon
	name     *widgets.Line
	count    *widgets.Line
	badge    *canvas.Rectangle
	indent   int

	item       sidebarItem
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
func (r *sidebarRow) Tapped(ev *fyne.PointEvent) {
	if r.onTriangle != nil && ev.Position.X < float32(8+r.indent*sidebarIndent+triangleSide) {
		r.onTriangle()
		return
	}
	r.ListRow.Tapped(ev)
}

var _ fyne.Draggable = (*sidebarRow)(nil)

func newSidebarRow() *sidebarRow {
	r := &sidebarRow{icon: widget.NewIcon(nil), feedIcon: newFeedIcon(), name: widgets.NewLine(look.TextSize(theme.SizeNameText)), count: widgets.NewLine(look.TextSize(theme.SizeNameCaptionText)),
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

// set shows an item; icon is that of a feed, and picked feeds are marked.
func (r *sidebarRow) set(item sidebarItem, icon *feedIconImage, picked bool) {
	r.item = item
	r.name.Content, r.indent, r.heading = item.Name, item.indent, item.heading
	r.name.TextStyle.Bold = item.count > 0 || item.heading
	r.name.Color = widgets.Color(r, look.ColorText)
	if item.paused || item.heading {
		r.name.Color = widgets.Color(r, look.ColorMuted)
	}
	r.name.TextSize = look.TextSize(theme.SizeNameText)
	if item.heading {
		r.name.TextSize = look.TextSize(theme.SizeNameCaptionText)
	}
	r.picked.FillColor, r.picked.Hidden = widgets.Color(r, look.ColorSelectedRow), !picked
	if r.triangle.Hidden = item.Folder == ""; !r.triangle.Hidden {
		name := theme.IconNameArrowDropDown
		if item.collapsed {
			name = theme.IconNameMenuExpand
		}
		r.triangle.SetResource(iconOf(name))
	}
	r.count.Content = text.Count(item.count)
	r.count.Color = widgets.Color(r, look.ColorBadgeText)
	r.badge.FillColor = widgets.Color(r, look.ColorBadge)
	if item.count == 0 && item.total > 0 {
		r.count.Content, r.count.Color, r.badge.FillColor = text.Count(item.total), widgets.Color(r, look.ColorMuted), color.Transparent
	}
	if r.icon.Hidden = item.icon == nil; item.heading {
		r.feedIcon.hide()
	} else if item.icon == nil {
		r.feedIcon.set(r, item.Feed.ID, item.Name, icon, item.paused)
	} else {
		r.feedIcon.hide()
		r.icon.SetResource(item.icon)
	}
	r.Refresh()
}

// Describe implements describe.Describer.
func (r *sidebarRow) Describe() describe.Node {
	item := &r.item
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleTreeItem, Level: item.indent + 1}, Key: item.Key}
	n.Name = language.Printer().SidebarRow(item.Name, item.count, item.total, item.paused)
	n.States = n.States.With(accessible.Selected, !r.picked.Hidden)
	if item.heading {
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

func (r *sidebarRow) CreateRenderer() fyne.WidgetRenderer { return &sidebarRowRenderer{r} }

type sidebarRowRenderer struct{ *sidebarRow }

func (r *sidebarRowRenderer) Destroy() {}

func (r *sidebarRowRenderer) MinSize() fyne.Size { return fyne.NewSize(60, sidebarRowHeight) }

func (r *sidebarRowRenderer) Objects() []fyne.CanvasObject {
	objects := append([]fyne.CanvasObject{r.picked}, r.feedIcon.objects()...)
	objects = append(append(objects, r.triangle, r.icon), r.name.Objects()...)
	return append(objects, r.badge, r.count.Text)
}

func (r *sidebarRowRenderer) Layout(size fyne.Size) {
	const pad = 8
	x := float32(pad + r.indent*sidebarIndent)
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
		x += sidebarIndent
	}
	r.icon.Resize(fyne.NewSquareSize(iconSide))
	r.icon.Move(fyne.NewPos(x, (size.Height-iconSide)/2))
	r.feedIcon.layout(x, size.Height/2)
	x += iconSide + pad

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

func (r *sidebarRowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.sidebarRow)
}

// iconOf returns an icon of the theme.
func iconOf(name fyne.ThemeIconName) fyne.Resource { return theme.Current().Icon(name) }

// Icons that the theme does not have.
var (
	unreadIcon  = svg("unread", `<circle cx="12" cy="12" r="5"/>`)
	starIcon    = svg("star", `<path d="M12 3L14.8 8.7L21 9.6L16.5 14L17.6 20.2L12 17.3L6.4 20.2L7.5 14L3 9.6L9.2 8.7z"/>`)
	starOutline = svg("star-outline", `<path fill-rule="evenodd" d="M12 3L14.8 8.7L21 9.6L16.5 14L17.6 20.2L12 17.3L6.4 20.2L7.5 14L3 9.6L9.2 8.7zM10.15 9.96L6.06 10.55L9.03 13.46L8.3 17.55L12 15.63L15.7 17.55L14.97 13.46L17.94 10.55L13.85 9.96L12 6.2z"/>`)
)

func svg(name, shapes string) fyne.Resource {
	return theme.NewThemedResource(fyne.NewStaticResource(name+".svg", []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="#000000">`+shapes+`</svg>`)))
}
