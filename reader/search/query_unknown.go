package search

import (
	"strings"
	"time"
	"unicode"
)

// Unknown is a filter that was typed and does not exist: its Value is not one of those of the operator Name, or there is no
// such operator. Parse takes it for words.
type Unknown struct {
	Name  string
	Value string
}

// IsOperator reports whether there is an operator of this name, which has other values.
func (u Unknown) IsOperator() bool { return isOperator(u.Name) }

// IsDay reports whether the value should be a day.
func (u Unknown) IsDay() bool {
	kind := operators[u.Name]
	return kind == Before || kind == After
}

// Unknowns returns the filters of a text that do not exist, in order.
func Unknowns(text string) (all []Unknown) {
	for _, p := range splitPieces(text) {
		if p.name == "" && !p.quoted {
			p.name, p.text, _ = strings.Cut(p.text, ":")
			if p.name == "" || p.text == "" || strings.HasPrefix(p.text, "//") || isOperator(p.name) || strings.ContainsFunc(p.name, func(r rune) bool { return !unicode.IsLetter(r) }) {
				continue // a time, an address, or no filter at all
			}
			all = append(all, Unknown{p.name, p.text})
			continue
		}
		u := Unknown{p.name, p.text}
		_, isState := states[strings.ToLower(p.text)]
		_, isDay := parseDay(p.text, time.Time{})
		if p.name == "is" && !isState || u.IsDay() && !isDay {
			all = append(all, u)
		}
	}
	return all
}
