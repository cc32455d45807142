package settings

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
)

// BackUp asks for a file and writes a backup into it.
func (s *Settings) BackUp() {
	var contents reader.BackupContents
	s.Dialogs.SaveFile(lang.L("Back up"), home.BackupName(s.Home.Now()), nil, func(ctx context.Context, file string) (err error) {
		contents, err = s.Home.Backups.Create(ctx, file)
		return err
	}, func(file string) {
		s.Dialogs.Inform(lang.L("Backup complete"),
			lang.L("The backup was written and verified: {{.File}}", map[string]any{"File": file})+"\n\n"+contentsText(contents))
	})
}

// Restore asks for a backup and restores it.
func (s *Settings) Restore() {
	s.Dialogs.OpenFile(dialogs.Files{Title: lang.L("Choose a backup"), Kind: lang.L("Backups"), Extensions: []string{home.BackupExtension}}, s.checkBackup)
}

// checkBackup checks a backup and asks whether to restore it.
func (s *Settings) checkBackup(file string) {
	var contents reader.BackupContents
	s.Say(lang.L("Checking the backup…"))
	s.Work(func(ctx context.Context) (err error) {
		contents, err = s.Home.Backups.Check(ctx, file)
		return err
	}, func(err error) {
		s.Say("")
		if err != nil {
			s.Dialogs.Inform(lang.L("Nothing was restored"), errorText(err))
			return
		}
		s.confirmRestore(file, contents)
	})
}

func (s *Settings) confirmRestore(file string, contents reader.BackupContents) {
	s.Dialogs.ConfirmLoss(lang.L("Restore this backup?"),
		contentsText(contents)+"\n\n"+lang.L("It replaces everything that is here now. Your current data is set aside in the data folder first."),
		lang.L("Keep current data"), lang.L("Restore"), func() { s.restore(file) })
}

func (s *Settings) restore(file string) {
	s.Say(lang.L("Restoring…"))
	aside := ""
	s.Work(func(ctx context.Context) (err error) {
		aside, err = s.Home.Backups.Restore(ctx, file)
		return err
	}, func(err error) {
		s.Say("")
		if err != nil {
			s.Dialogs.Inform(lang.L("Nothing was restored"), errorText(err))
			return
		}
		s.OnRestore()
		s.Dialogs.Inform(lang.L("Restore complete"),
			lang.L("Your previous data is kept as {{.File}} in the data folder.", map[string]any{"File": filepath.Base(aside)}))
	})
}

// contentsText says what a backup contains.
func contentsText(c reader.BackupContents) string {
	p := language.Printer()
	text := lang.L("It contains {{.Feeds}}, {{.Articles}}, {{.Starred}} of them starred.",
		map[string]any{"Feeds": p.Feeds(c.Feeds), "Articles": lang.N("{{.PluralCount}} articles", c.Articles), "Starred": c.Starred})
	if c.Made.IsZero() {
		return text
	}
	made := c.Made.Local()
	return p.Sentences(lang.L("This backup was made on {{.Date}}, {{.Time}}.", map[string]any{"Date": p.DateYear(made), "Time": p.Clock(made)}), text)
}

// ExportStarred asks for a format and a file, and exports the starred articles.
func (s *Settings) ExportStarred() *dialogs.Save {
	format, n := home.JSONFeed, 0
	var d *dialogs.Save
	formats := widgets.NewChoice([]widgets.Option{
		widgets.Opt(string(home.JSONFeed), lang.L("JSON Feed: articles for other readers")),
		widgets.Opt(string(home.Markdown), lang.L("Markdown: articles to read")),
		widgets.Opt(string(home.OPML), lang.L("OPML: their feeds")),
	}, string(format), func(value string) {
		if d.Name.Text == format.FileName() {
			d.Name.SetText(home.ExportFormat(value).FileName())
		}
		format = home.ExportFormat(value)
	})
	d = s.Dialogs.SaveFile(lang.L("Export starred articles"), format.FileName(), []*widget.FormItem{widget.NewFormItem(lang.L("Format"), formats)},
		func(ctx context.Context, file string) (err error) {
			n, err = s.Home.Exports.Starred(ctx, file, format)
			return err
		}, func(file string) {
			s.Say(lang.N("{{.PluralCount}} written to {{.File}}", n, map[string]any{"PluralCount": n, "File": file}))
		})
	return d
}

// ExportLabel asks for a format and a file, and exports the articles with a label.
func (s *Settings) ExportLabel(l reader.Label) *dialogs.Save {
	format, n := home.JSONFeed, 0
	var d *dialogs.Save
	formats := widgets.NewChoice([]widgets.Option{
		widgets.Opt(string(home.JSONFeed), lang.L("JSON Feed: articles for other readers")),
		widgets.Opt(string(home.Markdown), lang.L("Markdown: articles to read")),
	}, string(format), func(value string) {
		if d.Name.Text == format.LabelFileName(l) {
			d.Name.SetText(home.ExportFormat(value).LabelFileName(l))
		}
		format = home.ExportFormat(value)
	})
	d = s.Dialogs.SaveFile(lang.L("Export articles with the label “{{.Name}}”", map[string]any{"Name": l.Name}), format.LabelFileName(l),
		[]*widget.FormItem{widget.NewFormItem(lang.L("Format"), formats)},
		func(ctx context.Context, file string) (err error) {
			n, err = s.Home.Exports.Label(ctx, file, format, l)
			return err
		}, func(file string) {
			s.Say(lang.N("{{.PluralCount}} written to {{.File}}", n, map[string]any{"PluralCount": n, "File": file}))
		})
	return d
}
