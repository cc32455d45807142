// Package away is the page that tells what came while the user was away: what they will probably read of it, the stories that several
// feeds carry, the feeds that stand out, and all by feed.
package away

import (
	"context"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/poller/away"
	"kairos/reader"
)

func stamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// settingShown holds the absence for which the page was shown last, as Unix seconds of its beginning: a restart shows it no more. As
// long as it was not left, shown by left, it can still be chosen.
const (
	settingShown = "app.away_shown"
	left         = " left"
)

// Events is what the page asks for. All functions are set.
type Events struct {
	Wanted  func()              // there is something to tell: the page is to be shown
	Known   func()              // it was shown before and not left: it can be chosen
	Changed func()              // the page was shown or hidden
	Open    func(article int64) // an article is to be read
	Feed    func(feed int64)    // a feed is to be listed
	Leave   func()              // the list is wanted
	Read    func(ids []int64)   // articles are to be marked read, which can be undone
	IsRead  func(*reader.Article) bool
	Key     func(command string) string
}

// Page is the page. It is hidden until there is something to tell.
type Page struct {
	shell *shell.Shell
	on    Events

	Pane     fyne.CanvasObject
	List     *widgets.List
	since    *widgets.Text
	rows     []row
	Summary  away.Summary
	told     bool // Summary is there
	dedupe   func() bool
	reading  int64 // the article that was opened from the page last
	requests struct{ absence, summary async.Request }
}

// New returns the page, hidden. dedupe tells whether a story that several feeds carry is listed once.
func New(sh *shell.Shell, dedupe func() bool, on Events) *Page {
	p := &Page{shell: sh, on: on, dedupe: dedupe, since: widgets.NewText("", widgets.Muted)}
	p.List = widgets.NewList(sh.Keys, func() int { return len(p.rows) }, func() fyne.CanvasObject { return newRowView() }, func(i int, o fyne.CanvasObject) {
		if i < len(p.rows) {
			view := o.(*rowView)
			view.set(p.rows[i])
			view.OnTapped = func() {
				sh.Used()
				p.List.SelectUnderPointer(i)
				p.open(i)
			}
		}
	})
	from := -1
	p.List.OnSelected = func(i int) {
		step := 1
		if i < from {
			step = -1
		}
		if to := i + step; i < len(p.rows) && p.rows[i].heading && to >= 0 && to < len(p.rows) {
			p.List.Select(to)
			return
		}
		from = i
	}
	p.List.HideSeparators, p.List.Name = true, lang.L("While you were away")
	buttons := widgets.NewFlow(8,
		p.button(lang.L("Read on"), theme.NavigateNextIcon(), "next-unread", p.ReadOn),
		p.button(lang.L("Mark the rest read"), theme.ConfirmIcon(), "read-all", p.MarkRest),
		p.button(lang.L("Go to the list"), theme.ListIcon(), "back", on.Leave))
	head := widgets.NewColumn(10, widgets.NewText(lang.L("While you were away"), widgets.Title), p.since, buttons)
	p.Pane = container.New(centered{}, container.NewBorder(widgets.NewColumn(8, head, widgets.NewSpace(4)), nil, nil, nil, p.List))
	p.Pane.Hide()
	return p
}

// button is a button of a command, whose key stands beside its name.
func (p *Page) button(name string, icon fyne.Resource, command string, do func()) *widgets.Button {
	if key := p.on.Key(command); key != "" {
		name = lang.L("{{.Name}} ({{.Key}})", map[string]any{"Name": name, "Key": key})
	}
	return widgets.NewIconButton(name, icon, func() {
		p.shell.Used()
		do()
	})
}

// Shown reports whether the page is shown.
func (p *Page) Shown() bool { return p.Pane.Visible() }

// SetVisible shows or hides the page.
func (p *Page) SetVisible(on bool) {
	if on == p.Shown() {
		return
	}
	if on {
		p.Pane.Show()
		p.Reload() // what was read since is not among what is left
	} else {
		p.Pane.Hide()
	}
	p.on.Changed()
}

// Arrived tells what came if the user was away for longer than is usual for them, unless the setting is off or nothing came. What was
// told already is not shown again unasked.
func (p *Page) Arrived() {
	source := p.source()
	async.Load(p.shell.Jobs, &p.requests.absence, func(ctx context.Context) (arrival, error) { return p.afterAbsence(ctx, source) }, func(a arrival) {
		switch {
		case len(a.Articles) == 0:
		case a.again:
			p.show(a.Summary)
			p.on.Known()
		default:
			p.show(a.Summary)
			p.shell.StoreSetting(settingShown, stamp(a.Since), nil)
			p.on.Wanted()
		}
	})
}

// Left notes that the page was left, which is then gone after a restart.
func (p *Page) Left() {
	if p.told {
		p.shell.StoreSetting(settingShown, stamp(p.Summary.Since)+left, nil)
	}
}

// arrival is what came during an absence.
type arrival struct {
	away.Summary
	again bool // it was shown before a restart, and not left
}

// afterAbsence returns what came during an absence; nothing if there was none.
func (p *Page) afterAbsence(ctx context.Context, source away.Source) (s arrival, err error) {
	h := p.shell.Home
	if on, err := h.Store.Settings.Get(ctx, home.SettingAway, "on"); err != nil || on == "off" {
		return s, err
	}
	absence, err := h.Visits.Absence(ctx)
	if err != nil || !absence.Long {
		return s, err
	}
	shown, err := h.Store.Settings.Get(ctx, settingShown, "")
	if err != nil || shown == stamp(absence.Since)+left {
		return s, err
	}
	s.again = shown == stamp(absence.Since)
	s.Summary, err = source.Read(ctx, absence.Since, h.Now())
	return s, err
}

func (p *Page) source() away.Source {
	h := p.shell.Home
	return away.Source{Store: h.Store, Poller: h.Poller, Likely: h.Likely, Dedupe: p.dedupe()}
}

// Reload shows what is still unread of what came. What stands first stands there still, so that its place is found again.
func (p *Page) Reload() {
	if !p.told || !p.Shown() {
		return
	}
	before, source := p.Summary, p.source()
	async.Load(p.shell.Jobs, &p.requests.summary, func(ctx context.Context) (away.Summary, error) {
		return source.Again(ctx, &before, p.shell.Home.Now())
	}, p.show)
}

func (p *Page) show(s away.Summary) {
	p.Summary, p.told = s, true
	p.since.SetText(language.Printer().Away(&s), widgets.Muted)
	p.rows = rowsOf(&s, p.shell.Now())
	p.List.Refresh()
}

// open opens what row i stands for.
func (p *Page) open(i int) {
	if i < 0 || i >= len(p.rows) {
		return
	}
	switch r := p.rows[i]; {
	case r.article != 0:
		p.read(r.article)
	case r.feed != 0:
		p.on.Feed(r.feed)
	}
}

// OpenChosen opens what the chosen row stands for; without one it reads on.
func (p *Page) OpenChosen() {
	if i := p.List.Chosen; i >= 0 && i < len(p.rows) && (p.rows[i].article != 0 || p.rows[i].feed != 0) {
		p.open(i)
		return
	}
	p.ReadOn()
}

// read opens an article.
func (p *Page) read(article int64) {
	p.reading = article
	p.on.Open(article)
}

// ReadOn opens the likeliest article that is unread.
func (p *Page) ReadOn() {
	if id := p.nextLikely(p.Summary.Likely, nil); id != 0 {
		p.read(id)
		return
	}
	if len(p.Summary.Articles) > 0 {
		p.read(p.Summary.Articles[0])
		return
	}
	p.on.Leave()
}

// Next returns the next unread article of those that will probably be read, after one that was opened from the page or by Next; 0 if
// it was not, or is the last. is returns an article as it is now, nil if that is not known.
func (p *Page) Next(article int64, is func(id int64) *reader.Article) int64 {
	at := slices.IndexFunc(p.Summary.Likely, func(a away.Article) bool { return a.ID == article })
	if article != p.reading || at < 0 {
		return 0
	}
	next := p.nextLikely(p.Summary.Likely[at+1:], is)
	if next != 0 {
		p.reading = next
	}
	return next
}

func (p *Page) nextLikely(of []away.Article, is func(id int64) *reader.Article) int64 {
	for i := range of {
		a := &of[i].Article
		if is != nil && is(a.ID) != nil {
			a = is(a.ID)
		}
		if !p.on.IsRead(a) {
			return a.ID
		}
	}
	return 0
}

// MarkRest marks as read what came beside what will probably be read, which can be undone.
func (p *Page) MarkRest() {
	if rest := p.Summary.Rest(); len(rest) > 0 {
		p.on.Read(rest)
		return
	}
	p.shell.Say(lang.L("No unread articles here."))
}
