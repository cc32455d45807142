// Package insights is the page of the window that shows what Kairos learned and achieved: the promise
// kept, when the user reads, the day around now, the budget, what each feed costs, and how well all is
// predicted. It knows the window only through a Host. Its facts come from poller/insights, its words from
// app/text; reading and computing happen off the window's goroutine.
package insights

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
)

// Host is what the page needs of the window. All fields are set.
type Host struct {
	*async.Jobs
	Home *home.Home
	Keys widgets.Keys // receives the keys that the page does not use

	Focus    func(fyne.Focusable)
	Copy     func(text string)             // puts text on the clipboard
	Save     func(name string, png []byte) // asks where to save a picture
	Fail     func(err error)               // tells that something failed
	Menu     func(at fyne.Position, items ...*fyne.MenuItem)
	Feeds    Feeds
	OnBudget func() // a budget or a goal was set
	AddUndo  func(what string, undo func(ctx context.Context) error)
	OnClose  func() // the page was closed: its memory can be given back
	Correct  func() // shows where what was learned of visits can be corrected
}

// Feeds is what the page does with feeds. Nothing happens without a click of the user.
type Feeds interface {
	Open(feed int64)        // shows its status
	Lower(feed int64)       // gives it a low weight
	Pause(feed int64)       // stops fetching it in the background
	Unsubscribe(feed int64) // can be undone
}

// Page is the page. While it is closed it holds nothing but its pane.
type Page struct {
	Host
	pane     *widgets.Scroll
	empty    fyne.CanvasObject
	sections []section // nil while it is closed
	loading  bool      // all sections are being loaded, but for the budget
	opening  bool      // the first of these is on screen; the next frame waits a little for the others
	changed  bool      // the store has changed; what is shown will be read again
}

// section is a part of the page.
type section interface {
	// load reads what it shows off the window's goroutine, shows it and then calls next.
	load(next func())
	focusable() fyne.Focusable // nil if nothing of it can have the focus
	// clear drops what it shows. Fyne keeps a widget with all it holds for a minute after it was painted last.
	clear()
}

// New returns the closed page.
func New(h Host) *Page {
	p := &Page{Host: h, empty: container.NewWithoutLayout()}
	p.pane = widgets.NewVScroll(p.empty)
	p.pane.Hide()
	return p
}

// Pane returns where the page is shown.
func (p *Page) Pane() *widgets.Scroll { return p.pane }

// Shown reports whether the page is open.
func (p *Page) Shown() bool { return p.sections != nil }

// width is the largest width of the page.
const width = 860

// Open shows the page; its figures follow as they are known.
func (p *Page) Open() {
	if p.Shown() {
		return
	}
	promise, habits, day, budget, costs, predicted, whole := newPromise(p), newHabits(p), newDay(p), newBudget(p), newCosts(p), newCalibration(p), newWhole(p)
	p.sections = []section{promise, habits, day, budget, costs, predicted, whole}
	p.pane.Content = widgets.NewPage(width, widgets.NewColumn(36,
		widgets.NewColumn(6, widgets.NewText(lang.L("Insights"), widgets.Title),
			widgets.NewText(lang.L("What Kairos learned and what it achieved. All of it stays on this computer."), widgets.Muted)),
		promise.content, whole.content, habits.content, day.content, budget.content, costs.content, predicted.content))
	p.pane.Show()
	p.pane.Refresh()
	p.pane.ScrollToTop()
	p.Reload()
	p.opening = true
}

// layOut gives each section the height it needs now.
func (p *Page) layOut() {
	outer, isPage := p.pane.Content.(*fyne.Container)
	if !isPage || !p.Shown() {
		return
	}
	for _, c := range []*fyne.Container{outer.Objects[0].(*fyne.Container), outer} { // at the same size, too
		c.Layout.Layout(c.Objects, c.Size())
	}
	p.pane.Base.Refresh() // the bar, without the content
	p.scrollBy(0)
}

// Close hides the page and drops what it shows.
func (p *Page) Close() {
	if !p.Shown() {
		return
	}
	for _, s := range p.sections {
		s.clear()
	}
	p.sections, p.opening = nil, false
	p.pane.Hide()
	p.pane.Content = p.empty
	p.pane.Refresh()
	p.OnClose()
}

// Reload reads everything again, if the page is open: first what is read quickly.
func (p *Page) Reload() {
	if !p.Shown() {
		return
	}
	budget := p.sections[3] // its forecast takes longest
	p.loadFacts(func() { budget.load(func() {}) })
}

// loadFacts reads again what the store tells, and then calls next.
func (p *Page) loadFacts(next func()) {
	s := p.sections
	p.loading = true
	p.loadInTurn([]section{s[1], s[2], s[0], s[6], s[4], s[5]}, func() {
		p.loading, p.opening = false, false
		next()
	})
}

// loadInTurn loads sections one after the other, so that the window keeps a processor.
func (p *Page) loadInTurn(sections []section, next func()) {
	switch {
	case !p.Shown():
	case len(sections) == 0:
		next()
	default:
		sections[0].load(func() { p.loadInTurn(sections[1:], next) })
	}
}

// changePause is how long changes of the store are gathered before the page is read again.
var changePause = 4 * time.Second

// Changed reads again what is shown, soon, if the page is open: the store has changed. What a budget is
// expected to bring stays.
func (p *Page) Changed() {
	if !p.Shown() || p.changed {
		return
	}
	p.changed = true
	p.Go(func() {
		select {
		case <-p.Ctx.Done():
			return
		case <-time.After(changePause):
		}
		p.Do(func() {
			p.changed = false
			switch {
			case !p.Shown():
			case p.loading:
				p.Changed()
			default:
				p.loadFacts(func() {})
			}
		})
	})
}

// MinutePassed moves the day on, if the page is open.
func (p *Page) MinutePassed() {
	if p.Shown() && !p.loading {
		p.sections[2].load(func() {})
	}
}

// Focusable is what has the focus of the page first; nil while nothing can.
func (p *Page) Focusable() fyne.Focusable {
	for _, s := range p.sections {
		if f := s.focusable(); f != nil {
			return f
		}
	}
	return nil
}

// chart returns an empty chart.
func (p *Page) chart(title string, height float32) *chart.Chart {
	return chart.New(p.charts(), title, height)
}

// charts is what charts need of the page.
func (p *Page) charts() chart.Host {
	return chart.Host{Keys: p.Keys, Copy: p.Copy, Save: p.Save, Fail: p.Fail, Shown: p.scrollTo, Menu: func(c *chart.Chart, at fyne.Position) {
		p.Menu(at, fyne.NewMenuItem(lang.L("Copy as CSV"), c.Copy), fyne.NewMenuItem(lang.L("Save as PNG…"), func() {
			if err := c.Save(); err != nil {
				p.Fail(err)
			}
		}))
	}}
}

// scrollTo scrolls until an object is in sight.
func (p *Page) scrollTo(o fyne.CanvasObject) { p.scrollToPart(o, 0, o.Size().Height) }

// scrollToPart scrolls until a part of an object is in sight, which begins so far below its top.
func (p *Page) scrollToPart(o fyne.CanvasObject, below, height float32) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(p.pane).Y + below
	bottom := top + height
	const margin = 40
	switch high := p.pane.Size().Height; {
	case top < margin:
		p.scrollBy(top - margin)
	case bottom > high:
		p.scrollBy(min(top-margin, bottom-high+margin))
	}
}

// newButton returns a button that scrolls into sight when it gets the focus.
func (p *Page) newButton(text string, tapped func()) *widgets.DialogButton {
	b := widgets.NewDialogButton(text, tapped)
	b.OnFocus = func() { p.scrollTo(b) }
	return b
}

// scrollBy scrolls down, or up if by is negative.
func (p *Page) scrollBy(by float32) {
	end := max(0, p.pane.Content.Size().Height-p.pane.Size().Height)
	p.pane.ScrollToOffset(fyne.NewPos(0, min(max(0, p.pane.Offset.Y+by), end)))
}

// Key scrolls the page with the keys that none of its parts has used; it reports whether it did.
func (p *Page) Key(name fyne.KeyName) bool {
	if !p.Shown() {
		return false
	}
	const line = 60
	switch name {
	case fyne.KeyDown:
		p.scrollBy(line)
	case fyne.KeyUp:
		p.scrollBy(-line)
	case fyne.KeyPageDown:
		p.scrollBy(0.85 * p.pane.Size().Height)
	case fyne.KeyPageUp:
		p.scrollBy(-0.85 * p.pane.Size().Height)
	case fyne.KeyHome:
		p.pane.ScrollToTop()
	case fyne.KeyEnd:
		p.scrollBy(p.pane.Content.Size().Height)
	default:
		return false
	}
	return true
}

// setPlot shows a plot, unless its chart is pointed to: it would lose what it points to.
func setPlot(c *chart.Chart, p chart.Plot, resting string) {
	if c.Plot() == nil || !c.Pointed() {
		c.SetPlot(p, resting)
	}
}

// part is what all sections have: a heading, sentences, and what follows them.
type part struct {
	page    *Page
	content *fyne.Container
	says    *widgets.Text // the sentence that stands first
	more    *widgets.Text
	request async.Request
}

// newPart returns a section with its heading; its sentence is that it is being computed.
func newPart(p *Page, heading string, objects ...fyne.CanvasObject) part {
	s := part{page: p, says: widgets.NewText(lang.L("Computing…"), widgets.Plain), more: widgets.NewText("", widgets.Muted)}
	s.content = widgets.NewColumn(10, append([]fyne.CanvasObject{widgets.NewText(heading, widgets.Section),
		widgets.NewColumn(4, s.says, s.more)}, objects...)...)
	return s
}

// say shows the sentences of the section.
func (s *part) say(first, more string) {
	s.says.SetText(first, widgets.Plain)
	s.more.SetText(more, widgets.Muted)
}

// refresh lays the section out again. The others move, but are not drawn again: their charts take long.
func (s *part) refresh() {
	s.content.Refresh()
	s.page.layOut()
}

// focusOf is what has the focus of a chart, nil while it shows nothing.
func focusOf(c *chart.Chart) fyne.Focusable {
	if c.Plot() == nil {
		return nil
	}
	return c.Focusable()
}

// answer is a value, or why there is none.
type answer[T any] struct {
	value T
	err   error
}

// read reads a value off the window's goroutine and shows it, unless the page was closed meanwhile; an
// error takes the place of the section's sentence.
func read[T any](s *part, f func(ctx context.Context) (T, error), show func(T), next func()) {
	p, open := s.page, s.page.sections
	load := async.Load[answer[T]]
	if p.opening {
		load = async.LoadSoon[answer[T]]
	}
	load(p.Jobs, &s.request, func(ctx context.Context) (a answer[T], err error) {
		a.value, a.err = f(ctx)
		return a, nil
	}, func(a answer[T]) {
		if !p.Shown() || &open[0] != &p.sections[0] {
			return
		}
		if a.err != nil {
			s.say(language.Printer().Error(a.err), "")
		} else {
			show(a.value)
		}
		s.refresh()
		next()
	})
}
