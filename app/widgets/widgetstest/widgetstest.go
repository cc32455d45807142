// Package widgetstest finds widgets and texts in what a test shows.
package widgetstest

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/widgets"
)

// Find returns the objects of a type in o, which may be one itself.
func Find[T fyne.CanvasObject](o fyne.CanvasObject) (found []T) {
	if t, ok := o.(T); ok {
		found = append(found, t)
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, child := range c.Objects {
			found = append(found, Find[T](child)...)
		}
	}
	return found
}

// Shows reports whether a text in o contains text.
func Shows(o fyne.CanvasObject, text string) bool {
	for _, t := range Find[*widgets.Text](o) {
		if strings.Contains(t.String(), text) {
			return true
		}
	}
	return false
}

// Button returns the button with this label in o; the test fails if there is none.
func Button(t *testing.T, o fyne.CanvasObject, label string) *widgets.Button {
	t.Helper()
	for _, b := range Find[*widgets.Button](o) {
		if b.Text == label {
			return b
		}
	}
	t.Fatalf("no button %q", label)
	return nil
}

// Texts returns all visible texts in an object, those of buttons in brackets.
func Texts(o fyne.CanvasObject) (all []string) {
	if !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *widgets.Text:
		return []string{o.String()}
	case *widgets.Button:
		return []string{"[" + o.Text + "]"}
	case *fyne.Container:
		for _, c := range o.Objects {
			all = append(all, Texts(c)...)
		}
	case *widgets.Panel:
		return Texts(o.Content())
	case *widgets.Scroll:
		return Texts(o.Content)
	case *container.Scroll:
		return Texts(o.Content)
	}
	return all
}

// SaysAll fails unless the texts in o contain those that are wanted, one after the other.
func SaysAll(t *testing.T, o fyne.CanvasObject, want ...string) {
	t.Helper()
	got := strings.Join(Texts(o), "\n")
	at := 0
	for _, s := range want {
		i := strings.Index(got[at:], s)
		if i < 0 {
			t.Fatalf("no %q in its place in\n%s", s, got)
		}
		at += i
	}
}
