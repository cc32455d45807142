// Package article shows one article: its title and origin, and its body as flowing text with links, which can be selected
// and copied across blocks.
//
// A document is compiled once into texts of measured words (compile*.go), laid out into lines at every change of width
// (layout*.go), and only what lies near the viewport becomes canvas objects (page*.go).
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
	Date   string // as it is shown, in the user's language and time zone
	Body   content.Document
	Files  []File // that come with it
}

// View shows one article. All methods and hooks belong to Fyne's goroutine.
type View struct {
	widget.BaseWidget

	OnLink        func(url string)     // a link was chosen
	OnHover       func(url string)     // the pointer came to a link, or left it: ""
	OnCopied      func(text string)    // text went to the clipboard
	OnKey         func(*fyne.KeyEvent) // a key the view does not use, while it has the focus
	OnRune        func(rune)           // a character typed while the view has the focus
	OnShortcut    func(fyne.Shortcut)  // a shortcut the view does not use, while it has the focus
	OnSaveFile    func(url string)     // a file is to be saved
	OnSavePicture func(url string)     // a picture is to be saved
	OnHeld        func()               // what Held reports may have changed

	Pictures Pictures // where pictures come from; nil: none are loaded

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

// Display shows another article from its top. (Show is taken: it undoes Hide.)
func (v *View) Display(a Article) { v.replace(&a, "") }

// Clear shows a message in place of an article.
func (v *View) Clear(message string) {
	if v.Finding() { // there is nothing to search; the focus stays
		v.page.finder = finder{}
		v.bar.box.Hide()
		v.Refresh()
	}
	v.replace(nil, message)
}

func (v *View) replace(a *Article, message string) {
	v.scroll.Offset = fyne.Position{}
	v.page.set(a, message)
	v.scroll.Refresh()
	if v.Finding() {
		v.page.find(v.bar.entry.Text)
		v.bar.showCount()
	}
}

// SelectAll selects the whole article.
func (v *View) SelectAll() { v.page.selectAll() }

// Selected returns the selected text, "" without a selection: blocks parted by blank lines, items by line ends with
// their markers, the cells of a row by tabs.
func (v *View) Selected() string { return v.page.selected() }

// Copy puts the selected text on the clipboard and returns it; without a selection it does nothing.
func (v *View) Copy() (text string) {
	if text = v.Selected(); text != "" {
		fyne.CurrentApp().Clipboard().SetContent(text)
		if v.OnCopied != nil {
			v.OnCopied(text)
		}
	}
	return text
}

// PageDown scrolls almost a page towards the end and reports whether there was anything left to scroll.
func (v *View) PageDown() bool { return v.scrollBy(v.pageStep()) }

// PageUp scrolls almost a page towards the top and reports whether there was anything left to scroll.
func (v *View) PageUp() bool { return v.scrollBy(-v.pageStep()) }

// pageStep leaves two lines of the old page in sight.
func (v *View) pageStep() float32 {
	height := v.scroll.Size().Height
	return max(height-2*v.page.lineHeight(), height/2)
}

func (v *View) scrollBy(dy float32) bool { return v.scrollTo(v.scroll.Offset.Y + dy) }

// scrollTo moves the top of the viewport to y, as far as the page reaches, and reports whether it moved.
func (v *View) scrollTo(y float32) bool {
	y = max(0, min(y, v.page.MinSize().Height-v.scroll.Size().Height))
	if diff := y - v.scroll.Offset.Y; diff < 0.5 && diff > -0.5 {
		return false
	}
	v.scroll.ScrollToOffset(fyne.NewPos(0, y))
	v.page.drawVisible()
	return true
}

// viewport is the stretch of the page that is seen.
func (v *View) viewport() (top, bottom float32) {
	return v.scroll.Offset.Y, v.scroll.Offset.Y + v.scroll.Size().Height
}

func (v *View) openLink(url string) {
	if url != "" && v.OnLink != nil {
		v.OnLink(url)
	}
}
