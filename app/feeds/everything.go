package feeds

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	return d.Shell.Dialogs.SaveFile(lang.L("Export everything into a new folder"), name, nil, nil, d.exportEverything)
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

// importEverything adds what was exported into a folder.
func (d *OPML) importEverything(dir string) {
	var done home.EverythingDone
	startLong(d.Shell, lang.L("Importing"), func(ctx context.Context, progress home.EverythingProgress) (err error) {
		done, err = d.Shell.Home.Everything.Import(ctx, dir, false, progress)
		return err
	}, func(err error) {
		added := lang.L("{{.Feeds}} and {{.Articles}} were added.", map[string]any{"Feeds": language.Printer().Feeds(done.Feeds), "Articles": lang.N("{{.PluralCount}} articles", done.Articles)})
		switch {
		case errors.Is(err, context.Canceled):
			d.Shell.Say(language.Printer().Sentences(lang.L("Import canceled."), added, lang.L("Import it again to add the rest.")))
			return
		case err != nil:
			d.Shell.Dialogs.Inform(lang.L("Import"), language.Printer().Sentences(language.Error(err), added))
			return
		}
		text := []string{added}
		if done.Known > 0 {
			text = append(text, lang.N("{{.PluralCount}} feeds were here already.", done.Known))
		}
		if done.Local > 0 {
			text = append(text, lang.N("{{.PluralCount}} feeds of this computer or its network were paused.", done.Local))
		}
		said := language.Printer().Sentences(text...)
		if len(done.Damaged) > 0 {
			var lines []string
			for _, one := range done.Damaged {
				lines = append(lines, fmt.Sprintf("%s: %s", one.File, language.Error(one.Err)))
			}
			said += "\n\n" + lang.L("These files are damaged; what could be read of them was added:") + "\n" + strings.Join(lines, "\n")
		}
		d.Shell.Dialogs.Inform(lang.L("Import complete"), said)
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
	l.row = container.NewHBox(l.label, stop)
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
