package search

import "strings"

// A word with a symbol that belongs to it, as in c++, C#, .net, @name and #tag, is indexed as it is read, without the symbol, and again
// with it: at the end of the text, where single characters and prefixes stand, too. So a sentence stays a phrase, and a
// search for c++ finds no other word that begins with c.

// symbols has how such symbols are written in the index, whose tokenizer splits words at those of ASCII. Fold writes these only for them.
var symbols = map[byte]string{'.': "．", '@': "＠", '#': "＃", '+': "＋"}

// leads and trails reports whether a symbol belongs to the word behind it, or before it.
func leads(c byte) bool  { return c == '.' || c == '@' || c == '#' }
func trails(c byte) bool { return c == '#' || c == '+' }

func isSymbol(c byte) bool { return leads(c) || trails(c) }

// hasSymbol reports whether words have one.
func hasSymbol(words string) bool { return strings.ContainsAny(words, "．＠＃＋") }

// inIndex writes symbols as in the index.
func inIndex(of string) (written string) {
	for i := range len(of) {
		written += symbols[of[i]]
	}
	return written
}

const (
	maxSymbols    = 3   // behind a word
	maxSymbolWord = 100 // bytes of a word with them
)

// symbolState is what a reader of words knows of the symbols around the word that is open.
type symbolState struct {
	next byte   // a symbol right before what comes; 0 if there is none, or more than one
	more bool   // it stands behind another symbol
	lead byte   // before the open word
	tail string // behind it
}

// see notes a symbol outside a word, one before the next word.
func (s *symbolState) see(c byte) {
	if s.more || s.next != 0 || !leads(c) {
		s.next, s.more = 0, true
		return
	}
	s.next = c
}

// reset notes a character that is neither.
func (s *symbolState) reset() { s.next, s.more = 0, false }

// begin notes the beginning of a word.
func (s *symbolState) begin() {
	s.lead, s.tail = s.next, ""
	s.reset()
}

// follow notes a character behind a letter of the open word, and reports whether it is a symbol that belongs to it.
func (s *symbolState) follow(c byte) bool {
	if !trails(c) || len(s.tail) == maxSymbols {
		return false
	}
	s.tail += string(c)
	return true
}

// leading returns the symbol before the open word, "" if there is none.
func (s *symbolState) leading() string {
	if s.lead == 0 {
		return ""
	}
	return string(s.lead)
}

// any reports whether the open word has symbols.
func (s *symbolState) any() bool { return s.lead != 0 || s.tail != "" }

// each calls add for the open word with the symbol before it, and for it with those behind it.
func (s *symbolState) each(word string, add func(string)) {
	if len(word) > maxSymbolWord {
		s.lead, s.tail = 0, ""
		return
	}
	if s.lead != 0 && (s.lead != '.' || word[0] < '0' || word[0] > '9') { // no .5
		add(inIndex(string(s.lead)) + word)
	}
	if s.tail != "" {
		add(word + inIndex(s.tail))
	}
	s.lead, s.tail = 0, ""
}
