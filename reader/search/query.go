// Package search parses what a person types to find articles, and splits texts into
// words. It knows no store: Parse returns a small model; Words writes it in the
// language of SQLite's FTS5, or matches it against one text. Both use the words
// that Fold returns.
//
// Nothing that can be typed is an error. An open quote, a lone or unknown operator
// and the syntax of FTS5 are plain words.
package search

import "time"

// Query is a parsed search. An article must match all clauses; without any it
// matches everything.
type Query struct{ Clauses []Clause }

// Clause is a list of terms joined by OR, of which an article must match one. An
// empty clause matches nothing.
type Clause []Term

// Kind is what a term looks at.
type Kind uint8

// The kinds of terms, with what is typed for them.
const (
	Anywhere   Kind = iota // word, "phrase"
	Title                  // title:word
	Author                 // author:word
	Feed                   // feed:name
	Folder                 // folder:name
	Label                  // label:name
	Category               // category:name
	Unread                 // is:unread
	Read                   // is:read
	Starred                // is:starred
	Snoozed                // is:snoozed
	Ended                  // is:ended
	Story                  // is:story
	Incomplete             // is:incomplete
	Begun                  // is:begun
	Heard                  // is:heard
	Queued                 // is:queued
	Before                 // before:2026-01-31, before:yesterday, before:7d
	After                  // after:2026-01-31, since:yesterday, newer:7d
)

// Term is one condition of a search.
type Term struct {
	Kind Kind
	Not  bool // typed with "-", "!" or "NOT" before it
	// Text is, for Anywhere, Title and Author, a phrase of words as Fold writes them;
	// for Feed, Folder, Label and Category, a part of the name as Plain writes it.
	Text string
	// Prefix tells that the last word of Text may be the beginning of a longer one.
	Prefix bool
	// Whole tells that a name was typed in quotes: only whole words of names match.
	Whole bool
	// WithSymbols are words of Text that must occur with their symbols, as Fold writes those.
	WithSymbols []string
	// Day is the midnight before which (Before) or from which on (After) an article was published.
	Day time.Time
}

// isWords reports whether the term looks at the words of an article.
func (t Term) isWords() bool { return t.Kind <= Author }
