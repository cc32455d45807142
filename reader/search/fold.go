package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// maxFold bounds how much of a text is searched, in bytes of its words: a book in
// one article would hold up everything else that is written.
const maxFold = 1 << 18

// Fold returns the words of a text as they are indexed and searched for, a blank
// before and after each: in lower case, without accents, ligatures and widths.
//
// Where words are not set apart by blanks (Chinese, Japanese, Korean with its
// endings, Thai …) every two neighbours are a word, and the last one of such a run
// alone: "東京都" is "東京 京都 都". So any part of a sentence is a phrase of these
// words, also one of two characters.
//
// At the end stands once each character of such a run, as "東¦ 京¦ 都¦": an index answers
// from there what is asked for one of them, where it would have to unite a great part of
// all its words.
func Fold(text string) string { return fold(text, false) }

// FoldName is Fold for a title or a name. At its end stands also what its words begin
// with, one letter of them and two, as "t¦ th¦".
func FoldName(text string) string { return fold(text, true) }

func fold(text string, names bool) string {
	f := folder{limit: maxFold, begin: -1, names: names, seen: map[string]bool{}}
	f.text(text)
	f.end()
	f.out = append(f.out, f.starts...)
	if len(f.out) > 0 {
		f.out = append(f.out, ' ')
	}
	return string(f.out)
}

// started ends what stands for all words that begin so.
const started = "¦"

// phrase returns the words to look for, and whether the last one may go on; whole says
// that it must not.
func phrase(text string, whole bool) (words string, open bool) {
	f := folder{limit: maxPhrase, begin: -1}
	f.text(text)
	last := f.run // of a run at the end
	f.stop(false)
	words = strings.TrimPrefix(string(f.out), " ")
	switch {
	case words == "":
		return "", false
	case last == 1 && !strings.Contains(words, " "):
		return words + started, false
	case last > 0:
		return words, last == 1 // a pair has no more to come, one character has
	case whole:
		return words, false
	}
	// After other words a short one stands as it is ("don't"): to unite all that begin
	// so is slow.
	return words, !isShort(words[strings.LastIndexByte(words, ' ')+1:]) || isShort(words)
}

// isShort reports whether words are one of a letter or two. Half of all texts have one
// that begins so, which nobody wants to see, or wait for: it has to stand in a text as
// it is, and only in a name may be the beginning of another.
func isShort(words string) bool {
	return utf8.RuneCountInString(words) <= maxStart && !strings.Contains(words, " ")
}

const (
	maxPhrase = 400 // bytes
	maxStart  = 2   // letters
)

// Plain returns a name in lower case without accents, to be compared as a whole.
func Plain(name string) string { return strings.Join(strings.Fields(plain(name)), " ") }

// folder writes the words of a text one after the other.
type folder struct {
	out    []byte
	limit  int
	begin  int  // where in out the word that is being written begins; -1 between words
	run    int  // length of the run whose pairs are being written
	before rune // the last character of it, not yet written alone
	names  bool // starts has the beginnings of words
	starts []byte
	seen   map[string]bool // in starts; nil if nobody wants them
}

func (f *folder) text(s string) {
	for len(s) > 0 && !f.full() {
		i := 0
		for ; i < len(s) && s[i] < utf8.RuneSelf && !f.full(); i++ {
			f.ascii(s[i])
		}
		s = s[i:]
		for i = 0; i < len(s) && s[i] >= utf8.RuneSelf && !f.full(); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isReady(r) {
				break
			}
			f.ready(r)
			i += size
		}
		s = s[i:]
		for i = 0; i < len(s) && s[i] >= utf8.RuneSelf && i < maxPiece; {
			r, size := utf8.DecodeRuneInString(s[i:])
			if isReady(r) {
				break
			}
			i += size
		}
		for _, r := range plain(s[:i]) {
			if !f.full() {
				f.rune(r)
			}
		}
		s = s[i:]
	}
}

// maxPiece is how much is taken apart at a time, in bytes.
const maxPiece = 4096

// isReady reports whether the plain form of a character is known without taking it
// apart: that is slow.
func isReady(r rune) bool {
	return r < rune(len(western)) || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa
}

func (f *folder) ready(r rune) {
	if r >= rune(len(western)) {
		f.pair(r)
		return
	}
	for _, r := range western[r] {
		f.rune(r)
	}
}

// western are the plain forms of Latin letters.
var western = func() (forms [0x250]string) {
	for r := range forms {
		forms[r] = plain(string(rune(r)))
	}
	return forms
}()

func (f *folder) full() bool { return len(f.out) >= f.limit }

func (f *folder) ascii(c byte) {
	switch {
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
	default:
		f.end()
		return
	}
	f.letter()
	f.out = append(f.out, c)
}

func (f *folder) rune(r rune) {
	switch {
	case r < utf8.RuneSelf:
		f.ascii(byte(r))
	case isSolid(r):
		f.pair(r)
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		f.letter()
		f.out = utf8.AppendRune(f.out, r)
	case unicode.Is(unicode.Cf, r): // joiners and soft hyphens stand within words
	default:
		f.end()
	}
}

// letter sees to it that a letter of a word can be written.
func (f *folder) letter() {
	if f.begin >= 0 {
		return
	}
	f.stop(true)
	f.out = append(f.out, ' ')
	f.begin = len(f.out)
}

// end ends a word or a run.
func (f *folder) end() {
	f.stop(true)
	if f.begin < 0 {
		return
	}
	word, n := f.out[f.begin:], 0
	f.begin = -1
	for i := 0; i < maxStart && f.names; i++ {
		_, size := utf8.DecodeRune(word[n:])
		n += size
		f.start(word[:n])
	}
}

// start notes what a word begins with.
func (f *folder) start(s []byte) {
	if f.seen == nil || f.seen[string(s)] {
		return
	}
	f.seen[string(s)] = true
	f.starts = append(append(append(f.starts, ' '), s...), started...)
}

// pair writes a character with the one before it.
func (f *folder) pair(r rune) {
	if f.begin >= 0 {
		f.end()
	}
	if f.run > 0 {
		f.out = utf8.AppendRune(utf8.AppendRune(append(f.out, ' '), f.before), r)
	}
	f.run, f.before = f.run+1, r
	f.start([]byte(string(r)))
}

// stop ends a run. Its last character stands alone as well, but for the end of a phrase
// that is looked for: there the text may go on.
func (f *folder) stop(alone bool) {
	if f.run == 1 || f.run > 1 && alone {
		f.out = utf8.AppendRune(append(f.out, ' '), f.before)
	}
	f.run = 0
}

// solids are the characters of scripts that do not set words apart by blanks, of Korean,
// which hangs endings on its words, and pictures such as emoji.
var solids = rangetable.Merge(unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Yi,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Tai_Le, unicode.New_Tai_Lue,
	unicode.Tai_Tham, unicode.Tai_Viet, unicode.Javanese, unicode.Balinese, unicode.So, rangetable.New('ー', '々', '〆'))

func isSolid(r rune) bool { return r >= 0xe00 && unicode.Is(solids, r) }

// plain takes accents and points from letters, joins again what is one letter (Korean
// syllables, kana with their marks) and writes it small.
func plain(s string) string {
	var b bytes.Buffer
	for _, r := range norm.NFKD.String(s) {
		if isAccent(r) || r == utf8.RuneError {
			continue
		}
		r = unicode.ToLower(r)
		if letters, ok := apart[r]; ok {
			b.WriteString(letters)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// isAccent tells the accents of Latin, Greek and Cyrillic letters and the points of
// Hebrew and Arabic ones, which are written or not. Marks of other scripts are vowels.
func isAccent(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x36f, r >= 0x591 && r <= 0x5c7 && r != 0x5be, r >= 0x64b && r <= 0x65f, r == 0x670:
		return true
	}
	return false
}

// apart are letters that Unicode does not take apart.
var apart = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i", 'ŧ': "t", 'ŋ': "n", 'ς': "σ",
}
