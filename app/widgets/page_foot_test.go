package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// What stands at the foot of a page is aligned with it, and takes no room while it is empty.
func TestPageFoot(t *testing.T) {
	test.NewTempApp(t)
	for _, width := range []float32{300, 640, 1200} {
		body, message := NewText("A page", Plain), NewText("A message", Plain)
		for _, c := range []*fyne.Container{NewPage(620, body), NewPageFoot(620, message)} {
			c.Resize(fyne.NewSize(width, 200))
		}
		if body.Position().X != message.Position().X || body.Size().Width != message.Size().Width {
			t.Errorf("%v wide: the page is at %v, %v, its foot at %v, %v", width, body.Position(), body.Size(), message.Position(), message.Size())
		}
		if message.Position().Y != 0 {
			t.Errorf("%v wide: the foot is at %v", width, message.Position())
		}
	}
	if empty := NewPageFoot(620, NewColumn(0, NewText("", Plain))); empty.MinSize().Height != 0 {
		t.Errorf("empty, it is %v high", empty.MinSize().Height)
	}
}
