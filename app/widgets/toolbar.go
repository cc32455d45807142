package widgets

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
)

// ToolButton is a button of a row of tools: an icon, and its name beside it where there is room.
type ToolButton struct {
	Button
	Name   string        // said by a tooltip while only the icon is shown
	Key    func() string // a key that does the same, said by the tooltip, "" for none; may be nil
	NoName bool          // only the icon is shown, whatever the room
}

// NewToolButton returns a button that calls tapped.
func NewToolButton(name string, icon fyne.Resource, tapped func()) *ToolButton {
	b := &ToolButton{}
	b.Init(name, icon, tapped)
	b.ExtendBaseWidget(b)
	return b
}

// Init makes b, or what extends it, such a button.
func (b *ToolButton) Init(name string, icon fyne.Resource, tapped func()) {
	b.Name, b.Text, b.Icon, b.OnTapped = name, name, icon, tapped
	b.Importance = widget.LowImportance
}

// CreateRenderer implements fyne.Widget.
func (b *ToolButton) CreateRenderer() fyne.WidgetRenderer {
	r := &toolRenderer{b.Button.CreateRenderer(), b}
	r.place()
	return r
}

// toolRenderer puts a name that the driver draws too low on the line of the icon.
type toolRenderer struct {
	fyne.WidgetRenderer
	button *ToolButton
}

func (r *toolRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.place()
}

func (r *toolRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.WidgetRenderer.Layout(r.button.Size())
	r.place()
}

func (r *toolRenderer) place() {
	drop := dropOf(r.button.Text, theme.TextSize(), fyne.TextStyle{})
	for _, o := range r.Objects() {
		if label, ok := o.(*widget.RichText); ok && drop != 0 {
			label.Move(label.Position().SubtractXY(0, drop))
		}
	}
}

// tooltip is what the button shows while the pointer rests on it: what it does not say itself.
func (b *ToolButton) tooltip() string {
	key := ""
	if b.Key != nil {
		key = b.Key()
	}
	switch {
	case key == "" && b.Text == b.Name:
		return ""
	case key == "":
		return b.Name
	}
	return b.Name + "  " + key
}

// Describe implements describe.Describer. The name is said although only the icon may be shown.
func (b *ToolButton) Describe() describe.Node {
	n, _ := describe.Widget(b)
	n.Name = b.Name
	if b.Key != nil {
		n.Shortcut = b.Key()
	}
	return n
}

// TypedKey implements fyne.Focusable.
func (b *ToolButton) TypedKey(ev *fyne.KeyEvent) { b.typedKey(b, ev) }

// TypedRune implements fyne.Focusable.
func (b *ToolButton) TypedRune(r rune) { passRuneOn(b, r) }

// MouseIn implements desktop.Hoverable.
func (b *ToolButton) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	showTooltip(ev, b.Size(), b.tooltip())
}

// MouseOut implements desktop.Hoverable.
func (b *ToolButton) MouseOut() {
	b.Button.MouseOut()
	HideTooltip()
}

// Tapped implements fyne.Tappable.
func (b *ToolButton) Tapped(ev *fyne.PointEvent) {
	HideTooltip()
	b.Button.Tapped(ev)
}

// SetName gives the button another name.
func (b *ToolButton) SetName(name string) {
	if b.Name == name {
		return
	}
	named := b.Text != ""
	b.Name = name
	if named {
		b.SetText(name)
	}
}

// showName shows or hides the name.
func (b *ToolButton) showName(on bool) {
	text := ""
	if on && !b.NoName {
		text = b.Name
	}
	if b.Text != text { // redrawing a button takes as long as reading its icon
		b.SetText(text)
	}
}

// widths are those of the button with its name, and without it.
func (b *ToolButton) widths() (named, bare float32) {
	now := b.MinSize().Width
	name := theme.Padding() + fyne.MeasureText(b.Name, theme.TextSize(), fyne.TextStyle{Bold: true}).Width
	switch {
	case b.NoName:
		return now, now
	case b.Text == "":
		return now + name, now
	}
	return now, now - name
}

// tool is what stands in a row of tools.
type tool interface {
	fyne.CanvasObject
	showName(on bool)
	widths() (named, bare float32)
}

// toolGap is the space between tools.
const toolGap = 2

// widthsOf are the widths of all visible tools with and without their names.
func widthsOf(tools []fyne.CanvasObject) (named, bare float32) {
	return allWidths(slices.DeleteFunc(slices.Clone(tools), func(o fyne.CanvasObject) bool { return !o.Visible() }))
}

// allWidths are the widths of tools with and without their names, hidden or not.
func allWidths(tools []fyne.CanvasObject) (named, bare float32) {
	for _, o := range tools {
		n, b := o.(tool).widths()
		named, bare = named+n+toolGap, bare+b+toolGap
	}
	return named, bare
}

// placeTools puts tools beside each other from x on, with the names of those that named tells, and returns where they end.
func placeTools(tools []fyne.CanvasObject, x, height float32, named func(fyne.CanvasObject) bool) float32 {
	for _, o := range tools {
		if !o.Visible() {
			continue
		}
		o.(tool).showName(named(o))
		least := o.MinSize()
		o.Move(fyne.NewPos(x, (height-least.Height)/2))
		o.Resize(least)
		x += least.Width + toolGap
	}
	return x
}

// toolRow is the layout of tools on one line. Where not all have room for their names, they leave them out one
// by one, in the order of least, which holds all that have a name.
type toolRow struct{ least []*ToolButton }

// NewToolRow puts tools on one line, with as many of their names as there is room for. They leave them out in the order of
// least, which holds all that have a name.
func NewToolRow(least []*ToolButton, tools ...fyne.CanvasObject) *fyne.Container {
	return container.New(toolRow{least}, tools...)
}

func (r toolRow) Layout(tools []fyne.CanvasObject, size fyne.Size) {
	width, _ := widthsOf(tools)
	nameless := map[fyne.CanvasObject]bool{}
	for _, b := range r.least {
		if width-toolGap <= size.Width {
			break
		}
		if b.Visible() {
			with, without := b.widths()
			width -= with - without
			nameless[b] = true
		}
	}
	placeTools(tools, 0, size.Height, func(o fyne.CanvasObject) bool { return !nameless[o] })
}

// Describe implements describe.Describer.
func (toolRow) Describe() describe.Node { return toolbarNode(lang.L("Article")) }

// toolbarNode is a row of tools.
func toolbarNode(name string) describe.Node {
	return describe.Node{Node: accessible.Node{Role: accessible.RoleToolBar, Name: name, States: accessible.Horizontal}, Holds: true}
}

func (toolRow) MinSize(tools []fyne.CanvasObject) fyne.Size { return toolsMinSize(tools) }

func toolsMinSize(tools []fyne.CanvasObject) (size fyne.Size) {
	_, size.Width = widthsOf(tools)
	for _, o := range tools {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}

// Widths of the field of a toolbar, with a button beside it: 240 to 480 units for the text.
const (
	FieldLeast = 240 + 40
	FieldMost  = 480 + 40
)

// Toolbar is tools with a field among them. Where there is little room it leaves out first the names of the tools behind
// the field, then those before it, and then the field, which a button opens in the place of all.
type Toolbar struct {
	Object     *fyne.Container
	lead, tail []fyne.CanvasObject
	field      fyne.CanvasObject
	opener     *ToolButton
	open       bool // the field has the place of all where there is no room for both
}

// NewToolbar puts field between lead and tail; opener stands for the field where it has no room.
func NewToolbar(lead []fyne.CanvasObject, field fyne.CanvasObject, opener *ToolButton, tail []fyne.CanvasObject) *Toolbar {
	b := &Toolbar{lead: lead, tail: tail, field: field, opener: opener}
	opener.NoName = true
	opener.showName(false)
	all := append(append([]fyne.CanvasObject{}, lead...), append([]fyne.CanvasObject{field, opener}, tail...)...)
	b.Object = container.New(b, all...)
	return b
}

// OpenField makes sure that the field is on screen; or it needs not be any more.
func (b *Toolbar) OpenField(open bool) {
	if b.open != open {
		b.open = open
		b.Object.Refresh()
	}
}

const toolbarPad = 6

// MinSize implements fyne.Layout.
func (b *Toolbar) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(FieldLeast, max(b.field.MinSize().Height, toolsMinSize(b.lead).Height)+2*toolbarPad)
}

// Describe implements describe.Describer.
func (b *Toolbar) Describe() describe.Node { return toolbarNode(lang.L("Tools")) }

// Layout implements fyne.Layout.
func (b *Toolbar) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	leadNamed, leadBare := allWidths(b.lead) // while the field is alone they are hidden
	tailNamed, tailBare := allWidths(b.tail)
	width := size.Width - 2*toolbarPad
	fits := func(tools float32) bool { return tools+4*toolGap+FieldLeast <= width }
	hasField := fits(leadBare+tailBare) || b.open
	alone := hasField && !fits(leadBare+tailBare)
	for _, o := range append(append([]fyne.CanvasObject{}, b.lead...), b.tail...) {
		setHidden(o, alone)
	}
	setHidden(b.field, !hasField)
	setHidden(b.opener, hasField)
	height := b.field.MinSize().Height
	at := func(x, width float32) {
		b.field.Move(fyne.NewPos(x, (size.Height-height)/2))
		b.field.Resize(fyne.NewSize(width, height))
	}
	if alone {
		at(toolbarPad, width)
		return
	}
	x := placeTools(b.lead, toolbarPad, size.Height, each(fits(leadNamed+tailBare)))
	tail := tailBare
	if fits(leadNamed + tailNamed) {
		tail = tailNamed
	}
	end := size.Width - toolbarPad - tail + toolGap
	placeTools(b.tail, end, size.Height, each(tail == tailNamed))
	end -= 2 * toolGap
	if !hasField {
		b.opener.Resize(b.opener.MinSize())
		b.opener.Move(fyne.NewPos(end-b.opener.MinSize().Width, (size.Height-b.opener.MinSize().Height)/2))
		return
	}
	field := min(end-x-2*toolGap, FieldMost)
	at(end-field, field)
}

// each tells the same of every tool.
func each(named bool) func(fyne.CanvasObject) bool {
	return func(fyne.CanvasObject) bool { return named }
}

func setHidden(o fyne.CanvasObject, hidden bool) {
	switch {
	case hidden == !o.Visible():
	case hidden:
		o.Hide()
	default:
		o.Show()
	}
}
