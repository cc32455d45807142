package app

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/language"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/content"
)

// openedAfter is how long an article must be shown to count as opened rather
// than passed by.
const openedAfter = 2 * time.Second

// reading is the right pane: one article and what can be done with it, or how the
// chosen feed fares.
type reading struct {
	w      *window
	pane   fyne.CanvasObject
	view   *article.View
	page   *feedPage
	bar    *fyne.Container
	star   *widget.Button
	unread *widget.Button
	browse *widget.Button
	load   *widget.Button // pictures that wait to be asked for
	whole  *widget.Button // the full text
	full   bool           // it is shown
	shown  *reader.Article
	opened *time.Timer

	opensMark string // what makes an article read: one of the values of settingOpenMarks
}

// shownArticle is an article with its body, ready to be drawn.
type shownArticle struct {
	article reader.Article
	body    content.Document
	files   []reader.Enclosure
	full    bool // body is that of the page, not of the feed
}

func newReading(w *window) *reading {
	r := &reading{w: w, view: article.New(), page: newFeedPage(w)}
	r.view.OnLink = w.openLink
	r.view.OnHover = func(link string) { w.status.hover(link) }
	r.view.OnKey = w.key
	r.view.OnRune = w.typed
	r.view.Pictures = w.pictures
	r.view.OnSavePicture = func(url string) { w.savePicture(url) }
	r.view.OnSaveFile = func(url string) { w.saveFile(url) }
	r.view.OnHeld = r.offerPictures
	r.view.OnCopied = func(string) { w.say(lang.L("Copied.")) }
	r.star = widget.NewButtonWithIcon(lang.L("Star"), starIcon, func() { w.perform("star") })
	r.unread = widget.NewButtonWithIcon(lang.L("Mark unread"), unreadIcon, func() { w.perform("read") })
	r.browse = widget.NewButtonWithIcon(lang.L("Open in browser"), theme.ComputerIcon(), w.browse)
	r.load = widget.NewButtonWithIcon(lang.L("Load pictures"), theme.MediaPhotoIcon(), w.loadPictures)
	r.load.Hide()
	r.whole = widget.NewButtonWithIcon("", theme.DocumentIcon(), func() { w.perform("full-text") })
	for _, b := range []*widget.Button{r.star, r.unread, r.browse, r.whole, r.load} {
		b.Importance = widget.LowImportance
	}
	r.bar = widgets.NewFlow(2, r.star, r.unread, r.browse, r.whole, r.load)
	r.bar.Hide()
	r.pane = container.NewBorder(r.bar, nil, nil, nil, container.NewStack(r.view, r.page.pane))
	r.clear()
	return r
}

// offerPictures shows a button while there are pictures that wait to be asked for.
func (r *reading) offerPictures() {
	switch held := r.view.Held(); {
	case held == r.load.Visible():
	case held:
		r.load.Show()
		r.bar.Refresh()
	default:
		r.load.Hide()
	}
}

// clear shows no article, but how the chosen feed fares.
func (r *reading) clear() {
	r.stopTimer()
	r.shown = nil
	r.bar.Hide()
	if f := r.w.sidebar.chosen.feed; f != nil {
		r.view.Hide()
		r.page.open(f.ID)
		return
	}
	r.page.close()
	r.view.Show()
	r.view.Clear(lang.L("Choose an article to read it here."))
}

// focus is what has the keys while the pane has them.
func (r *reading) focus() fyne.Focusable {
	if r.page.shown() {
		return r.page.strip
	}
	return r.view
}

func (r *reading) stopTimer() {
	if r.opened != nil {
		r.opened.Stop()
	}
}

func (r *reading) show(s shownArticle) {
	r.stopTimer()
	if s.article.ID == 0 {
		r.clear()
		return
	}
	a := s.article
	r.shown = &a
	r.display(s)
	r.bar.Show()
	r.label()
	r.opened = time.AfterFunc(openedAfter, func() { r.w.Do(func() { r.stayedOpen(a.ID) }) })
	if !s.full && a.Link != "" && r.w.wantsFullText(a.Feed) {
		r.w.fetchFullText(a)
	}
}

// display draws an article.
func (r *reading) display(s shownArticle) {
	a := s.article
	r.full = s.full
	body := s.body
	if len(body.Blocks) == 0 && len(s.files) == 0 {
		body.Blocks = []content.Block{{Kind: content.Paragraph, Runs: []content.Run{
			{Text: lang.L("This feed gives no text with the article. Press b to read it in the browser."), Style: content.Italic}}}}
	}
	if s.full {
		body.Blocks = withoutTitle(body.Blocks, a.Title)
	}
	r.page.close()
	r.view.Show()
	r.view.Display(article.Article{Title: a.Title, Link: a.Link, Feed: a.FeedTitle, Author: a.Author,
		Date: language.Printer().FullDate(a.Published, r.w.now()), Body: body, Files: articleFiles(s.files)})
	r.label()
}

// withoutTitle leaves out a heading that says the title, which stands above the text already,
// once more.
func withoutTitle(blocks []content.Block, title string) []content.Block {
	for i, b := range blocks[:min(3, len(blocks))] {
		if b.Kind == content.Heading && strings.EqualFold(strings.TrimSpace(content.Document{Blocks: blocks[i : i+1]}.PlainText()), strings.TrimSpace(title)) {
			return slices.Concat(blocks[:i], blocks[i+1:])
		}
	}
	return blocks
}

// label makes the buttons say what they would do.
func (r *reading) label() {
	a := r.current()
	if a == nil {
		return
	}
	star, read, icon := lang.L("Star"), lang.L("Mark unread"), starOutline
	if a.Starred {
		star, icon = lang.L("Unstar"), starIcon
	}
	if !a.Read {
		read = lang.L("Mark read")
	}
	r.star.SetIcon(icon)
	r.star.SetText(star)
	r.unread.SetText(read)
	r.browse.Hidden = a.Link == ""
	r.whole.Hidden = a.Link == ""
	if r.full {
		r.whole.SetText(lang.L("As in the feed"))
	} else {
		r.whole.SetText(lang.L("Full text"))
	}
	r.bar.Refresh()
}

// current is the article shown, with its status as the list has it.
func (r *reading) current() *reader.Article {
	if r.shown == nil {
		return nil
	}
	if a := r.w.timeline.rows[r.shown.ID]; a != nil {
		return a
	}
	return r.shown
}

// stayedOpen acts on an article having been shown for a while.
func (r *reading) stayedOpen(id int64) {
	if r.shown == nil || r.shown.ID != id {
		return
	}
	r.countOpened(id)
	if r.opensMark == openMarksLater {
		r.w.timeline.mark([]int64{id}, reader.FlagRead, true)
		r.w.timeline.stay([]int64{id})
	}
}

// countOpened tells the learning that the article was opened, if it is still
// the one shown.
func (r *reading) countOpened(id int64) {
	if r.shown == nil || r.shown.ID != id {
		return
	}
	feed := r.shown.Feed
	r.w.Work(func(ctx context.Context) error { return r.w.home.Opened(ctx, feed) }, nil)
}

func (w *window) openLink(link string) {
	w.used()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		w.say(lang.L("This link cannot be opened: {{.Address}}", map[string]any{"Address": shortName(link)}))
		return
	}
	if err := w.app.OpenURL(u); err != nil {
		w.say(lang.L("No browser could be opened: {{.Why}}", map[string]any{"Why": text.WithoutStop(errorText(err))}))
	}
}

// maxBrowse is how many articles are opened in the browser at once.
const maxBrowse = 20

// browse opens the articles meant in the browser.
func (w *window) browse() {
	ids := w.timeline.meant()
	if len(ids) > maxBrowse {
		w.say(lang.L("These are too many to open at once."))
		return
	}
	for _, id := range ids {
		if a := w.timeline.article(id); a != nil && a.Link != "" {
			w.openLink(a.Link)
			w.reading.countOpened(a.ID)
		}
	}
}
