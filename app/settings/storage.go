package settings

import (
	"context"
	"database/sql"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
)

// storageValues is what the page loads.
type storageValues struct {
	retention     reader.Retention
	cleanup       reader.Cleanup
	weeklyBackups bool
}

// storagePage shows what is kept and for how long, how much room it takes, and how to back it
// up.
type storagePage struct {
	*Settings
	content   *fyne.Container
	retention reader.Retention
	cleanup   *widgets.Text // what a clean-up would remove, or has removed
	cleanNow  *widgets.Button
	sizes     *fyne.Container

	values, measuring, counting async.Request
}

// storagePage returns the page, which loads its content.
func (s *Settings) storagePage() fyne.CanvasObject {
	p := &storagePage{Settings: s, content: widgets.NewColumn(24), cleanup: widgets.NewText("", widgets.Plain), sizes: widgets.NewColumn(4)}
	async.Load(s.Jobs, &p.values, p.load, p.show)
	return p.content
}

func (p *storagePage) load(ctx context.Context) (v storageValues, err error) {
	if v.retention, err = p.Home.Store.Storage.Retention(ctx); err != nil {
		return v, err
	}
	if v.weeklyBackups, err = p.Home.Backups.Automatic(ctx); err != nil {
		return v, err
	}
	v.cleanup, err = p.Home.Store.Storage.FindCleanup(ctx, p.Home.Now())
	return v, err
}

func (p *storagePage) show(v storageValues) {
	p.retention = v.retention
	p.cleanNow = widgets.NewButton(lang.L("Clean up now…"), p.confirmCleanup)
	p.showCleanup(v.cleanup)
	p.content.Objects = []fyne.CanvasObject{
		widgets.Rows(p.retentionRows()...),
		widgets.Rows(p.backupRows(v.weeklyBackups)...),
		widgets.NewColumn(8, widgets.NewText(lang.L("Size"), widgets.Heading), p.sizes),
	}
	p.sizes.Add(widgets.NewText(lang.L("Measuring…"), widgets.Muted))
	p.content.Refresh()
	p.measure()
}

// retentionRows are the settings of what is kept.
func (p *storagePage) retentionRows() []fyne.CanvasObject {
	days := NewDaysSelect(p.retention.Days, false, func(n int) { p.retention.Days = n; p.storeRetention() })
	number := NewNumberSelect(p.retention.Number, false, func(n int) { p.retention.Number = n; p.storeRetention() })
	unread := checkbox(lang.L("Also clean up unread articles"), p.retention.Unread, func(on bool) { p.retention.Unread = on; p.storeRetention() })
	return []fyne.CanvasObject{
		widgets.SettingRow(lang.L("Keep articles"), widgets.NewColumn(6, days, number),
			lang.L("How long articles are kept after they arrive, and how many of each feed. A feed's properties can override this. By default everything is kept: 100,000 articles take a few hundred megabytes.")),
		widgets.SettingRow("", unread, lang.L("Starred articles and those that a feed still lists are never cleaned up. Articles that were cleaned up do not come back.")),
		widgets.SettingRow(lang.L("Clean up"), widgets.NewColumn(6, container.NewHBox(p.cleanNow), p.cleanup), lang.L("Kairos does this automatically once a day.")),
	}
}

// storeRetention stores the settings and shows what they would clean up.
func (p *storagePage) storeRetention() {
	p.Keys.Used()
	r := p.retention
	p.cleanNow.Disable()
	async.Load(p.Jobs, &p.counting, func(ctx context.Context) (reader.Cleanup, error) {
		stored := context.WithoutCancel(ctx)
		err := p.Home.Store.Write(stored, func(tx *sql.Tx) error { return reader.SetRetention(stored, tx, r) })
		if err != nil {
			return reader.Cleanup{}, err
		}
		return p.Home.Store.Storage.FindCleanupUnder(ctx, p.Home.Now(), r)
	}, p.showCleanup)
}

// showCleanup shows what a clean-up would remove.
func (p *storagePage) showCleanup(c reader.Cleanup) {
	p.cleanNow.Disable()
	values := map[string]any{"PluralCount": c.Articles, "Size": language.Printer().Size(c.Bytes)}
	switch {
	case c.Articles > 0:
		p.cleanup.SetText(lang.N("{{.PluralCount}} articles would be cleaned up now, {{.Size}} of text.", c.Articles, values), widgets.Plain)
		p.cleanNow.Enable()
	case c.Bytes > 0:
		p.cleanup.SetText(lang.L("The text of articles that you deleted over a month ago would be removed: {{.Size}}.", values), widgets.Muted)
		p.cleanNow.Enable()
	default:
		p.cleanup.SetText(lang.L("There is nothing to clean up."), widgets.Muted)
	}
	p.content.Refresh()
}

func (p *storagePage) confirmCleanup() {
	p.Keys.Used()
	p.Dialogs.ConfirmLoss(lang.L("Clean up now?"), lang.L("{{.What}} This cannot be undone.", map[string]any{"What": p.cleanup.String()}), lang.X("answer.keep", "Keep"), lang.L("Clean up"), p.cleanUp)
}

func (p *storagePage) cleanUp() {
	p.cleanNow.Disable()
	p.cleanup.SetText(lang.L("Cleaning up…"), widgets.Muted)
	var removed reader.Cleanup
	p.Work(func(ctx context.Context) (err error) {
		removed, err = p.Home.Disk.CleanUp(ctx)
		return err
	}, func(err error) {
		text := lang.N("{{.PluralCount}} articles were cleaned up, {{.Size}} of text.", removed.Articles,
			map[string]any{"PluralCount": removed.Articles, "Size": language.Printer().Size(removed.Bytes)})
		if err != nil {
			text = language.Printer().Sentences(errorText(err), text)
		}
		p.cleanup.SetText(text, widgets.Plain)
		p.content.Refresh()
		p.measure()
	})
}

// backupRows are the ways to back up and export.
func (p *storagePage) backupRows(weekly bool) []fyne.CanvasObject {
	button := func(text string, do func()) fyne.CanvasObject {
		return widgets.NewButton(text, func() { p.Keys.Used(); do() })
	}
	everyWeek := checkbox(lang.L("Back up every week"), weekly, func(on bool) {
		p.Keys.Used()
		p.StoreSetting(home.SettingBackups, onOff(on), nil)
	})
	return []fyne.CanvasObject{
		widgets.SettingRow(lang.L("Backup"), widgets.NewFlow(8, button(lang.L("Back up…"), p.BackUp), button(lang.L("Restore…"), p.Restore)),
			lang.L("Settings, feeds, articles and what Kairos has learned, in one file. Passwords are not included.")),
		widgets.SettingRow("", everyWeek, lang.L("Automatically, into the data folder. The newest four are kept.")),
		widgets.SettingRow(lang.L("Starred articles"), container.NewHBox(button(lang.L("Export…"), func() { p.ExportStarred() })),
			lang.L("As JSON Feed for other readers, as Markdown to read, or their feeds as OPML.")),
		widgets.SettingRow(lang.L("Access log"), container.NewHBox(button(lang.L("Clear access log…"), func() { p.confirmClearLog(func() {}) })), ""),
	}
}
