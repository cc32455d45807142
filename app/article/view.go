// Package article shows one article, or several one below the other: title and origin, and the body as flowing text with
// links, which can be selected and copied across blocks.
//
// An article is compiled once into texts of measured words (compile*.go) and laid out into lines whenever the width changes
// (layout*.go). Only what is near the viewport becomes canvas objects (page*.go).
package article

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/reader/content"
)

// Article is what the view shows. Every field may be empty.
type Article struct {
	Title  string
	Link   string // opened by the title
	Feed   string
	Author string
	Date   string // as shown, in the language and time zone of the user
	Filed  string // categories, as shown
	Body   content.Document
	Files  []File // that belong to it
	// Actions are what links of the body do in place of being opened (OnFile), by their addresses.
	Actions map[string]string
}

// View shows one article. All methods and callbacks run on Fyne's goroutine.
type View struct {
	widget.BaseWidget

	OnLink        func(url string)         // a link was opened
	OnHover       func(url string)         // the pointer entered a link, or left it: ""
	OnCopied      func(text string)        // text was copied to the clipboard
	OnJump        func(from, to Place)     // a link within the article led from one place to another
	OnChosen      func()                   // the user has clicked into the article, moved the caret or opened a link, or has scrolled an article that is shown alone
	OnKey         func(*fyne.KeyEvent)     // a key that the view does not use, while it has the focus
	OnRune        func(rune)               // a character typed while the view has the focus
	OnShortcut    func(fyne.Shortcut)      // a shortcut that the view does not use, while it has the focus
	OnSaveFile    func(url string)         // a file is to be saved
	OnFile        func(action, url string) // one of a file's Actions was chosen; set if there are any
	OnSavePicture func(url string)         // a picture is to be saved
	OnDeferred    func()                   // what HasDeferred reports may have changed
	Later         func(do func())          // runs do once the window has gone on; nil: long articles hold it up
	// After runs do on Fyne's goroutine after a time, unless stopped; nil: pictures stand still.
	After func(d time.Duration, do func()) (stop func())
	// InSight reports whether people see the view: its window is in front, and it is shown there. MovePictures is called when that changes.
	InSight func() bool

	Pictures Pictures // nil loads none

	page   *page      // the article that commands and keys are about
	one    *ownScroll // of an article that is shown alone
	stream *stream    // nil: one article is shown
	bar    *findBar
	focus  focusRing
	caret  caret
	motion motion
}

// New returns an empty view.
func New() *View {
	v := &View{InSight: func() bool { return true }}
	v.page = newPage(v, nil, &typography{}, &sizes{}, time.Now)
	v.one = newOwnScroll(v.page)
	v.page.frame = v.one
	v.bar = newFindBar(v)
	v.ExtendBaseWidget(v)
	return v
}

// Display shows an article from its top. (Show is the opposite of Hide.)
func (v *View) Display(a Article) { v.replace(&a, "") }

// Place is a text of an article, by its number, and an offset in it. The zero value is the top.
type Place struct{ Text, Offset int }

// Place is what stands at the top of the view. It is the zero value at the top of an article. ok is false while that is not
// known: no article is shown, or it is still being laid out. end is whether the end of the article is in sight.
func (v *View) Place() (at Place, end, ok bool) {
	p := v.page
	if p.article == nil || p.lay == nil || p.building != nil || p.awaited != nil {
		return Place{}, false, false
	}
	top, bottom := v.viewport()
	end = bottom > p.height()-p.lineHeight()
	if top <= 0 {
		return Place{}, end, true
	}
	pos, ok := p.topPos()
	return Place{pos.text, pos.off}, end, ok
}

// ScrollTo brings a place to the top of the view.
func (v *View) ScrollTo(at Place) { v.page.goTo(textPos{at.Text, at.Offset}) }

// SetFiles shows other files of the article, and keeps its place.
func (v *View) SetFiles(files []File) { v.change(func(a *Article) { a.Files = files }) }

// SetFeed shows another name of the article's feed, and keeps its place.
func (v *View) SetFeed(name string) { v.change(func(a *Article) { a.Feed = name }) }

// change shows the article again with something else changed, and keeps its place.
func (v *View) change(change func(*Article)) {
	if v.page.article == nil {
		return
	}
	a := *v.page.whole
	change(&a)
	v.replaceInPlace(v.page, &a, v.page.folds)
}

// SetBody shows the article again with another body, and keeps its place.
func (v *View) SetBody(a Article) {
	if v.page.article != nil {
		v.replaceInPlace(v.page, &a, v.page.folds)
	}
}

// replaceInPlace shows an article again, of which a part has changed, and stays where it is scrolled to.
func (v *View) replaceInPlace(p *page, a *Article, f folds) {
	top, _ := p.frame.viewport()
	if v.stream != nil {
		v.stream.placing = true // not while the page is empty
	}
	p.showWith(a, f, "")
	p.whenWhole(func() {
		if v.stream != nil {
			v.stream.placing = false
		}
		p.frame.resized()
		p.frame.scrollTo(top)
	})
	p.finish()
}

// Clear shows a message in place of an article.
func (v *View) Clear(message string) {
	if v.Finding() { // there is nothing to find; the focus stays
		v.page.finder = finder{page: v.page}
		v.bar.box.Hide()
		v.Refresh()
	}
	v.replace(nil, message)
}

// replace shows an article, or a message if a is nil.
func (v *View) replace(a *Article, message string) {
	v.endStream()
	v.one.scroll.Offset = fyne.Position{}
	v.page.show(a, message)
	v.one.scroll.Refresh()
	if v.Finding() {
		v.find()
	}
}

// searchAgain finds in another page of the stream what was looked for in the one before.
func (v *View) searchAgain() {
	p := v.page
	p.whenWhole(func() {
		if v.Finding() && v.page == p {
			p.finder.search(v.bar.entry.Text)
			p.fill()
			v.bar.showCount()
		}
	})
}

// SelectAll selects the whole article.
func (v *View) SelectAll() { v.page.whenWhole(v.page.selectAll) }

// Selected returns the selected text, "" without a selection. Blocks are separated by blank lines, items by line ends with
// their markers, and the cells of a row by tabs.
func (v *View) Selected() string {
	v.page.finish() // all may have been selected
	return v.page.selected()
}

// Copy copies the selected text to the clipboard and returns it. Without a selection it does nothing.
func (v *View) Copy() (text string) {
	if text = v.Selected(); text != "" {
		fyne.CurrentApp().Clipboard().SetContent(text)
		if v.OnCopied != nil {
			v.OnCopied(text)
		}
	}
	return text
}

// PageDown scrolls almost a page down. It returns false at the end.
func (v *View) PageDown() bool {
	if v.scrollBy(v.pageStep()) {
		return true
	}
	if v.stream != nil {
		v.stream.passLast()
	}
	return false
}

// PageUp scrolls almost a page up. It returns false at the top.
func (v *View) PageUp() bool { return v.scrollBy(-v.pageStep()) }

// pageStep is the height of a page, less two lines that stay visible.
func (v *View) pageStep() float32 {
	top, bottom := v.viewport()
	return max(bottom-top-2*v.page.lineHeight(), (bottom-top)/2)
}

// scrollBy scrolls down by dy, as the user asked. It returns false if that changes nothing.
func (v *View) scrollBy(dy float32) bool {
	top, _ := v.viewport()
	moved := v.scrollTo(top + dy)
	if moved && v.stream == nil {
		v.chosen()
	}
	return moved
}

func (v *View) chosen() {
	if v.OnChosen != nil {
		v.OnChosen()
	}
}

// scrollTo scrolls the top of the viewport to y of the page. It returns false if that changes nothing.
func (v *View) scrollTo(y float32) bool { return v.page.frame.scrollTo(y) }

// viewport returns the visible part of the page.
func (v *View) viewport() (top, bottom float32) { return v.page.frame.viewport() }

// openLink opens an address through OnLink.
func (v *View) openLink(url string) {
	if url != "" && v.OnLink != nil {
		v.OnLink(url)
	}
}
