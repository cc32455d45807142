package app

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/poller"
)

// countText writes an unread count; none is not written.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// feedsText is "1 feed" or "7 feeds".
func feedsText(n int) string { return lang.N("{{.PluralCount}} feeds", n) }

// sizeText writes a number of bytes: "4.2 kB".
func sizeText(bytes int64) string { return decimal(poller.Size(bytes)) }

// errorText words an error.
func errorText(err error) string {
	if text, ok := language.Printer().Error(err); ok {
		return text
	}
	return spoken(poller.Sentence(err))
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return lang.X("text.sentence", "{{.Text}}.", map[string]any{"Text": capital(text)})
}

// capital makes the first letter a capital one, and takes the full stop away.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return unstopped(string(unicode.ToUpper(first)) + text[size:])
}

// unstopped is a sentence without its full stop.
func unstopped(text string) string { return strings.TrimRight(text, ".。") }

// together are sentences one after the other, as far apart as the language has them.
func together(sentences ...string) string {
	kept := ""
	for _, s := range sentences {
		switch {
		case s == "":
		case kept == "":
			kept = s
		default:
			kept = lang.X("text.together", "{{.First}} {{.Second}}", map[string]any{"First": kept, "Second": s})
		}
	}
	return kept
}
