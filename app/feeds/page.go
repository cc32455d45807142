package feeds

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller/report"
	"kairos/poller/sync/connect"
	"kairos/reader"
)

// Page shows the status of one feed: its last and next fetch, what is wrong and what helps, the last 30 days, and
// what its server asks for. It stands in the article pane while no article is shown.
type Page struct {
	shell   *shell.Shell
	actions *Actions
	pane    *widgets.Scroll
	Content *fyne.Container
	Report  report.Report
	request async.Request

	head
	show, pause       *widgets.Button
	trouble           *fyne.Container
	troubleTexts      []string
	Last, Next, share *fact
	lost, prepared    *fact
	followed          *followed
	changes           *fact // by a list of feeds
	Forecast          *forecast
	Month             *month
	Posted            *posted // of a feed of an account
	Newest            *fact   // of its articles
	limits, moving    *fact
	push              *push
	Account           accountFact
}

// accountFact tells who fetches a feed of an account, in place of what is known of fetches from here.
type accountFact struct {
	*fact
	fetches []fyne.CanvasObject
}

// set shows sentences about an account and hides what is about fetches; without any it is the other way round.
func (a accountFact) set(sentences ...string) {
	a.fact.set(sentences...)
	for _, o := range a.fetches {
		if !a.Hidden {
			o.Hide()
		} else {
			o.Show()
		}
	}
}

// head is what stands at the top of the page.
type head struct{ title, address, folder *widgets.Text }

// fact is a value with its name.
type fact struct {
	*fyne.Container
	Value *widgets.Text
}

// factNameWidth is the width of the names of facts.
const factNameWidth = 104

func newFact(name string) *fact {
	f := &fact{Value: widgets.NewText("", widgets.Plain)}
	f.Container = widgets.NewLabeled(factNameWidth, widgets.NewText(name, widgets.Label), f.Value)
	return f
}

// set shows sentences, one a line. Without any the fact is hidden.
func (f *fact) set(sentences ...string) {
	text := strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" }), "\n")
	f.Value.SetText(text, widgets.Plain)
	f.Hidden = text == ""
}

func NewPage(actions *Actions) *Page {
	empty := func() *widgets.Text { return widgets.NewText("", widgets.Plain) }
	p := &Page{shell: actions.Shell, actions: actions, head: head{empty(), empty(), empty()},
		Last: newFact(lang.L("Last fetch")), Next: newFact(lang.L("Next fetch")), share: newFact(lang.L("Plan")), lost: newFact(lang.L("Lost")), prepared: newFact(lang.L("Prepared")), changes: newFact(lang.L("Changes")),
		limits: newFact(lang.L("Server limits")), moving: newFact(lang.L("Redirect")), push: newPush()}
	p.followed = newFollowed(actions)
	p.trouble = widgets.NewColumn(0)
	p.trouble.Hide()
	p.Month = newMonth(actions.Shell.Keys, func() { p.Content.Refresh() })
	p.Forecast = newForecast(actions.Shell, func() {
		p.setShare()
		p.Content.Refresh()
	})
	limits := widgets.NewColumn(8, widgets.NewText(lang.L("Limits"), widgets.Heading), p.limits.Container, p.moving.Container)
	p.Posted, p.Newest = newPosted(actions.Shell.Keys, func() { p.Content.Refresh() }), newFact(lang.L("Last article"))
	p.Account = accountFact{newFact(lang.L("Account")), []fyne.CanvasObject{p.Month.Content, limits}}
	p.Content = widgets.NewColumn(24,
		widgets.NewColumn(4, p.title, p.address, p.folder, p.buttons()),
		p.trouble,
		widgets.NewColumn(8, p.followed.Container, p.changes.Container, p.Account.Container, p.Newest.Container, p.Last.Container, p.Next.Container, p.share.Container, p.lost.Container, p.prepared.Container),
		p.Forecast.Content,
		p.Month.Content,
		p.Posted.Content,
		limits,
		p.push.content)
	p.Content.Hide()
	p.pane = widgets.NewVScroll(widgets.NewPage(680, p.Content))
	p.pane.Hide()
	return p
}

func (p *Page) buttons() fyne.CanvasObject {
	button := func(text string, icon fyne.Resource, do func()) *widgets.Button {
		b := widgets.NewIconButton(text, icon, func() {
			p.shell.Used()
			do()
		})
		b.Importance = widget.LowImportance
		return b
	}
	p.show = button("", theme.NavigateBackIcon(), func() { p.actions.OpenPage(&p.Report.Feed) })
	p.pause = button("", nil, func() { p.actions.Pause(!p.Report.Feed.Paused, p.Report.Feed) })
	return widgets.NewFlow(4,
		p.show,
		button(lang.L("Refresh"), theme.ViewRefreshIcon(), func() { p.actions.refreshFeeds([]reader.Feed{p.Report.Feed}) }),
		p.pause,
		button(lang.L("Properties…"), theme.SettingsIcon(), func() { p.actions.Properties(&p.Report.Feed) }),
		button(lang.L("Open site"), theme.ComputerIcon(), func() { p.shell.OpenLink(siteOf(p.Report.Feed)) }))
}

// Open shows the page of a feed.
func (p *Page) Open(feed int64) {
	if feed != p.Feed() || feed != p.Report.Feed.ID {
		p.Content.Hide()
		p.Report = report.Report{}
		p.Month.reset()
		p.Forecast.reset()
		p.pane.ScrollToTop()
	}
	p.actions.Session.Status = feed
	p.pane.Show()
	p.Reload()
}

// Close hides the page.
func (p *Page) Close() {
	p.actions.Session.Status = 0
	p.pane.Hide()
}

// Pane is what is drawn of the page.
func (p *Page) Pane() *widgets.Scroll { return p.pane }

// Feed is the feed that is shown, 0 while the page is hidden.
func (p *Page) Feed() int64 { return p.actions.Session.Status }

// Shown reports whether the page is in the article pane.
func (p *Page) Shown() bool { return p.Feed() != 0 }

// Focusable is what has the focus while the page is shown.
func (p *Page) Focusable() fyne.Focusable {
	if p.Posted.Content.Visible() {
		return p.Posted.Strip
	}
	return p.Month.Strip
}

// BudgetChanged tells what is to be expected with another budget.
func (p *Page) BudgetChanged() {
	p.Forecast.of = forecastOf{}
	p.Reload()
}

// Reload brings the page up to date, if it is shown.
func (p *Page) Reload() {
	if !p.Shown() {
		return
	}
	feed := p.Feed()
	async.Load(p.shell.Jobs, &p.request, func(ctx context.Context) (report.Report, error) {
		r, err := report.Feed(ctx, p.shell.Home.Poller, feed)
		if errors.Is(err, reader.ErrUnknown) {
			return report.Report{}, nil // unsubscribed meanwhile; the sidebar chooses another item
		}
		return r, err
	}, func(r report.Report) {
		if p.Shown() && r.Feed.ID == p.Feed() {
			p.set(r)
			p.Forecast.load(&r)
		}
	})
}

// set shows a report.
func (p *Page) set(r report.Report) {
	p.Report = r
	p.title.SetText(r.Feed.Title, widgets.Title)
	p.address.SetText(r.Feed.URL, widgets.Muted)
	p.folder.SetText(r.Feed.Folder, widgets.Muted)
	p.setPause(r.Feed)
	p.setTrouble(r)
	p.Last.set(language.Printer().LastResult(&r))
	p.Next.set(language.Printer().NextFetch(&r))
	p.setShare()
	p.lost.set(language.Printer().Loss(r.Loss, r.At))
	p.prepared.set(language.Printer().FeedPrepared(r.Prepared))
	p.followed.set(r.Followed)
	p.changes.set(language.Printer().ListChanges(&r))
	p.Month.set(r)
	var limits []string
	for _, l := range r.Limits {
		limits = append(limits, language.Printer().Limit(l, r.At))
	}
	p.limits.set(append(limits, language.Printer().Gap(r.Gap))...)
	p.moving.set(language.Printer().Redirect(r.Redirect, r.At))
	p.push.set(r.Push)
	p.setAccount(r)
	p.setList(r)
	p.Content.Show()
	p.Content.Refresh()
	p.pane.Refresh()
}

func (p *Page) setPause(f reader.Feed) {
	p.pause.Hidden = f.Account != 0
	p.pause.Text, p.pause.Icon = lang.L("Pause fetching"), theme.MediaPauseIcon()
	if f.Paused {
		p.pause.Text, p.pause.Icon = lang.L("Resume fetching"), theme.MediaPlayIcon()
	}
	p.pause.Refresh()
}

// setAccount tells who fetches a feed of an account, how that fares, and what the feed has posted.
func (p *Page) setAccount(r report.Report) {
	p.Posted.set(&r)
	_, newest := language.Printer().Posted(r.Posted, r.At)
	p.Newest.set(newest)
	a := p.actions.Library.Account(r.Feed.Account)
	if a == nil {
		p.Account.set()
		return
	}
	fetched := ""
	switch there := r.State.There; {
	case there != nil && !there.Checked.IsZero():
		fetched = language.Printer().FetchedThere(&r)
	case there != nil: // what it tells is known, and this feed it has not tried
	case !connect.Kind(a.Kind).TellsHealth():
		fetched = lang.L("It does not tell Kairos which feeds fail there.")
	}
	who := lang.L("{{.Account}}: its server fetches this feed.", map[string]any{"Account": a.Name})
	if t := r.Trouble; t != nil && t.NotAdded {
		who = a.Name
	}
	p.Account.set(who, fetched, language.Printer().AccountStatus(a.Sync, r.At))
	for _, f := range []*fact{p.Last, p.Next, p.share, p.lost} {
		f.Hide()
	}
}

// setList leaves out what is told of articles where the feed is a list: its notes of feeds are none that anybody waits for.
func (p *Page) setList(r report.Report) {
	p.show.SetText(lang.L("Show articles"))
	if r.Followed == nil {
		return
	}
	p.show.SetText(lang.L("Show changes"))
	p.lost.Hide()
	p.prepared.Hide()
	p.Month.Content.Hide()
}

// setTrouble shows what is wrong, and what can be done about it.
func (p *Page) setTrouble(r report.Report) {
	words, texts := language.Printer(), []string(nil)
	if t := r.Trouble; t != nil {
		texts = []string{text.Capital(words.TroubleSince(t, r.At)), words.Message(t.Message), words.Advice(t.Advice), r.Feed.URL}
	}
	if slices.Equal(texts, p.troubleTexts) {
		return // the buttons stay, so that one of them keeps the focus
	}
	p.troubleTexts = texts
	p.trouble.RemoveAll()
	if p.trouble.Hidden = texts == nil; p.trouble.Hidden {
		return
	}
	p.trouble.Add(widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(texts[0], widgets.Warning),
		widgets.NewText(texts[1], widgets.Plain),
		widgets.NewText(texts[2], widgets.Plain),
		p.actions.fixButtons(r.Feed, r.Trouble.Actions))))
}

// setShare tells how often the feed is fetched; where what is expected over weeks tells so, only how that of now differs.
func (p *Page) setShare() {
	planned := language.Printer().PlannedFetches(&p.Report)
	if p.Forecast.Content.Visible() {
		planned = language.Printer().Now(&p.Forecast.known)
	}
	p.share.set(planned, language.Printer().FetchCost(&p.Report))
}

// push shows what a feed's WebSub hub could save.
type push struct {
	content    *fyne.Container
	hub, saves *widgets.Text
}

func newPush() *push {
	p := &push{hub: widgets.NewText("", widgets.Plain), saves: widgets.NewText("", widgets.Plain)}
	p.content = widgets.NewColumn(4, widgets.NewText(lang.L("Push"), widgets.Heading), p.hub, p.saves)
	return p
}

// set shows push; nil hides it.
func (p *push) set(push *report.Push) {
	if p.content.Hidden = push == nil; push == nil {
		return
	}
	p.hub.SetText(lang.L("The feed names a WebSub hub: {{.Address}}", map[string]any{"Address": push.Hub}), widgets.Plain)
	p.saves.SetText(language.Printer().Push(push), widgets.Muted)
}

// siteOf is the address of the site a feed belongs to, else the feed's own.
func siteOf(f reader.Feed) string {
	if f.Site != "" {
		return f.Site
	}
	return f.URL
}
