package feeds

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// AskExportEverything asks for the name of a folder, and writes everything into it.
func (d *OPML) AskExportEverything() *dialogs.Save {
	name := "kairos-" + d.Shell.Now().Format("2006-01-02")
	return d.Shell.Dialogs.SaveFolder(lang.L("Export everything into a new folder"), name, d.exportEverything)
}

func (d *OPML) exportEverything(dir string) {
	var done home.EverythingDone
	startLong(d.Shell, lang.L("Exporting"), func(ctx context.Context, progress home.EverythingProgress) (err error) {
		done, err = d.Shell.Home.Everything.Export(ctx, dir, progress)
		return err
	}, func(err error) {
		switch {
		case errors.Is(err, context.Canceled):
			d.Shell.Say(lang.L("Export canceled; nothing was written."))
		case err != nil:
			d.Shell.Dialogs.Inform(lang.L("Nothing was exported"), language.Error(err))
		default:
			d.Shell.Dialogs.Inform(lang.L("Export complete"), language.Printer().Sentences(
				lang.L("{{.Folder}} holds {{.Feeds}} and {{.Articles}}, your labels, rules, settings and what was learned of your visits.", map[string]any{"Folder": dir,
					"Feeds": language.Printer().Feeds(done.Feeds), "Articles": lang.N("{{.PluralCount}} articles", done.Articles)}),
				lang.L("Its README.txt says what is in each file."), lang.L("Passwords are not in it.")))
		}
	})
}

// long is work under way on many feeds, with a row of its own in the status bar.
type long struct {
	shell *shell.Shell
	what  string
	label *widget.Label
	row   *fyne.Container
	ended bool
}

// startLong starts work that takes minutes; a button cancels it. done is called with its error.
func startLong(sh *shell.Shell, what string, do func(ctx context.Context, progress home.EverythingProgress) error, done func(error)) {
	ctx, cancel := context.WithCancel(sh.Ctx)
	l := &long{shell: sh, what: what, label: widget.NewLabel(what)}
	l.label.SizeName = theme.SizeNameCaptionText
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	stop.Importance = widget.LowImportance
	l.row = widgets.NewProgressRow(l.label, stop)
	sh.ShowProgress(l.row)
	percent := -1
	sh.Work(func(context.Context) error {
		defer cancel()
		return do(ctx, func(feeds, all int) {
			if now := 100 * feeds / max(1, all); now != percent {
				percent = now
				sh.Do(func() { l.show(now) })
			}
		})
	}, func(err error) {
		l.ended = true
		sh.HideProgress(l.row)
		done(err)
	})
}

func (l *long) show(percent int) {
	if !l.ended {
		l.label.SetText(fmt.Sprintf("%s: %d %%", l.what, percent))
	}
}
