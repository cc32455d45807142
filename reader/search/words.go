package search

import "strings"

// Words is what a query asks of the words of an article.
type Words struct {
	All  []Clause // each must hold; no term of them is a Not
	None []Term   // none may hold
}

// Split parts a query into what an index of words answers at once and the rest.
func (q Query) Split() (words Words, rest []Clause) {
	for _, c := range q.Clauses {
		switch {
		case len(c) == 1 && c[0].IsWords() && c[0].Not:
			words.None = append(words.None, c[0].positive())
		case c.plain():
			words.All = append(words.All, c)
		default:
			rest = append(rest, c)
		}
	}
	return words, rest
}

// plain reports whether there are terms, and all are words that are wanted.
func (c Clause) plain() bool {
	for _, t := range c {
		if !t.IsWords() || t.Not {
			return false
		}
	}
	return len(c) > 0
}

func (t Term) positive() Term {
	t.Not = false
	return t
}

// Alone is what a term asks of the words, wanted or not.
func (t Term) Alone() Words { return Words{All: []Clause{{t.positive()}}} }

// Unwanted is what must not be there, for words of which None alone says anything: an
// index can list what has words, not what lacks them.
func (w Words) Unwanted() Words { return Words{All: []Clause{w.None}} }

// Expression says the words in the language of FTS5, for columns called title, author
// and text that hold what FoldName and Fold returned, told apart at blanks. It is "" without All.
func (w Words) Expression() string {
	if len(w.All) == 0 {
		return ""
	}
	all := make([]string, len(w.All))
	for i, c := range w.All {
		all[i] = either(c)
	}
	text := strings.Join(all, " AND ")
	if len(w.None) > 0 {
		text = "(" + text + ") NOT " + either(w.None)
	}
	return text
}

func either(terms []Term) string {
	any := make([]string, len(terms))
	for i, t := range terms {
		any[i] = t.expression()
	}
	return "(" + strings.Join(any, " OR ") + ")"
}

func (t Term) expression() string {
	// A quote cannot occur in what Fold writes.
	text := `"` + t.Text + `"`
	if t.Open && isShort(t.Text) {
		text = `(` + text + ` OR "` + t.Text + started + `")`
	} else if t.Open {
		text += " *"
	}
	switch t.Kind {
	case Title:
		return "title : " + text
	case Author:
		return "author : " + text
	}
	return text
}

// Text is an article: what FoldName made of its title and author, and Fold of its body.
type Text struct{ Title, Author, Body string }

// Match reports whether a text has the words.
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
	if t.Open && isShort(t.Text) {
		whole, start := t, t
		whole.Open, start.Open, start.Text = false, false, t.Text+started
		return x.has(whole) || x.has(start)
	}
	wanted := " " + t.Text
	if !t.Open {
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
