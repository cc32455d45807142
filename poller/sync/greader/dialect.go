package greader

import (
	"html"
	"strings"
	"unicode"
)

// dialect is in which ways a server differs from what the protocol was at Google.
type dialect int

const (
	plainDialect    dialect = iota
	freshRSSDialect         // titles have other letters in place of some
	minifluxDialect         // titles are plain text, and what is new can only be asked for by its own date
)

// dialect recognizes FreshRSS by its address, and Miniflux by a session that begins with the user's name.
func (c *Client) dialect() dialect {
	name, _, found := strings.Cut(c.currentSession(), "/")
	switch {
	case strings.HasSuffix(c.caller.Base(), "/greader.php"):
		return freshRSSDialect
	case found && strings.EqualFold(name, c.user):
		return minifluxDialect
	}
	return plainDialect
}

// titleHTML returns the title of an article as HTML.
func (d dialect) titleHTML(s string) string {
	switch d {
	case freshRSSDialect:
		return htmlForms.Replace(s)
	case minifluxDialect:
		return html.EscapeString(s)
	}
	return s
}

// htmlForms undoes how FreshRSS tells the titles of articles: they may have entities, but no tags.
var htmlForms = strings.NewReplacer("＆", "&", "＜", "&lt;", "＞", "&gt;")

// feedTitle returns the title of a feed, which is plain text everywhere.
func (d dialect) feedTitle(s string) string {
	if d == freshRSSDialect {
		return asciiForms(s)
	}
	return s
}

// ascii is what FreshRSS says of feeds in full width, for clients that would take it for HTML or part of an address
// (escapeToUnicodeAlternative).
var ascii = map[rune]rune{'＆': '&', '＜': '<', '＞': '>', '？': '?', '＼': '\\', '／': '/', '，': ',', '；': ';'}

// asciiForms undoes how FreshRSS tells titles. Beside letters of Chinese, Japanese or Korean the full width is their own.
func asciiForms(s string) string {
	runes := []rune(s)
	out := make([]rune, len(runes))
	for i, r := range runes {
		form, known := ascii[r]
		if out[i] = r; known && !(i > 0 && isWide(runes[i-1])) && !(i+1 < len(runes) && isWide(runes[i+1])) {
			out[i] = form
		}
	}
	return string(out)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// uncategorized are the names of the category for feeds that are in none: at Miniflux, and at FreshRSS in the languages it has
// (default_category in its app/i18n).
var uncategorized = map[string]bool{
	"All": true, "Uncategorized": true, "Unkategorisiert": true, "Sans catégorie": true, "Pas triat": true, "Sin categorizar": true,
	"Senza categoria": true, "Sem categoria": true, "Niet ingedeeld": true, "Brak kategorii": true, "Nezařazeno": true, "Bez kategórie": true,
	"Kategória nélküli": true, "Neklasificēts": true, "Kategorisiz": true, "Без категории": true, "ללא קטגוריה": true, "دسته بندی نشده": true,
	"未分类": true, "未分類": true, "분류 없음": true,
}
