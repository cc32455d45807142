package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
)

func newTestTools(t *testing.T, names ...string) (tools []fyne.CanvasObject) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, name := range names {
		tools = append(tools, NewToolButton(name, theme.HomeIcon(), func() {}))
	}
	return tools
}

// A button tells its width with and without its name in either state.
func TestToolButtonWidths(t *testing.T) {
	b := newTestTools(t, "Mark all read")[0].(*ToolButton)
	named, bare := b.widths()
	b.showName(false)
	if n, w := b.widths(); n != named || w != bare || b.MinSize().Width != bare || b.Text != "" {
		t.Errorf("%v and %v, was %v and %v", n, w, named, bare)
	}
	b.SetName("Mark read")
	b.showName(true)
	if n, _ := b.widths(); n != b.MinSize().Width || b.Text != "Mark read" {
		t.Errorf("%q is %v wide, not %v", b.Text, b.MinSize().Width, n)
	}
}

// Tools stay on one line; whatever the width, as many names are shown as have room, the least important ones go first, and
// a hidden tool takes none.
func TestToolRow(t *testing.T) {
	tools := newTestTools(t, "Star", "Mark unread", "Hidden", "Open in browser")
	star, read, hidden, browse := tools[0].(*ToolButton), tools[1].(*ToolButton), tools[2].(*ToolButton), tools[3].(*ToolButton)
	hidden.Hide()
	row := NewToolRow([]*ToolButton{read, hidden, star, browse}, tools...)
	all, bare := widthsOf(tools)
	seen := map[string]bool{}
	for width := all + 20; width >= bare-toolGap; width-- {
		row.Resize(fyne.NewSize(width, row.MinSize().Height))
		shown := star.Text + "|" + read.Text + "|" + browse.Text
		seen[shown] = true
		end := float32(0)
		for _, b := range []*ToolButton{star, read, browse} {
			if b.Position().Y != 0 || b.Position().X < end {
				t.Fatalf("at %v: %s stands at %v, behind %v", width, b.Name, b.Position(), end)
			}
			end = b.Position().X + b.Size().Width
		}
		if end > width {
			t.Fatalf("at %v: they end at %v with %s", width, end, shown)
		}
		for _, b := range []*ToolButton{browse, star, read} { // the next name to be shown has no room
			if named, bare := b.widths(); b.Text == "" && end+named-bare <= width {
				t.Fatalf("at %v: %s has room for its name", width, b.Name)
			} else if b.Text == "" {
				break
			}
		}
	}
	for _, want := range []string{"Star|Mark unread|Open in browser", "Star||Open in browser", "||Open in browser", "||"} {
		if !seen[want] {
			t.Errorf("never %s, only %v", want, seen)
		}
	}
	if len(seen) != 4 {
		t.Errorf("shown: %v", seen)
	}
}

// Whatever the width, the field has at least 240 units and at most 480, nothing overlaps, and where the field has no room a
// button opens it.
func TestToolbar(t *testing.T) {
	lead := newTestTools(t, "Add feed", "Refresh", "Mark all read")
	tail := []fyne.CanvasObject{NewToolButton("Battery saver: off", theme.HomeIcon(), func() {})}
	field := canvas.NewRectangle(nil)
	field.SetMinSize(fyne.NewSize(20, 36))
	b := NewToolbar(lead, field, NewToolButton("Search", theme.SearchIcon(), func() {}), tail)
	opened := false
	for width := float32(2000); width >= 260; width-- {
		b.Object.Resize(fyne.NewSize(width, 48))
		if field.Visible() == b.opener.Visible() {
			t.Fatalf("at %v the field is shown: %t", width, field.Visible())
		}
		end := float32(0)
		for _, o := range append(append([]fyne.CanvasObject{}, lead...), field, b.opener, tail[0]) {
			if !o.Visible() {
				continue
			}
			if o.Position().X < end {
				t.Fatalf("at %v something starts at %v and ends at %v", width, o.Position().X, end)
			}
			end = o.Position().X + o.Size().Width
		}
		if end > width || field.Visible() && (field.Size().Width < FieldLeast || field.Size().Width > FieldMost) {
			t.Fatalf("at %v the row ends at %v, the field is %v wide", width, end, field.Size().Width)
		}
		if !field.Visible() && !opened {
			opened = true
			b.OpenField(true)
			b.Object.Refresh() // what is laid out twice stays as it is
			if !field.Visible() || lead[0].Visible() || field.Size().Width < FieldLeast {
				t.Errorf("at %v it does not open", width)
			}
			b.OpenField(false)
		}
	}
	if !opened {
		t.Error("there was always room")
	}
	b.Object.Resize(fyne.NewSize(1200, 48))
	if !lead[0].Visible() || lead[0].(*ToolButton).Text == "" || tail[0].(*ToolButton).Text == "" {
		t.Error("in a wide window the tools have no names")
	}
}

// Whoever has come to the tools by Tab presses with Space and Enter, and is not caught there: the window gets the other keys.
func TestToolButtonLeavesKeysToTheWindow(t *testing.T) {
	test.NewTempApp(t)
	pressed, got := 0, ""
	b := NewToolButton("Add feed", theme.ContentAddIcon(), func() { pressed++ })
	w := test.NewTempWindow(t, b)
	w.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { got += string(ev.Name) + " " })
	w.Canvas().SetOnTypedRune(func(r rune) { got += string(r) })
	for _, key := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyEscape, fyne.KeyDown} {
		b.TypedKey(&fyne.KeyEvent{Name: key})
	}
	for _, r := range " s" {
		b.TypedRune(r)
	}
	if pressed != 3 || got != "Escape Down s" {
		t.Errorf("pressed %d times, the window got %q", pressed, got)
	}
}
