package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// maxFold is how much of a text is indexed, in bytes of its words: a whole book in one
// article would delay all other writes.
const maxFold = 1 << 18

// Fold returns the words of a text as they are indexed and searched for, with a space
// before and after each: in lower case, without accents, ligatures and widths.
//
// In scripts without spaces between words (Chinese, Japanese, Korean with its
// endings, Thai …) every two neighboring characters are a word, and so is the last
// character of such a run: "東京都" is "東京 京都 都". So any part of a sentence is a
// phrase of these words, even one of two characters.
//
// At the end each character of such runs stands once, as "東¦ 京¦ 都¦": there an index
// finds a single character, without uniting a great part of all its words. Words with a symbol that belongs to them stand there
// once more with it, as "c＋＋" (see symbols).
func Fold(text string) string { return fold(text, false) }

// FoldName is Fold for a title or a name. At its end it also has the prefixes of its
// words, of one letter and two, as "t¦ th¦".
func FoldName(text string) string { return fold(text, true) }

func fold(text string, isName bool) string {
	f := wordWriter{limit: maxFold, start: -1, isName: isName, seen: map[string]bool{}}
	f.text(text)
	f.end()
	f.out = append(f.out, f.prefixes...)
	if len(f.out) > 0 {
		f.out = append(f.out, ' ')
	}
	return string(f.out)
}

// prefixMark ends a prefix, which stands for all words that begin with it.
const prefixMark = "¦"

// phrase returns the words to look for, whether the last one may be a prefix (never if whole is set), and those of the words that must
// occur with their symbols. A single word with one symbol is returned with that as words.
func phrase(text string, whole bool) (words string, prefix bool, withSymbols []string) {
	f := wordWriter{limit: maxPhrase, start: -1}
	f.text(text)
	if f.start >= 0 {
		f.end()
	}
	last := f.runLength // of a run at the end
	f.endRun(false)
	words, withSymbols = strings.TrimPrefix(string(f.out), " "), f.withSymbols
	switch {
	case words == "":
		return "", false, nil
	case len(withSymbols) == 1 && !strings.Contains(words, " "):
		return withSymbols[0], !whole, nil
	case last == 1 && !strings.Contains(words, " "):
		return words + prefixMark, false, withSymbols
	case last > 0:
		return words, last == 1, withSymbols // one character may begin a pair, a pair is complete
	case whole:
		return words, false, withSymbols
	}
	// After other words a short one is no prefix ("don't"): uniting all words that begin
	// with it is slow.
	return words, !isShort(words[strings.LastIndexByte(words, ' ')+1:]) || isShort(words), withSymbols
}

// isShort reports whether words are one word of one or two letters. Half of all texts
// have a word that begins with it, which nobody wants to see or wait for: in a text it
// must stand as it is, and only in a name may it be a prefix.
func isShort(words string) bool {
	return utf8.RuneCountInString(words) <= maxPrefix && !strings.Contains(words, " ") && !hasSymbol(words)
}

const (
	maxPhrase = 400 // bytes
	maxPrefix = 2   // letters
)

// Plain returns a name in lower case without accents, for comparing it as a whole.
func Plain(name string) string { return strings.Join(strings.Fields(stripAccents(name)), " ") }

// wordWriter writes the words of a text one after the other.
type wordWriter struct {
	out         []byte
	limit       int
	start       int  // of the open word in out; -1 between words
	runLength   int  // characters of the open run
	previous    rune // the last character of the run, not yet written alone
	isName      bool // prefixes of words are wanted
	prefixes    []byte
	seen        map[string]bool // prefixes; nil if none are wanted
	symbol      symbolState
	withSymbols []string // words with their symbols, where no prefixes are wanted
}

func (f *wordWriter) text(s string) {
	for len(s) > 0 && !f.full() {
		i := 0
		for ; i < len(s) && s[i] < utf8.RuneSelf && !f.full(); i++ {
			f.ascii(s[i])
		}
		s = s[i:]
		for i = 0; i < len(s) && s[i] >= utf8.RuneSelf && !f.full(); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !hasKnownForm(r) {
				break
			}
			f.addKnown(r)
			i += size
		}
		s = s[i:]
		for i = 0; i < len(s) && s[i] >= utf8.RuneSelf && i < maxPiece; {
			r, size := utf8.DecodeRuneInString(s[i:])
			if hasKnownForm(r) {
				break
			}
			i += size
		}
		for _, r := range stripAccents(s[:i]) {
			if !f.full() {
				f.rune(r)
			}
		}
		s = s[i:]
	}
}

// maxPiece is how much text is decomposed at a time, in bytes.
const maxPiece = 4096

// hasKnownForm reports whether the plain form of a character is known without
// decomposing it, which is slow.
func hasKnownForm(r rune) bool {
	return r < rune(len(latinForms)) || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa
}

func (f *wordWriter) addKnown(r rune) {
	if r >= rune(len(latinForms)) {
		f.addUnspaced(r)
		return
	}
	for _, r := range latinForms[r] {
		f.rune(r)
	}
}

// latinForms are the plain forms of Latin letters.
var latinForms = func() (forms [0x250]string) {
	for r := range forms {
		forms[r] = stripAccents(string(rune(r)))
	}
	return forms
}()

func (f *wordWriter) full() bool { return len(f.out) >= f.limit }

func (f *wordWriter) ascii(c byte) {
	switch {
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
	default:
		f.separate(c)
		return
	}
	f.beginWord()
	f.out = append(f.out, c)
}

// separate ends a word or a run at a character that is of none, unless it is a symbol of the word.
func (f *wordWriter) separate(c byte) {
	switch {
	case f.start >= 0 && f.symbol.follow(c):
	case f.start < 0 && isSymbol(c):
		f.endRun(true)
		f.symbol.see(c)
	default:
		f.end()
		f.symbol.reset()
	}
}

func (f *wordWriter) rune(r rune) {
	switch {
	case r < utf8.RuneSelf:
		f.ascii(byte(r))
	case isUnspaced(r):
		f.addUnspaced(r)
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		f.beginWord()
		f.out = utf8.AppendRune(f.out, r)
	case unicode.Is(unicode.Cf, r): // joiners and soft hyphens stand within words
	default:
		f.end()
		f.symbol.reset()
	}
}

// beginWord opens a word unless one is open.
func (f *wordWriter) beginWord() {
	switch {
	case f.start < 0:
		f.endRun(true)
	case f.symbol.tail == "":
		return
	default:
		f.end()
	}
	f.out = append(f.out, ' ')
	f.start = len(f.out)
	f.symbol.begin()
}

// end ends a word or a run.
func (f *wordWriter) end() {
	f.endRun(true)
	if f.start < 0 {
		return
	}
	word, n := f.out[f.start:], 0
	f.start = -1
	if f.symbol.any() {
		f.symbol.each(string(word), f.addWithSymbols)
	}
	for i := 0; i < maxPrefix && f.isName; i++ {
		_, size := utf8.DecodeRune(word[n:])
		n += size
		f.addPrefix(word[:n])
	}
}

// addPrefix adds a prefix, unless it is there already or none are wanted.
func (f *wordWriter) addPrefix(s []byte) {
	if f.seen == nil || f.seen[string(s)] {
		return
	}
	f.seen[string(s)] = true
	f.prefixes = append(append(append(f.prefixes, ' '), s...), prefixMark...)
}

// addWithSymbols adds a word with its symbol, where prefixes stand if any are wanted.
func (f *wordWriter) addWithSymbols(word string) {
	if f.seen == nil {
		f.withSymbols = append(f.withSymbols, word)
	} else if !f.seen[word] {
		f.seen[word] = true
		f.prefixes = append(append(f.prefixes, ' '), word...)
	}
}

// addUnspaced writes a character of a run with the one before it.
func (f *wordWriter) addUnspaced(r rune) {
	if f.start >= 0 {
		f.end()
	}
	f.symbol.reset()
	if f.runLength > 0 {
		f.out = utf8.AppendRune(utf8.AppendRune(append(f.out, ' '), f.previous), r)
	}
	f.runLength, f.previous = f.runLength+1, r
	f.addPrefix([]byte(string(r)))
}

// endRun ends a run. Its last character also stands alone, but not at the end of a
// phrase that is looked for: there the text may continue.
func (f *wordWriter) endRun(alone bool) {
	if f.runLength == 1 || f.runLength > 1 && alone {
		f.out = utf8.AppendRune(append(f.out, ' '), f.previous)
	}
	f.runLength = 0
}

// unspacedScripts are the scripts without spaces between words, Korean, whose words
// have endings, and symbols such as emoji.
var unspacedScripts = rangetable.Merge(unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Yi,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Tai_Le, unicode.New_Tai_Lue,
	unicode.Tai_Tham, unicode.Tai_Viet, unicode.Javanese, unicode.Balinese, unicode.So, rangetable.New('ー', '々', '〆'))

func isUnspaced(r rune) bool { return r >= 0xe00 && unicode.Is(unspacedScripts, r) }

// stripAccents removes accents and points from letters, recomposes Korean syllables and
// kana with their marks, and returns lower case.
func stripAccents(s string) string {
	var b bytes.Buffer
	for _, r := range norm.NFKD.String(s) {
		if isAccent(r) || r == utf8.RuneError {
			continue
		}
		r = unicode.ToLower(r)
		if letters, ok := decompositions[r]; ok {
			b.WriteString(letters)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// isAccent recognizes the accents of Latin, Greek and Cyrillic letters and the points of
// Hebrew and Arabic ones, which are optional. Marks of other scripts are vowels.
func isAccent(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x36f, r >= 0x591 && r <= 0x5c7 && r != 0x5be, r >= 0x64b && r <= 0x65f, r == 0x670:
		return true
	}
	return false
}

// decompositions are those of letters that Unicode does not decompose.
var decompositions = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i", 'ŧ': "t", 'ŋ': "n", 'ς': "σ",
}
