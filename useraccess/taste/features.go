package taste

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxTitle = 1000 // bytes of a title that are looked at
	maxWords = 30   // of a title
	maxWord  = 40   // bytes of a word, a category and an author's name

	maxCategories = 5 // of an article: some feeds name dozens
)

// features returns what a model looks at of an article now, each once.
func (m *Model) features(a Article, now time.Time) []Feature {
	all := lasting(a)
	if old := age(now.Sub(a.Published)); old != "" {
		all = append(all, Feature{Age, old})
	}
	return slices.DeleteFunc(all, func(f Feature) bool { return m.ignored[f] })
}

// lasting returns the features that do not change with time.
func lasting(a Article) []Feature {
	all := make([]Feature, 0, 16)
	for _, word := range words(a.Title) {
		all = append(all, Feature{Word, word})
	}
	for _, name := range a.Categories[:min(len(a.Categories), maxCategories)] {
		if f := (Feature{Category, foldName(name)}); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	for _, f := range []Feature{{Author, foldName(a.Author)}, {Length, length(a.Words)}, {Carriers, carriers(a.Carriers)}} {
		if f.Text != "" {
			all = append(all, f)
		}
	}
	return all
}

// foldName returns the name of an author or a category as it is compared.
func foldName(name string) string {
	return cut(strings.Join(strings.Fields(strings.ToLower(cut(name, maxTitle))), " "), maxWord)
}

// Codes of Age, Length and Carriers. What is most usual has none: it is the origin.
const (
	DaysOld  = "days"
	WeeksOld = "weeks"
	Short    = "short" // up to a hundred words
	Long     = "long"  // more than a thousand
	Several  = "several"
	Many     = "many" // four or more
)

func age(of time.Duration) string {
	switch {
	case of > 7*24*time.Hour:
		return WeeksOld
	case of > 36*time.Hour:
		return DaysOld
	}
	return ""
}

func length(words int) string {
	switch {
	case words > 1000:
		return Long
	case words > 0 && words <= 100:
		return Short
	}
	return ""
}

func carriers(n int) string {
	switch {
	case n >= 4:
		return Many
	case n >= 2:
		return Several
	}
	return ""
}

// words returns the words of a title in lower case, each once, without numbers and single letters; of scripts that write
// without blanks, pairs of characters.
func words(title string) []string {
	var all []string
	add := func(word string) {
		if len(all) < maxWords && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	for part := range strings.FieldsFuncSeq(strings.ToLower(cut(title, maxTitle)), isGap) {
		switch first, size := utf8.DecodeRuneInString(part); {
		case isUnspaced(first):
			addPairs(part, add)
		case len(part) > size && strings.ContainsFunc(part, unicode.IsLetter):
			add(cut(part, maxWord))
		}
		if len(all) == maxWords {
			break
		}
	}
	return all
}

func addPairs(text string, add func(string)) {
	before := 0
	for i, c := range text {
		if i > 0 {
			add(text[before : i+utf8.RuneLen(c)])
		}
		before = i
	}
}

func isGap(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) }

// isUnspaced reports whether words of a character's script are not separated by blanks.
func isUnspaced(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// cut returns at most so many bytes of a text, in whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
