package feeds

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/widgets"
)

// maxReported is how many feeds the report of an import names: all are listed where it leads.
const maxReported = 12

// reportImport tells, until it is closed, which feeds of an import could not be read.
func (a *Actions) reportImport(p *fetchProgress) {
	lines := p.failures
	if more := len(lines) - maxReported; more > 0 {
		lines = append(lines[:maxReported:maxReported], lang.N("and {{.PluralCount}} others", more))
	}
	said := language.Printer().Sentences(language.Printer().Sentence(p.purpose.text(language.Printer().Feeds(p.done))),
		lang.N("{{.PluralCount}} could not be read.", len(p.failures))) + "\n\n" + strings.Join(lines, "\n")
	a.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Import"), Content: widgets.NewText(said, widgets.Plain), Width: 560,
		Buttons: []*dialogs.Button{{Text: lang.L("Copy"), Aside: true, Do: func() { a.Shell.Copy(said) }},
			{Text: lang.L("Close"), Do: a.Shell.Dialogs.CloseTop},
			dialogs.Do(lang.L("Show these feeds"), func() {
				a.Shell.Dialogs.CloseTop()
				a.Sidebar.ChooseKey(session.Attention)
			})}})
}
