package insights

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/insights"
)

// costs shows what each feed costs, and what can be done about those that are never opened.
type costs struct {
	part
	table  *costTable
	more   *widgets.DialogButton
	unread *fyne.Container // suggestions
	said   *widgets.Text   // what ready means
	synced *widgets.Text   // what accounts cost
	never  []insights.Cost // the feeds they are about
}

func newCosts(p *Page) *costs {
	s := &costs{unread: widgets.NewColumn(6), said: widgets.NewText("", widgets.Muted), synced: widgets.NewText("", widgets.Plain)}
	s.table = newCostTable(p)
	s.more = p.newButton("", func() {
		p.Keys.Used()
		s.table.showMore()
		s.labelMore()
		s.refresh()
	})
	s.more.Hide()
	s.unread.Hide()
	s.part = newPart(p, lang.L("Which feeds cost what"), s.table, s.said, widgets.NewFlow(0, s.more), s.unread, s.synced)
	return s
}

func (s *costs) focusable() fyne.Focusable {
	if s.table.Hidden {
		return nil
	}
	return s.table
}

func (s *costs) clear() {
	s.table.set(nil, false)
	s.unread.RemoveAll()
	s.never = nil
}

func (s *costs) load(next func()) {
	read(&s.part, func(ctx context.Context) (insights.Costs, error) {
		return s.page.Home.Insights.Costs(ctx, insights.MostDays)
	}, s.show, next)
}

func (s *costs) show(c insights.Costs) {
	words := language.Printer()
	notes := ""
	for _, n := range c.Notes {
		if n.Code == insights.Sampled {
			notes = words.Sentences(notes, words.InsightNote(n, s.page.Home.Now()))
		}
	}
	s.say(words.CostsSum(&c), notes)
	s.table.set(c.Feeds, c.Ready)
	s.table.Hidden = !slices.ContainsFunc(c.Feeds, func(f insights.Cost) bool { return f.Requests > 0 })
	accounts := words.AccountCosts(c.Accounts)
	s.synced.SetText(accounts, widgets.Plain)
	s.synced.Hidden = accounts == ""
	s.said.Clear()
	if c.Ready && !s.table.Hidden {
		s.said.SetText(lang.L("Ready: the share of its new articles that was fetched before you came."), widgets.Muted)
	}
	s.labelMore()
	s.suggest(&c)
}

func (s *costs) labelMore() {
	left := s.table.hidden()
	s.more.Hidden = left == 0 || s.table.Hidden
	s.more.SetText(lang.N("Show {{.PluralCount}} more feeds", min(left, moreRows), map[string]any{"PluralCount": min(left, moreRows)}))
}

const (
	// mostSuggested is how many feeds are named that are never opened.
	mostSuggested = 5
	// enoughDays is how long the record must be to say that a feed is never opened, and enoughArticles
	// how many of its articles came.
	enoughDays     = 14
	enoughArticles = 5
)

// suggest offers what can be done about feeds that cost requests and are never opened.
func (s *costs) suggest(c *insights.Costs) {
	var never []insights.Cost
	opened := 0
	for _, f := range c.Feeds {
		opened += f.Opened
		if f.Opened == 0 && f.Articles >= enoughArticles && f.Requests > 0 {
			never = append(never, f)
		}
	}
	if !s.unread.Hidden && slices.Equal(never, s.never) {
		return // what was pressed stays pressed
	}
	s.never = slices.Clone(never)
	s.unread.RemoveAll()
	if s.unread.Hidden = len(never) == 0 || opened == 0 || c.To.Sub(c.From).Hours() < 24*enoughDays; s.unread.Hidden {
		return
	}
	slices.SortStableFunc(never, func(a, b insights.Cost) int { return b.Requests - a.Requests })
	requests := 0
	for _, f := range never {
		requests += f.Requests
	}
	n := len(never)
	s.unread.Add(widgets.NewText(lang.N("You opened no article of {{.PluralCount}} feeds, which took {{.Requests}} requests. With a low weight they get fewer; Kairos changes nothing by itself.",
		n, map[string]any{"PluralCount": n, "Requests": requests}), widgets.Plain))
	s.suggestMore(never, mostSuggested)
}

// suggestMore adds suggestions for so many feeds, and below them a button for more if there are.
func (s *costs) suggestMore(never []insights.Cost, most int) {
	n := min(len(never), most)
	for _, f := range never[:n] {
		s.unread.Add(s.suggestion(f))
	}
	left := never[n:]
	if len(left) == 0 {
		return
	}
	next := min(len(left), moreRows)
	var row *fyne.Container
	row = widgets.NewFlow(0, s.page.newButton(lang.N("Show {{.PluralCount}} more feeds", next, map[string]any{"PluralCount": next}), func() {
		s.page.Keys.Used()
		s.unread.Remove(row)
		s.suggestMore(left, moreRows)
		s.refresh()
	}))
	s.unread.Add(row)
}

func (s *costs) suggestion(f insights.Cost) fyne.CanvasObject {
	button := func(text string, do func(feed int64)) *widgets.DialogButton {
		var b *widgets.DialogButton
		b = s.page.newButton(text, func() {
			s.page.Keys.Used()
			b.Disable()
			do(f.Feed)
		})
		b.Importance = widget.LowImportance
		return b
	}
	row := widgets.NewFlow(4, button(lang.L("Feed status"), s.page.Feeds.Open), button(lang.L("Low weight"), s.page.Feeds.Lower),
		button(lang.L("Pause fetching"), s.page.Feeds.Pause), button(lang.L("Unsubscribe"), s.page.Feeds.Unsubscribe))
	about := widgets.NewText(lang.L("{{.Feed}}: {{.Requests}}, {{.Articles}}", map[string]any{"Feed": f.Title,
		"Requests": lang.N("{{.PluralCount}} requests", f.Requests, map[string]any{"PluralCount": f.Requests}),
		"Articles": lang.N("{{.PluralCount}} articles", f.Articles, map[string]any{"PluralCount": f.Articles})}), widgets.Plain)
	return widgets.NewPanel("", widgets.NewColumn(2, about, row))
}
