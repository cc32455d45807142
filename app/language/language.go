// Package language puts Kairos's own texts beside Fyne's, in the languages it speaks.
// The English text is the key.
package language

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/assets"
)

const folder = "translations"

func init() {
	if err := lang.AddTranslationsFS(assets.Translations, folder); err != nil {
		fyne.LogError("The texts cannot be read", err)
	}
}

// Known are the languages there are texts for, as their files are named.
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

// Choose makes a language the one spoken, whatever the system's is. It is for the
// beginning of a program: what was written before stays as it is. "" leaves the choice
// to the system.
func Choose(name string) error {
	if name == "" || !slices.Contains(Known(), name) {
		return nil
	}
	texts, err := assets.Translations.ReadFile(path.Join(folder, name+".json"))
	if err != nil {
		return fmt.Errorf("read the texts of %s: %w", name, err)
	}
	// Fyne goes by the system's language alone, so the texts are given out as that; what
	// it does not know falls back to English.
	for _, as := range append(Known(), lang.SystemLocale().LanguageString()) {
		if err := lang.AddTranslations(fyne.NewStaticResource(as+".json", texts)); err != nil {
			return fmt.Errorf("speak %s: %w", name, err)
		}
	}
	return nil
}
