package settings

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/fonts"
	"kairos/app/look"
	"kairos/app/widgets"
)

// LoadTypeface reads the faces of an installed family. Errors: fs.ErrNotExist, fonts.ErrUnreadable.
func LoadTypeface(ctx context.Context, family string) (*article.Typeface, error) {
	all, err := fonts.List(ctx)
	if err != nil {
		return nil, err
	}
	f, ok := fonts.Find(all, family)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: family, Err: fs.ErrNotExist}
	}
	return loadFaces(f)
}

func loadFaces(f fonts.Family) (*article.Typeface, error) {
	var faces [4][]byte
	for i, face := range []fonts.Face{fonts.Regular, fonts.Bold, fonts.Italic, fonts.BoldItalic} {
		var err error
		if faces[i], err = f.Load(face); err != nil {
			return nil, err
		}
	}
	return article.NewTypeface(f.Name, faces[0], faces[1], faces[2], faces[3]), nil
}

// fontChooser chooses an installed font for articles, and shows how it looks.
type fontChooser struct {
	*Settings
	families []fonts.Family // all
	listed   []fonts.Family // whose names contain what is typed
	typeface *article.Typeface

	dialog  *dialogs.Dialog
	filter  *widgets.FilterEntry
	list    *widgets.List
	sample  *fyne.Container
	message *widgets.Text
	use     *dialogs.Button
	request async.Request
}

// ChooseFont opens the chooser of installed fonts; closed, if not nil, is called when it has closed.
func ChooseFont(s *Settings, closed func()) { newFontChooser(s, closed) }

func newFontChooser(s *Settings, closed func()) *fontChooser {
	c := &fontChooser{Settings: s, sample: widgets.NewColumn(4), message: widgets.NewText(lang.L("Looking for fonts…"), widgets.Muted)}
	c.filter = widgets.NewFilterEntry(func() { c.dialog.Hide() }, c.move)
	c.filter.SetPlaceHolder(lang.L("Find a font"))
	c.filter.OnChanged = func(string) { c.show() }
	c.list = widgets.NewList(s.Keys, func() int { return len(c.listed) }, func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i int, o fyne.CanvasObject) {
			if i < len(c.listed) {
				o.(*widget.Label).SetText(c.listed[i].Name)
			}
		})
	c.list.Name = lang.L("Fonts")
	c.list.HideSeparators = true
	c.list.OnSelected = func(i int) { c.load(i) }
	c.use = dialogs.Do(lang.L("Use this font"), c.apply)
	// The samples of a wide font do not widen the dialog.
	samples := container.NewHScroll(c.sample)
	c.dialog = &dialogs.Dialog{Title: lang.L("Font of articles"), Width: 560, Height: 420, Focus: c.filter,
		Content: container.NewBorder(c.filter, container.NewVBox(samples, c.message), nil, nil, c.list),
		Buttons: []*dialogs.Button{dialogs.Cancel(), c.use}, Closed: func() {
			c.request.Stop()
			if closed != nil {
				closed()
			}
		}}
	c.use.Off = true
	s.Dialogs.Show(c.dialog)
	async.Load(s.Jobs, &c.request, fonts.List, func(all []fonts.Family) {
		c.families = all
		c.message.Clear()
		if len(all) == 0 {
			c.message.SetText(lang.L("No fonts were found."), widgets.Muted)
		}
		c.show()
		if i := slices.IndexFunc(c.listed, func(f fonts.Family) bool { return f.Name == s.View.Style().Family }); i >= 0 {
			c.list.Select(i)
		}
	})
	return c
}

// show lists the families whose names contain what is typed.
func (c *fontChooser) show() {
	c.listed = nil
	typed := strings.ToLower(strings.TrimSpace(c.filter.Text))
	for _, f := range c.families {
		if strings.Contains(strings.ToLower(f.Name), typed) {
			c.listed = append(c.listed, f)
		}
	}
	c.list.Clear()
	c.list.Refresh()
	switch {
	case len(c.families) == 0:
	case len(c.listed) == 0:
		c.choose(nil)
		c.message.SetText(lang.L("No font has this name"), widgets.Muted)
	case typed != "":
		c.list.Select(0)
	default:
		c.choose(nil)
		c.message.Clear()
	}
}

// choose shows samples of a font that can be used; nil: none is chosen.
func (c *fontChooser) choose(t *article.Typeface) {
	c.request.Stop() // nothing that is still read is wanted
	c.typeface = t
	c.use.SetEnabled(t != nil)
	c.sample.RemoveAll()
	if t != nil {
		c.showSamples()
	}
	c.sample.Refresh()
}

// move chooses the family by steps below the chosen one.
func (c *fontChooser) move(by int) {
	if len(c.listed) > 0 {
		c.list.Select(min(max(c.list.Chosen+by, 0), len(c.listed)-1))
	}
}

// load reads the family in row i and shows samples of it.
func (c *fontChooser) load(i int) {
	if i >= len(c.listed) {
		return
	}
	f := c.listed[i]
	type loaded struct {
		typeface *article.Typeface
		err      error
	}
	async.Load(c.Jobs, &c.request, func(context.Context) (loaded, error) {
		typeface, err := loadFaces(f)
		return loaded{typeface, err}, nil
	}, func(l loaded) {
		c.choose(l.typeface)
		c.message.Clear()
		switch {
		case errors.Is(l.err, fonts.ErrUnreadable):
			c.message.SetText(lang.L("This font cannot be read."), widgets.Warning)
		case l.err != nil:
			c.message.SetText(errorText(l.err), widgets.Warning)
		}
	})
}

func (c *fontChooser) showSamples() {
	text := lang.L("The quick brown fox jumps over the lazy dog.") + " 0123456789"
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}} {
		line := canvas.NewText(text, widgets.Color(c.message, look.ColorText))
		line.TextSize, line.TextStyle, line.FontSource = 16, style, c.typeface.Font(style)
		c.sample.Add(line)
	}
}

// apply draws articles with the chosen font.
func (c *fontChooser) apply() {
	if c.typeface == nil {
		return
	}
	c.View.SetStyle(c.View.Style().WithTypeface(c.typeface))
	c.dialog.Hide()
}
