package app

import (
	"context"
	"encoding/json"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
)

// settingStyle is how articles are set, as JSON.
const settingStyle = "view.style"

// viewSettings are what is stored of the view.
type viewSettings struct {
	style    article.Style
	pictures bool
}

func (w *window) loadViewSettings(ctx context.Context) (s viewSettings, err error) {
	text, err := w.home.Store.Setting(ctx, settingStyle, "{}")
	if err != nil {
		return s, err
	}
	if bad := json.Unmarshal([]byte(text), &s.style); bad != nil {
		s.style = article.Style{} // the usual one does no harm
	}
	on, err := w.home.Store.Setting(ctx, settingPictures, "on")
	s.pictures = on != "off"
	return s, err
}

// restoreView sets the view as it was left.
func (w *window) restoreView() {
	var want latest
	ask(w, &want, w.loadViewSettings, func(s viewSettings) {
		w.reading.view.SetStyle(s.style)
		w.pictures.set(s.pictures, w.pictures.saving)
		w.checkViewMenu()
	})
}

// setStyle sets how articles look and stores it.
func (w *window) setStyle(st article.Style) {
	w.reading.view.SetStyle(st)
	w.checkViewMenu()
	w.work(func(ctx context.Context) error {
		text, err := json.Marshal(st)
		return errors.Join(err, w.home.Store.Set(ctx, settingStyle, string(text)))
	}, nil)
}

// zoom makes the text of articles larger or smaller by a tenth a step; none sets its usual size.
func (w *window) zoom(steps float32) {
	st := w.reading.view.Style()
	switch {
	case steps == 0:
		st.Size = 0
	case steps > 0:
		st.Size = max(st.Size+1, round(st.Size*1.1))
	default:
		st.Size = min(st.Size-1, round(st.Size/1.1))
	}
	w.setStyle(st)
}

func round(x float32) float32 { return float32(int(x + 0.5)) }

// restyled is what a menu item does that changes the style.
func (w *window) restyled(change func(*article.Style)) func() {
	return func() {
		st := w.reading.view.Style()
		change(&st)
		w.setStyle(st)
	}
}

// viewMenu are the items of the menu View that are about the article.
type viewMenu struct {
	items              []*fyne.MenuItem
	sans, serif, loads *fyne.MenuItem
}

func (w *window) newViewMenu() viewMenu {
	m := viewMenu{
		sans:  fyne.NewMenuItem(lang.L("Without serifs"), w.restyled(func(s *article.Style) { s.Serif = false })),
		serif: fyne.NewMenuItem(lang.L("With serifs"), w.restyled(func(s *article.Style) { s.Serif = true })),
	}
	m.loads = fyne.NewMenuItem(lang.L("Load pictures by themselves"), func() {
		w.pictures.setLoad(!w.pictures.load)
		w.checkViewMenu()
	})
	keyed := func(what string, key fyne.KeyName, do func()) *fyne.MenuItem {
		item := fyne.NewMenuItem(what, do)
		item.Shortcut = &desktop.CustomShortcut{KeyName: key, Modifier: ctrl}
		return item
	}
	sub := func(what string, items ...*fyne.MenuItem) *fyne.MenuItem {
		item := fyne.NewMenuItem(what, nil)
		item.ChildMenu = fyne.NewMenu("", items...)
		return item
	}
	m.items = []*fyne.MenuItem{
		fyne.NewMenuItemSeparator(),
		keyed(lang.L("Larger text"), fyne.KeyEqual, func() { w.zoom(1) }),
		keyed(lang.L("Smaller text"), fyne.KeyMinus, func() { w.zoom(-1) }),
		keyed(lang.L("Usual text size"), fyne.Key0, func() { w.zoom(0) }),
		sub(lang.L("Column"),
			fyne.NewMenuItem(lang.L("Wider"), w.restyled(func(s *article.Style) { s.Measure += 4 })),
			fyne.NewMenuItem(lang.L("Narrower"), w.restyled(func(s *article.Style) { s.Measure -= 4 })),
			fyne.NewMenuItem(lang.L("Usual width"), w.restyled(func(s *article.Style) { s.Measure = 0 }))),
		sub(lang.L("Lines"),
			fyne.NewMenuItem(lang.L("Further apart"), w.restyled(func(s *article.Style) { s.Leading += 0.1 })),
			fyne.NewMenuItem(lang.L("Closer together"), w.restyled(func(s *article.Style) { s.Leading -= 0.1 })),
			fyne.NewMenuItem(lang.L("Usual distance"), w.restyled(func(s *article.Style) { s.Leading = 0 }))),
		sub(lang.L("Typeface"), m.sans, m.serif),
		fyne.NewMenuItemSeparator(),
		m.loads,
		fyne.NewMenuItem(lang.L("Load the pictures of this article"), w.loadPictures),
	}
	// The key is another one on other keyboards, and that of the number pad.
	for _, s := range []desktop.CustomShortcut{{KeyName: fyne.KeyEqual, Modifier: ctrl | fyne.KeyModifierShift},
		{KeyName: fyne.KeyPlus, Modifier: ctrl}, {KeyName: fyne.KeyPlus, Modifier: ctrl | fyne.KeyModifierShift}} {
		w.win.Canvas().AddShortcut(&s, func(fyne.Shortcut) { w.zoom(1) })
	}
	return m
}

// checkViewMenu marks what holds.
func (w *window) checkViewMenu() {
	st := w.reading.view.Style()
	m := w.viewMenu
	m.sans.Checked, m.serif.Checked, m.loads.Checked = !st.Serif, st.Serif, w.pictures.load
	w.win.MainMenu().Refresh()
}

func (w *window) loadPictures() { w.reading.view.LoadPictures() }
