// Package text words facts: what the poller, the reader and useraccess report as a code with values becomes a
// sentence in the language of the window, or in English for the verbs. There is one file for each package that
// reports facts, named after it. The catalogs of assets/translations hold the sentences by their English; that
// of English has plurals and texts with a key of their own only.
package text

import (
	"fmt"
	"maps"
	"path"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"kairos/assets"
)

// V holds the values of a template by name.
type V map[string]any

// Lookup translates the English template under key and fills in its values. A count that is not nil chooses the
// plural form; it is then among the values as PluralCount.
type Lookup func(key, english string, count any, values V) string

// Printer describes facts in one language. Its methods are safe for concurrent use if its Lookup is.
type Printer struct{ lookup Lookup }

// New returns a printer that translates with lookup.
func New(lookup Lookup) *Printer { return &Printer{lookup} }

// English returns the printer of the verbs.
var English = sync.OnceValue(func() *Printer {
	p, err := In("en")
	if err != nil {
		panic(err) // the catalog is part of the program
	}
	return p
})

// In returns a printer for one of the catalogs, named as its file: "en", "de", "zh_Hans".
func In(name string) (*Printer, error) {
	bundle := i18n.NewBundle(language.English)
	file, err := bundle.LoadMessageFileFS(assets.Translations, path.Join("translations", name+".json"))
	if err != nil {
		return nil, fmt.Errorf("read the catalog %s: %w", name, err)
	}
	localizer := i18n.NewLocalizer(bundle, file.Tag.String())
	return New(func(key, english string, count any, values V) string {
		c := i18n.LocalizeConfig{DefaultMessage: &i18n.Message{ID: key, Other: english}, PluralCount: count, TemplateData: values}
		text, err := localizer.Localize(&c)
		if err != nil && text == "" {
			return english // better than nothing
		}
		return text
	}), nil
}

// L translates an English template, which is its own key.
func (p *Printer) L(english string, values ...V) string {
	return p.X(english, english, values...)
}

// X translates an English template under a key of its own, where the same English needs several translations.
func (p *Printer) X(key, english string, values ...V) string {
	return p.lookup(key, english, nil, p.WithNumbers(first(values)))
}

// N translates an English template with the plural form that n needs; the template names n as {{.PluralCount}}.
func (p *Printer) N(english string, n int, values ...V) string {
	return p.XN(english, english, n, values...)
}

// XN is N under a key of its own.
func (p *Printer) XN(key, english string, n int, values ...V) string {
	all := V{"PluralCount": n}
	maps.Copy(all, first(values))
	return p.lookup(key, english, n, p.WithNumbers(all))
}

func first(values []V) V {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// table holds the English templates of codes that need no more than a lookup. The test of the catalogs reads the
// templates from literals of this type.
type table[Code ~string] map[Code]string

// say describes a code of a table; a code that is not in it is shown as it is.
func say[Code ~string](p *Printer, t table[Code], code Code, values ...V) string {
	english, ok := t[code]
	if !ok {
		return string(code)
	}
	return p.L(english, values...)
}
