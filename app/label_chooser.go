package app

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
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// labelOptions is what the chooser offers.
type labelOptions struct {
	articles []int64 // to be labeled
	labels   []reader.Label
	counts   map[int64]int // of the articles that have each label
}

// labelChooser puts labels on articles. What is typed filters the labels or names a new one. Enter puts the chosen
// label on or takes it off, and closes; a click does so and leaves the chooser open.
type labelChooser struct {
	*labelActions
	labelOptions
	name    *widgets.FilterEntry
	list    *widgets.List
	rows    []labelOption
	message *widgets.Text
	dialog  *dialogs.Dialog
}

// labelOption is a row of the chooser: a label, or a new one if its ID is 0.
type labelOption struct {
	reader.Label
	has hasLabel
}

// hasLabel is how many of the articles have a label.
type hasLabel uint8

const (
	noneHas hasLabel = iota
	someHave
	allHave
)

func newLabelChooser(a *labelActions, o labelOptions) *labelChooser {
	c := &labelChooser{labelActions: a, labelOptions: o}
	c.name = widgets.NewFilterEntry(c.close, c.move)
	c.name.SetPlaceHolder(lang.L("Find or name a label"))
	c.name.OnChanged = func(string) { c.filter() }
	c.name.OnSubmitted = func(string) { c.toggle(c.list.Chosen, c.close) }
	c.message = widgets.NewText("", widgets.Warning)
	c.list = widgets.NewList(a.shell.Keys, func() int { return len(c.rows) }, func() fyne.CanvasObject { return newLabelRow() }, func(i int, o fyne.CanvasObject) {
		if i < len(c.rows) {
			r := o.(*labelRow)
			r.set(c.rows[i])
			r.OnTapped = func() {
				c.shell.Used()
				c.toggle(i, func() { c.shell.Focus(c.name) })
			}
		}
	})
	c.list.HideSeparators, c.list.Name = true, lang.L("Labels")
	c.filter()
	return c
}

func (c *labelChooser) open() {
	content := container.NewBorder(c.name, c.message, nil, nil, c.list)
	c.dialog = &dialogs.Dialog{Title: lang.N("Labels of {{.PluralCount}} articles", len(c.articles)), Content: content, Width: 340, Height: 300,
		Focus: c.name, Buttons: []*dialogs.Button{{Text: lang.L("Done")}}}
	c.shell.Dialogs.Show(c.dialog)
}

func (c *labelChooser) close() { c.dialog.Hide() }

// filter lists the labels whose names contain what is typed, those that begin with it first, and a new one if none is
// called so.
func (c *labelChooser) filter() {
	typed := search.Plain(c.name.Text)
	var begin, contain []labelOption
	same := false
	for _, l := range c.labels {
		o := labelOption{Label: l}
		switch n := c.counts[l.ID]; {
		case n == len(c.articles):
			o.has = allHave
		case n > 0:
			o.has = someHave
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
	c.rows = slices.Concat(begin, contain)
	if typed != "" && !same {
		name := strings.Join(strings.Fields(c.name.Text), " ")
		c.rows = append(c.rows, labelOption{Label: reader.Label{Name: name, Color: reader.NextLabelColor(c.labels)}})
	}
	c.list.Refresh()
	c.list.Clear()
	if len(c.rows) > 0 {
		c.list.SelectSilently(0)
	}
	c.message.Clear()
}

// move chooses the row by steps below the chosen one.
func (c *labelChooser) move(by int) {
	if len(c.rows) > 0 {
		at := min(max(c.list.Chosen+by, 0), len(c.rows)-1)
		c.list.SelectSilently(at)
		c.list.ScrollTo(at)
	}
}

// toggle puts the label of row i on the articles, or takes it off if all have it; then is called when that is stored.
func (c *labelChooser) toggle(i int, then func()) {
	if i < 0 || i >= len(c.rows) {
		return
	}
	o := c.rows[i]
	if o.ID == 0 {
		c.putNew(o.Label, c.articles, func(err error) {
			c.message.SetText(language.Error(err), widgets.Warning)
		}, c.close)
		return
	}
	on := o.has != allHave
	c.put(o.Label, c.articles, on, func() {
		delete(c.counts, o.ID)
		if on {
			c.counts[o.ID] = len(c.articles)
		}
		c.filter()
		c.list.SelectSilently(min(i, len(c.rows)-1))
		then()
	})
}

// labelRow shows a label in the chooser: whether the articles have it, its color and its name.
type labelRow struct {
	widgets.ListRow
	check, icon *widget.Icon
	name        *widgets.Line
	shown       labelOption
}

func newLabelRow() *labelRow {
	r := &labelRow{check: widget.NewIcon(nil), icon: widget.NewIcon(nil), name: widgets.NewLine(look.TextSize(theme.SizeNameText))}
	r.ExtendBaseWidget(r)
	return r
}

// Describe implements describe.Describer.
func (r *labelRow) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleListItem, Name: r.name.Content}, Key: r.name.Content}
	if r.shown.ID != 0 {
		n.States = accessible.Checkable.With(accessible.Checked, r.shown.has == allHave).With(accessible.Mixed, r.shown.has == someHave)
	}
	r.Offer(&n, r)
	return n
}

func (r *labelRow) set(o labelOption) {
	r.shown = o
	checks := map[hasLabel]fyne.ThemeIconName{noneHas: theme.IconNameCheckButton, someHave: theme.IconNameCheckButtonPartial, allHave: theme.IconNameCheckButtonChecked}
	r.check.SetResource(iconOf(checks[o.has]))
	r.name.Content = o.Name
	if o.ID == 0 {
		r.check.SetResource(theme.ContentAddIcon())
		r.name.Content = lang.L("Create “{{.Name}}”", map[string]any{"Name": o.Name})
	}
	r.icon.SetResource(labelIcon(o.Label))
	r.name.Color = widgets.Color(r, look.ColorText)
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *labelRow) CreateRenderer() fyne.WidgetRenderer { return &labelRowRenderer{r} }

type labelRowRenderer struct{ *labelRow }

func (r *labelRowRenderer) Destroy() {}

func (r *labelRowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, sidebarRowHeight) }

func (r *labelRowRenderer) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{r.check, r.icon}, r.name.Objects()...)
}

func (r *labelRowRenderer) Layout(size fyne.Size) {
	const pad = 8
	x := float32(pad)
	for _, icon := range []*widget.Icon{r.check, r.icon} {
		icon.Resize(fyne.NewSquareSize(iconSide))
		icon.Move(fyne.NewPos(x, (size.Height-iconSide)/2))
		x += iconSide + pad
	}
	height := r.name.Needs().Height
	r.name.Fit(x, (size.Height-height)/2, max(0, size.Width-x-pad))
}

func (r *labelRowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.labelRow)
}
