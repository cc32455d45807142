package app

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/widgets"
	"kairos/reader"
)

// backUpDialog asks where to and backs everything up.
func (w *window) backUpDialog() {
	var c reader.BackupContents
	w.dialogs.SaveFile(lang.L("Back up"), home.BackupName(w.now()), nil, func(ctx context.Context, file string) (err error) {
		c, err = w.home.Backups.Create(ctx, file)
		return err
	}, func(file string) {
		w.dialogs.Inform(lang.L("Backed up"), lang.L("Written and checked: {{.File}}", map[string]any{"File": file})+"\n\n"+contentsText(c))
	})
}

// restoreDialog asks for a backup.
func (w *window) restoreDialog() { w.dialogs.OpenFile(nil, w.restoreFrom) }

// restoreFrom checks a backup and asks whether it is meant.
func (w *window) restoreFrom(file string) {
	var c reader.BackupContents
	w.say(lang.L("Checking the backup…"))
	w.Work(func(ctx context.Context) (err error) {
		c, err = w.home.Backups.Check(ctx, file)
		return err
	}, func(err error) {
		w.say("")
		if err != nil {
			w.dialogs.Inform(lang.L("Nothing was restored"), errorText(err))
			return
		}
		text := widget.NewLabel(contentsText(c) + "\n\n" + lang.L("It takes the place of everything that is here now, which is set aside in the data folder first."))
		text.Wrapping = fyne.TextWrapWord
		d := dialog.NewCustomConfirm(lang.L("Restore this backup?"), lang.L("Restore"), lang.L("Cancel"), text, func(yes bool) {
			if yes {
				w.restore(file)
			}
		}, w.win)
		d.Resize(fyne.NewSize(480, 240))
		w.dialogs.Show(d, nil)
	})
}

func (w *window) restore(file string) {
	w.say(lang.L("Restoring…"))
	aside := ""
	w.Work(func(ctx context.Context) (err error) {
		aside, err = w.home.Backups.Restore(ctx, file)
		return err
	}, func(err error) {
		w.say("")
		if err != nil {
			w.dialogs.Inform(lang.L("Nothing was restored"), errorText(err))
			return
		}
		w.startAnew()
		w.dialogs.Inform(lang.L("Restored"), lang.L("What was here before is kept as {{.File}} in the data folder.", map[string]any{"File": filepath.Base(aside)}))
	})
}

// startAnew forgets what the window knows of a store that holds something else now: what
// could be undone was of other articles.
func (w *window) startAnew() {
	w.undo.clear()
	w.dialogs.CloseAll()
	w.sidebar.chooseKey("all")
	w.timeline.reset()
	w.loadKeys()
	w.loadFoldStories()
	w.loadOpenMarks()
	w.reload()
}

// exportStarredDialog asks how and where to and exports the starred articles.
func (w *window) exportStarredDialog() {
	kind := home.JSONFeed
	n := 0
	var s *dialogs.Save
	kinds := widgets.NewChoice([]widgets.Option{widgets.Opt(string(home.JSONFeed), lang.L("JSON Feed: the articles, for other readers")),
		widgets.Opt(string(home.Markdown), lang.L("Markdown: the articles, to be read")), widgets.Opt(string(home.OPML), lang.L("OPML: the feeds they are from"))},
		string(kind), func(value string) {
			if s.Name.Text == kind.FileName() {
				s.Name.SetText(home.ExportFormat(value).FileName())
			}
			kind = home.ExportFormat(value)
		})
	s = w.dialogs.SaveFile(lang.L("Export starred articles"), kind.FileName(), []*widget.FormItem{widget.NewFormItem(lang.L("Kind"), kinds)},
		func(ctx context.Context, file string) (err error) {
			n, err = w.home.Exports.Starred(ctx, file, kind)
			return err
		}, func(file string) { w.say(exportedText(n, file)) })
}
