package app

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
	"kairos/reader"
)

// feedPage shows the status of one feed: its last and next fetch, what is wrong and what helps, the last 30 days, and
// what its server asks for. It stands in the article pane while no article is shown.
type feedPage struct {
	shell   *shell.Shell
	actions *feedActions
	pane    *widgets.Scroll
	content *fyne.Container
	feed    int64 // 0: the page is hidden
	report  report.Report
	request async.Request

	feedHead
	trouble           *fyne.Container
	troubleTexts      []string
	last, next, share *fact
	lost              *fact
	forecast          *feedForecast
	month             *feedMonth
	limits, moving    *fact
	push              *feedPush
	account           feedAccount
}

// feedAccount tells who fetches a feed of an account, in place of what is known of fetches from here.
type feedAccount struct {
	*fact
	fetches []fyne.CanvasObject
}

// set shows sentences about an account and hides what is about fetches; without any it is the other way round.
func (a feedAccount) set(sentences ...string) {
	a.fact.set(sentences...)
	for _, o := range a.fetches {
		if !a.Hidden {
			o.Hide()
		} else {
			o.Show()
		}
	}
}

// feedHead is what stands at the top of the page.
type feedHead struct{ title, address, folder *widgets.Text }

// fact is a value with its name.
type fact struct {
	*fyne.Container
	value *widgets.Text
}

// factNameWidth is the width of the names of facts.
const factNameWidth = 104

func newFact(name string) *fact {
	f := &fact{value: widgets.NewText("", widgets.Plain)}
	f.Container = widgets.NewLabeled(factNameWidth, widgets.NewText(name, widgets.Label), f.value)
	return f
}

// set shows sentences, one a line. Without any the fact is hidden.
func (f *fact) set(sentences ...string) {
	text := strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" }), "\n")
	f.value.SetText(text, widgets.Plain)
	f.Hidden = text == ""
}

func newFeedPage(actions *feedActions) *feedPage {
	empty := func() *widgets.Text { return widgets.NewText("", widgets.Plain) }
	p := &feedPage{shell: actions.shell, actions: actions, feedHead: feedHead{empty(), empty(), empty()},
		last: newFact(lang.L("Last fetch")), next: newFact(lang.L("Next fetch")), share: newFact(lang.L("Plan")), lost: newFact(lang.L("Lost")),
		limits: newFact(lang.L("Server limits")), moving: newFact(lang.L("Redirect")), push: newFeedPush()}
	p.trouble = widgets.NewColumn(0)
	p.trouble.Hide()
	p.month = newFeedMonth(actions.shell.Keys, func() { p.content.Refresh() })
	p.forecast = newFeedForecast(actions.shell, func() { p.content.Refresh() })
	limits := widgets.NewColumn(8, widgets.NewText(lang.L("Limits"), widgets.Heading), p.limits.Container, p.moving.Container)
	p.account = feedAccount{newFact(lang.L("Account")), []fyne.CanvasObject{p.month.content, limits}}
	p.content = widgets.NewColumn(24,
		widgets.NewColumn(4, p.title, p.address, p.folder, p.buttons()),
		p.trouble,
		widgets.NewColumn(8, p.account.Container, p.last.Container, p.next.Container, p.share.Container, p.lost.Container),
		p.forecast.content,
		p.month.content,
		limits,
		p.push.content)
	p.content.Hide()
	p.pane = widgets.NewVScroll(widgets.NewPage(680, p.content))
	p.pane.Hide()
	return p
}

func (p *feedPage) buttons() fyne.CanvasObject {
	button := func(text string, icon fyne.Resource, do func()) *widgets.Button {
		b := widgets.NewIconButton(text, icon, func() {
			p.shell.Used()
			do()
		})
		b.Importance = widget.LowImportance
		return b
	}
	return widgets.NewFlow(4,
		button(lang.L("Show articles"), theme.NavigateBackIcon(), func() { p.actions.openPage(&p.report.Feed) }),
		button(lang.L("Refresh"), theme.ViewRefreshIcon(), func() { p.actions.refreshFeeds([]reader.Feed{p.report.Feed}) }),
		button(lang.L("Properties…"), theme.SettingsIcon(), func() { p.actions.properties(&p.report.Feed) }),
		button(lang.L("Open site"), theme.ComputerIcon(), func() { p.shell.OpenLink(siteOf(p.report.Feed)) }))
}

// open shows the page of a feed.
func (p *feedPage) open(feed int64) {
	if feed != p.feed {
		p.content.Hide()
		p.report = report.Report{}
		p.month.reset()
		p.forecast.reset()
		p.pane.ScrollToTop()
	}
	p.feed = feed
	p.pane.Show()
	p.reload()
}

func (p *feedPage) close() {
	p.feed = 0
	p.pane.Hide()
}

// shown reports whether the page is in the article pane.
func (p *feedPage) shown() bool { return p.feed != 0 }

// focusable is what has the keys while the page is shown.
func (p *feedPage) focusable() fyne.Focusable { return p.month.strip }

// reload brings the page up to date, if it is shown.
func (p *feedPage) reload() {
	if !p.shown() {
		return
	}
	feed := p.feed
	async.Load(p.shell.Jobs, &p.request, func(ctx context.Context) (report.Report, error) {
		r, err := report.Feed(ctx, p.shell.Home.Poller, feed)
		if errors.Is(err, reader.ErrUnknown) {
			return report.Report{}, nil // unsubscribed meanwhile; the sidebar chooses another item
		}
		return r, err
	}, func(r report.Report) {
		if p.shown() && r.Feed.ID == p.feed {
			p.set(r)
			p.forecast.load(&r)
		}
	})
}

// set shows a report.
func (p *feedPage) set(r report.Report) {
	p.report = r
	p.title.SetText(r.Feed.Title, widgets.Title)
	p.address.SetText(r.Feed.URL, widgets.Muted)
	p.folder.SetText(r.Feed.Folder, widgets.Muted)
	p.setTrouble(r)
	p.last.set(language.Printer().LastResult(&r))
	p.next.set(language.Printer().NextFetch(r.Next, r.At))
	p.share.set(language.Printer().PlannedFetches(&r), language.Printer().FetchCost(&r))
	p.lost.set(language.Printer().Loss(r.Loss, r.At))
	p.month.set(r)
	var limits []string
	for _, l := range r.Limits {
		limits = append(limits, language.Printer().Limit(l, r.At))
	}
	p.limits.set(append(limits, language.Printer().Gap(r.Gap))...)
	p.moving.set(language.Printer().Redirect(r.Redirect, r.At))
	p.push.set(r.Push)
	p.setAccount(r)
	p.content.Show()
	p.content.Refresh()
	p.pane.Refresh()
}

// setAccount tells who fetches a feed of an account.
func (p *feedPage) setAccount(r report.Report) {
	a := p.actions.library.Account(r.Feed.Account)
	if a == nil {
		p.account.set()
		return
	}
	p.account.set(lang.L("{{.Account}}: its server fetches this feed.", map[string]any{"Account": a.Name}), language.Printer().AccountStatus(a.Sync, r.At))
	for _, f := range []*fact{p.last, p.next, p.share, p.lost} {
		f.Hide()
	}
}

// setTrouble shows what is wrong, and what can be done about it.
func (p *feedPage) setTrouble(r report.Report) {
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

// feedPush shows what a feed's WebSub hub could save.
type feedPush struct {
	content    *fyne.Container
	hub, saves *widgets.Text
}

func newFeedPush() *feedPush {
	p := &feedPush{hub: widgets.NewText("", widgets.Plain), saves: widgets.NewText("", widgets.Plain)}
	p.content = widgets.NewColumn(4, widgets.NewText(lang.L("Push"), widgets.Heading), p.hub, p.saves)
	return p
}

// set shows push; nil hides it.
func (p *feedPush) set(push *report.Push) {
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
