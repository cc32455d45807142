// Package article shows one article: its title and origin, and its body as flowing text with links, which can be selected
// and copied across blocks.
//
// An article is compiled once into texts of measured words (compile*.go) and laid out into lines whenever the width changes
// (layout*.go). Only what is near the viewport becomes canvas objects (page*.go).
package article

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	Body   content.Document
	Files  []File // that belong to it
}

// View shows one article. All methods and callbacks run on Fyne's goroutine.
type View struct {
	widget.BaseWidget

	OnLink        func(url string)         // a link was opened
	OnHover       func(url string)         // the pointer entered a link, or left it: ""
	OnCopied      func(text string)        // text was copied to the clipboard
	OnKey         func(*fyne.KeyEvent)     // a key that the view does not use, while it has the focus
	OnRune        func(rune)               // a character typed while the view has the focus
	OnShortcut    func(fyne.Shortcut)      // a shortcut that the view does not use, while it has the focus
	OnSaveFile    func(url string)         // a file is to be saved
	OnFile        func(action, url string) // one of a file's Actions was chosen; set if there are any
	OnSavePicture func(url string)         // a picture is to be saved
	OnDeferred    func()                   // what HasDeferred reports may have changed
	Later         func(do func())          // runs do once the window has gone on; nil: long articles hold it up

	Pictures Pictures // nil loads none

	page   *page
	scroll *container.Scroll
	bar    *findBar
	focus  focusRing
}

// New returns an empty view.
func New() *View {
	v := &View{}
	v.page = newPage(v, time.Now)
	v.scroll = container.NewVScroll(v.page)
	v.scroll.OnScrolled = func(fyne.Position) { v.page.drawVisible() }
	v.bar = newFindBar(v)
	v.ExtendBaseWidget(v)
	return v
}

// Display shows an article from its top. (Show is the opposite of Hide.)
func (v *View) Display(a Article) { v.replace(&a, "") }

// SetFiles shows other files of the article, and keeps its place.
func (v *View) SetFiles(files []File) {
	if v.page.article == nil {
		return
	}
	a, at := *v.page.article, v.scroll.Offset.Y
	a.Files = files
	v.page.show(&a, "")
	v.page.whenWhole(func() {
		v.scroll.Refresh()
		v.scrollTo(at)
	})
	v.page.finish()
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
	v.scroll.Offset = fyne.Position{}
	v.page.show(a, message)
	v.scroll.Refresh()
	if v.Finding() {
		v.find()
	}
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
func (v *View) PageDown() bool { return v.scrollBy(v.pageStep()) }

// PageUp scrolls almost a page up. It returns false at the top.
func (v *View) PageUp() bool { return v.scrollBy(-v.pageStep()) }

// pageStep is the height of a page, less two lines that stay visible.
func (v *View) pageStep() float32 {
	height := v.scroll.Size().Height
	return max(height-2*v.page.lineHeight(), height/2)
}

func (v *View) scrollBy(dy float32) bool { return v.scrollTo(v.scroll.Offset.Y + dy) }

// scrollTo scrolls the top of the viewport to y, within the page. It returns false if that changes nothing.
func (v *View) scrollTo(y float32) bool {
	y = max(0, min(y, v.page.MinSize().Height-v.scroll.Size().Height))
	if diff := y - v.scroll.Offset.Y; diff < 0.5 && diff > -0.5 {
		return false
	}
	v.scroll.ScrollToOffset(fyne.NewPos(0, y))
	v.page.drawVisible()
	return true
}

// viewport returns the visible part of the page.
func (v *View) viewport() (top, bottom float32) {
	return v.scroll.Offset.Y, v.scroll.Offset.Y + v.scroll.Size().Height
}

// openLink opens an address through OnLink.
func (v *View) openLink(url string) {
	if url != "" && v.OnLink != nil {
		v.OnLink(url)
	}
}
