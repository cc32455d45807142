package feeds

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/imports"
	"kairos/reader/opml"
)

// importWidth is the width of the dialogs of imports.
const importWidth = 560

// maxBefore is how many former imports are listed, the newest.
const maxBefore = 5

// AskImport offers what other readers have left on this computer, and a file to choose.
func (d *OPML) AskImport() {
	var found []home.FoundSource
	var before []reader.ImportReport
	d.Shell.Work(func(ctx context.Context) (err error) {
		found = d.Shell.Home.Imports.Find(ctx)
		before, err = d.Shell.Home.Imports.List(ctx)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			d.Shell.Fail(err)
		case len(found) == 0 && len(before) == 0:
			d.chooseImport()
		default:
			d.offerImports(found, before)
		}
	})
}

// chooseImport asks for a file to import.
func (d *OPML) chooseImport() {
	// Newsboat's list is called "urls".
	d.Shell.Dialogs.OpenFile(dialogs.Files{Title: lang.L("Choose a list of feeds (OPML), or the database or export of another reader"), Kind: lang.L("Lists, databases and exports"),
		Extensions: []string{".opml", ".xml", ".txt", ".json", ".db", ".sqlite3", ".zip"}}, d.ImportFile)
}

// offerImports lists what there is to import, and what was imported.
func (d *OPML) offerImports(found []home.FoundSource, before []reader.ImportReport) {
	list := widgets.NewColumn(14)
	if len(found) > 0 {
		list.Add(widgets.NewText(lang.L("Other readers have left this on your computer:"), widgets.Plain))
	}
	for _, one := range found {
		list.Add(ImportRow(one, func() {
			d.Shell.Dialogs.CloseTop()
			d.Import(one.Path, one.Reader)
		}))
	}
	if len(before) > 0 {
		list.Add(widgets.NewText(lang.L("Imported before:"), widgets.Plain))
	}
	for _, one := range before[:min(len(before), maxBefore)] {
		list.Add(d.importedRow(one))
	}
	d.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Import"), Content: list, Width: importWidth,
		Buttons: []*dialogs.Button{{Text: lang.L("Close")}, dialogs.Do(lang.L("Choose a file…"), func() {
			d.Shell.Dialogs.CloseTop()
			d.chooseImport()
		})}})
}

// ImportRow is a row for what another reader has left: its name, what it has, and a button that shows more.
func ImportRow(one home.FoundSource, preview func()) fyne.CanvasObject {
	printer := language.Printer()
	name := widgets.NewText(printer.ReaderName(one.Reader), widgets.Bold)
	if one.Err != nil {
		return widgets.NewColumn(2, name, widgets.NewText(language.Error(one.Err), widgets.Warning))
	}
	button := widgets.NewIconButton(lang.L("Import…"), theme.DownloadIcon(), preview)
	text := widgets.NewColumn(2, name)
	if one.Counts != (imports.Counts{}) {
		text.Add(widgets.NewText(printer.SourceCounts(one.Counts), widgets.Muted))
	}
	if one.Damaged {
		text.Add(widgets.NewText(lang.L("This file is damaged. Kairos imports what it can still read; not all of that is counted here."), widgets.Warning))
	}
	return container.NewBorder(nil, nil, nil, container.NewCenter(button), text)
}

// importedRow is a row for an import that was made, with a button that takes it back.
func (d *OPML) importedRow(one reader.ImportReport) fyne.CanvasObject {
	printer := language.Printer()
	what := lang.L("{{.Reader}}, {{.Date}}", map[string]any{"Reader": printer.ReaderName(one.Reader), "Date": printer.Date(one.At.Local())})
	text := widgets.NewColumn(2, widgets.NewText(what, widgets.Bold), widgets.NewText(printer.SourceCounts(one.Stored), widgets.Muted))
	button := widgets.NewButton(lang.L("Take back…"), func() {
		d.Shell.Dialogs.CloseTop()
		d.askUndo(one)
	})
	if one.Undone {
		button.Disable()
	}
	return container.NewBorder(nil, nil, nil, container.NewCenter(button), text)
}

// askUndo asks before an import is taken back.
func (d *OPML) askUndo(one reader.ImportReport) {
	d.confirmUndo(one, func() { d.undoImport(one.ID) })
}

func (d *OPML) confirmUndo(one reader.ImportReport, undo func()) {
	printer := language.Printer()
	text := printer.Sentences(lang.L("The feeds that it brought go with all their articles, also those that came since, and so do the articles, stars, labels and read marks that it added to other feeds."),
		lang.L("This cannot be undone, but you can import it again."))
	d.Shell.Dialogs.ConfirmLoss(lang.L("Take the import from {{.Reader}} back?", map[string]any{"Reader": printer.ReaderName(one.Reader)}), text,
		lang.L("Keep the import"), lang.L("Take back"), undo)
}

func (d *OPML) undoImport(id int64) {
	d.Shell.Say(lang.L("Taking the import back…"))
	d.Shell.Work(func(ctx context.Context) error { return d.Shell.Home.Imports.Undo(ctx, id) }, func(err error) {
		if err != nil {
			d.Shell.Fail(err)
			return
		}
		d.Shell.Say(lang.L("The import was taken back."))
	})
}

// Preview shows what is in a file of another reader, and imports it if the user wants that.
func (d *OPML) Preview(path string, from imports.Reader) {
	d.Shell.Say(lang.L("Reading the file…"))
	var source *imports.Source
	var would reader.ImportPreview
	d.Shell.Work(func(ctx context.Context) (err error) {
		if source, err = d.Shell.Home.Imports.Open(ctx, path, from); err != nil {
			return err
		}
		if would, err = d.Shell.Home.Imports.Preview(ctx, source); err != nil {
			return errors.Join(err, source.Close())
		}
		return nil
	}, func(err error) {
		d.Shell.Say("")
		if err != nil {
			d.Shell.Dialogs.Inform(lang.L("Import"), language.Printer().Sentences(lang.L("Nothing was imported."), language.Error(err)))
			return
		}
		d.preview(source, would)
	})
}

func (d *OPML) preview(source *imports.Source, would reader.ImportPreview) {
	printer := language.Printer()
	name := printer.ReaderName(source.Reader)
	content := widgets.NewColumn(10)
	facts := widgets.NewColumn(4)
	for _, fact := range []struct {
		name  string
		count int
	}{{lang.L("Feeds"), len(would.Feeds)}, {lang.L("Here already"), would.Known}, {lang.L("Folders"), would.Folders}, {lang.L("Articles"), source.Counts.Articles}, {lang.L("Read"), source.Counts.Read}, {lang.L("Starred"), source.Counts.Starred}, {lang.L("Labels"), source.Counts.Labels}} {
		if fact.count > 0 {
			facts.Add(widgets.NewBeside(factNameWidth, widgets.NewText(fact.name, widgets.Label), widgets.NewText(printer.Number(fact.count), widgets.Plain)))
		}
	}
	content.Add(facts)
	content.Add(widgets.NewText(source.Path, widgets.Muted))
	content.Add(widgets.NewText(printer.Sentences(previewSentences(source, would)...), widgets.Plain))
	if lines := refusedLines(source); lines != "" {
		content.Add(widgets.NewPanel(theme.ColorNameWarning, widgets.NewText(lang.L("Not imported:")+"\n"+lines, widgets.Plain)))
	}
	if lines := problemLines(source); lines != "" {
		content.Add(widgets.NewPanel(theme.ColorNameWarning, widgets.NewText(lines, widgets.Plain)))
	}
	if len(would.Feeds) > 0 {
		content.Add(d.previewedFeeds(would.Feeds))
	}
	started := false
	d.Shell.Dialogs.Show(&dialogs.Dialog{Title: importTitle(source.Reader, name), Content: content, Width: importWidth,
		Closed: func() {
			if !started {
				d.close(source)
			}
		},
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Import"), func() {
			started = true
			d.Shell.Dialogs.CloseTop()
			d.run(source)
		})}})
}

// importTitle is the title of the preview of an import.
func importTitle(from imports.Reader, name string) string {
	if from == imports.List {
		return lang.L("Import feeds")
	}
	return lang.L("Import from {{.Reader}}", map[string]any{"Reader": name})
}

// previewSentences say what an import does.
func previewSentences(source *imports.Source, would reader.ImportPreview) (sentences []string) {
	switch source.Reader {
	case imports.List:
		sentences = append(sentences, lang.L("Feeds that you have here already stay as they are."))
	case imports.KairosExport:
		sentences = append(sentences, lang.L("Labels, rules, searches, settings and what was learned of your visits come, too."), lang.L("What you chose here stays."),
			lang.L("What you have here already is not added twice. What you read or starred there is read or starred here, too."))
	default:
		sentences = append(sentences, lang.L("What you have here already is not added twice. What you read or starred there is read or starred here, too."),
			lang.L("The files of {{.Reader}} stay as they are.", map[string]any{"Reader": language.Printer().ReaderName(source.Reader)}))
	}
	if would.Local > 0 {
		sentences = append(sentences, lang.N("{{.PluralCount}} feeds are files or are in your own network, and will be added paused.", would.Local))
	}
	return append(sentences, lang.L("The import can be taken back as a whole."))
}

// previewedFeeds lists the feeds of an import, and which are here or come paused.
func (d *OPML) previewedFeeds(feeds []reader.PreviewedFeed) fyne.CanvasObject {
	list := widgets.NewList(d.Shell.Keys, func() int { return len(feeds) }, func() fyne.CanvasObject { return widgets.NewTwoLines() }, func(i int, o fyne.CanvasObject) {
		widgets.SetTwoLines(o.(*fyne.Container), feeds[i].Title, aboutPreviewed(&feeds[i]))
	})
	list.Name = lang.L("Feeds")
	return container.NewStack(widgets.NewSpace(min(float32(len(feeds))*previewRow, mostPreviewed)), list)
}

const (
	previewRow    = 60  // about the height of a row
	mostPreviewed = 220 // of the list
)

// aboutPreviewed says where a feed comes to, or why it does not.
func aboutPreviewed(f *reader.PreviewedFeed) string {
	switch {
	case f.Known:
		return lang.L("Here already")
	case f.Local && f.Folder != "":
		return lang.L("{{.Folder}}, paused: in your own network", map[string]any{"Folder": f.Folder})
	case f.Local:
		return lang.L("Paused: in your own network")
	case f.Folder != "":
		return f.Folder
	}
	return f.URL
}

// refusedLines names the feeds that cannot be imported.
func refusedLines(source *imports.Source) string {
	return strings.Join(firstLines(source.Refused, refusedLine), "\n")
}

// problemLines says what of a source cannot be read, as far as that is known before its articles are read.
func problemLines(source *imports.Source) string {
	return strings.Join(firstLines(source.Problems, language.Printer().ImportProblem), "\n")
}

// firstLines returns a line for each, or for as many as a dialog has room for.
func firstLines[T any](all []T, line func(T) string) (lines []string) {
	for k, one := range all {
		if k == maxReported {
			return append(lines, lang.N("and {{.PluralCount}} others", len(all)-k))
		}
		lines = append(lines, line(one))
	}
	return lines
}

// refusedLine says why a feed cannot be imported.
func refusedLine(r opml.Refusal) string {
	values := map[string]any{"Line": r.Line, "Text": strings.TrimSpace(r.Text), "Reason": language.Printer().ListRefusal(r)}
	if r.Line > 0 {
		return lang.L("line {{.Line}}: {{.Text}}: {{.Reason}}", values)
	}
	return lang.L("{{.Text}}: {{.Reason}}", values)
}

// close removes the copies of a source.
func (d *OPML) close(source *imports.Source) {
	d.Shell.Work(func(context.Context) error { return source.Close() }, nil)
}

// run imports a source. Cancelled, it changes nothing.
func (d *OPML) run(source *imports.Source) {
	var done home.Imported
	startLong(d.Shell, lang.L("Importing"), func(ctx context.Context, progress home.EverythingProgress) (err error) {
		done, err = d.Shell.Home.Imports.Run(ctx, source, false, func(n int) { progress(n, source.Counts.Articles) })
		return err
	}, func(err error) {
		d.close(source)
		switch {
		case errors.Is(err, context.Canceled):
			d.Shell.Say(lang.L("Import canceled; nothing has changed."))
		case err != nil:
			d.Shell.Dialogs.Inform(lang.L("Import"), language.Printer().Sentences(lang.L("Nothing was imported."), language.Error(err)))
		default:
			if done.Reader == imports.KairosExport && d.SettingsCame != nil {
				d.SettingsCame()
			}
			d.showImported(&done)
		}
	})
}

// showImported tells what was imported and where it differs from what the other reader counts, and fetches the new feeds.
func (d *OPML) showImported(done *home.Imported) {
	isPaused := func(id int64) bool { return slices.Contains(done.Local, id) || slices.Contains(done.Paused, id) }
	if added := slices.DeleteFunc(slices.Clone(done.Added), isPaused); len(added) > 0 {
		d.Feeds.fetch(added, FetchImported)
	}
	printer := language.Printer()
	title := lang.L("Imported from {{.Reader}}", map[string]any{"Reader": printer.ReaderName(done.Reader)})
	if done.Reader == imports.List {
		title = lang.L("Imported feeds")
	}
	lines := []string{lang.L("Added: {{.Counts}}.", map[string]any{"Counts": printer.SourceCounts(done.Stored)})}
	if done.Stored == (imports.Counts{}) {
		lines[0] = lang.L("There was nothing new.")
	}
	notes := printer.ImportNotes(&done.ImportReport)
	lines = append(append(lines, printer.ImportKnown(&done.ImportReport)...), firstLines(notes, func(note string) string { return note })...)
	for _, hint := range done.Hints {
		lines = append(lines, lang.L("By the times at which you read there, Kairos expects you at {{.Hint}}. Insights lists such hints and removes them.", map[string]any{"Hint": printer.Hint(hint)}))
	}
	lines = append(lines, firstLines(done.Refused, refusedLine)...)
	said := strings.Join(lines, "\n")
	buttons := []*dialogs.Button{{Text: lang.L("Copy"), Aside: true, Do: func() { d.Shell.Copy(said) }}}
	if len(done.Local) > 0 {
		buttons = append(buttons, &dialogs.Button{Text: lang.N("Resume these {{.PluralCount}} feeds", len(done.Local)), Do: func() {
			d.Shell.Dialogs.CloseTop()
			d.Feeds.resumeImported(done.Local)
		}})
	}
	if id := done.ID; id != 0 {
		d.Shell.AddUndoAsked(title, func(ctx context.Context) error { return d.Shell.Home.Imports.Undo(ctx, id) },
			func(undo func()) { d.confirmUndo(done.ImportReport, undo) })
		buttons = append(buttons, &dialogs.Button{Text: lang.L("Take back…"), Do: func() {
			d.Shell.Dialogs.CloseTop()
			d.askUndo(done.ImportReport)
		}})
	}
	if done.Reader == imports.List && len(notes)+len(done.Refused) == 0 {
		if done.Stored.Feeds == 0 {
			d.Shell.Say(lang.N("No new feeds; {{.PluralCount}} already subscribed.", done.KnownFeeds))
		}
		return // the feeds that are fetched say the rest
	}
	d.Shell.Dialogs.Show(&dialogs.Dialog{Title: title, Content: widgets.NewText(said, widgets.Plain), Width: importWidth,
		Buttons: append(buttons, dialogs.Do(lang.L("Close"), d.Shell.Dialogs.CloseTop))})
}

// IsImport reports whether a file or a folder is one that can be imported: a list of feeds, an export, or what another reader stores.
func IsImport(name string) bool { return imports.ReaderOf(name) != "" }
