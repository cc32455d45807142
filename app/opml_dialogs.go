package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/reader"
)

func (w *window) importDialog() {
	// Newsboat's list is called "urls".
	w.openDialog(storage.NewExtensionFileFilter([]string{".opml", ".xml", ".txt", ""}), w.importFile)
}

// openDialog asks for a file to read; filter, if not nil, says which are offered.
func (w *window) openDialog(filter storage.FileFilter, open func(name string)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		if file == nil {
			return
		}
		name := file.URI().Path()
		file.Close()
		open(name)
	}, w.win)
	d.SetFilter(filter)
	d.SetTitleText(lang.L("Choose a file"))
	d.Resize(w.dialogs.roomFor(760, 520))
	w.dialogs.show(d, nil)
}

// importFile subscribes the feeds of a list and fetches the new ones at once.
func (w *window) importFile(name string) {
	var done reader.ImportResult
	w.say(lang.L("Reading the list…"))
	w.Work(func(ctx context.Context) error {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("the list cannot be read: %w", err)
		}
		defer f.Close()
		done, err = w.home.Import(ctx, f)
		return err
	}, func(err error) {
		if err != nil {
			w.dialogs.inform(lang.L("Import"), language.Printer().Sentences(lang.L("Nothing was imported."), errorText(err)))
			w.say("")
			return
		}
		w.imported(done)
	})
}

// imported says what an import did and fetches what is new. The loop fetches new
// subscriptions by itself; asked for here, their progress is shown.
func (w *window) imported(done reader.ImportResult) {
	if len(done.Added) > 0 {
		w.fetch(done.Added, fetchedImported)
	} else {
		w.say(lang.N("Nothing new in the list: {{.PluralCount}} feeds known already.", done.Known))
	}
	if len(done.Refused) == 0 && len(done.Warnings) == 0 {
		return
	}
	var text strings.Builder
	printer := language.Printer()
	fmt.Fprintf(&text, "%s\n\n", lang.L("{{.Feeds}} added, {{.Known}} known already.",
		map[string]any{"Feeds": printer.Feeds(len(done.Added)), "Known": done.Known}))
	for _, warning := range done.Warnings {
		fmt.Fprintln(&text, printer.ListWarning(warning))
	}
	if len(done.Refused) > 0 {
		fmt.Fprintf(&text, "\n%s\n", lang.L("Not imported:"))
	}
	for _, r := range done.Refused {
		values := map[string]any{"Line": r.Line, "Text": strings.TrimSpace(r.Text), "Reason": printer.ListRefusal(r)}
		if r.Line > 0 {
			fmt.Fprintln(&text, lang.L("line {{.Line}}: {{.Text}}: {{.Reason}}", values))
		} else {
			fmt.Fprintln(&text, lang.L("{{.Text}}: {{.Reason}}", values))
		}
	}
	label := widget.NewLabel(text.String())
	label.Wrapping = fyne.TextWrapWord
	label.Selectable = true
	scroll := container.NewVScroll(label)
	scroll.SetMinSize(fyne.NewSize(560, 320))
	w.dialogs.show(dialog.NewCustom(lang.L("Import"), lang.L("Close"), scroll, w.win), nil)
}

// exportDialog asks where to and writes the list of feeds.
func (w *window) exportDialog() *saving {
	n := 0
	return w.saveDialog(lang.L("Export the list"), "kairos.opml", nil, func(ctx context.Context, file string) (err error) {
		var list bytes.Buffer
		if n, err = w.home.Store.Feeds.Export(ctx, &list, w.now()); err != nil {
			return err
		}
		return home.WriteFile(file, list.Bytes())
	}, func(file string) {
		w.say(lang.N("{{.PluralCount}} feeds written to {{.File}}", n, map[string]any{"PluralCount": n, "File": file}))
	})
}
