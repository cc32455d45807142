// Package locale sets the language to English if the environment names none ("C", "POSIX" or nothing), with characters that a
// method of input can send. The names of no language in the list LANGUAGE are taken out of it, because Fyne 2.8.1 prints an error
// about them at every start, even for a verb without a window. The package imports only os, so that it is initialized
// before the packages of Fyne, which import much more (Go specification, Package initialization).
package locale

import "os"

func init() { setDefault(os.Getenv, os.Setenv) }

// setDefault sets the language if the locale in force names none, and leaves the characters as they are: no method of input
// reaches a program whose characters are of a locale that is not installed, as English may not be.
func setDefault(get func(string) string, set func(string, string) error) {
	if list := get("LANGUAGE"); list != languages(list) {
		set("LANGUAGE", languages(list)) //nolint:errcheck // as below
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := get(name); value != "" && !isNeutral(value) {
			return
		} else if value != "" {
			break
		}
	}
	characters := "C.UTF-8"
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := get(name); value != "" {
			if value != "C" && value != "POSIX" {
				characters = value
			}
			break
		}
	}
	for _, is := range [][2]string{{"LC_CTYPE", characters}, {"LC_MESSAGES", "en_US.UTF-8"}, {"LC_ALL", ""}} {
		set(is[0], is[1]) //nolint:errcheck // without it Fyne only prints its error
	}
}

// languages returns a list of locales, separated by colons, without those that name no language.
func languages(list string) (kept string) {
	for start, i := 0, 0; i <= len(list); i++ {
		if i < len(list) && list[i] != ':' {
			continue
		}
		if name := list[start:i]; name != "" && !isNeutral(name) {
			if kept != "" {
				kept += ":"
			}
			kept += name
		}
		start = i + 1
	}
	return kept
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
