package search

import "strings"

// A word with a sign that belongs to it, as in c++, C#, .net, @name and #tag, is indexed as it is read, without the sign, and again
// with it: at the end of the text, where single characters and prefixes stand, too. So a sentence stays a phrase, and who looks
// for c++ finds no other word that begins with c.

// signs are what such signs are written as in the index, whose tokenizer splits at those of ASCII. Fold writes these nowhere else.
var signs = map[byte]string{'.': "．", '@': "＠", '#': "＃", '+': "＋"}

// leads and trails reports whether a sign belongs to the word behind it, or before it.
func leads(c byte) bool  { return c == '.' || c == '@' || c == '#' }
func trails(c byte) bool { return c == '#' || c == '+' }

func isSign(c byte) bool { return leads(c) || trails(c) }

// hasSign reports whether words have one.
func hasSign(words string) bool { return strings.ContainsAny(words, "．＠＃＋") }

// withSigns writes signs as in the index.
func withSigns(of string) (written string) {
	for i := range len(of) {
		written += signs[of[i]]
	}
	return written
}

const (
	maxSigns  = 3   // behind a word
	maxSigned = 100 // bytes of a word with them
)

// signState is what a reader of words knows of the signs around the word that is open.
type signState struct {
	next byte   // a sign right before what comes; 0 if there is none, or more than one
	more bool   // it stands behind another sign
	lead byte   // before the open word
	tail string // behind it
}

// see notes a sign outside a word, one before the next word.
func (s *signState) see(c byte) {
	if s.more || s.next != 0 || !leads(c) {
		s.next, s.more = 0, true
		return
	}
	s.next = c
}

// reset notes a character that is neither.
func (s *signState) reset() { s.next, s.more = 0, false }

// begin notes the beginning of a word.
func (s *signState) begin() {
	s.lead, s.tail = s.next, ""
	s.reset()
}

// follow notes a character behind a letter of the open word, and reports whether it is a sign that belongs to it.
func (s *signState) follow(c byte) bool {
	if !trails(c) || len(s.tail) == maxSigns {
		return false
	}
	s.tail += string(c)
	return true
}

// leading returns the sign before the open word, "" if there is none.
func (s *signState) leading() string {
	if s.lead == 0 {
		return ""
	}
	return string(s.lead)
}

// any reports whether the open word has signs.
func (s *signState) any() bool { return s.lead != 0 || s.tail != "" }

// signed calls add with the open word with the sign before it, and with those behind it.
func (s *signState) signed(word string, add func(string)) {
	if len(word) > maxSigned {
		s.lead, s.tail = 0, ""
		return
	}
	if s.lead != 0 && (s.lead != '.' || word[0] < '0' || word[0] > '9') { // no .5
		add(withSigns(string(s.lead)) + word)
	}
	if s.tail != "" {
		add(word + withSigns(s.tail))
	}
	s.lead, s.tail = 0, ""
}
