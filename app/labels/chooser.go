package labels

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/dialogs"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// options is what the chooser offers.
type options struct {
	articles []int64 // to be labeled
	labels   []reader.Label
	counts   map[int64]int // of the articles that have each label
}

// chooser puts labels on articles. What is typed filters the labels or names a new one. Enter puts the chosen
// label on or takes it off, and closes; a click does so and leaves the chooser open.
type chooser struct {
	*Actions
	options
	name    *widgets.FilterEntry
	list    *widgets.List
	Rows    []option
	message *widgets.Text
	none    *widgets.Text // in place of rows
	dialog  *dialogs.Dialog
}

// option is a row of the chooser: a label, or a new one if its ID is 0.
type option struct {
	reader.Label
	Has HasLabel
}

// HasLabel is how many of the articles have a label.
type HasLabel uint8

const (
	noneHas HasLabel = iota
	SomeHave
	allHave
)

func newChooser(a *Actions, o options) *chooser {
	c := &chooser{Actions: a, options: o}
	c.name = widgets.NewFilterEntry(c.close, c.move)
	c.name.SetPlaceHolder(lang.L("Find or name a label"))
	c.name.OnChanged = func(string) { c.filter() }
	c.name.OnSubmitted = func(string) { c.toggle(c.list.Chosen, c.close) }
	c.message = widgets.NewText("", widgets.Warning)
	c.none = widgets.NewText(lang.L("There are no labels yet. Type a name to make one."), widgets.Label)
	c.list = widgets.NewList(a.Shell.Keys, func() int { return len(c.Rows) }, func() fyne.CanvasObject { return newRow() }, func(i int, o fyne.CanvasObject) {
		if i < len(c.Rows) {
			r := o.(*row)
			r.set(c.Rows[i])
			r.OnTapped = func() {
				c.Shell.Used()
				c.toggle(i, func() { c.Shell.Focus(c.name) })
			}
		}
	})
	c.list.HideSeparators, c.list.Name = true, lang.L("Labels")
	c.filter()
	return c
}

func (c *chooser) open() {
	content := container.NewBorder(c.name, c.message, nil, nil, container.NewStack(c.list, container.NewVBox(c.none)))
	c.dialog = &dialogs.Dialog{Title: lang.N("Labels of {{.PluralCount}} articles", len(c.articles)), Content: content, Width: 340, Height: 300,
		Focus: c.name, Buttons: []*dialogs.Button{{Text: lang.L("Done")}}}
	c.Shell.Dialogs.Show(c.dialog)
}

func (c *chooser) close() { c.dialog.Hide() }

// filter lists the labels whose names contain what is typed, those that begin with it first, and a new one if none is
// called so.
func (c *chooser) filter() {
	typed := search.Plain(c.name.Text)
	var begin, contain []option
	same := false
	for _, l := range c.labels {
		o := option{Label: l}
		switch n := c.counts[l.ID]; {
		case n == len(c.articles):
			o.Has = allHave
		case n > 0:
			o.Has = SomeHave
		}
		name := search.Plain(l.Name)
		same = same || name == typed
		switch {
		case strings.HasPrefix(name, typed):
			begin = append(begin, o)
		case strings.Contains(name, typed):
			contain = append(contain, o)
		}
	}
	c.Rows = slices.Concat(begin, contain)
	if typed != "" && !same {
		name := strings.Join(strings.Fields(c.name.Text), " ")
		c.Rows = append(c.Rows, option{Label: reader.Label{Name: name, Color: reader.NextLabelColor(c.labels)}})
	}
	c.list.Refresh()
	c.list.Clear()
	if c.none.Hidden = len(c.Rows) > 0; len(c.Rows) > 0 {
		c.list.SelectSilently(0)
	}
	c.message.Clear()
}

// move chooses the row by steps below the chosen one.
func (c *chooser) move(by int) {
	if len(c.Rows) > 0 {
		at := min(max(c.list.Chosen+by, 0), len(c.Rows)-1)
		c.list.SelectSilently(at)
		c.list.ScrollTo(at)
	}
}

// toggle puts the label of row i on the articles, or takes it off if all have it; then is called when that is stored.
func (c *chooser) toggle(i int, then func()) {
	if i < 0 || i >= len(c.Rows) {
		return
	}
	o := c.Rows[i]
	if o.ID == 0 {
		c.PutNew(o.Label, c.articles, func(err error) {
			c.message.SetText(language.Error(err), widgets.Warning)
		}, c.close)
		return
	}
	on := o.Has != allHave
	c.put(o.Label, c.articles, on, func() {
		delete(c.counts, o.ID)
		if on {
			c.counts[o.ID] = len(c.articles)
		}
		c.filter()
		c.list.SelectSilently(min(i, len(c.Rows)-1))
		then()
	})
}

// row shows a label in the chooser: whether the articles have it, its color and its name.
type row struct {
	widgets.ListRow
	check, icon *widget.Icon
	name        *widgets.Line
	shown       option
}

func newRow() *row {
	r := &row{check: widget.NewIcon(nil), icon: widget.NewIcon(nil), name: widgets.NewLine(look.TextSize(theme.SizeNameText))}
	r.ExtendBaseWidget(r)
	return r
}

// Describe implements describe.Describer.
func (r *row) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleListItem, Name: r.name.Content}, Key: r.name.Content}
	if r.shown.ID != 0 {
		n.States = accessible.Checkable.With(accessible.Checked, r.shown.Has == allHave).With(accessible.Mixed, r.shown.Has == SomeHave)
	}
	r.Offer(&n, r)
	return n
}

func (r *row) set(o option) {
	r.shown = o
	checks := map[HasLabel]fyne.ThemeIconName{noneHas: theme.IconNameCheckButton, SomeHave: theme.IconNameCheckButtonPartial, allHave: theme.IconNameCheckButtonChecked}
	r.check.SetResource(icon.Theme(checks[o.Has]))
	r.name.Content = o.Name
	if o.ID == 0 {
		r.check.SetResource(theme.ContentAddIcon())
		r.name.Content = lang.L("Create “{{.Name}}”", map[string]any{"Name": o.Name})
	}
	r.icon.SetResource(icon.Label(o.Label))
	r.name.Color = widgets.Color(r, look.ColorText)
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ *row }

func (r *rowRenderer) Destroy() {}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, look.RowHeight) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{r.check, r.icon}, r.name.Objects()...)
}

func (r *rowRenderer) Layout(size fyne.Size) {
	const pad = 8
	x := float32(pad)
	for _, one := range []*widget.Icon{r.check, r.icon} {
		one.Resize(fyne.NewSquareSize(icon.Side))
		one.Move(fyne.NewPos(x, (size.Height-icon.Side)/2))
		x += icon.Side + pad
	}
	height := r.name.Needs().Height
	r.name.Fit(x, (size.Height-height)/2, max(0, size.Width-x-pad))
}

func (r *rowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.row)
}
