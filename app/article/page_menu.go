package article

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// TappedSecondary implements fyne.SecondaryTappable. It opens the menu of a picture, a link or the text.
func (p *page) TappedSecondary(ev *fyne.PointEvent) {
	if p.lay == nil || p.article == nil {
		return
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c != nil {
		widget.ShowPopUpMenuAtPosition(p.menu(ev.Position), c, ev.AbsolutePosition)
	}
}

// OpenMenu opens the menu of what is selected or the caret is in, below it; without either, that of the text at the top of the view.
func (v *View) OpenMenu() {
	p := v.page
	if p.lay == nil || p.article == nil {
		return
	}
	on, below := p.menuPlace()
	p.TappedSecondary(&fyne.PointEvent{Position: on, AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(p).Add(below)})
}

// menuPlace returns the point that a menu opened by a key is about, and where it opens.
func (p *page) menuPlace() (on, below fyne.Position) {
	if f := p.figureAtCaret(); p.hasCaret() && f != nil {
		p.scrollIntoView(f.y, f.y+f.h)
		return fyne.NewPos(f.x+1, f.y+1), fyne.NewPos(f.x, max(0, f.y)+p.lineHeight())
	}
	from, to := p.extent()
	if ln := p.lay.lineNear(from); ln != nil && (from != to || p.hasCaret()) {
		p.scrollIntoView(ln.y, ln.y+p.lineHeight())
		x := ln.x + p.lay.offsetX(ln, from.off)
		return fyne.NewPos(x+1, ln.y+1), fyne.NewPos(x, ln.y+p.lay.texts[ln.text].leading)
	}
	top, _ := p.frame.viewport()
	at := fyne.NewPos(0, max(0, top)+p.lineHeight())
	return at, at
}

// menu returns the context menu for a point of the page.
func (p *page) menu(at fyne.Position) *fyne.Menu {
	var items []*fyne.MenuItem
	add := func(what string, do func()) *fyne.MenuItem {
		item := fyne.NewMenuItem(what, do)
		items = append(items, item)
		return item
	}
	if f := p.lay.figureAt(at.X, at.Y); f != nil {
		p.pictureMenu(f, add)
		items = append(items, fyne.NewMenuItemSeparator())
	}
	if url, text := p.lay.linkAt(at.X, at.Y); url != "" {
		url = linkAddress(url)
		add(lang.L("Open link"), func() { p.view.openLink(url) })
		add(lang.L("Copy link"), func() { p.view.copyText(url) })
		add(lang.L("Copy the link's text"), func() { p.view.copyText(text) })
		items = append(items, fyne.NewMenuItemSeparator())
	}
	add(lang.L("Copy"), func() { p.view.Copy() }).Disabled = p.selected() == ""
	if p.selected() != "" {
		add(lang.L("Copy as Markdown"), func() { p.view.CopyMarkdown() })
	} else {
		add(lang.L("Copy the article as Markdown"), func() { p.view.CopyMarkdown() })
	}
	add(lang.L("Select all"), p.selectAll)
	return fyne.NewMenu("", items...)
}

// pictureMenu adds the items of a picture.
func (p *page) pictureMenu(f *figure, add func(string, func()) *fyne.MenuItem) {
	if f.image.Link != "" {
		add(lang.L("Open link"), func() { p.view.openLink(f.image.Link) })
		add(lang.L("Copy link"), func() { p.view.copyText(f.image.Link) })
	}
	switch f.state {
	case shown:
		add(lang.L("Show larger"), func() { p.enlarge(f) })
	case deferred, failed:
		add(lang.L("Load image"), func() { p.pictures.request(f) })
	}
	if strings.HasPrefix(f.image.URL, "http") {
		add(lang.L("Open image in browser"), func() { p.view.openLink(f.image.URL) })
		add(lang.L("Copy image address"), func() { p.view.copyText(f.image.URL) })
	}
	if save := p.view.OnSavePicture; save != nil {
		add(lang.L("Save image as…"), func() { save(f.image.URL) })
	}
}

// tapFigure handles a click on a picture.
func (p *page) tapFigure(f *figure) {
	switch {
	case f.inBrowser:
		p.view.openLink(f.image.URL)
	case f.state == deferred, f.state == failed:
		p.pictures.request(f)
	case f.image.Link != "":
		p.view.openLink(f.image.Link)
	case f.state == shown && p.view.standsStill() && f.playback.once():
		p.view.MovePictures()
	case f.state == shown:
		p.enlarge(f)
	}
}
