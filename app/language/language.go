// Package language adds the texts of Kairos to those of Fyne, in all its languages. The English text is the key,
// and what the English catalog does not have.
package language

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"github.com/jeandeaual/go-locale"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	tags "golang.org/x/text/language"

	"kairos/app/bidi"
	"kairos/app/text"
	"kairos/assets"
)

// Error describes an error in the language of the window.
func Error(err error) string { return Printer().Error(err) }

// Printer describes facts in the language of the window.
var Printer = sync.OnceValue(func() *text.Printer {
	return text.New(func(key, english string, count any, values text.V) string {
		if n, plural := count.(int); plural {
			return lang.XN(key, english, n, map[string]any(values))
		}
		return lang.X(key, english, map[string]any(values))
	})
})

const folder = "translations"

// english is the catalog that every language falls back to.
const english = "en"

func init() {
	lookUp(lang.LocalizeKey, lang.LocalizePluralKey)
	locales, err := locale.GetLocales()
	if err != nil {
		fyne.LogError("The languages of the system cannot be told", err)
	}
	for _, name := range needed(locales) {
		text, err := assets.Translations.ReadFile(path.Join(folder, name+".json"))
		if err == nil {
			err = lang.AddTranslations(fyne.NewStaticResource(name+".json", text))
		}
		if err != nil {
			fyne.LogError("The translations cannot be read", err)
		}
	}
}

// needed returns the names of the catalogs that speakers of some languages may be shown, and English. A catalog takes a
// megabyte, and several milliseconds of each start, also of the verbs.
func needed(locales []string) (names []string) {
	known := Known()
	var of []tags.Tag
	for _, name := range known {
		of = append(of, tags.Make(name))
	}
	matcher := tags.NewMatcher(of)
	names = []string{english}
	for _, l := range locales {
		if _, i, sure := matcher.Match(tags.Make(l)); sure != tags.No && !slices.Contains(names, known[i]) {
			names = append(names, known[i])
		}
	}
	return names
}

// instead returns the catalog for speakers of some languages, the preferred one first, if that one has none; otherwise "".
func instead(locales []string) string {
	if len(locales) == 0 {
		return ""
	}
	preferred, _ := tags.Make(locales[0]).Base()
	for _, name := range Known() {
		if base, _ := tags.Make(name).Base(); base == preferred {
			return ""
		}
	}
	names := needed(locales)
	return names[min(1, len(names)-1)]
}

// Known returns the languages with a catalog, by the names of their files.
func Known() []string {
	files, err := assets.Translations.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	return names
}

// inUse is the language that was chosen last, "" for that of the system.
var inUse string

// undrawn is the script of the language that was chosen, if no font has that.
var undrawn string

// Chosen returns the language in use as it was chosen, "" for that of the system.
func Chosen() string { return inUse }

// Of returns the catalog of a language that can be chosen; "" and a language without a catalog follow the system.
func Of(name string) string {
	if slices.Contains(Known(), name) {
		return name
	}
	locales, _ := locale.GetLocales() // init has logged the error
	if other := instead(locales); other != "" {
		return other
	}
	names := needed(locales[:min(1, len(locales))])
	return names[len(names)-1]
}

// Choose sets the language, whatever that of the system is. It is called at the start of a program, as it does not change texts
// that are already shown. "" and a language without a catalog follow the system. Fyne has more languages than Kairos: where
// it would speak one that Kairos does not, all is in the language that Kairos has instead, as no window speaks two.
func Choose(name string) error {
	inUse, undrawn = name, ""
	if name == "" || !slices.Contains(Known(), name) {
		locales, _ := locale.GetLocales() // init has logged the error
		name = instead(locales)
	}
	if name == "" {
		return nil
	}
	return speak(name)
}

// FallBack sets English in the place of the language that was chosen, as no font has the script in which that is written.
func FallBack(script string) error {
	undrawn = script
	return speak(english)
}

// Undrawn returns the script for which the language fell back to English, "" if it did not.
func Undrawn() string { return undrawn }

// speak takes all texts from the catalog of a language.
func speak(name string) error {
	bundle := i18n.NewBundle(tags.English)
	file, err := bundle.LoadMessageFileFS(assets.Translations, path.Join(folder, name+".json"))
	if err != nil {
		return fmt.Errorf("read the texts of %s: %w", name, err)
	}
	override(i18n.NewLocalizer(bundle, file.Tag.String()))
	return nil
}

// override takes all texts from one language. Fyne itself only follows the language of the system.
func override(l *i18n.Localizer) {
	translate := func(key, english string, count any, data []any) string {
		c := i18n.LocalizeConfig{DefaultMessage: &i18n.Message{ID: key, Other: english}, PluralCount: count}
		if len(data) > 0 {
			c.TemplateData = data[0]
		}
		text, err := l.Localize(&c)
		if text == "" {
			fyne.LogError("A text cannot be translated", err)
			return english
		}
		return text
	}
	lookUp(func(key, english string, data ...any) string { return translate(key, english, nil, data) },
		func(key, english string, count int, data ...any) string { return translate(key, english, count, data) })
}

// lookUp has all texts looked up by x, those with a plural by xn, and their values written as the language does. Fyne looks its
// texts up through these variables, as the window does.
func lookUp(x func(key, english string, data ...any) string, xn func(key, english string, count int, data ...any) string) {
	lang.L = func(english string, data ...any) string { return x(english, english, written(data)...) }
	lang.X = func(key, english string, data ...any) string { return x(key, english, written(data)...) }
	lang.N = func(english string, count int, data ...any) string {
		return xn(english, english, count, withCount(count, data)...)
	}
	lang.XN = func(key, english string, count int, data ...any) string {
		return xn(key, english, count, withCount(count, data)...)
	}
}

// written writes the values of a template: whole numbers as the language does, and names in Hebrew or Arabic so that they and the
// sentence keep their order.
func written(data []any) []any {
	if len(data) == 1 {
		if values, ok := data[0].(map[string]any); ok {
			return []any{isolated(Printer().WithNumbers(values))}
		}
	}
	return data
}

// isolated isolates the texts among values that are read from right to left.
func isolated(values map[string]any) map[string]any {
	cloned := false
	for name, value := range values {
		s, ok := value.(string)
		if !ok || !bidi.HasRTL(s) {
			continue
		}
		if !cloned {
			values, cloned = maps.Clone(values), true
		}
		values[name] = bidi.Isolate(s)
	}
	return values
}

// withCount is written where the template may have no value but its count.
func withCount(count int, data []any) []any {
	if len(data) == 0 {
		data = []any{map[string]any{"PluralCount": count}}
	}
	return written(data)
}
