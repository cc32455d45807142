package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/reader"
	"kairos/reader/content"
)

// articlePane is the right pane: the article being read, or the status of a feed.
type articlePane struct {
	shell   *shell.Shell
	session *session.Session
	articleEvents

	pane     fyne.CanvasObject
	view     *article.View
	stream   *articleStream
	page     *feedPage
	bar      *articleBar
	pictures *articlePictures
	player   *playerActions
	files    []reader.Enclosure         // of the article shown
	played   map[string]reader.Playback // of files, by address

	fullText    bool   // the text of the article's page is shown, not that of the feed
	markOnOpen  string // when an article that is opened is marked read: a value of settings.MarkOnOpen
	openedTimer *time.Timer
	glance      session.Glance
	request     async.Request
}

// articleEvents is what the article pane asks for and reports. All functions are set.
type articleEvents struct {
	feed       func(id int64) *reader.Feed // nil if it is not subscribed
	labels     func() []reader.Label       // all there are
	stayedOpen func(id int64)              // the article was shown for openedAfter
}

func newArticlePane(sh *shell.Shell, se *session.Session, page *feedPage, buttons commandButtons, on articleEvents) *articlePane {
	p := &articlePane{shell: sh, session: se, articleEvents: on, view: article.New(), page: page, markOnOpen: settings.MarkAtOnce}
	p.pictures = newArticlePictures(p)
	p.stream = newArticleStream(p)
	p.view.OnLink = func(link string) { sh.OpenLink(link) }
	p.view.OnHover = sh.Hover
	p.view.OnKey = sh.Keys.Key
	p.view.OnRune = sh.Keys.Rune
	p.view.Later = p.shell.Do
	p.view.Pictures = p.pictures
	p.view.OnSavePicture = func(url string) { p.savePicture(url) }
	p.player = newPlayerActions(sh, p.reloadFiles)
	p.view.OnFile = p.fileAction
	p.view.OnSaveFile = func(url string) { p.saveFile(url) }
	p.view.OnDeferred = func() { p.bar.offerPictures(p.view.HasDeferred()) }
	p.view.OnCopied = func(string) { sh.Say(lang.L("Copied.")) }
	p.bar = newArticleBar(buttons)
	p.pane = container.NewBorder(p.bar.row, nil, nil, nil, container.NewStack(p.view, p.page.pane))
	return p
}

// shownArticle is an article with its text, ready to be displayed.
type shownArticle struct {
	article  reader.Article
	body     content.Document
	files    []reader.Enclosure
	played   map[string]reader.Playback // of files, by address
	fullText bool                       // body is the text of the article's page, not that of the feed
	fetched  bool                       // the article's page was fetched
}

// open shows the article with this id.
func (p *articlePane) open(id int64) {
	if p.stream.on {
		p.stream.open(id)
		return
	}
	async.LoadSoon(p.shell.Jobs, &p.request, func(ctx context.Context) (shownArticle, error) {
		return p.load(ctx, id)
	}, p.show)
}

// load reads what is shown of an article: the text of the feed, or that of its page once that was fetched.
func (p *articlePane) load(ctx context.Context, id int64) (s shownArticle, err error) {
	rows, err := p.shell.Home.Store.Articles.Load(ctx, []int64{id})
	if err != nil || len(rows) == 0 {
		return s, err
	}
	html, files, err := p.shell.Home.Store.Articles.Body(ctx, id)
	if err != nil {
		return s, err
	}
	s = shownArticle{article: rows[0], files: files}
	if len(files) > 0 {
		if s.played, err = p.playbacks(ctx, id); err != nil {
			return s, err
		}
	}
	text, fetched, err := p.shell.Home.Store.Articles.ShownFullText(ctx, id)
	if err != nil {
		return s, err
	}
	if s.fullText, s.fetched = text != "", fetched; s.fullText {
		html = text
	}
	s.body = content.Parse(html)
	return s, nil
}

// clear shows no article.
func (p *articlePane) clear() {
	p.leave()
	p.page.close()
	p.view.Show()
	p.view.Clear(lang.L("Select an article to read it here."))
}

// openStatus shows the status of a feed in place of an article.
func (p *articlePane) openStatus(feed int64) {
	p.leave()
	p.view.Hide()
	p.page.open(feed)
}

// leave leaves the article that is shown.
func (p *articlePane) leave() {
	p.stopTimer()
	p.glance.Leave()
	p.request.Stop()
	p.session.Shown, p.session.Unasked = nil, session.Unasked{}
	p.bar.row.Hide()
}

// focusable is what has the keys while the pane has them.
func (p *articlePane) focusable() fyne.Focusable {
	if p.page.shown() {
		return p.page.focusable()
	}
	return p.view
}

func (p *articlePane) stopTimer() {
	if p.openedTimer != nil {
		p.openedTimer.Stop()
	}
}

func (p *articlePane) show(s shownArticle) {
	p.stopTimer()
	if s.article.ID == 0 {
		p.clear()
		return
	}
	a := s.article
	p.session.Shown = &a
	p.display(s)
	p.displayed(s)
}

// displayed shows what concerns the article that is displayed now, and counts it as opened once it stays.
func (p *articlePane) displayed(s shownArticle) {
	a := s.article
	p.bar.row.Show()
	p.updateBar()
	if passed := p.glance.Show(a.ID, p.shell.Now(), p.session.Unasked.ID != a.ID); passed != 0 {
		p.shell.NotePassed(passed)
	}
	p.openedTimer = time.AfterFunc(session.OpenedAfter, func() {
		p.shell.Do(func() {
			if p.session.IsShown(a.ID) {
				p.glance.Leave()
				p.shell.NoteRead(a.ID)
				p.stayedOpen(a.ID)
			}
		})
	})
	if !s.fetched && a.Link != "" && p.wantsFullText(a.Feed) {
		p.fetchFullText(a)
	}
}

// display draws an article.
func (p *articlePane) display(s shownArticle) {
	p.fullText, p.files, p.played = s.fullText, s.files, s.played
	p.page.close()
	p.view.Show()
	if p.stream.on {
		p.stream.supply(s)
	} else {
		p.view.Display(s.content(p.shell.Now()))
	}
	p.updateBar()
}

// content is the article as the view shows it.
func (s *shownArticle) content(now time.Time) article.Article {
	a, body := s.article, s.body
	if len(body.Blocks) == 0 && len(s.files) == 0 {
		body.Blocks = []content.Block{{Kind: content.Paragraph, Runs: []content.Run{
			{Text: lang.L("The feed has no text for this article. Press B to read it in the browser."), Style: content.Italic}}}}
	}
	if s.fullText {
		body.Blocks = withoutTitle(body.Blocks, a.Title)
	}
	title := language.Printer().ArticleTitle(a.Title)
	if a.Untitled && len(s.body.Blocks) > 0 {
		title = "" // the text says it
	}
	return article.Article{Title: title, Link: a.Link, Feed: a.FeedTitle, Author: a.Author,
		Date: language.Printer().FullDate(a.Published, now), Body: body, Files: articleFiles(s.files, s.played)}
}

// withoutTitle leaves out a heading near the top that repeats the title, which stands above the text already.
func withoutTitle(blocks []content.Block, title string) []content.Block {
	for i, b := range blocks[:min(3, len(blocks))] {
		if b.Kind == content.Heading && strings.EqualFold(strings.TrimSpace(content.Document{Blocks: blocks[i : i+1]}.PlainText()), strings.TrimSpace(title)) {
			return slices.Concat(blocks[:i], blocks[i+1:])
		}
	}
	return blocks
}

// updateBar makes the buttons say what they do to the article shown.
func (p *articlePane) updateBar() {
	if a := p.session.Reading(); a != nil {
		p.bar.update(a, p.fullText, labelNames(p.labels(), a.Labels))
	}
}

// showMark shows a flag that was stored for articles.
func (p *articlePane) showMark(flag reader.Flag, on bool, ids []int64) {
	for _, id := range ids {
		if p.session.IsShown(id) {
			*session.FlagOf(p.session.Shown, flag) = on
		}
		if s := p.stream.loaded[id]; s != nil {
			*session.FlagOf(&s.article, flag) = on
		}
	}
}
