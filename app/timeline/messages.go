package timeline

import (
	"fyne.io/fyne/v2/lang"
)

func selectedText(n int) string { return lang.N("{{.PluralCount}} articles selected", n) }

func deletedText(n int) string { return lang.N("{{.PluralCount}} articles deleted", n) }

func keptText(n int) string {
	return lang.N("Delete {{.PluralCount}} starred or labeled articles?", n)
}

func newArticlesText(n int) string { return lang.N("{{.PluralCount}} new ↑", n) }

// arrivedText tells how many articles have arrived.
func arrivedText(n int) string { return lang.N("{{.PluralCount}} new articles", n) }
