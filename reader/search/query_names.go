package search

import "strings"

// Names returns what tells whether a name, as Plain writes it, is one that a term for Feed, Folder, Label or Category looks for: the
// text stands anywhere in it, or as whole words if it was typed in quotes.
func (t Term) Names() func(name string) bool {
	words, _, withSymbols := phrase(t.Text, true)
	if !t.Whole || words == "" { // of signs only
		return func(name string) bool { return strings.Contains(name, t.Text) }
	}
	whole := Term{Kind: Title, Text: words, WithSymbols: withSymbols}
	return func(name string) bool { return Text{Title: FoldName(name)}.has(whole) }
}
