package describe

import (
	"image"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe/describetest"
)

// tree makes the tree of a window and checks it.
func tree(t *testing.T, s *walker, w fyne.Window) *accessible.Tree {
	t.Helper()
	made := s.snapshot(w.Canvas(), accessible.Node{Name: "Test"})
	for _, wrong := range describetest.Lint(made) {
		t.Error(wrong)
	}
	return made
}

func assertListing(t *testing.T, tree *accessible.Tree, want string) {
	t.Helper()
	if got := describetest.Listing(tree); got != want[1:] {
		t.Errorf("the tree is\n%swanted\n%s", got, want[1:])
	}
}

// ours extends a widget of Fyne, as those of the window do.
type ours struct{ widget.Button }

func TestFyneWidgets(t *testing.T) {
	test.NewTempApp(t)
	field, password := widget.NewEntry(), widget.NewPasswordEntry()
	field.SetPlaceHolder("Search…")
	field.SetText("tea")
	password.SetText("secret")
	check := widget.NewCheck("Load images", nil)
	check.SetChecked(true)
	choice := widget.NewSelect([]string{"Newest first", "Oldest first"}, nil)
	choice.SetSelected("Oldest first")
	slider := widget.NewSlider(8, 32)
	slider.SetValue(16)
	button := &ours{}
	button.Text, button.Importance = "Save", widget.HighImportance
	button.ExtendBaseWidget(button)
	off := widget.NewButton("Undo", nil)
	off.Disable()
	hidden := widget.NewLabel("not told")
	hidden.Hide()
	progress := widget.NewProgressBar()
	progress.SetValue(0.5)
	w := test.NewTempWindow(t, container.NewVBox(widget.NewLabel("Fetching"), container.New(&named{}, widget.NewLabel("Words"), field),
		container.New(&named{}, widget.NewLabel("Password"), password), check, container.New(&named{}, widget.NewLabel("Order"), choice),
		container.New(&named{}, widget.NewLabel("Size"), slider), button, off, hidden, progress, widget.NewSeparator()))
	w.Resize(fyne.NewSize(400, 600))
	w.Canvas().Focus(field)
	s := &walker{}
	assertListing(t, tree(t, s, w), `
frame "Test"
  label "Fetching"
  label "Words"
  entry "Words" text "tea" placeholder "Search…" [focusable] <-
  label "Password"
  password "Password" text "••••••" [focusable]
  check box "Load images" [focusable, checkable, checked] (toggle)
  label "Order"
  combo box "Order" text "Oldest first" value "Oldest first" [focusable, expandable] (press)
  label "Size"
  slider "Size" value 16 [focusable]
  button "Save" [focusable, default] (press)
  button "Undo" [disabled] (press)
  progress bar value 0.5
`)
}

// What stands around a field to explain it belongs to it.
func TestLabelsExplain(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, container.NewVBox(widget.NewLabel("Fetching"), container.New(&named{}, widget.NewLabel("Words"), widget.NewEntry())))
	made := tree(t, &walker{}, w)
	if of := made.Explains[find(made, "Fetching")]; of != 0 {
		t.Errorf("a label that stands for itself explains %d", of)
	}
	for _, n := range made.Nodes {
		if n.Role == accessible.RoleLabel && n.Name == "Words" && made.Explains[n.ID] != withRole(made, accessible.RoleEntry) {
			t.Errorf("the label of the field explains %d", made.Explains[n.ID])
		}
	}
}

// named puts a name above what it names.
type named struct{}

func (named) Explain(o []fyne.CanvasObject) Explanation { return Explanation{Of: o[1], Name: o[0]} }
func (named) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width, 40))
	o[1].Move(fyne.NewPos(0, 40))
	o[1].Resize(fyne.NewSize(size.Width, 40))
}
func (named) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 80) }

// What stays has the same ID in the next tree, and no ID is used again.
func TestIDsStay(t *testing.T) {
	test.NewTempApp(t)
	one, two := widget.NewButton("One", nil), widget.NewButton("Two", nil)
	box := container.NewVBox(one, two)
	w := test.NewTempWindow(t, box)
	s := &walker{}
	ids := func() map[string]accessible.ID {
		all := map[string]accessible.ID{}
		for id, n := range tree(t, s, w).Nodes {
			all[n.Name] = id
		}
		return all
	}
	before := ids()
	one.SetText("First")
	box.Objects = []fyne.CanvasObject{widget.NewButton("Three", nil), one}
	box.Refresh()
	after := ids()
	if after["First"] != before["One"] {
		t.Error("a button that stays has another ID")
	}
	if after["Three"] == before["Two"] {
		t.Error("a button that is gone has left its ID to another one")
	}
	if len(s.ids) != 2 {
		t.Errorf("%d things are remembered", len(s.ids))
	}
	s.forget()
	if ids()["First"] == before["One"] {
		t.Error("after nobody has listened, IDs begin at one again and are reused")
	}
}

// A menu covers what is below it; the entry that is active has the focus.
func TestMenu(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewButton("Below", nil))
	w.Resize(fyne.NewSize(400, 400))
	chosen := ""
	entry := func(name string) *fyne.MenuItem { return fyne.NewMenuItem(name, func() { chosen = name }) }
	on, off := entry("Ticked"), entry("Grey")
	on.Checked, off.Disabled = true, true
	on.Shortcut = &fyne.ShortcutCopy{}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", entry("Open"), fyne.NewMenuItemSeparator(), on, off), w.Canvas())
	menu.ShowAtPosition(fyne.NewPos(10, 10))
	menu.ActivateNext()
	menu.ActivateNext()
	v := newWindow(w)
	v.Listen(true)
	made := v.latest
	assertListing(t, made, `
frame [active]
  button "Below" (press)
  popup menu "Menu" [focusable]
    menu item "Open" [focusable] (press)
    check menu item "Ticked" key Ctrl+C [focusable, selected, checkable, checked] <- (press)
    menu item "Grey" [disabled]
`)
	if v.Do(t.Context(), find(made, "Open"), 0); chosen != "Open" {
		t.Errorf("%q was chosen", chosen)
	}
	if v.Do(t.Context(), find(made, "Open"), 1) || v.Do(t.Context(), 12345, 0) {
		t.Error("what is not there was done")
	}
}

// listener is a window with the last tree that it has told.
type listener struct {
	*Window
	latest *accessible.Tree
	trees  int
}

func newWindow(w fyne.Window) *listener {
	l := &listener{}
	l.Window = NewWindow(w.Canvas(), "", func(f func()) { f() }, func() bool { return true }, func(bool) {})
	l.Serve(func(t *accessible.Tree) { l.latest, l.trees = t, l.trees+1 })
	return l
}

func find(t *accessible.Tree, name string) accessible.ID {
	for id, n := range t.Nodes {
		if n.Name == name {
			return id
		}
	}
	return 0
}

// A field is edited from outside as from the keyboard.
func TestEditing(t *testing.T) {
	test.NewTempApp(t)
	field := widget.NewEntry()
	field.SetPlaceHolder("Words")
	changed := ""
	field.OnChanged = func(s string) { changed = s }
	slider := widget.NewSlider(0, 10)
	w := test.NewTempWindow(t, container.NewVBox(container.New(&named{}, widget.NewLabel("Field"), field), container.New(&named{}, widget.NewLabel("Size"), slider)))
	w.Resize(fyne.NewSize(400, 400))
	v := newWindow(w)
	v.Listen(true)
	id := withRole(v.latest, accessible.RoleEntry)
	if !v.Focus(t.Context(), id) || w.Canvas().Focused() != fyne.Focusable(field) {
		t.Fatal("the field is not focused")
	}
	if !v.Replace(t.Context(), id, 0, 0, "grüner tea") || changed != "grüner tea" || field.CursorColumn != 10 {
		t.Errorf("the field has %q, the caret at %d", changed, field.CursorColumn)
	}
	v.Replace(t.Context(), id, 7, 10, "Tee")
	if v.Replace(t.Context(), id, 5, 99, "x"); field.Text != "grüner Tee" {
		t.Errorf("the field has %q", field.Text)
	}
	v.SelectText(t.Context(), id, 0, 6)
	if field.SelectedText() != "grüner" {
		t.Errorf("%q is selected", field.SelectedText())
	}
	v.tell()
	if text := v.latest.Nodes[id].Text; text.Select != [2]int{0, 6} || text.Caret != 6 {
		t.Errorf("the caret is at %d, %v selected", text.Caret, text.Select)
	}
	v.SelectText(t.Context(), id, 3, 3)
	if field.SelectedText() != "" || field.CursorColumn != 3 {
		t.Errorf("%q is selected, the caret at %d", field.SelectedText(), field.CursorColumn)
	}
	left, ok := v.TextBounds(t.Context(), id, 0, 1)
	right, _ := v.TextBounds(t.Context(), id, 9, 10)
	if in := v.latest.Nodes[id].Bounds; !ok || left.Min.X >= right.Min.X || !left.In(in) || !right.In(in) {
		t.Errorf("the first character is at %v, the last at %v of %v", left, right, in)
	}
	v.SetValue(t.Context(), withRole(v.latest, accessible.RoleSlider), 7)
	if slider.Value != 7 {
		t.Errorf("the slider is at %v", slider.Value)
	}
}

func withRole(t *accessible.Tree, role accessible.Role) accessible.ID {
	for id, n := range t.Nodes {
		if n.Role == role {
			return id
		}
	}
	return 0
}

// Without somebody who listens nothing is made, and nothing is kept afterwards.
func TestNobodyListens(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewButton("One", nil))
	v := newWindow(w)
	var later []func()
	v.schedule = func(_ time.Duration, f func()) { later = append(later, f) }
	if v.Painted(); v.trees != 0 {
		t.Fatal("a tree was made for nobody")
	}
	v.Listen(true)
	v.Listen(true)
	for range 5 {
		v.Painted() // soon after the first
	}
	if v.trees != 1 || len(later) != 1 {
		t.Fatalf("%d trees were made and %d are to be", v.trees, len(later))
	}
	later[0]()
	if v.trees != 2 {
		t.Errorf("%d trees were made", v.trees)
	}
	v.Painted()
	v.Listen(false)
	if later[1](); v.trees != 2 || v.walker.ids != nil || v.walker.targets != nil {
		t.Errorf("%d trees were made, %d things are kept", v.trees, len(v.walker.ids))
	}
	if n := testing.AllocsPerRun(100, v.Painted); n != 0 {
		t.Errorf("a frame for nobody allocates %v times", n)
	}
}

// What is scrolled out of sight is where it would be, but is not shown there.
func TestPlaces(t *testing.T) {
	test.NewTempApp(t)
	one, two := widget.NewButton("One", nil), widget.NewButton("Two", nil)
	scroll := container.NewVScroll(container.NewVBox(one, two))
	w := test.NewTempWindow(t, container.NewBorder(widget.NewButton("Bar", nil), nil, nil, nil, scroll))
	w.Resize(fyne.NewSize(300, one.MinSize().Height*3))
	scroll.ScrollToOffset(fyne.NewPos(0, one.MinSize().Height/2))
	v := newWindow(w)
	v.Place(func() (image.Point, bool) { return image.Pt(70, 30), true })
	v.Listen(true)
	bar, first := v.latest.Nodes[find(v.latest, "Bar")], v.latest.Nodes[find(v.latest, "One")]
	if !first.Bounds.Overlaps(bar.Bounds) || first.Shown.Overlaps(bar.Bounds) || first.Shown.Empty() || bar.Shown != bar.Bounds {
		t.Errorf("the bar is at %v, the button below it at %v, shown at %v", bar.Bounds, first.Bounds, first.Shown)
	}
	if at, known := v.Origin(t.Context()); !known || at != image.Pt(70, 30) {
		t.Errorf("the window is at %v, %v", at, known)
	}
}

// menuBar is drawn as that of a window is: the entries of a menu stand beside the menus.
type menuBar struct {
	widget.BaseWidget
	Items []fyne.CanvasObject
	open  *widget.Menu
}

func (b *menuBar) IsActive() bool { return true }

func (b *menuBar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(container.NewHBox(b.Items...), b.open))
}

// barMenu is a menu of the bar.
type barMenu struct {
	widget.BaseWidget
	Menu *fyne.Menu
	open *widget.Menu
}

func (m *barMenu) Child() *widget.Menu     { return m.open }
func (m *barMenu) FocusGained()            {}
func (m *barMenu) FocusLost()              {}
func (m *barMenu) TypedRune(rune)          {}
func (m *barMenu) TypedKey(*fyne.KeyEvent) {}
func (m *barMenu) Tapped(*fyne.PointEvent) {}
func (m *barMenu) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(widget.NewLabel(m.Menu.Label))
}

// The entries of an open menu hang below it, and the one that is active has the focus. The bar is rebuilt all
// the time, but stays the same.
func TestMenuBar(t *testing.T) {
	test.NewTempApp(t)
	feed, help := fyne.NewMenu("Feed", fyne.NewMenuItem("Rename", nil), fyne.NewMenuItem("Refresh", nil)), fyne.NewMenu("Help")
	var focus *barMenu
	bar := func(open *fyne.Menu) *menuBar {
		b := &menuBar{}
		for _, m := range []*fyne.Menu{feed, help} {
			one := &barMenu{Menu: m, open: widget.NewMenu(m)}
			one.ExtendBaseWidget(one)
			one.open.Hide()
			b.Items = append(b.Items, one)
			if m == open {
				one.open.Show()
				b.open, focus = one.open, one
			}
		}
		if b.open == nil {
			b.open = b.Items[0].(*barMenu).open
		}
		b.ExtendBaseWidget(b)
		return b
	}
	w := test.NewTempWindow(t, bar(nil))
	s := &walker{}
	closed := s.snapshot(w.Canvas(), accessible.Node{})
	w.SetContent(bar(feed))
	w.Canvas().Focus(focus)
	focus.open.ActivateNext()
	focus.open.ActivateNext()
	opened := s.snapshot(w.Canvas(), accessible.Node{})
	assertListing(t, opened, `
frame
  menu bar "Menu bar"
    menu "Feed" [focusable, selected, expandable, expanded] (press)
      menu item "Rename" [focusable] (press)
      menu item "Refresh" [focusable, selected] <- (press)
    menu "Help" [focusable, expandable] (press)
`)
	for _, name := range []string{"Menu bar", "Feed", "Help"} {
		if find(closed, name) == 0 || find(closed, name) != find(opened, name) {
			t.Errorf("%s is another one now", name)
		}
	}
}
