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
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/reader"
)

func (w *window) importDialog() {
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
		w.importFile(name)
	}, w.win)
	// Newsboat's list is called "urls".
	d.SetFilter(storage.NewExtensionFileFilter([]string{".opml", ".xml", ".txt", ""}))
	d.Resize(fyne.NewSize(760, 520))
	w.dialog(d, nil)
}

// importFile subscribes the feeds of a list and fetches the new ones at once.
func (w *window) importFile(name string) {
	var done reader.Imported
	w.say("Reading the list…")
	w.work(func(ctx context.Context) error {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("the list cannot be read: %w", err)
		}
		defer f.Close()
		done, err = w.home.Import(ctx, f)
		return err
	}, func(err error) {
		if err != nil {
			w.inform("Import", "Nothing was imported. "+errorText(err))
			w.say("")
			return
		}
		w.imported(done)
	})
}

// imported says what an import did and fetches what is new. The loop fetches new
// subscriptions by itself; asked for here, their progress is shown.
func (w *window) imported(done reader.Imported) {
	if len(done.Added) > 0 {
		w.fetch(done.Added, "Imported and fetched")
	} else {
		w.say("Nothing new in the list: " + plural(done.Known, "feed") + " known already.")
	}
	if len(done.Refused) == 0 && len(done.Notes) == 0 {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s added, %d known already.\n\n", plural(len(done.Added), "feed"), done.Known)
	for _, note := range done.Notes {
		fmt.Fprintln(&text, note)
	}
	if len(done.Refused) > 0 {
		fmt.Fprintf(&text, "\nNot imported:\n")
	}
	for _, r := range done.Refused {
		if r.Line > 0 {
			fmt.Fprintf(&text, "line %d: ", r.Line)
		}
		fmt.Fprintf(&text, "%s: %s\n", strings.TrimSpace(r.Text), r.Reason)
	}
	label := widget.NewLabel(text.String())
	label.Wrapping = fyne.TextWrapWord
	label.Selectable = true
	scroll := container.NewVScroll(label)
	scroll.SetMinSize(fyne.NewSize(560, 320))
	w.dialog(dialog.NewCustom("Import", "Close", scroll, w.win), nil)
}

func (w *window) exportDialog() {
	d := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		if file == nil {
			return
		}
		name := file.URI().Path()
		file.Close()
		w.exportTo(name)
	}, w.win)
	d.SetFileName("kairos.opml")
	d.Resize(fyne.NewSize(760, 520))
	w.dialog(d, nil)
}

func (w *window) exportTo(name string) {
	n := 0
	w.work(func(ctx context.Context) error {
		var list bytes.Buffer
		var err error
		if n, err = w.home.Store.Export(ctx, &list, w.now()); err != nil {
			return err
		}
		return home.WriteFile(name, list.Bytes())
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.say(plural(n, "feed") + " written to " + name)
	})
}
