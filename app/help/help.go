// Package help shows the manual: pages in the language of the window, which name the commands and keys as they are now.
package help

import (
	"io/fs"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/dialogs"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/assets"
)

// manual is the dialog that shows the pages. It belongs to Fyne's goroutine.
type manual struct {
	shell  *shell.Shell
	pages  []page // of Topics
	found  []int  // of these, those with what is searched for
	search *widgets.FilterEntry
	list   *widgets.List
	view   *article.View
	dialog *dialogs.Dialog
}

// Open shows the manual. Articles have a style, in which its pages are shown, too.
func Open(sh *shell.Shell, w Words, style article.Style) { open(sh, assets.Help(), w, style) }

func open(sh *shell.Shell, files fs.FS, w Words, style article.Style) *manual {
	m := &manual{shell: sh, view: article.New()}
	language := lang.X("manual.folder", "en")
	for _, topic := range Topics {
		p, err := readPage(files, language, topic, w)
		if err != nil {
			p = missing(topic, lang.L("This page of the manual is missing."))
		}
		m.pages = append(m.pages, p)
	}
	m.search = widgets.NewFilterEntry(func() { m.dialog.Hide() }, m.move)
	m.search.Name = lang.L("Search help")
	m.search.SetPlaceHolder(lang.L("Search"))
	m.search.OnChanged = m.filter
	m.search.OnSubmitted = func(string) { m.next() }
	m.list = widgets.NewList(sh.Keys, func() int { return len(m.found) },
		func() fyne.CanvasObject {
			l := widget.NewLabel("")
			l.Truncation = fyne.TextTruncateEllipsis
			return l
		},
		func(i int, o fyne.CanvasObject) { o.(*widget.Label).SetText(m.pages[m.found[i]].title) })
	m.list.HideSeparators, m.list.Name = true, lang.L("Pages")
	m.list.OnSelected = func(i int) { m.show(m.found[i]) }
	m.view.SetStyle(style)
	m.view.OnLink = m.follow
	m.view.OnHover = func(string) {}
	m.view.OnKey, m.view.OnRune = sh.Keys.Key, sh.Keys.Rune
	m.view.Later = sh.Do
	m.view.Pictures = pictures{sh.Jobs, files, language}
	side := container.NewBorder(m.search, nil, nil, nil, m.list)
	m.dialog = &dialogs.Dialog{Title: lang.L("Help"), Content: widgets.NewSidePane(230, side, m.view), Width: 960, Height: 620, Focus: m.search,
		Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), sh.Dialogs.CloseTop)}}
	sh.Dialogs.Show(m.dialog)
	m.filter("")
	return m
}

// filter lists the pages that have all words of a search, and shows the first.
func (m *manual) filter(search string) {
	m.found = nil
	for i, p := range m.pages {
		if p.matches(search) {
			m.found = append(m.found, i)
		}
	}
	m.list.Refresh()
	if len(m.found) == 0 {
		m.view.Clear(lang.L("No page of the manual has this."))
		return
	}
	m.list.Select(0)
	m.show(m.found[0])
}

// move shows the page so many rows further down.
func (m *manual) move(by int) {
	if len(m.found) > 0 {
		m.list.Select(min(max(m.list.Chosen+by, 0), len(m.found)-1))
	}
}

// show shows a page, at the first place that has what is searched for.
func (m *manual) show(i int) {
	m.view.Display(article.Article{Title: m.pages[i].title, Body: m.pages[i].body})
	m.view.FindWords(m.pages[i].marked(m.search.Text))
}

// next goes to the next place that has what is searched for, on this page or on the next one that has it.
func (m *manual) next() {
	if len(m.found) == 0 || m.search.Text == "" || m.view.NextWords() {
		return
	}
	to := (m.list.Chosen + 1) % len(m.found)
	m.list.Select(to)
}

// follow shows the page that a link leads to, or opens it in the browser.
func (m *manual) follow(link string) {
	i := slices.Index(Topics, strings.TrimPrefix(link, base))
	if i < 0 {
		m.shell.OpenLink(link)
		return
	}
	m.search.SetText("")
	m.list.Select(i)
	m.show(i)
}
