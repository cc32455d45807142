// Package jump goes to a feed, a folder or a command by typing a part of its name.
package jump

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/dialogs"
	"kairos/app/look"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader/search"
)

// Target is something to go to.
type Target struct {
	Name   string
	Detail string // beside the name: where it is, or which key stands for it
	Also   string // words that find it, too, after all whose names match: the menus it is in
	Change bool   // a command, which may change something: behind all places
	Go     func()
}

// Dialog lists targets whose names match what is typed. Enter or a click goes to one.
type Dialog struct {
	shell   *shell.Shell
	all     func() []Target
	targets []Target
	Typed   *widgets.FilterEntry
	list    *widgets.List
	none    *widgets.Text // said where nothing matches
	Found   []Target
	dialog  *dialogs.Dialog
}

// Open opens the dialog. all returns the targets; of those that match alike, the first ones come first.
func Open(sh *shell.Shell, all func() []Target) *Dialog {
	d := &Dialog{shell: sh, all: all, targets: all()}
	d.Typed = widgets.NewFilterEntry(d.close, d.move)
	d.Typed.SetPlaceHolder(lang.L("A feed, a folder or a command"))
	d.Typed.OnChanged = func(string) { d.filter() }
	d.Typed.OnSubmitted = func(string) { d.goTo(d.list.Chosen) }
	d.list = widgets.NewList(sh.Keys, func() int { return len(d.Found) }, func() fyne.CanvasObject { return newRow() }, func(i int, o fyne.CanvasObject) {
		if i < len(d.Found) {
			r := o.(*row)
			r.set(d.Found[i])
			r.OnTapped = func() { sh.Used(); d.goTo(i) }
		}
	})
	d.list.HideSeparators, d.list.Name = true, lang.L("Go to")
	d.none = widgets.NewText(lang.L("No feed, folder or command matches."), widgets.Label)
	d.filter()
	d.dialog = &dialogs.Dialog{Title: lang.L("Go to"), Content: container.NewBorder(d.Typed, nil, nil, nil, container.NewStack(d.list, container.NewVBox(d.none))), Width: 460, Height: 380,
		Focus: d.Typed, Buttons: []*dialogs.Button{dialogs.Cancel()}}
	sh.Dialogs.Show(d.dialog)
	return d
}

func (d *Dialog) close() { d.dialog.Hide() }

// Renew lists the targets of now, as feeds come while the window opens. What is chosen stays chosen.
func (d *Dialog) Renew() {
	same := func(a, b Target) bool { return a.Name == b.Name && a.Detail == b.Detail }
	if !slices.Contains(d.shell.Dialogs.Open, d.dialog) {
		return
	}
	before := d.targets
	if d.targets = d.all(); slices.EqualFunc(before, d.targets, same) {
		return
	}
	var chosen *Target
	if at := d.list.Chosen; at >= 0 && at < len(d.Found) {
		chosen = &d.Found[at]
	}
	if d.filter(); chosen != nil {
		if at := slices.IndexFunc(d.Found, func(t Target) bool { return same(t, *chosen) }); at >= 0 {
			d.list.SelectSilently(at)
		}
	}
}

// filter lists what matches, the best first.
func (d *Dialog) filter() {
	d.Found = Matching(d.targets, d.Typed.Text)
	d.list.Refresh()
	d.list.Clear()
	d.list.ScrollToTop()
	if d.none.Hide(); len(d.Found) > 0 {
		d.list.SelectSilently(0)
	} else {
		d.none.Show()
	}
}

// move chooses the row by steps below the chosen one.
func (d *Dialog) move(by int) {
	if len(d.Found) > 0 {
		at := min(max(d.list.Chosen+by, 0), len(d.Found)-1)
		d.list.SelectSilently(at)
		d.list.ScrollTo(at)
	}
}

// goTo closes the dialog and goes to what row i names.
func (d *Dialog) goTo(i int) {
	if i >= 0 && i < len(d.Found) {
		one := d.Found[i]
		d.close()
		one.Go()
	}
}

// Matching returns the targets whose names have all words of what was typed, in any order: places before commands; of
// each, first those that begin with it, then those in which each word begins one, then the others, and last those that have them
// only together with what else finds them.
func Matching(targets []Target, typed string) []Target {
	typed = search.Plain(typed)
	words := strings.Fields(typed)
	type ranked struct {
		Target
		rank int
	}
	var found []ranked
	for _, t := range targets {
		name := search.Plain(t.Name)
		rank, ok := rankOf(name, typed, words)
		if !ok && t.Also != "" {
			_, ok = rankOf(search.Plain(t.Also)+" "+name, typed, words)
			rank = behindNames
		}
		if ok {
			if t.Change {
				rank += behindPlaces
			}
			found = append(found, ranked{t, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]Target, len(found))
	for i := range found {
		out[i] = found[i].Target
	}
	return out
}

const (
	behindNames  = 3 // more than the rank of any name
	behindPlaces = 4 // more than any rank
)

// rankOf is how well a name matches, 0 best; ok is false if it does not.
func rankOf(name, typed string, words []string) (rank int, ok bool) {
	if strings.HasPrefix(name, typed) {
		return 0, true
	}
	rank = 1
	for _, w := range words {
		at := strings.Index(name, w)
		if at < 0 {
			return 0, false
		}
		if !beginsWord(name, w) {
			rank = 2
		}
	}
	return rank, true
}

// beginsWord reports whether a word of a name begins with w.
func beginsWord(name, w string) bool {
	for from := 0; ; {
		at := strings.Index(name[from:], w)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(name[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsNumber(before) {
			return true
		}
		_, size := utf8.DecodeRuneInString(name[at:])
		from = at + size
	}
}

// row shows a target: its name, and its detail at the end.
type row struct {
	widgets.ListRow
	name, detail *widgets.Line
}

const (
	rowHeight = look.RowHeight
	rowPad    = 8
)

func newRow() *row {
	r := &row{name: widgets.NewLine(look.TextSize(theme.SizeNameText)), detail: widgets.NewLine(look.TextSize(theme.SizeNameCaptionText))}
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) set(t Target) {
	r.name.Content, r.detail.Content = t.Name, t.Detail
	r.Refresh()
}

// Describe implements describe.Describer.
func (r *row) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleListItem, Name: r.name.Content, Description: r.detail.Content}, Key: r.name.Content + "\n" + r.detail.Content}
	r.Offer(&n, r)
	return n
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer { return rowRenderer{r} }

type rowRenderer struct{ *row }

func (r rowRenderer) Destroy()           {}
func (r rowRenderer) MinSize() fyne.Size { return fyne.NewSize(80, rowHeight) }
func (r rowRenderer) Objects() []fyne.CanvasObject {
	return append(r.name.Objects(), r.detail.Objects()...)
}

func (r rowRenderer) Layout(size fyne.Size) {
	r.name.Color, r.detail.Color = widgets.Color(r.row, look.ColorText), widgets.Color(r.row, look.ColorMuted)
	room := max(0, size.Width-2*rowPad)
	beside := min(r.detail.Needs().Width+1, room/2)
	if r.detail.Content == "" {
		beside = 0
	}
	name := max(0, room-beside-rowPad)
	r.name.Fit(rowPad, (size.Height-r.name.Needs().Height)/2, name)
	r.detail.Fit(rowPad+room-beside, (size.Height-r.detail.Needs().Height)/2, beside)
}

func (r rowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.row)
}
