package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
)

// counted are the values of a text that says a number and other things beside.
func counted(n int, more map[string]any) map[string]any {
	values := map[string]any{"PluralCount": n}
	for name, value := range more {
		values[name] = value
	}
	return values
}

func keepNumberText(n int) string { return lang.N("the newest {{.PluralCount}}", n) }

func wouldCleanText(n int, bytes int64) string {
	return lang.N("{{.PluralCount}} articles would be cleaned up now, {{.Size}} of text.", n, counted(n, map[string]any{"Size": language.Printer().Size(bytes)}))
}

func cleanedText(n int, bytes int64) string {
	return lang.N("{{.PluralCount}} articles were cleaned up, {{.Size}} of text.", n, counted(n, map[string]any{"Size": language.Printer().Size(bytes)}))
}

func feedSizeText(n int, bytes int64) string {
	return lang.N("{{.Size}}, {{.PluralCount}} articles", n, counted(n, map[string]any{"Size": language.Printer().Size(bytes)}))
}

// contentsText says what a backup holds.
func contentsText(c reader.BackupContents) string {
	text := lang.L("It holds {{.Feeds}}, {{.Articles}}, {{.Starred}} of them starred.", map[string]any{"Feeds": language.Printer().Feeds(c.Feeds),
		"Articles": lang.N("{{.PluralCount}} articles", c.Articles), "Starred": c.Starred})
	if c.Made.IsZero() {
		return text
	}
	made := c.Made.Local()
	return language.Printer().Sentences(lang.L("This backup was made on {{.Date}}, {{.Time}}.", map[string]any{"Date": language.Printer().DateYear(made), "Time": language.Printer().Clock(made)}), text)
}

func exportedText(n int, file string) string {
	return lang.N("{{.PluralCount}} written to {{.File}}", n, counted(n, map[string]any{"File": file}))
}

// triedText says what a rule would have done.
func triedText(t reader.Trial, days int) string {
	return lang.N("It would have matched {{.PluralCount}} of {{.Of}} articles of the last {{.Days}} days.", t.Matched,
		counted(t.Matched, map[string]any{"Of": t.Examined, "Days": days}))
}

func broughtBackText(n int) string { return lang.N("{{.PluralCount}} articles brought back", n) }
