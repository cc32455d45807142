// Package search reads what a person types to find articles, and says which
// words a text has. It knows no store: Parse gives a small model, Words says it
// in the language of SQLite's FTS5 and also answers it for one text at hand, and
// both go by the same words, those of Fold.
//
// Nothing that can be typed is an error. An open quote, a lone operator, an
// unknown one and the syntax of FTS5 are plain words.
package search

import "time"

// Query is what was typed. All of its clauses must hold; without any it selects
// everything.
type Query struct{ Clauses []Clause }

// Clause are terms of which one must hold: those joined by OR. An empty one never holds.
type Clause []Term

// Kind says what a term speaks of.
type Kind uint8

// The kinds of term, each with what is typed for it.
const (
	Anywhere Kind = iota // word, "phrase"
	Title                // title:word
	Author               // author:word
	Feed                 // feed:name
	Folder               // folder:name
	Unread               // is:unread
	Read                 // is:read
	Starred              // is:starred
	Before               // before:2026-01-31
	After                // after:2026-01-31
)

// Term is one thing asked for.
type Term struct {
	Kind Kind
	Not  bool // typed with a "-" before it
	// Text is, for Anywhere, Title and Author, the words that follow each other, as
	// Fold writes them; for Feed and Folder what the name contains, as Plain writes it.
	Text string
	// Open says that the last word of Text may go on.
	Open bool
	// Day is the midnight that Before and After speak of: before it, or from it on.
	Day time.Time
}

// IsWords reports whether the term speaks of the words of an article.
func (t Term) IsWords() bool { return t.Kind <= Author }
