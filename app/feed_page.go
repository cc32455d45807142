package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// feedPage tells how one feed fares: what came last, what comes next, what is wrong and
// what helps, the last 30 days, and what its server asks for. It stands in the pane of
// the article while none is shown.
type feedPage struct {
	w      *window
	pane   *container.Scroll
	feed   int64 // 0: the page is not shown
	report poller.Report
	day    int // the one whose fetches are listed
	want   async.Request

	title, address, folder *widgets.Text
	trouble                *fyne.Container
	told                   string // of the trouble
	last, next, share      *fact
	strip                  *widgets.BarStrip
	sum, reasons           *widgets.Text
	date, about            *widgets.Text // of the day that is listed
	hovered                *widgets.Text // in place of the legend
	legend, lines          *fyne.Container
	listed                 []poller.Outcome
	asks, moving           *fact
	push                   *fyne.Container
	hub, saves             *widgets.Text
	whole                  *fyne.Container
}

// fact is a name and what it names.
type fact struct {
	*fyne.Container
	words *widgets.Text
}

// factName is the width of the names.
const factName = 104

func newFact(name string) *fact {
	f := &fact{words: widgets.NewText("", widgets.Plain)}
	f.Container = widgets.NewLabeled(factName, widgets.NewText(name, widgets.Label), f.words)
	return f
}

// say shows sentences, a line each; none hides the fact.
func (f *fact) say(sentences ...string) {
	text := strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" }), "\n")
	f.words.SetText(text, widgets.Plain)
	f.Hidden = text == ""
}

func newFeedPage(w *window) *feedPage {
	p := &feedPage{w: w, title: widgets.NewText("", widgets.Plain), address: widgets.NewText("", widgets.Plain), folder: widgets.NewText("", widgets.Plain), last: newFact(lang.L("Last fetch")), next: newFact(lang.L("Next fetch")),
		share: newFact(lang.L("The plan")), sum: widgets.NewText("", widgets.Plain), reasons: widgets.NewText("", widgets.Plain), date: widgets.NewText("", widgets.Plain), about: widgets.NewText("", widgets.Plain), asks: newFact(lang.L("The server")), moving: newFact(lang.L("Moving")),
		hub: widgets.NewText("", widgets.Plain), saves: widgets.NewText("", widgets.Plain)}
	p.trouble = widgets.NewColumn(0)
	p.trouble.Hide()
	p.strip = widgets.NewBarStrip(w.passKeys(), barColors, p.listDay, p.hoverDay)
	p.hovered = widgets.NewCaption("", widgets.Muted)
	p.hovered.Truncate()
	p.legend = widgets.NewFlow(16, widgets.NewLegend(barColors[0], lang.L("new articles")), widgets.NewLegend(barColors[1], lang.L("nothing new")),
		widgets.NewLegend(barColors[2], lang.L("! faults")))
	p.lines = widgets.NewColumn(6)
	p.push = widgets.NewColumn(4, widgets.NewText(lang.L("Push"), widgets.Heading), p.hub, p.saves)
	p.whole = widgets.NewColumn(24,
		widgets.NewColumn(4, p.title, p.address, p.folder, p.buttons()),
		p.trouble,
		widgets.NewColumn(8, p.last.Container, p.next.Container, p.share.Container),
		widgets.NewColumn(8, widgets.NewText(lang.L("The last {{.N}} days", map[string]any{"N": poller.LedgerDays}), widgets.Heading),
			widgets.NewColumn(4, p.sum, p.reasons), p.strip, p.legend, p.hovered, p.date, p.about, p.lines),
		widgets.NewColumn(8, widgets.NewText(lang.L("What is asked for"), widgets.Heading), p.asks.Container, p.moving.Container),
		p.push)
	p.whole.Hide()
	p.pane = container.NewVScroll(widgets.NewPage(680, p.whole))
	p.pane.Hide()
	return p
}

func (p *feedPage) buttons() fyne.CanvasObject {
	button := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, func() {
			p.w.used()
			do()
		})
		b.Importance = widget.LowImportance
		return b
	}
	return widgets.NewFlow(4,
		button(lang.L("Refresh"), theme.ViewRefreshIcon(), func() { p.w.fetch([]int64{p.feed}, fetchedByHand) }),
		button(lang.L("Properties…"), theme.SettingsIcon(), func() { p.w.properties(&p.report.Feed) }),
		button(lang.L("Open site"), theme.ComputerIcon(), func() { p.w.openLink(siteOf(p.report.Feed)) }))
}

// open shows the page of a feed.
func (p *feedPage) open(feed int64) {
	if feed != p.feed {
		p.whole.Hide()
		p.report, p.day = poller.Report{}, -1
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

// shown reports whether the page stands in its pane.
func (p *feedPage) shown() bool { return p.feed != 0 }

// reload brings the page up to date, if it is shown.
func (p *feedPage) reload() {
	if !p.shown() {
		return
	}
	feed := p.feed
	async.Load(p.w.Jobs, &p.want, func(ctx context.Context) (poller.Report, error) {
		r, err := p.w.home.Poller.Report(ctx, feed)
		if errors.Is(err, reader.ErrUnknown) {
			return poller.Report{}, nil // unsubscribed meanwhile; the sidebar moves on
		}
		return r, err
	}, func(r poller.Report) {
		if p.shown() && r.Feed.ID == p.feed {
			p.set(r)
		}
	})
}

// set shows a report.
func (p *feedPage) set(r poller.Report) {
	p.keepDay(r)
	p.report = r
	p.title.SetText(r.Feed.Title, widgets.Title)
	p.address.SetText(r.Feed.URL, widgets.Muted)
	p.folder.SetText(r.Feed.Folder, widgets.Muted)
	p.setTrouble(r)
	p.last.say(spoken(r.LastResult))
	p.next.say(spoken(r.NextFetch))
	p.share.say("")
	if r.Share.Fetches > 0 {
		p.share.say(lang.L("{{.Fetches}} fetches a day, expected delay {{.Delay}} h a day.",
			map[string]any{"Fetches": decimal(fmt.Sprintf("%.2g", r.Share.Fetches)), "Delay": decimal(fmt.Sprintf("%.2g", r.Share.Delay))}))
	}
	p.sum.SetText(language.Printer().Sentence(spoken(r.Month.Words())), widgets.Plain)
	p.reasons.SetText(language.Printer().Sentence(spoken(r.Month.Reasons())), widgets.Muted)
	p.showDays(r.Days)
	p.listDay(p.day)
	asks := append(slices.Clone(r.Asks), r.Keeps)
	for i := range asks {
		asks[i] = spoken(asks[i])
	}
	p.asks.say(asks...)
	p.moving.say(spoken(r.Moving))
	if p.push.Hidden = r.Push == nil; !p.push.Hidden {
		p.hub.SetText(lang.L("It names a WebSub hub: {{.Address}}", map[string]any{"Address": r.Push.Hub}), widgets.Plain)
		p.saves.SetText(spoken(r.Push.Sentence()), widgets.Muted)
	}
	p.whole.Show()
	p.whole.Refresh()
	p.pane.Refresh()
}

// keepDay keeps the day that is chosen, which has moved if a day has begun; at first it
// is the last one with a fetch.
func (p *feedPage) keepDay(r poller.Report) {
	if p.day >= 0 && p.day < len(p.report.Days) {
		date := p.report.Days[p.day].Date
		p.day = slices.IndexFunc(r.Days, func(d poller.Day) bool { return d.Date.Equal(date) })
	}
	for i := len(r.Days) - 1; i >= 0 && p.day < 0; i-- {
		if len(r.Days[i].Lines) > 0 {
			p.day = i
		}
	}
	if p.day < 0 {
		p.day = len(r.Days) - 1
	}
}

// setTrouble shows what is wrong, and what can be done about it.
func (p *feedPage) setTrouble(r poller.Report) {
	said := ""
	if t := r.Trouble; t != nil {
		said = strings.Join([]string{text.Capital(spoken(t.Lasting(r.At))), t.Said, t.Advice, r.Feed.URL}, "\n")
	}
	if said == p.told {
		return // the buttons stay, and what has the focus among them
	}
	p.told = said
	p.trouble.RemoveAll()
	if p.trouble.Hidden = said == ""; p.trouble.Hidden {
		return
	}
	p.trouble.Add(widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(text.Capital(spoken(r.Trouble.Lasting(r.At))), widgets.Warning),
		widgets.NewText(spoken(r.Trouble.Said), widgets.Plain),
		widgets.NewText(spoken(r.Trouble.Advice), widgets.Plain),
		p.w.remedies(r.Feed, r.Trouble.Actions))))
}

// barColors are those of the fetches that brought something, brought nothing, and failed.
var barColors = []fyne.ThemeColorName{look.ColorAccent, look.ColorQuoteBar, theme.ColorNameWarning}

// minBarScale is the least number of fetches that a bar of full height stands for, so that
// a feed that is fetched once a day does not look busy.
const minBarScale = 6

// showDays draws a bar for each day.
func (p *feedPage) showDays(days []poller.Day) {
	scale := minBarScale
	var bars []widgets.Bar
	for _, d := range days {
		scale = max(scale, d.Fetches)
		bars = append(bars, widgets.Bar{Parts: []int{d.Fresh, d.Unchanged, d.Faults}, Marked: d.Faults > 0})
	}
	p.strip.SetBars(bars, p.day, scale)
}

// listDay tells of a day that was chosen, and lists its fetches.
func (p *feedPage) listDay(i int) {
	d := p.report.Days[i]
	p.day = i
	p.date.SetText(language.Printer().WeekdayDate(d.Date), widgets.Bold)
	p.about.SetText(language.Printer().Sentence(spoken(d.Words())), widgets.Plain)
	p.list(d.Lines)
	p.whole.Refresh()
}

// hoverDay tells of the day under the mouse.
func (p *feedPage) hoverDay(i int) {
	text := ""
	if i >= 0 {
		text = lang.L("{{.Day}}: {{.Fetches}}", map[string]any{"Day": language.Printer().WeekdayDateShort(p.report.Days[i].Date), "Fetches": spoken(p.report.Days[i].Words())})
	}
	p.hovered.SetText(text, widgets.Muted)
	p.legend.Hidden = text != ""
	p.whole.Refresh()
}

// list shows the fetches of a day, the newest first.
func (p *feedPage) list(lines []poller.Outcome) {
	if slices.Equal(lines, p.listed) {
		return
	}
	p.listed = lines
	p.lines.RemoveAll()
	for _, o := range lines {
		result := spoken(o.Words())
		if o.Bytes > 0 {
			result = lang.L("{{.Result}}, {{.Size}}", map[string]any{"Result": text.WithoutStop(result), "Size": language.Printer().Size(o.Bytes)})
		}
		p.lines.Add(widgets.NewLabeled(factName,
			widgets.NewText(o.At.In(p.report.At.Location()).Format(time.TimeOnly), widgets.Label),
			widgets.NewRichText(widgets.Plain.Span(language.Printer().Sentence(result)), widgets.Muted.Span(" "+language.Printer().Sentence(spoken(o.Because()))))))
	}
}

// feedPage shows how a feed fares in place of the article.
func (w *window) feedPage(f *reader.Feed) {
	if f == nil {
		w.say(lang.L("Choose a feed first."))
		return
	}
	if w.sidebar.chosen.key != feedKey(f.ID) {
		w.showFeed(*f)
		return
	}
	w.timeline.chosen = 0
	w.timeline.list.Clear()
	w.reading.clear()
}

// siteOf is the page a feed belongs to, else its own address.
func siteOf(f reader.Feed) string {
	if f.Site != "" {
		return f.Site
	}
	return f.URL
}
