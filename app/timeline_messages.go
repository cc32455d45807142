package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

func selectedText(n int) string { return lang.N("{{.PluralCount}} articles selected", n) }

func deletedText(n int) string { return lang.N("{{.PluralCount}} articles deleted", n) }

func keptText(n int) string {
	return lang.N("Delete {{.PluralCount}} starred or labeled articles?", n)
}

func newArticlesText(n int) string { return lang.N("{{.PluralCount}} new ↑", n) }

// arrivedText tells how many articles have arrived.
func arrivedText(n int) string { return lang.N("{{.PluralCount}} new articles", n) }

// markedText tells how n articles were marked.
func markedText(flag reader.Flag, on bool, n int) string {
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
