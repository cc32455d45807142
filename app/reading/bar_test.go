package reading

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/icon"
	"kairos/reader"
)

// countedLayout counts how often something is laid out.
type countedLayout struct {
	of fyne.Layout
	n  int
}

func (c *countedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.n++
	c.of.Layout(objects, size)
}

func (c *countedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return c.of.MinSize(objects) }

// The buttons above an article are redrawn only where one of them says something else.
func TestTheBarIsDrawnWhenItChanges(t *testing.T) {
	p, _, _ := newPane(t)
	bar := p.Bar
	c := &countedLayout{of: bar.Row.Layout}
	bar.Row.Layout = c
	a := reader.Article{Link: "http://a.example/"}
	for _, step := range []struct {
		name   string
		change func()
		drawn  bool
	}{
		{"the first article", func() {}, true},
		{"the same again", func() {}, false},
		{"another one alike", func() { a = reader.Article{ID: 7, Title: "Seven", Link: "http://a.example/7"} }, false},
		{"it is read", func() { a.Read = true }, true},
		{"it is starred", func() { a.Starred = true }, true},
		{"it leads nowhere", func() { a.Link = "" }, true},
	} {
		c.n = 0
		step.change()
		bar.Update(&a, false, "")
		if (c.n > 0) != step.drawn {
			t.Errorf("%s: laid out %d times", step.name, c.n)
		}
	}
	if bar.Star.Name != "Unstar" || bar.Star.Icon != icon.Star || bar.Read.Name != "Mark unread" || bar.Browse.Visible() {
		t.Errorf("the buttons say %q, %q", bar.Star.Name, bar.Read.Name)
	}
}
