package search

import "strings"

// Words are the conditions of a query that look at words.
type Words struct {
	All  []Clause // all must match; none of their terms is a Not
	None []Term   // none may match
}

// Split separates what an index of words can answer from the rest.
func (q Query) Split() (words Words, rest []Clause) {
	for _, c := range q.Clauses {
		switch {
		case len(c) == 1 && c[0].isWords() && c[0].Not:
			words.None = append(words.None, c[0].positive())
		case c.isWanted():
			words.All = append(words.All, c)
		default:
			rest = append(rest, c)
		}
	}
	return words, rest
}

// isWanted reports whether all terms are words that are not negated, and there are any.
func (c Clause) isWanted() bool {
	for _, t := range c {
		if !t.isWords() || t.Not {
			return false
		}
	}
	return len(c) > 0
}

func (t Term) positive() Term {
	t.Not = false
	return t
}

// Words returns the condition of one term, without its negation.
func (t Term) Words() Words { return Words{All: []Clause{{t.positive()}}} }

// Unwanted returns the conditions of None as wanted ones, for words without All: an
// index can list texts that have words, not those that lack them.
func (w Words) Unwanted() Words { return Words{All: []Clause{w.None}} }

// Expression writes the words in the language of FTS5, for columns called title,
// author and text that hold what FoldName and Fold returned, split at spaces. It is ""
// without All.
func (w Words) Expression() string {
	if len(w.All) == 0 {
		return ""
	}
	all := make([]string, len(w.All))
	for i, c := range w.All {
		all[i] = anyOf(c)
	}
	text := strings.Join(all, " AND ")
	if len(w.None) > 0 {
		text = "(" + text + ") NOT " + anyOf(w.None)
	}
	return text
}

// Gathered returns what the words begin with of which an index has to gather all texts, before it knows the first that has one.
func (w Words) Gathered() (beginnings []string) {
	gather := func(terms []Term) {
		for _, t := range terms {
			if t.Prefix && !isShort(t.Text) {
				beginnings = append(beginnings, t.Text[strings.LastIndexByte(t.Text, ' ')+1:])
			}
		}
	}
	for _, c := range w.All {
		gather(c)
	}
	gather(w.None)
	return beginnings
}

func anyOf(terms []Term) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = t.expression()
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

func (t Term) expression() string {
	// Fold writes no quotes.
	text := `"` + t.Text + `"`
	if t.Prefix && isShort(t.Text) {
		text = `(` + text + ` OR "` + t.Text + prefixMark + `")`
	} else if t.Prefix {
		text += " *"
	}
	if len(t.WithSymbols) > 0 {
		text = "(" + text + ` AND "` + strings.Join(t.WithSymbols, `" AND "`) + `")`
	}
	switch t.Kind {
	case Title:
		return "title : " + text
	case Author:
		return "author : " + text
	}
	return text
}

// Text is an article: its title and author by FoldName, its body by Fold.
type Text struct{ Title, Author, Body string }

// Match reports whether a text matches.
func (w Words) Match(text Text) bool {
	for _, c := range w.All {
		if !text.hasOne(c) {
			return false
		}
	}
	return !text.hasOne(w.None)
}

func (x Text) hasOne(terms []Term) bool {
	for _, t := range terms {
		if x.has(t) {
			return true
		}
	}
	return false
}

func (x Text) has(t Term) bool {
	for _, s := range t.WithSymbols {
		if !x.has(Term{Kind: t.Kind, Text: s}) {
			return false
		}
	}
	t.WithSymbols = nil
	if t.Prefix && isShort(t.Text) {
		whole, start := t, t
		whole.Prefix, start.Prefix, start.Text = false, false, t.Text+prefixMark
		return x.has(whole) || x.has(start)
	}
	wanted := " " + t.Text
	if !t.Prefix {
		wanted += " "
	}
	switch t.Kind {
	case Title:
		return strings.Contains(x.Title, wanted)
	case Author:
		return strings.Contains(x.Author, wanted)
	}
	return strings.Contains(x.Title, wanted) || strings.Contains(x.Author, wanted) || strings.Contains(x.Body, wanted)
}
