package feeds

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/atomicfile"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/imports"
)

// OPML import and export lists of feeds.
type OPML struct {
	Shell        *shell.Shell
	Feeds        *Actions
	SettingsCame func() // with an export of Kairos; nil: nobody goes by them
}

// ImportFile shows what is in a file before it is imported.
func (d *OPML) ImportFile(name string) { d.Import(name, "") }

// Import shows what there is before it is imported. Where there are accounts, it asks first where to add the feeds; those of other
// readers come to an account without their articles.
func (d *OPML) Import(name string, from imports.Reader) {
	kind := cmp.Or(from, imports.ReaderOf(name))
	if len(d.Feeds.Library.Accounts) == 0 || kind == imports.KairosExport || kind == "" {
		d.Preview(name, from)
		return
	}
	about := []string{lang.L("The server of an account fetches its feeds, also for your other devices.")}
	if kind == imports.List {
		from = imports.List
	} else {
		about = append(about, lang.L("Articles, stars and read marks come to this computer only."))
	}
	account := d.Feeds.chosenAccount()
	where := d.Feeds.accountChoice(account, func(id int64) { account = id })
	d.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Where do you want to add these feeds?"),
		Content: widgets.NewColumn(8, widgets.NewText(filepath.Base(name), widgets.Muted), where,
			widgets.NewText(language.Printer().Sentences(about...), widgets.Muted)), Focus: where,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Import"), func() {
			d.Shell.Dialogs.CloseTop()
			if account == 0 {
				d.Preview(name, from)
				return
			}
			d.importInto(account, name, from)
		})}})
}

// importInto subscribes to the feeds of a list, or of another reader, with an account.
func (d *OPML) importInto(account int64, name string, from imports.Reader) {
	var done reader.ImportResult
	d.Shell.Say(lang.L("Reading the file…"))
	d.Shell.Work(func(ctx context.Context) error {
		source, err := d.Shell.Home.Imports.Open(ctx, name, from)
		if err != nil {
			return err
		}
		done, err = d.Shell.Home.Subscriptions.ImportSource(ctx, account, source)
		return errors.Join(err, source.Close())
	}, func(err error) {
		if err != nil {
			d.Shell.Dialogs.Inform(lang.L("Import"), language.Printer().Sentences(lang.L("Nothing was imported."), language.Error(err)))
			d.Shell.Say("")
			return
		}
		if added := done.Added; len(added) > 0 {
			d.Shell.AddUndo(lang.L("Imported {{.File}}", map[string]any{"File": filepath.Base(name)}), func(ctx context.Context) (err error) {
				for _, id := range added {
					if gone := d.Shell.Home.Subscriptions.Remove(ctx, id); !errors.Is(gone, reader.ErrUnknown) {
						err = errors.Join(err, gone)
					}
				}
				return err
			})
		}
		d.Imported(account, done)
	})
}

// Imported tells what an import did and fetches the new feeds. The poller would fetch them anyway; fetched here, their
// progress is shown.
func (d *OPML) Imported(account int64, done reader.ImportResult) {
	switch {
	case len(done.Added) > 0 && account != 0:
		d.Feeds.Accounts.Sync([]int64{account})
	case len(done.Added) > 0:
		d.Feeds.fetch(done.Added, FetchImported)
	case len(done.Local) > 0: // the warning says so
	default:
		d.Shell.Say(lang.N("No new feeds; {{.PluralCount}} already subscribed.", done.Known))
	}
	if len(done.Refused) == 0 && len(done.Warnings) == 0 {
		return
	}
	var text strings.Builder
	printer := language.Printer()
	fmt.Fprintf(&text, "%s\n\n", lang.L("{{.Feeds}} added, {{.Known}} already subscribed.",
		map[string]any{"Feeds": printer.Feeds(len(done.Added) + len(done.Local)), "Known": done.Known}))
	for _, warning := range done.Warnings {
		fmt.Fprintln(&text, printer.ListWarning(warning))
	}
	if len(done.Refused) > 0 {
		fmt.Fprintf(&text, "\n%s\n", lang.L("Not imported:"))
	}
	for _, r := range done.Refused {
		fmt.Fprintln(&text, refusedLine(r))
	}
	said := strings.TrimSpace(text.String())
	buttons := []*dialogs.Button{{Text: lang.L("Copy"), Aside: true, Do: func() { d.Shell.Copy(said) }}}
	if len(done.Local) > 0 {
		buttons = append(buttons, &dialogs.Button{Text: lang.N("Resume these {{.PluralCount}} feeds", len(done.Local)), Do: func() {
			d.Shell.Dialogs.CloseTop()
			d.Feeds.resumeImported(done.Local)
		}})
	}
	d.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Import"), Content: widgets.NewText(said, widgets.Plain), Width: 560,
		Buttons: append(buttons, dialogs.Do(lang.L("Close"), d.Shell.Dialogs.CloseTop))})
}

// AskExport asks where to write the list of feeds, and writes it.
func (d *OPML) AskExport() *dialogs.Save {
	n := 0
	return d.Shell.Dialogs.SaveFile(lang.L("Export feeds"), "kairos.opml", nil, func(ctx context.Context, file string) (err error) {
		var list bytes.Buffer
		if n, err = d.Shell.Home.Store.Feeds.Export(ctx, &list, d.Shell.Now()); err != nil {
			return err
		}
		return atomicfile.Write(file, list.Bytes())
	}, func(file string) {
		text := lang.N("{{.PluralCount}} feeds written to {{.File}}", n, map[string]any{"PluralCount": n, "File": file})
		if len(d.Feeds.Library.Accounts) > 0 {
			text = language.Printer().Sentences(language.Printer().Sentence(text), lang.L("This includes feeds of accounts."))
		}
		d.Shell.Say(text)
	})
}
