// Package chart holds the charts of the window: lines with bands, bars, heat maps and timelines. They
// know nothing of feeds or visits. The mouse and the arrow keys point to values, which a line below
// the chart reads out; a chart can be saved as a picture and its values copied as a table. Series
// differ by shape, dashes or hatching, never by color alone.
package chart

import (
	"cmp"

	"fyne.io/fyne/v2"

	"kairos/app/look"
	"kairos/app/widgets"
)

// Host is what charts need of where they stand. Functions that are nil do nothing.
type Host struct {
	Keys  widgets.Keys                     // receives the keys that a chart does not use
	Copy  func(text string)                // puts the table on the clipboard
	Save  func(name string, png []byte)    // asks where to save a picture
	Fail  func(err error)                  // tells that the picture could not be made
	Menu  func(c *Chart, at fyne.Position) // shows the menu of a chart at a position of the canvas
	Shown func(o fyne.CanvasObject)        // an object got the focus and has to be in sight
}

// Chart is a plot with its legend and the line that reads out what is pointed to.
type Chart struct {
	Content *fyne.Container
	// Activate is called with the stop that is chosen and then clicked or entered, if not nil.
	Activate func(stop int)
	// File proposes a name for its picture; the title if it is "".
	File string

	title   string
	surface *surface
	legend  *fyne.Container
	about   *widgets.Text // what the y axis shows
	readout *widgets.Text
	resting string // read out while nothing is pointed to
}

// New returns an empty chart. The title names its files and stands on its picture; height is that of
// the plot without its labels.
func New(h Host, title string, height float32) *Chart {
	c := &Chart{title: title, legend: widgets.NewFlow(14), about: widgets.NewCaption("", widgets.Muted), readout: widgets.NewText("", widgets.Muted)}
	c.surface = newSurface(c, h, height)
	c.Content = widgets.NewColumn(4, c.legend, c.surface, widgets.NewAtLeast(lineHeight, c.readout))
	c.Content.Hide()
	return c
}

// lineHeight is the height that the line below a chart has although it is empty.
const lineHeight = 19

// Title returns the title.
func (c *Chart) Title() string { return c.title }

// SetPlot shows a plot; nil hides the chart. resting is read out while nothing is pointed to.
func (c *Chart) SetPlot(p Plot, resting string) {
	c.resting = resting
	c.surface.set(p)
	if c.Content.Hidden = p == nil; p != nil {
		c.setLegend(p)
	}
	c.read()
	c.Content.Refresh()
}

// Plot returns the plot that is shown, nil for none.
func (c *Chart) Plot() Plot { return c.surface.plot }

// Across returns how far from the left edge of the chart a value of the x axis is. The chart has to have a plot and its
// size.
func (c *Chart) Across(x float64) float32 {
	f, origin := c.surface.frame()
	return origin.X + f.x.at(x)
}

// Focusable is what has the focus of the chart.
func (c *Chart) Focusable() fyne.Focusable { return c.surface }

// Pointed reports whether something is pointed to.
func (c *Chart) Pointed() bool { return c.surface.stop >= 0 }

// Readout returns what is read out.
func (c *Chart) Readout() string { return c.readout.String() }

func (c *Chart) setLegend(p Plot) {
	_, y, _, _ := p.axes()
	c.legend.RemoveAll()
	c.about.SetText(y.Name, widgets.Muted)
	if y.Name != "" {
		c.legend.Add(c.about)
	}
	keys := p.keys()
	for _, k := range keys {
		if k.Name != "" {
			c.legend.Add(newLegendKey(k))
		}
	}
	c.legend.Hidden = len(c.legend.Objects) == 0
}

// read reads out what is pointed to.
func (c *Chart) read() {
	text := c.resting
	if s := c.surface; s.plot != nil && s.stop >= 0 {
		text = s.plot.readout(s.stop)
	}
	c.readout.SetText(text, widgets.Muted)
}

// Copy puts all values on the clipboard as a table.
func (c *Chart) Copy() {
	if c.surface.plot != nil && c.surface.host.Copy != nil {
		c.surface.host.Copy(CSV(c.surface.plot))
	}
}

// Save asks where to save the chart as a picture.
func (c *Chart) Save() error {
	if c.surface.plot == nil || c.surface.host.Save == nil {
		return nil
	}
	picture, err := c.PNG()
	if err != nil {
		return err
	}
	c.surface.host.Save(cmp.Or(c.File, c.title)+".png", picture)
	return nil
}

// label is a text beside a plot.
type label struct {
	text  string
	at    fyne.Position // of its top left corner in the surface
	width float32
	align fyne.TextAlign
}

// textSize is the size of the labels.
func textSize(th fyne.Theme) float32 { return look.Of(th).Size(look.SizeSmall) - 1 }
