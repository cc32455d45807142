package story

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithoutStopWords returns a title with blanks in place of stop words, which every text of its language has: "the" and "of". The language
// is the one that has most of them. A word stays that is a stop word in another language only, such as "war", which is German for "was".
func WithoutStopWords(title string) string {
	language := languageOfTitle(title)
	var left strings.Builder
	left.Grow(len(title))
	eachWord(title, func(text string, kind wordKind) {
		switch {
		case kind == unspacedWord:
			left.WriteString(strings.Map(withoutChineseParticles, text))
		case kind == spacedWord && stopsOf(text)&language != 0:
			left.WriteByte(' ')
		default:
			left.WriteString(text)
		}
	})
	return left.String()
}

// languageOfTitle returns the language that has most of the title's words in its list. Of several it is English, if that is one of
// them, else all of them.
func languageOfTitle(title string) languages {
	var counts stopCounts
	eachWord(title, func(text string, kind wordKind) {
		if kind == spacedWord {
			counts.add(stopsOf(text))
		}
	})
	best, most := languages(0), 1
	for i, n := range counts {
		if n > most {
			best, most = 0, n
		}
		if n == most {
			best |= 1 << i
		}
	}
	if best&english != 0 {
		return english
	}
	return best
}

func stopsOf(word string) languages {
	if len(word) > maxStop {
		return 0
	}
	return stopWords[strings.ToLower(word)]
}

// chineseParticles stand between words and are hardly ever a part of them, unlike others of chineseStops: 中 is in 中国.
const chineseParticles = "的了是和也都而及与或这那们之被把"

func withoutChineseParticles(r rune) rune {
	if strings.ContainsRune(chineseParticles, r) {
		return ' '
	}
	return r
}

// wordKind is what a part of a title is.
type wordKind uint8

const (
	noWord       wordKind = iota // what stands between words
	spacedWord                   // one word
	unspacedWord                 // words of a script that writes without spaces
)

// eachWord calls do with each part of a text: a word, or what stands between words.
func eachWord(text string, do func(text string, kind wordKind)) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		end, kind := at+size, noWord
		switch {
		case isUnspaced(r):
			kind = unspacedWord
			for end < len(text) {
				next, n := utf8.DecodeRuneInString(text[end:])
				if !isUnspaced(next) {
					break
				}
				end += n
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end, kind = wordEnd(text, end), spacedWord
		}
		do(text[at:end], kind)
		at = end
	}
}
