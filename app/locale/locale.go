// Package locale gives the program a language where the environment names none
// ("C", "POSIX" or nothing): Fyne complains on standard error at every start
// otherwise, also where a verb never opens a window. It imports nothing but os,
// so that it is initialised before Fyne's packages, which need much more (Go
// specification, Package initialization).
package locale

import "os"

func init() { settle(os.Getenv, os.Setenv) }

// settle sets LC_ALL if the locale in force has no language.
func settle(get func(string) string, set func(string, string) error) {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := get(name); value != "" && !neutral(value) {
			return
		} else if value != "" {
			break
		}
	}
	set("LC_ALL", "en_US.UTF-8") //nolint:errcheck // the complaint is all there is to lose
}

func neutral(value string) bool {
	for i := range value {
		if value[i] == '.' || value[i] == '@' {
			value = value[:i]
			break
		}
	}
	return value == "C" || value == "POSIX"
}
