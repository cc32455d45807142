package feeds

import (
	"strings"
	"time"

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

// reportStays is how long the report of an import stays: what needs attention is listed for as long as it does.
const reportStays = 10 * time.Minute

// reportImport tells in a row that feeds of an import could not be read, and which, until it is closed, feeds are fetched again or some
// minutes have passed. A dialog would take the keys of who has gone on reading.
func (a *Actions) reportImport(p *fetchProgress) {
	a.endReport()
	row := container.NewStack()
	a.report = row
	show := widgets.NewButton(lang.L("Show…"), func() {
		a.endReport()
		a.showReport(p)
	})
	shut := widgets.NewButton(lang.L("Close"), a.endReport)
	show.Importance, shut.Importance = widget.LowImportance, widget.LowImportance
	label := widget.NewLabel(lang.N("{{.PluralCount}} feeds could not be read.", len(p.failures)))
	label.SizeName = theme.SizeNameCaptionText
	row.Add(widgets.NewProgressRow(label, show, shut))
	a.Shell.ShowProgress(row)
	a.Shell.Announce(label.Text)
	time.AfterFunc(reportStays, func() {
		a.Shell.Do(func() {
			if a.report == row {
				a.endReport()
			}
		})
	})
}

func (a *Actions) endReport() {
	if a.report != nil {
		a.Shell.HideProgress(a.report)
		a.report = nil
	}
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
