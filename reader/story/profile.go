package story

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/reader/content"
)

const (
	maxTitleBytes = 600  // of a title that are looked at
	maxTextBytes  = 8000 // of a text
	leadWords     = 90   // words of a text that count beside those of the title
	maxTextWords  = 600  // words of a text that shingles are made of
	maxInPlace    = 200  // words of a title, or of the beginning of a text, that are compared in their order
	shingleWords  = 4    // in a shingle; of characters in scripts without spaces twice as many
	stemRunes     = 6    // of a word that are compared: its ending changes with its place in a sentence
)

// Profile is what articles are compared by: the words of the title and of the beginning of the text with what they weigh, and
// the shingles of the text, which are all its sequences of a few words. It takes some five kilobytes at most.
type Profile struct {
	title      []word // sorted by hash, each once
	lead       []word // those of the title among them, sorted by hash, each once
	shingles   []uint32
	numbers    int           // among the words of lead
	language   languages     // 0 if it cannot be told
	titleWords []wordInPlace // in their order
	leadWords  []wordInPlace // those of the beginning of the text
	series     uint64        // of the title without numbers and names of days: equal for the parts of a series
	parts      uint64        // of these numbers and names; 0 if there are none
}

// word is a word of an article.
type word struct {
	hash   uint32
	weight float32 // how much it says of what is told, as its shape suggests
	number bool    // of several digits
}

// NewProfile returns the profile of an article. Of a text only the beginning counts, of some 8,000 bytes.
func NewProfile(title, text string) *Profile {
	title, text = content.CutBytes(title, maxTitleBytes), content.CutBytes(text, maxTextBytes)
	inTitle, inText := split(title, len(title)), split(text, maxTextWords)
	lead := inText[:min(len(inText), leadWords)]
	p := &Profile{language: languageOf(inTitle, lead)}
	weigh(inTitle, lead, p.language)
	p.titleWords, p.leadWords = inPlace(inTitle), inPlace(lead)
	p.title = unique(p.titleWords)
	p.setLead(p.leadWords)
	p.shingles = shingles(inText)
	p.series, p.parts = series(inTitle)
	return p
}

// setLead sets the words of the beginning of the text.
func (p *Profile) setLead(words []wordInPlace) {
	p.leadWords, p.lead, p.numbers = words, unique(p.titleWords, words), 0
	for _, w := range p.lead {
		if w.number {
			p.numbers++
		}
	}
}

// wordInPlace is a word in the order of a text.
type wordInPlace struct {
	hash  uint32
	word  word // by its stem
	tells bool // a template may be filled in with it: a name, a number, a character
	name  bool
	pair  bool
}

// inPlace returns the words of a text in their order, the first of many.
func inPlace(tokens []token) []wordInPlace {
	tokens = tokens[:min(len(tokens), maxInPlace)]
	all := make([]wordInPlace, len(tokens))
	for i, t := range tokens {
		all[i] = wordInPlace{
			hash:  hash32(t.text),
			word:  word{hash32(t.stem), t.weight, t.digits && t.weight > shortNumber},
			tells: t.digits || t.name || t.pair,
			name:  t.name && !t.digits,
			pair:  t.pair,
		}
	}
	return all
}

// token is a word as it stands in a text, or a pair of characters of a script that writes without spaces.
type token struct {
	text    string // in lower case
	stem    string // the beginning of text
	weight  float32
	capital bool // begins with a capital letter
	first   bool // of a sentence
	digits  bool
	pair    bool
	stops   languages // in which it says nothing: "the"
	name    bool
}

// split returns the first words of a text, at most most.
func split(text string, most int) []token {
	all := make([]token, 0, min(len(text)/5+1, most))
	first := true
	for i := 0; i < len(text) && len(all) < most; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isUnspaced(r):
			end := i + size
			for end < len(text) {
				next, n := utf8.DecodeRuneInString(text[end:])
				if !isUnspaced(next) {
					break
				}
				end += n
			}
			all = appendPairs(all, text[i:end])
			i, first = end, false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end := wordEnd(text, i+size)
			all = append(all, newToken(text[i:end], unicode.IsUpper(r), first))
			i, first = end, false
		default:
			first = first || strings.ContainsRune(".!?:;|–—…\"“”„»«", r)
			i += size
		}
	}
	return all[:min(len(all), most)] // pairs come by the dozen
}

// wordEnd returns where a word ends that has come to at. A point or a comma between digits, and an apostrophe or a hyphen between
// letters, belong to it.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsLetter(r) && !isUnspaced(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			at += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		before := text[at-1]
		joins := strings.ContainsRune(".,", r) && before >= '0' && before <= '9' && unicode.IsDigit(next)
		if !joins {
			return at
		}
		at += size
	}
	return at
}

func newToken(text string, capital, first bool) token {
	t := token{text: strings.ToLower(text), capital: capital, first: first, digits: strings.ContainsFunc(text, unicode.IsDigit)}
	t.stem = t.text
	if len(t.text) <= maxStop {
		t.stops = stopWords[t.text]
	}
	if runes := 0; !t.digits {
		for at := range t.text {
			if runes == stemRunes {
				t.stem = t.text[:at]
				break
			}
			runes++
		}
	}
	return t
}

// appendPairs appends the pairs of neighboring characters.
func appendPairs(all []token, text string) []token {
	before := -1
	for at, r := range text {
		if before >= 0 {
			pair := text[before : at+utf8.RuneLen(r)]
			all = append(all, token{text: pair, stem: pair, pair: true})
		}
		before = at
	}
	return all
}

// isUnspaced reports whether words of a character's script are not separated by spaces.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// weigh finds out which words are names and how much each word says.
func weigh(title, text []token, language languages) {
	names := map[string]bool{} // written as names within sentences
	for _, t := range text {
		if t.capital && !t.first {
			names[t.text] = true
		}
	}
	for _, tokens := range [][]token{title, text} {
		for i := range tokens {
			t := &tokens[i]
			t.name = t.digits || t.capital && names[t.text]
			t.weight = t.weigh(language)
		}
	}
}

// shortNumber is what a number of one or two digits says.
const shortNumber = 0.5

// weigh returns how much a word says, as its shape suggests: names and numbers say most, and long words more than short ones.
func (t *token) weigh(language languages) float32 {
	runes := utf8.RuneCountInString(t.text)
	switch {
	case t.isStop(language):
		return 0
	case t.digits && runes < 3:
		return shortNumber
	case t.digits:
		return 1.5
	case t.pair:
		return 1
	}
	weight := min(1.3, 0.3+float32(runes)/8)
	if t.name && language != german { // all nouns of German have capital letters
		weight = max(1.6, weight+0.6)
	}
	return weight
}

// unique returns the words that say something, each once with the most it weighs.
func unique(texts ...[]wordInPlace) []word {
	n := 0
	for _, words := range texts {
		n += len(words)
	}
	all := make([]word, 0, n)
	for _, words := range texts {
		for _, w := range words {
			if w.word.weight > 0 {
				all = append(all, w.word)
			}
		}
	}
	slices.SortFunc(all, func(a, b word) int {
		if a.hash != b.hash {
			return compare(a.hash, b.hash)
		}
		return compare(b.weight, a.weight)
	})
	return slices.CompactFunc(all, func(a, b word) bool { return a.hash == b.hash })
}

func compare[T uint32 | float32](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// shingles returns the hashes of all sequences of a few words, sorted, each once.
func shingles(tokens []token) []uint32 {
	all := make([]uint32, 0, len(tokens))
	var hashes [2 * shingleWords]uint32
	for i, t := range tokens {
		copy(hashes[1:], hashes[:len(hashes)-1])
		hashes[0] = hash32(t.text)
		if length := shingleLength(t.pair); i+1 >= length {
			all = append(all, shingle(hashes[:length]))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// shingleLength returns how many words a shingle has that ends with a word or with a pair.
func shingleLength(pair bool) int {
	if pair {
		return 2 * shingleWords
	}
	return shingleWords
}

// shingle returns the hash of a sequence of words, of which the hashes are given, the last first.
func shingle(words []uint32) uint32 {
	h := uint32(2166136261)
	for _, part := range words {
		h = (h ^ part) * 16777619
		h ^= h >> 15
	}
	return h
}

// series returns a number that is equal for titles which differ in numbers and in the names of days and months only, and one for
// these: "Open thread 412", "Weather for Tuesday".
func series(title []token) (same, parts uint64) {
	same, parts = fnvOffset, fnvOffset
	for _, t := range title {
		if t.digits || dates[t.text] {
			parts = fnv64(parts, t.text)
		} else {
			same = fnv64(same, t.text)
		}
	}
	if parts == fnvOffset {
		parts = 0
	}
	return same, parts
}

const fnvOffset = 14695981039346656037

func fnv64(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return (h ^ ' ') * 1099511628211
}

func hash32(text string) uint32 {
	h := fnv64(fnvOffset, text)
	return uint32(h ^ h>>32)
}
