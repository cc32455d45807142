package rule

import (
	"errors"
	"fmt"
	"regexp/syntax"
)

// Error says why a rule cannot be used.
type Error struct {
	Code      Code   `json:"code"`
	Condition int    `json:"condition"`       // the index of the one that is wrong, or WholeRule
	Limit     int    `json:"limit,omitempty"` // that is exceeded
	Text      string `json:"text,omitempty"`  // the part of the pattern that is wrong, or the name of a field
}

// WholeRule is the Condition of an error that belongs to no single condition.
const WholeRule = -1

// Code names one reason.
type Code string

// Reasons why a rule cannot be used. They concern the rule, a condition, or its
// regular expression.
const (
	NoCondition       Code = "no-condition"
	TooManyConditions Code = "too-many-conditions" // Limit
	NoAction          Code = "no-action"
	NameTooLong       Code = "name-too-long"  // or not UTF-8
	TooManyRules      Code = "too-many-rules" // Limit

	UnknownField     Code = "unknown-field" // Text
	EmptyCondition   Code = "empty-condition"
	ConditionTooLong Code = "condition-too-long" // Limit
	InvalidText      Code = "invalid-text"       // not UTF-8

	UnclosedParenthesis Code = "unclosed-parenthesis" // Text, as for all below
	UnopenedParenthesis Code = "unopened-parenthesis"
	UnclosedBracket     Code = "unclosed-bracket"
	NothingToRepeat     Code = "nothing-to-repeat"
	RepeatedRepetition  Code = "repeated-repetition"
	TooManyRepetitions  Code = "too-many-repetitions"
	BadRange            Code = "bad-range"
	BadEscape           Code = "bad-escape"
	TrailingBackslash   Code = "trailing-backslash"
	UnsupportedGroup    Code = "unsupported-group"
	NestedTooDeeply     Code = "nested-too-deeply"
	BadExpression       Code = "bad-expression"

	ExpressionTooLarge Code = "expression-too-large" // with its repetitions, or all of a rule are together
)

// Error describes the reason for logs.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Condition != WholeRule {
		text = fmt.Sprintf("condition %d: %s", e.Condition+1, text)
	}
	if e.Limit > 0 {
		text += fmt.Sprintf(" (at most %d)", e.Limit)
	}
	if e.Text != "" {
		text += fmt.Sprintf(": %q", e.Text)
	}
	return text
}

var syntaxCodes = map[syntax.ErrorCode]Code{
	syntax.ErrMissingParen:          UnclosedParenthesis,
	syntax.ErrUnexpectedParen:       UnopenedParenthesis,
	syntax.ErrMissingBracket:        UnclosedBracket,
	syntax.ErrMissingRepeatArgument: NothingToRepeat,
	syntax.ErrInvalidRepeatOp:       RepeatedRepetition,
	syntax.ErrInvalidRepeatSize:     TooManyRepetitions,
	syntax.ErrLarge:                 TooManyRepetitions,
	syntax.ErrInvalidCharRange:      BadRange,
	syntax.ErrInvalidCharClass:      BadRange,
	syntax.ErrInvalidEscape:         BadEscape,
	syntax.ErrTrailingBackslash:     TrailingBackslash,
	syntax.ErrInvalidPerlOp:         UnsupportedGroup,
	syntax.ErrInvalidNamedCapture:   UnsupportedGroup,
	syntax.ErrNestingDepth:          NestedTooDeeply,
}

// maxErrorText is how much of a pattern an error quotes, in characters.
const maxErrorText = 60

// expressionError converts an error of regexp or regexp/syntax.
func expressionError(err error) *Error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return &Error{Code: BadExpression, Text: err.Error()}
	}
	code, known := syntaxCodes[e.Code]
	if !known {
		code = BadExpression
	}
	return &Error{Code: code, Text: fmt.Sprintf("%.*s", maxErrorText, e.Expr)}
}
