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

// Tools stay on one line, with their names only if all of them have room.
func TestToolRow(t *testing.T) {
	tools := newTestTools(t, "Star", "Mark unread", "Open in browser")
	row := NewToolRow(tools...)
	named, _ := widthsOf(tools)
	for width, text := range map[float32]string{named: "Star", named - 10: "", row.MinSize().Width: ""} {
		row.Resize(fyne.NewSize(width, row.MinSize().Height))
		last := tools[2]
		if got := tools[0].(*ToolButton).Text; got != text || last.Position().Y != 0 || last.Position().X+last.Size().Width > width {
			t.Errorf("at %v: %q, the last one at %v", width, got, last.Position())
		}
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
