package settings

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/secret"
)

// OfferPasswordFile asks, where an error says that there is no unlocked keyring, whether passwords may be kept in a file, and then
// tries again; fail is called if there can be no such file. It reports whether it asks.
func OfferPasswordFile(d *dialogs.Stack, secrets *secret.Secrets, err error, fail func(error), again func()) bool {
	if !secret.IsUnavailable(err) || secrets.UsesFile() {
		return false
	}
	question := language.Printer().Sentences(language.Error(err),
		lang.L("Or Kairos can keep passwords in the file {{.File}}. Only your user account can read it, but it is not encrypted.", map[string]any{"File": secrets.File()}),
		lang.L("You can change that later in the settings, under Privacy."))
	d.Confirm(lang.L("Keep the password in a file?"), question, lang.L("Keep in a file"), func() {
		if err := secrets.UseFile(); err != nil {
			fail(err)
			return
		}
		again()
	})
	return true
}

// passwordsStored tells those who enter a password where it is going to be.
func passwordsStored() string {
	return lang.L("Passwords are stored in the keyring of your desktop, or in a file if you have chosen that.")
}
