package search

import (
	"strings"
	"time"
	"unicode"
)

// maxTerms is how many terms of a pasted text are used: FTS5 refuses expressions
// that are nested deeper than 256.
const maxTerms = 64

// Parse parses what was typed; days begin in zone. Text without any word matches
// nothing.
func Parse(text string, zone *time.Location) Query {
	var q Query
	pieces := splitPieces(text)
	count, join := 0, false
	for i, p := range pieces {
		if isOr(p) && !join && len(q.Clauses) > 0 && i+1 < len(pieces) && !isOr(pieces[i+1]) {
			join = true
			continue
		}
		t, ok := p.term(zone)
		if !ok {
			continue // no word in it; an OR before it joins the next piece
		}
		if last := len(q.Clauses) - 1; join {
			q.Clauses[last] = append(q.Clauses[last], t)
		} else {
			q.Clauses = append(q.Clauses, Clause{t})
		}
		join = false
		if count++; count == maxTerms {
			break
		}
	}
	if count == 0 && strings.TrimSpace(text) != "" {
		q.Clauses = []Clause{{}}
	}
	return q
}

// piece is text between white space, or a quotation with the operator before it.
type piece struct {
	not    bool
	name   string // before a colon; "" without one
	text   string
	quoted bool
}

func isOr(p piece) bool { return p == piece{text: "OR"} }

// splitPieces splits a text at white space outside quotes.
func splitPieces(text string) []piece {
	var pieces []piece
	rest := []rune(straightQuotes.Replace(text))
	for len(rest) > 0 {
		if unicode.IsSpace(rest[0]) {
			rest = rest[1:]
			continue
		}
		var p piece
		p, rest = nextPiece(rest)
		pieces = append(pieces, p)
	}
	return pieces
}

// straightQuotes replaces typographic quotes.
var straightQuotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// nextPiece reads the piece at the beginning of text.
func nextPiece(text []rune) (p piece, rest []rune) {
	if len(text) > 1 && text[0] == '-' && !unicode.IsSpace(text[1]) {
		p.not, text = true, text[1:]
	}
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			p.text = string(text[:i])
			return p, text[i:]
		case r == '"':
			return readQuotation(p, text, i)
		case r == ':' && p.name == "" && i > 0 && i+1 < len(text) && !unicode.IsSpace(text[i+1]):
			if name := strings.ToLower(string(text[:i])); isOperator(name) {
				p.name, text = name, text[i+1:]
				inner, rest := readValue(p, text)
				return inner, rest
			}
		}
	}
	p.text = string(text)
	return p, nil
}

// readValue reads what stands behind the colon of an operator.
func readValue(p piece, text []rune) (piece, []rune) {
	if text[0] == '"' {
		return readQuotation(p, text, 0)
	}
	end := 0
	for end < len(text) && !unicode.IsSpace(text[end]) && text[end] != '"' {
		end++
	}
	p.text = string(text[:end])
	return p, text[end:]
}

// readQuotation reads the quotation at a position. Text before the quote is a piece of
// its own, and a quote that is not closed counts as white space.
func readQuotation(p piece, text []rune, at int) (piece, []rune) {
	if at > 0 {
		p.text = string(text[:at])
		return p, text[at:]
	}
	for end := 1; end < len(text); end++ {
		if text[end] == '"' {
			p.text, p.quoted = string(text[1:end]), true
			return p, text[end+1:]
		}
	}
	rest := text[1:]
	for len(rest) > 0 && unicode.IsSpace(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return p, nil
	}
	if p.name != "" || p.not {
		return readValue(p, rest)
	}
	return nextPiece(rest)
}

// operators are those with a value.
var operators = map[string]Kind{
	"title": Title, "author": Author, "feed": Feed, "folder": Folder, "label": Label, "category": Category, "before": Before, "after": After,
}

// states are the values of "is:".
var states = map[string]Kind{"unread": Unread, "read": Read, "starred": Starred, "snoozed": Snoozed, "ended": Ended, "story": Story, "incomplete": Incomplete}

func isOperator(name string) bool {
	_, ok := operators[name]
	return ok || name == "is"
}

// term returns the condition of a piece; ok is false if it has none.
func (p piece) term(zone *time.Location) (Term, bool) {
	t := Term{Kind: Anywhere, Not: p.not}
	if p.name == "is" {
		if kind, ok := states[strings.ToLower(p.text)]; ok {
			t.Kind = kind
			return t, true
		}
	} else if p.name != "" {
		t.Kind = operators[p.name]
	}
	switch t.Kind {
	case Before, After:
		if day, ok := parseDay(p.text, zone); ok {
			t.Day = day
			return t, true
		}
		t.Kind = Anywhere
	case Feed, Folder, Label, Category:
		if t.Text = Plain(p.text); t.Text != "" {
			t.Whole = p.quoted
			return t, true
		}
		t.Kind = Anywhere
	}
	if t.Kind == Anywhere && p.name != "" {
		p.text = p.name + " " + p.text // an unknown value of an operator
	}
	t.Text, t.Prefix, t.WithSymbols = phrase(p.text, p.quoted)
	return t, t.Text != ""
}

// parseDay reads a day, or the first one of a month or a year.
func parseDay(text string, zone *time.Location) (time.Time, bool) {
	text = strings.ReplaceAll(text, "/", "-")
	for _, layout := range []string{"2006-1-2", "2006-1", "2006"} {
		if day, err := time.ParseInLocation(layout, text, zone); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}
