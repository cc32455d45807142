package feeds

import (
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/widgets"
)

// maxReported is how many feeds the report of an import names: all are listed where it leads.
const maxReported = 12

// reportImport tells in a row that stays until it is closed that feeds of an import could not be read, and which. A dialog would take
// the keys of who has gone on reading.
func (a *Actions) reportImport(p *fetchProgress) {
	row := container.NewStack()
	seen := func() { a.Shell.HideProgress(row) }
	show := widgets.NewButton(lang.L("Show…"), func() {
		seen()
		a.showReport(p)
	})
	shut := widgets.NewButton(lang.L("Close"), seen)
	show.Importance, shut.Importance = widget.LowImportance, widget.LowImportance
	label := widget.NewLabel(lang.N("{{.PluralCount}} feeds could not be read.", len(p.failures)))
	label.SizeName = theme.SizeNameCaptionText
	row.Add(widgets.NewProgressRow(label, show, shut))
	a.Shell.ShowProgress(row)
	a.Shell.Announce(label.Text)
}

// showReport shows which feeds of an import could not be read.
func (a *Actions) showReport(p *fetchProgress) {
	lines := p.failures
	if more := len(lines) - maxReported; more > 0 {
		lines = append(lines[:maxReported:maxReported], lang.N("and {{.PluralCount}} others", more))
	}
	said := language.Printer().Sentences(language.Printer().Sentence(p.purpose.text(language.Printer().Feeds(p.done))),
		lang.N("{{.PluralCount}} feeds could not be read.", len(p.failures))) + "\n\n" + strings.Join(lines, "\n")
	a.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Import"), Content: widgets.NewText(said, widgets.Plain), Width: 560,
		Buttons: []*dialogs.Button{{Text: lang.L("Copy"), Aside: true, Do: func() { a.Shell.Copy(said) }},
			{Text: lang.L("Close"), Do: a.Shell.Dialogs.CloseTop},
			dialogs.Do(lang.L("Show these feeds"), func() {
				a.Shell.Dialogs.CloseTop()
				a.Sidebar.ChooseKey(session.Attention)
			})}})
}
