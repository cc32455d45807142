package feeds

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/scrape"
)

// pageDialog chooses how the articles of a web page without a feed are read, and shows what is found meanwhile. The page is
// fetched once.
type pageDialog struct {
	*Actions
	use func(d *pageDialog) // takes the choice

	Page    *poller.WebPage
	Recipe  scrape.Recipe
	Feed    *parse.Feed // that the recipe finds
	offers  []scrape.Offer
	way     *widgets.Select
	fields  []*widgets.Entry // selectors, in the order of selectorsOf
	own     *fyne.Container
	message *widgets.Text
	found   *fyne.Container
	dialog  *dialogs.Dialog
	useIt   *dialogs.Button
	request async.Request
}

// selectorNames names the selectors of a recipe, in the order of selectorsOf.
func selectorNames() []string {
	return []string{lang.L("Articles"), lang.L("Title"), lang.L("Link"), lang.L("Date"), lang.L("Summary"), lang.L("Picture")}
}

func selectorsOf(r *scrape.Recipe) []*string {
	return []*string{&r.Item, &r.Title, &r.Link, &r.Date, &r.Summary, &r.Picture}
}

// ChoosePage fetches a page and asks how its articles are read. use is called with the dialog, still open, when one way was chosen.
func (a *Actions) ChoosePage(address string, use func(d *pageDialog)) *pageDialog {
	d := &pageDialog{Actions: a, use: use, message: widgets.NewText(lang.L("Looking for articles on the page…"), widgets.Muted), own: widgets.NewColumn(4), found: widgets.NewColumn(6)}
	d.way = widgets.NewSelect(nil)
	d.way.OnChanged = func(string) { d.chosen() }
	d.way.Hide()
	for _, name := range selectorNames() {
		e := widgets.NewEntry(func() { d.dialog.Hide() })
		e.OnChanged = func(string) { d.preview() }
		d.fields = append(d.fields, e)
		d.own.Add(widgets.LabeledRow(90, name, e, ""))
	}
	d.fields[0].SetPlaceHolder("article, .post, #news > li")
	d.own.Hide()
	d.useIt = dialogs.Do(lang.L("Use these articles"), func() { d.use(d) })
	shown := widgets.NewVScroll(d.found)
	shown.SetMinSize(fyne.NewSize(0, 260))
	d.dialog = &dialogs.Dialog{Title: lang.L("Articles of a page without a feed"), Width: 640, Closed: d.request.Stop,
		Content: container.NewBorder(widgets.NewColumn(8, d.way, d.own, d.message), nil, nil, nil, shown), Buttons: []*dialogs.Button{dialogs.Cancel(), d.useIt}}
	d.useIt.Off = true
	a.Shell.Dialogs.Show(d.dialog)
	d.open(address)
	return d
}

// open fetches the page and finds the ways in which it can be read.
func (d *pageDialog) open(address string) {
	type opened struct {
		page   *poller.WebPage
		offers []scrape.Offer
		err    error
	}
	async.Load(d.Shell.Jobs, &d.request, func(ctx context.Context) (o opened, _ error) {
		if o.page, o.err = d.Shell.Home.Poller.OpenPage(ctx, address); o.err == nil {
			o.offers, o.err = o.page.Offers(ctx)
		}
		return o, nil
	}, func(o opened) {
		d.Page, d.offers = o.page, o.offers
		if o.page == nil || o.err != nil && !scrape.IsShape(o.err) {
			d.message.SetText(language.Error(o.err), widgets.Warning)
			return
		}
		d.offer()
	})
}

// offer shows the ways in which the page can be read; the last is by selectors of the user's own.
func (d *pageDialog) offer() {
	words := language.Printer()
	d.way.Options = nil
	for _, o := range d.offers {
		d.way.Options = append(d.way.Options, words.PageKind(o.Recipe))
	}
	d.way.Options = append(d.way.Options, words.PageKind(scrape.Recipe{Kind: scrape.Selectors}))
	d.way.Show()
	d.way.SetSelected(d.way.Options[0])
	d.Shell.Focus(d.way)
}

// chosen shows what the chosen way finds.
func (d *pageDialog) chosen() {
	at := d.way.SelectedIndex()
	if at >= 0 && at < len(d.offers) {
		d.own.Hide()
		d.Recipe = d.offers[at].Recipe
		d.show(d.offers[at].Feed, nil)
		return
	}
	if r := d.Recipe; r.Item != "" { // of the way before, to be changed
		for i, selector := range selectorsOf(&r) {
			d.fields[i].SetText(*selector)
		}
	}
	d.own.Show()
	d.preview()
}

// preview shows what the selectors find, as they are typed.
func (d *pageDialog) preview() {
	if d.Page == nil || !d.own.Visible() {
		return
	}
	r := scrape.Recipe{Kind: scrape.Selectors}
	for i, selector := range selectorsOf(&r) {
		*selector = strings.TrimSpace(d.fields[i].Text)
	}
	d.Recipe = r
	type read struct {
		feed *parse.Feed
		err  error
	}
	async.Load(d.Shell.Jobs, &d.request, func(ctx context.Context) (got read, _ error) {
		got.feed, got.err = d.Page.Read(ctx, r)
		return got, nil
	}, func(got read) { d.show(got.feed, got.err) })
}

// maxPreview is how many articles are shown.
const maxPreview = 20

// show shows what was found.
func (d *pageDialog) show(feed *parse.Feed, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	d.Feed = feed
	d.useIt.SetEnabled(err == nil)
	d.found.RemoveAll()
	if err != nil {
		d.message.SetText(language.Error(err), widgets.Warning)
		return
	}
	words := language.Printer()
	d.message.SetText(lang.N("{{.PluralCount}} articles", len(feed.Articles)), widgets.Muted)
	dated := 0
	for i, a := range feed.Articles {
		if !a.Published.IsZero() {
			dated++
		}
		if i >= maxPreview {
			continue
		}
		about := a.Link
		if !a.Published.IsZero() {
			about = words.DateYear(a.Published.Local()) + " · " + about
		}
		d.found.Add(widgets.NewColumn(0, widgets.NewText(a.Title, widgets.Bold), widgets.NewCaption(about, widgets.Muted)))
	}
	d.Recipe.Dated = 2*dated > len(feed.Articles)
	d.found.Refresh()
}

// readPage offers to read the page at the address that has no feed.
func (s *subscribeDialog) readPage() {
	s.ChoosePage(strings.TrimSpace(s.Address.Text), func(d *pageDialog) {
		source, title := reader.PageSource(d.Recipe), d.Feed.Title
		d.dialog.Hide()
		s.add([]poller.Candidate{{URL: d.Page.URL, Title: title, Format: d.Feed.Format, Source: source}})
	})
}

// choosePageAgain chooses again how the articles of a feed that is a web page are read.
func (a *Actions) choosePageAgain(f reader.Feed) {
	a.ChoosePage(f.URL, func(d *pageDialog) {
		f.Source = reader.PageSource(d.Recipe)
		a.Shell.Work(func(ctx context.Context) error { return a.Shell.Home.Subscriptions.Update(ctx, f, nil) }, func(err error) {
			if err != nil {
				d.message.SetText(language.Error(err), widgets.Warning)
				return
			}
			d.dialog.Hide()
			a.storePage(f, d.Page)
		})
	})
}

// storePage stores what was shown of a page, which need not be fetched again for that.
func (a *Actions) storePage(f reader.Feed, page *poller.WebPage) {
	p := fetchProgress{purpose: fetchRetry, all: 1}
	a.Shell.Work(func(ctx context.Context) error {
		o, err := a.Shell.Home.Poller.StorePage(ctx, f.ID, page)
		p.add(&o)
		return err
	}, func(err error) {
		a.Shell.Polled(err)
		if err == nil {
			a.Shell.Say(p.text())
		}
	})
}

// sourceItem shows how a feed that is a page or a list is read; nil for a feed.
func (p *propertiesDialog) sourceItem() *widget.FormItem {
	if r, ok := p.Feed.Source.Page(); ok {
		choose := widgets.NewDialogButton(lang.L("Choose articles…"), func() {
			p.dialog.Hide()
			p.choosePageAgain(p.Feed)
		})
		return widget.NewFormItem(lang.L("Web page"), widgets.NewColumn(4, widgets.NewText(language.Printer().PageKind(r), widgets.Muted), container.NewHBox(choose)))
	}
	if l, ok := p.Feed.Source.List(); ok {
		choice := widgets.NewChoice([]widgets.Option{
			widgets.Opt(string(reader.GoneKeep), lang.L("stay as they are")), widgets.Opt(string(reader.GonePause), lang.L("are paused")),
			widgets.Opt(string(reader.GoneUnsubscribe), lang.L("are unsubscribed, if all is read")),
		}, string(l.Gone), func(value string) {
			p.Feed.Source = reader.NewListSource(reader.ListSource{Gone: reader.ListGone(value)})
		})
		return widget.NewFormItem(lang.L("Feeds that leave the list"), choice)
	}
	return nil
}
