package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
)

func TestChooseFont(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("installs a font in the folder that XDG_DATA_HOME names")
	}
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	if err := os.Mkdir(filepath.Join(data, "fonts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, font := range map[string][]byte{"r.ttf": liberationserifregular.TTF, "b.ttf": liberationserifbold.TTF} {
		if err := os.WriteFile(filepath.Join(data, "fonts", name), font, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, w, q := newSettings(t)
	closed := 0
	c := newFontChooser(s, func() { closed++ })
	q.Until("the fonts are listed", func() bool { return len(c.listed) > 0 })
	if c.use.Enabled() {
		t.Error("none is chosen, and it can be used")
	}
	for _, r := range "ation serif" {
		c.filter.TypedRune(r)
	}
	q.Until("it is found and shown", func() bool { return len(c.sample.Objects) == 3 && c.use.Enabled() })
	c.filter.SetText("no such font")
	if c.use.Enabled() || c.typeface != nil || len(c.sample.Objects) > 0 || c.message.String() != "No font has this name" {
		t.Errorf("nothing is found, and it says %q", c.message.String())
	}
	c.filter.SetText("ation serif")
	q.Until("it is found again", func() bool { return len(c.sample.Objects) == 3 && c.use.Enabled() && !c.message.Visible() })
	c.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	s.Dialogs.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { s.Dialogs.Key(ev.Name) })
	c.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if w.Style.Family != "Liberation Serif" || closed != 1 || len(s.Dialogs.Open) != 0 {
		t.Errorf("%+v, closed %d times", w.Style, closed)
	}
	if typeface, err := LoadTypeface(t.Context(), "Liberation Serif"); err != nil || typeface.Font(fyne.TextStyle{Bold: true}).Name() != "Liberation Serif Bold" {
		t.Errorf("loaded wrongly (%v)", err)
	}
	if _, err := LoadTypeface(t.Context(), "No Such Font"); err == nil {
		t.Error("a font that is not there is loaded")
	}
	c = newFontChooser(s, nil)
	q.Until("the chosen one is shown", func() bool { return len(c.sample.Objects) == 3 })
	c.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(s.Dialogs.Open) != 0 {
		t.Error("Escape leaves it open")
	}
}
