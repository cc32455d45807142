package shell

import (
	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// MarkedText tells how n articles were marked.
func MarkedText(flag reader.Flag, on bool, n int) string {
	switch {
	case flag == reader.FlagStarred && on:
		return lang.N("{{.PluralCount}} articles starred", n)
	case flag == reader.FlagStarred:
		return lang.N("{{.PluralCount}} articles unstarred", n)
	case on:
		return lang.N("{{.PluralCount}} articles marked read", n)
	}
	return lang.N("{{.PluralCount}} articles marked unread", n)
}
