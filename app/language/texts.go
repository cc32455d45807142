package language

import "fyne.io/fyne/v2/lang"

// Texts are English texts that are looked up by their place rather than where they are
// written: the catalogs have them like those of lang.L.
type Texts []string

// Say is the text at a place in the language spoken, with values for its template.
func (t Texts) Say(i int, values ...any) string { return lang.L(t[i], values...) }
