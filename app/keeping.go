package app

import (
	"context"
	"database/sql"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
)

// keepOption is a bound of what is kept and how it is called.
type keepOption struct {
	n    int
	name string
}

// keepDays are the ages offered; own adds what a feed's own setting can be beside.
func keepDays(own bool) []keepOption {
	return append(keepEnds(own, lang.L("for ever")),
		keepOption{7, lang.L("for a week")}, keepOption{30, lang.L("for 30 days")}, keepOption{90, lang.L("for 90 days")},
		keepOption{180, lang.L("for half a year")}, keepOption{365, lang.L("for a year")}, keepOption{730, lang.L("for two years")})
}

// keepNumbers are the numbers offered.
func keepNumbers(own bool) []keepOption {
	options := keepEnds(own, lang.L("all of them"))
	for _, n := range []int{50, 100, 200, 500, 1000, 5000} {
		options = append(options, keepOption{n, keepNumberText(n)})
	}
	return options
}

func keepEnds(own bool, all string) []keepOption {
	if own {
		return []keepOption{{0, lang.L("as the settings say")}, {reader.KeepAll, all}}
	}
	return []keepOption{{0, all}}
}

// keepSelect is a field to choose a bound; one that is not offered, from another machine,
// is offered too.
func keepSelect(options []keepOption, value int, chosen func(int)) *widgets.Select {
	byName := map[string]int{}
	field := widgets.NewSelect(nil)
	for _, o := range options {
		byName[o.name] = o.n
		field.Options = append(field.Options, o.name)
		if o.n == value {
			field.Selected = o.name
		}
	}
	if field.Selected == "" {
		field.Selected = lang.N("{{.PluralCount}}", value)
		byName[field.Selected] = value
		field.Options = append(field.Options, field.Selected)
	}
	field.OnChanged = func(name string) { chosen(byName[name]) }
	return field
}

// keepingNow is what the page begins with.
type keepingNow struct {
	retention reader.Retention
	cleaning  reader.Cleanup
	weekly    bool // backups
}

// keepingPage is what is kept and for how long, what it takes, and how it is brought to
// safety.
type keepingPage struct {
	w         *window
	whole     *fyne.Container
	retention reader.Retention
	would     *widgets.Text // be cleaned up
	clean     *widget.Button
	size      *fyne.Container
	wantNow   async.Request
	wantSize  async.Request
	wantClean async.Request
}

// keepingPage returns the page, which fills itself.
func (w *window) keepingPage() fyne.CanvasObject {
	p := &keepingPage{w: w, whole: widgets.NewColumn(24), would: widgets.NewText("", widgets.Plain), size: widgets.NewColumn(4)}
	async.Load(w.Jobs, &p.wantNow, func(ctx context.Context) (now keepingNow, err error) {
		if now.retention, err = w.home.Store.Storage.Retention(ctx); err != nil {
			return now, err
		}
		weekly, err := w.home.Store.Settings.Get(ctx, home.SettingBackups, "off")
		if err != nil {
			return now, err
		}
		now.weekly = weekly == "on"
		now.cleaning, err = w.home.Store.Storage.FindCleanup(ctx, w.now())
		return now, err
	}, p.show)
	return p.whole
}

func (p *keepingPage) show(now keepingNow) {
	p.retention = now.retention
	p.clean = widget.NewButton(lang.L("Clean up now…"), p.confirmClean)
	p.say(now.cleaning)
	p.whole.Objects = []fyne.CanvasObject{
		widgets.Rows(p.retain()...),
		widgets.Rows(p.saved(now.weekly)...),
		widgets.NewColumn(8, widgets.NewText(lang.L("Size"), widgets.Heading), p.size),
	}
	p.size.Add(widgets.NewText(lang.L("Measuring…"), widgets.Muted))
	p.whole.Refresh()
	p.measure()
}

// retain are the settings of what is kept.
func (p *keepingPage) retain() []fyne.CanvasObject {
	days := keepSelect(keepDays(false), p.retention.Days, func(n int) { p.retention.Days = n; p.changed() })
	number := keepSelect(keepNumbers(false), p.retention.Number, func(n int) { p.retention.Number = n; p.changed() })
	unread := widgets.NewCheck(lang.L("Clean up unread articles too"))
	unread.SetChecked(p.retention.Unread)
	unread.OnChanged = func(on bool) { p.retention.Unread = on; p.changed() }
	return []fyne.CanvasObject{
		widgets.SettingRow(lang.L("Keep articles"), widgets.NewColumn(6, days, number),
			lang.L("Since they arrived, and of each feed; a feed's properties can say otherwise. Out of the box everything is kept: a hundred thousand articles take some hundred megabytes.")),
		widgets.SettingRow("", unread, lang.L("Starred articles are never cleaned up, nor is what a feed still lists. What was cleaned up does not come back.")),
		widgets.SettingRow(lang.L("Clean up"), widgets.NewColumn(6, container.NewHBox(p.clean), p.would), lang.L("Kairos does this once a day by itself.")),
	}
}

// changed stores the setting and says what it means for what is there.
func (p *keepingPage) changed() {
	p.w.used()
	r := p.retention
	p.clean.Disable()
	async.Load(p.w.Jobs, &p.wantClean, func(ctx context.Context) (reader.Cleanup, error) {
		stored := context.WithoutCancel(ctx)
		err := p.w.home.Store.Write(stored, func(tx *sql.Tx) error { return reader.SetRetention(stored, tx, r) })
		if err != nil {
			return reader.Cleanup{}, err
		}
		return p.w.home.Store.Storage.FindCleanupUnder(ctx, p.w.now(), r)
	}, p.say)
}

// say tells what a clean-up would take away.
func (p *keepingPage) say(c reader.Cleanup) {
	p.clean.Disable()
	switch {
	case c.Articles > 0:
		p.would.SetText(wouldCleanText(c.Articles, c.Bytes), widgets.Plain)
		p.clean.Enable()
	case c.Bytes > 0:
		p.would.SetText(lang.L("Texts of articles you deleted a month ago would go now: {{.Size}}.", map[string]any{"Size": language.Printer().Size(c.Bytes)}), widgets.Muted)
		p.clean.Enable()
	default:
		p.would.SetText(lang.L("Nothing would be cleaned up now."), widgets.Muted)
	}
	p.whole.Refresh()
}

func (p *keepingPage) confirmClean() {
	p.w.used()
	p.w.dialogs.Show(dialog.NewConfirm(lang.L("Clean up now"), lang.L("{{.What}} This cannot be undone.", map[string]any{"What": p.would.String()}),
		func(yes bool) {
			if yes {
				p.cleanUp()
			}
		}, p.w.win), nil)
}

func (p *keepingPage) cleanUp() {
	p.clean.Disable()
	p.would.SetText(lang.L("Cleaning up…"), widgets.Muted)
	var done reader.Cleanup
	p.w.Work(func(ctx context.Context) (err error) {
		done, err = p.w.home.Disk.CleanUp(ctx)
		return err
	}, func(err error) {
		text := cleanedText(done.Articles, done.Bytes)
		if err != nil {
			text = language.Printer().Sentences(errorText(err), text)
		}
		p.would.SetText(text, widgets.Plain)
		p.whole.Refresh()
		p.measure()
	})
}

// topFeeds is how many feeds are listed by their size.
const topFeeds = 10

// measure shows what takes the room.
func (p *keepingPage) measure() {
	async.Load(p.w.Jobs, &p.wantSize, func(ctx context.Context) (home.Usage, error) { return p.w.home.Disk.Usage(ctx, topFeeds) }, func(u home.Usage) {
		p.size.RemoveAll()
		line := func(name, text string, t widgets.Style) {
			p.size.Add(widgets.NewLabeled(widgets.SettingLabelWidth, widgets.NewText(name, widgets.Label), widgets.NewText(text, t)))
		}
		line(lang.L("All together"), language.Printer().Size(u.Total()), widgets.Bold)
		for _, part := range []struct {
			name  string
			bytes int64
		}{
			{lang.L("Texts of articles"), u.Store.Texts}, {lang.L("Lists of articles"), u.Store.Lists}, {lang.L("Indexes and search"), u.Store.Indexes},
			{lang.L("Fetches, plan and icons"), u.Store.Rooms}, {lang.L("Free in the file"), u.Store.Free}, {lang.L("Images"), u.Cache},
			{lang.L("Copies set aside"), u.Copies}, {lang.L("The log and the like"), u.Other},
		} {
			if part.bytes > 0 {
				line(part.name, language.Printer().Size(part.bytes), widgets.Plain)
			}
		}
		if len(u.Store.Feeds) > 0 {
			p.size.Add(widgets.NewText(lang.L("The largest feeds"), widgets.Heading))
		}
		for _, f := range u.Store.Feeds {
			line(f.Title, feedSizeText(f.Articles, f.Bytes), widgets.Plain)
		}
		p.whole.Refresh()
	})
}

// saved are the ways to bring what is kept to safety.
func (p *keepingPage) saved(everyWeek bool) []fyne.CanvasObject {
	button := func(text string, do func()) *widget.Button {
		return widget.NewButton(text, func() { p.w.used(); do() })
	}
	weekly := widgets.NewCheck(lang.L("Back up every week"))
	weekly.SetChecked(everyWeek)
	weekly.OnChanged = func(on bool) {
		p.w.used()
		p.w.Work(func(ctx context.Context) error {
			return p.w.home.Store.Settings.Set(ctx, home.SettingBackups, onOff(on))
		}, nil)
	}
	return []fyne.CanvasObject{
		widgets.SettingRow(lang.L("Backup"), container.NewHBox(button(lang.L("Back up…"), p.w.backUpDialog), button(lang.L("Restore…"), p.w.restoreDialog)),
			lang.L("Settings, feeds, articles and what was learned, in one file. Passwords are not in it: the keyring of the system keeps them.")),
		widgets.SettingRow("", weekly, lang.L("By itself, into the data folder; the newest four are kept.")),
		widgets.SettingRow(lang.L("Starred articles"), container.NewHBox(button(lang.L("Export…"), p.w.exportStarredDialog)),
			lang.L("As a JSON Feed for other readers, as Markdown to read, or the feeds they are from as OPML.")),
		widgets.SettingRow(lang.L("Access log"), container.NewHBox(button(lang.L("Forget when I read…"), p.w.forgetDialog)), ""),
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
