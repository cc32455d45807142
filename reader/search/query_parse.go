package search

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// maxTerms is how many terms of a pasted text are used: FTS5 refuses expressions
// that are nested deeper than 256.
const maxTerms = 64

// Parse parses what was typed. Days begin in the zone of today, from whose day on "yesterday" and "7d" are counted. Text without
// any word matches nothing.
func Parse(text string, today time.Time) Query {
	var q Query
	pieces := splitPieces(text)
	count, join, not := 0, false, false
	for i, p := range pieces {
		more := i+1 < len(pieces) && !isWord(pieces[i+1], "OR")
		if isWord(p, "OR") && !join && len(q.Clauses) > 0 && more {
			join = true
			continue
		}
		if isWord(p, "AND") && !join && len(q.Clauses) > 0 && more {
			continue
		}
		if isWord(p, "NOT") && !not && more {
			not = true
			continue
		}
		t, ok := p.term(today)
		if !ok {
			continue // no word in it; an OR before it joins the next piece
		}
		t.Not, not = t.Not != not, false
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

// isWord reports whether a piece is an operator between or before others, which is written in capitals.
func isWord(p piece, operator string) bool { return p == piece{text: operator} }

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
	if len(text) > 1 && (text[0] == '-' || text[0] == '!') && !unicode.IsSpace(text[1]) {
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

// operators are those with a value, by the names that this and other readers, and mail programs, have for them.
var operators = map[string]Kind{
	"title": Title, "intitle": Title, "author": Author, "feed": Feed, "folder": Folder, "label": Label, "category": Category,
	"before": Before, "until": Before, "older": Before, "older_than": Before, "after": After, "since": After, "newer": After, "newer_than": After,
}

// states are the values of "is:".
var states = map[string]Kind{"unread": Unread, "read": Read, "starred": Starred, "snoozed": Snoozed, "ended": Ended, "story": Story, "incomplete": Incomplete,
	"begun": Begun, "heard": Heard, "queued": Queued}

func isOperator(name string) bool {
	_, ok := operators[name]
	return ok || name == "is"
}

// term returns the condition of a piece; ok is false if it has none.
func (p piece) term(today time.Time) (Term, bool) {
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
		if day, ok := parseDay(p.text, today); ok {
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

// parseDay reads a day, or the first one of a month or a year: as a date, or counted back from today.
func parseDay(text string, today time.Time) (time.Time, bool) {
	text = strings.ReplaceAll(text, "/", "-")
	for _, layout := range []string{"2006-1-2", "2006-1", "2006"} {
		if day, err := time.ParseInLocation(layout, text, today.Location()); err == nil {
			return day, true
		}
	}
	return parseAgo(strings.ToLower(text), today)
}

// parseAgo reads a day that is counted back from today: "today", "yesterday", or so many days, weeks, months or years: "7d".
func parseAgo(text string, today time.Time) (time.Time, bool) {
	year, month, day := today.Date()
	ago := func(years, months, days int) (time.Time, bool) {
		return time.Date(year-years, month-time.Month(months), day-days, 0, 0, 0, 0, today.Location()), true
	}
	switch text {
	case "today":
		return ago(0, 0, 0)
	case "yesterday":
		return ago(0, 0, 1)
	}
	text = strings.TrimPrefix(text, "-")
	count, err := strconv.ParseUint(text[:max(0, len(text)-1)], 10, 16)
	if err != nil {
		return time.Time{}, false
	}
	switch n := int(count); text[len(text)-1] {
	case 'd':
		return ago(0, 0, n)
	case 'w':
		return ago(0, 0, 7*n)
	case 'm':
		return ago(0, n, 0)
	case 'y':
		return ago(min(n, year), 0, 0)
	}
	return time.Time{}, false
}
