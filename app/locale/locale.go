// Package locale sets the locale to English if the environment names no language ("C", "POSIX" or nothing). Otherwise Fyne
// prints an error at every start, even for a verb without a window. The package imports only os, so that it is initialized
// before the packages of Fyne, which import much more (Go specification, Package initialization).
package locale

import "os"

func init() { setDefault(os.Getenv, os.Setenv) }

// setDefault sets LC_ALL if the locale in force names no language.
func setDefault(get func(string) string, set func(string, string) error) {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := get(name); value != "" && !isNeutral(value) {
			return
		} else if value != "" {
			break
		}
	}
	set("LC_ALL", "en_US.UTF-8") //nolint:errcheck // without it Fyne only prints its error
}

// isNeutral reports whether a locale names no language.
func isNeutral(value string) bool {
	for i := range value {
		if value[i] == '.' || value[i] == '@' {
			value = value[:i]
			break
		}
	}
	return value == "C" || value == "POSIX"
}
