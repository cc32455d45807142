package rule

import (
	"strings"

	"kairos/reader/content"
)

// Article is what conditions look at. Text is called only if a condition needs it.
type Article struct {
	FeedNames     []string // titles and address
	Folder        string
	Author, Title string
	Address       string
	Categories    []string
	Text          func() string
	Told          bool // by another feed already

	plain, folded map[Field][]string // caches
}

// plainText returns the values of a field.
func (a *Article) plainText(f Field) []string {
	if texts, cached := a.plain[f]; cached {
		return texts
	}
	if a.plain == nil {
		a.plain, a.folded = map[Field][]string{}, map[Field][]string{}
	}
	switch f {
	case Feed:
		a.plain[f] = a.FeedNames
	case Folder:
		a.plain[f] = []string{a.Folder}
	case Address:
		a.plain[f] = []string{a.Address}
	case Author:
		a.plain[f] = []string{a.Author}
	case Category:
		a.plain[f] = a.Categories
	case Title:
		a.plain[f] = []string{a.Title}
	case Text:
		text := ""
		if a.Text != nil {
			text = a.Text()
		}
		a.plain[f] = []string{content.CutBytes(text, MaxText)}
	}
	return a.plain[f]
}

// foldedText returns the values of a field in the form in which words are looked for.
func (a *Article) foldedText(f Field) []string {
	if texts, cached := a.folded[f]; cached {
		return texts
	}
	plain := a.plainText(f)
	folded := make([]string, len(plain))
	for i, text := range plain {
		folded[i] = fold(text)
	}
	a.folded[f] = folded
	return folded
}

// fold removes differences that words ignore: the case of letters and the amount
// of white space.
func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
