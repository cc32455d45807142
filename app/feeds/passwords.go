package feeds

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/secret"
	"kairos/app/shell"
)

// offerFile asks, where an error says that there is no unlocked keyring, whether passwords may be kept in a file, and then tries
// again. It reports whether it asks.
func offerFile(s *shell.Shell, err error, again func()) bool {
	if !secret.IsUnavailable(err) || s.Home.Secrets.UsesFile() {
		return false
	}
	question := language.Printer().Sentences(language.Error(err),
		lang.L("Or Kairos can keep passwords in the file {{.File}}. Only your user account can read it, but it is not encrypted.", map[string]any{"File": s.Home.Secrets.File()}),
		lang.L("You can change that later in the settings, under Privacy."))
	s.Dialogs.Confirm(lang.L("Keep the password in a file?"), question, lang.L("Keep in a file"), func() {
		if err := s.Home.Secrets.UseFile(); err != nil {
			s.Fail(err)
			return
		}
		again()
	})
	return true
}
