// Package reading is the right pane: the article being read, or several one below the other, with its files and pictures.
package reading

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
)

// Pane is the right pane: the article being read, or the status of a feed.
type Pane struct {
	shell   *shell.Shell
	session *session.Session
	Events

	Object   *fyne.Container
	View     *article.View
	Stream   *Stream
	page     statusPage
	Bar      *bar
	Pictures *pictures
	Player   *mediaPlayer
	files    []reader.Enclosure         // of the article shown
	Played   map[string]reader.Playback // of files, by address

	FullText  bool             // the text of the article's page is shown, not that of the feed
	noted     int64            // the article that was noted as read with the text of the feed
	look      preparer.Article // how the article shown stood before it was shown
	opened    stopwatch        // how long the article is shown, until it counts as opened
	glance    session.Glance
	positions session.Positions
	left      session.Position // where the window was left
	chapters  int64            // the article whose chapters were asked for last
	request   async.Request
}

// statusPage is the status of a feed, which stands in the place of the article.
type statusPage interface {
	Pane() *widgets.Scroll
	Open(feed int64)
	Close()
	Focusable() fyne.Focusable
}

// Events is what the article pane asks for and reports. All functions are set.
type Events struct {
	Feed       func(id int64) *reader.Feed                   // nil if it is not subscribed
	Labels     func() []reader.Label                         // all there are
	SelectRow  func(row int)                                 // an article is to be opened
	ScrolledTo func(id int64)                                // the user has scrolled to an article
	MarkPassed func(ids []int64, done func(changed []int64)) // articles that were scrolled past are to be marked read
	StayedOpen func(id int64)                                // the article was shown for as long as counts
	MarkRead   func(id int64)                                // an article that was shown unasked is read
	Jumped     func(from, to session.Position)               // a link within the article was followed
	ListedOnce func() bool                                   // lists show a story once that several feeds carry
}

// New returns the pane.
func New(sh *shell.Shell, se *session.Session, page statusPage, buttons shell.Commands, on Events) *Pane {
	p := &Pane{shell: sh, session: se, Events: on, View: article.New(), page: page, opened: stopwatch{onLoop: sh.Do}}
	p.Pictures = newPictures(p)
	p.Stream = newStream(p)
	p.positions = session.ParsePositions(sh.Preferences.String(prefPositions))
	p.View.OnLink = func(link string) { sh.OpenLink(link) }
	p.View.OnHover = sh.Hover
	p.View.OnChosen = p.chosen
	p.View.OnJump = p.jumped
	p.View.OnKey = sh.Keys.Key
	p.View.OnRune = sh.Keys.Rune
	p.View.Later = p.shell.Do
	p.View.After = func(d time.Duration, do func()) func() {
		t := time.AfterFunc(d, func() { sh.Do(do) })
		return func() { t.Stop() }
	}
	p.View.Pictures = p.Pictures
	p.View.OnSavePicture = func(url string) { p.SavePicture(url) }
	p.Player = newPlayer(sh, buttons, p.reloadFiles)
	p.View.OnFile = p.fileAction
	p.View.OnSaveFile = func(url string) { p.SaveFile(url) }
	p.View.OnDeferred = func() { p.Bar.offerPictures(p.View.HasDeferred()) }
	p.View.OnCopied = func(string) { sh.Say(lang.L("Copied.")) }
	p.Bar = newBar(buttons)
	p.Object = container.NewBorder(p.Bar.Row, nil, nil, nil, container.NewBorder(p.Player.Bar.Row, nil, nil, nil, container.NewStack(p.View, p.page.Pane())))
	p.Player.Bar.within = p.Object
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
	look     preparer.Article           // how the article stood before it was shown
	offline  bool                       // its page is wanted, and there is no network
	chapters reader.Chapters            // those of a document of their own
}

// Open shows the article with this id.
func (p *Pane) Open(id int64) {
	p.noteColumn()
	if p.Stream.On {
		p.Stream.open(id)
		return
	}
	async.LoadSoon(p.shell.Jobs, &p.request, func(ctx context.Context) (shownArticle, error) {
		return p.load(ctx, id)
	}, p.show)
}

// load reads what is shown of an article: the text of the feed, or that of its page once that was fetched.
func (p *Pane) load(ctx context.Context, id int64) (s shownArticle, err error) {
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
	if err := p.shell.Home.Column.Fit(ctx, s.body); err != nil {
		return s, err
	}
	s.look, err = p.shell.Home.Preparer.Look(ctx, s.article, s.body, fetched)
	s.offline = s.look.WantsPage && p.shell.Home.Poller.NoNetwork()
	if err != nil {
		return s, err
	}
	s.chapters, err = p.shell.Home.Store.Articles.Chapters(ctx, id)
	if s.chapters.HTML != "" {
		s.body.Blocks = append(withoutLink(s.body.Blocks, s.chapters.Address), content.Parse(s.chapters.HTML).Blocks...)
	}
	return s, err
}

// Clear shows no article.
func (p *Pane) Clear() {
	p.leave()
	p.page.Close()
	p.View.Show()
	p.View.Clear(lang.L("Select an article to read it here."))
}

// OpenStatus shows the status of a feed in place of an article.
func (p *Pane) OpenStatus(feed int64) {
	p.leave()
	p.View.Hide()
	p.page.Open(feed)
}

// leave leaves the article that is shown.
func (p *Pane) leave() {
	p.keepPosition()
	p.opened.stop()
	p.glance.Leave()
	p.request.Stop()
	p.session.Shown, p.session.Unasked = nil, session.Unasked{}
	p.showBar(false)
}

// showBar shows or hides the buttons, and gives the article the room that they leave. Fyne lays out only what needs more room
// than when it was painted last: it leaves the buttons on the text where they were hidden and shown since.
func (p *Pane) showBar(on bool) {
	if on == p.Bar.Row.Visible() {
		return
	}
	p.Bar.Row.Hidden = !on
	p.Object.Layout.Layout(p.Object.Objects, p.Object.Size())
	canvas.Refresh(p.Object)
}

// StatusShown reports whether the status of a feed is shown.
func (p *Pane) StatusShown() bool { return p.session.Status != 0 }

// Focusable is what has the focus while the pane has it.
func (p *Pane) Focusable() fyne.Focusable {
	if p.StatusShown() {
		return p.page.Focusable()
	}
	return p.View
}

// Cover stops the time that counts an article as opened while a dialog or a menu covers the window.
func (p *Pane) Cover(on bool) { p.opened.cover(on) }

func (p *Pane) show(s shownArticle) {
	p.opened.stop()
	if s.article.ID == 0 {
		p.Clear()
		return
	}
	p.keepPosition()
	a := s.article
	p.session.Shown = &a
	p.display(s)
	p.displayed(s)
	p.scrollToLeft(a.ID) // below the buttons, which leave it less room
}

// displayed shows what concerns the article that is displayed now, and counts it as opened once it stays.
func (p *Pane) displayed(s shownArticle) {
	a := s.article
	p.showBar(true)
	p.UpdateBar()
	p.look = s.look
	if !p.session.Unasked.Again {
		p.count(a.ID)
	}
	if s.look.WantsPage && !s.offline {
		p.fetchFullText(a)
	}
	p.offerFullText(s.look)
	if s.chapters.Address != "" && !s.chapters.Fetched && p.Pictures.MayFetch() && p.chapters != a.ID { // the stream shows it again while it is scrolled
		p.fetchChapters(a, s.chapters.Address, func(bool, error) {})
	}
}

// count counts an article as opened once it stays, and the one before as passed over if it did not.
func (p *Pane) count(id int64) {
	if passed := p.glance.Show(id, p.shell.Now(), p.session.Unasked.ID != id); passed != 0 {
		p.shell.NotePassed(passed)
	}
	p.opened.start(p.session.OpenedAfter(id), func() {
		if p.session.IsShown(id) {
			p.glance.Leave()
			p.noteOpened(p.look)
			p.shell.NoteRead(id)
			p.StayedOpen(id)
		}
	})
}

// chosen treats the article shown as one that the user opened, if it was shown unasked.
func (p *Pane) chosen() {
	a := p.session.Shown
	if a == nil || a.ID != p.session.Unasked.ID {
		return
	}
	if p.session.Chosen(a.ID) {
		p.MarkRead(a.ID)
	}
	p.count(a.ID)
}

// display draws an article.
func (p *Pane) display(s shownArticle) {
	p.FullText, p.files, p.Played = s.fullText, s.files, s.played
	p.page.Close()
	p.View.Show()
	if p.Stream.On {
		p.Stream.supply(s)
	} else {
		p.View.Display(p.content(&s))
	}
	p.UpdateBar()
}

// content is an article as the view shows it, with how many others tell the same if lists show stories once.
func (p *Pane) content(s *shownArticle) article.Article {
	a, body := s.article, s.body
	if len(body.Blocks) == 0 && len(s.files) == 0 {
		body.Blocks = []content.Block{note(lang.L("The feed has no text for this article. Press B to read it in the browser."))}
	}
	if s.offline {
		body.Blocks = append(slices.Clip(body.Blocks), note(lang.L("The full article is not on this computer. It comes when there is a network again.")))
	}
	if s.fullText {
		body.Blocks = withoutTitle(body.Blocks, a.Title)
	}
	title := language.Printer().ArticleTitle(a.Title)
	if a.Untitled && len(s.body.Blocks) > 0 && s.body.Blocks[0].Kind != content.Picture {
		title = "" // the text begins with it
	}
	date := language.Printer().FullDate(a.Published, p.shell.Now())
	if p.ListedOnce() && a.Others > 0 {
		date += " · " + language.Printer().AlsoTold(a.Others)
	}
	shown := article.Article{Title: title, Link: a.Link, Feed: a.FeedTitle, Author: authorOf(a),
		Date: date, Filed: language.Printer().Categories(a.Categories), Body: body, Files: filesOf(s.files, s.played, p.Player.of(a.ID))}
	if s.chapters.Address != "" && !s.chapters.Fetched {
		shown.Actions = map[string]string{s.chapters.Address: actionChapters}
	}
	return shown
}

// note is a paragraph of Kairos, not of the article.
func note(text string) content.Block {
	return content.Block{Kind: content.Paragraph, Runs: []content.Run{{Text: text, Style: content.Italic}}}
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

// FeedsChanged shows the names that feeds have now.
func (p *Pane) FeedsChanged() {
	renamed := func(a *reader.Article) bool {
		f := p.Feed(a.Feed)
		if f == nil || f.Title == a.FeedTitle {
			return false
		}
		a.FeedTitle = f.Title
		return true
	}
	for id, one := range p.Stream.loaded {
		if renamed(&one.article) {
			p.View.SetFeedOf(id, one.article.FeedTitle)
		}
	}
	if a := p.session.Shown; a != nil && renamed(a) && !p.Stream.holds(a.ID) {
		p.View.SetFeed(a.FeedTitle)
	}
}

// UpdateBar makes the buttons say what they do to the article shown.
func (p *Pane) UpdateBar() {
	if a := p.session.Reading(); a != nil {
		p.Bar.Update(a, p.FullText, icon.LabelNames(p.Labels(), a.Labels))
	}
}

// ShowMark shows a flag that was stored for articles.
func (p *Pane) ShowMark(flag reader.Flag, on bool, ids []int64) {
	for _, id := range ids {
		if p.session.IsShown(id) {
			*session.FlagOf(p.session.Shown, flag) = on
		}
		if s := p.Stream.loaded[id]; s != nil {
			*session.FlagOf(&s.article, flag) = on
		}
	}
}
