package rule

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// compiled is a rule whose conditions are ready to be tried.
type compiled struct {
	Rule
	tests []test
}

// test is a condition made ready: words folded, or an expression.
type test struct {
	field Field
	words string
	expr  *regexp.Regexp
}

func compile(r Rule) (*compiled, error) {
	c := &compiled{Rule: r}
	for i, condition := range r.Conditions {
		t, err := condition.compile()
		if err != nil {
			err.Condition = i
			return nil, err
		}
		c.tests = append(c.tests, t)
	}
	return c, nil
}

func (c Condition) compile() (test, *Error) {
	t := test{field: c.Field, words: fold(c.Pattern)}
	switch {
	case !slices.Contains(Fields, c.Field):
		return t, said("There is nothing called “%.40s” to look at.", c.Field)
	case t.words == "":
		return t, said("This condition is empty: write what is to be looked for.")
	case len(c.Pattern) > MaxPattern:
		return t, said("This condition is too long: %d letters at most.", MaxPattern)
	case !utf8.ValidString(c.Pattern):
		return t, said("This condition holds letters that cannot be read.")
	case !c.Regexp:
		return t, nil
	}
	if _, err := syntax.Parse(c.Pattern, syntax.Perl); err != nil {
		return t, explain(err)
	}
	var err error
	if t.expr, err = regexp.Compile("(?i)(?:" + c.Pattern + ")"); err != nil {
		return t, explain(err)
	}
	return t, nil
}

func (c *compiled) holds(a *Article) bool {
	for _, t := range c.tests {
		if t.holds(a) == c.Any {
			return c.Any
		}
	}
	return !c.Any && len(c.tests) > 0
}

func (t test) holds(a *Article) bool {
	if t.expr != nil {
		values, _ := a.values(t.field)
		return slices.ContainsFunc(values, t.expr.MatchString)
	}
	return slices.ContainsFunc(a.fold(t.field), func(text string) bool { return strings.Contains(text, t.words) })
}

func said(format string, values ...any) *Error { return &Error{whole, fmt.Sprintf(format, values...)} }

// explain says in plain words what is wrong with an expression, and where.
func explain(err error) *Error {
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return said("The expression cannot be read: %v.", err)
	}
	at := fmt.Sprintf("“%.60s”", wrong.Expr)
	switch wrong.Code {
	case syntax.ErrMissingParen:
		return said("A bracket ( is opened and not closed in %s.", at)
	case syntax.ErrUnexpectedParen:
		return said("A bracket ) is closed that was not opened in %s.", at)
	case syntax.ErrMissingBracket:
		return said("A bracket [ is opened and not closed at %s.", at)
	case syntax.ErrMissingRepeatArgument:
		return said("Nothing stands before %s that could be repeated.", at)
	case syntax.ErrInvalidRepeatOp:
		return said("One sign of repetition follows another: %s.", at)
	case syntax.ErrInvalidRepeatSize, syntax.ErrLarge:
		return said("The expression repeats too much at %s: a thousand times at most.", at)
	case syntax.ErrInvalidCharRange, syntax.ErrInvalidCharClass:
		return said("The range %s is none: its letters are to stand in their order.", at)
	case syntax.ErrInvalidEscape:
		return said("The backslash in %s means nothing before that letter; write \\\\ for a backslash.", at)
	case syntax.ErrTrailingBackslash:
		return said("The expression ends in a backslash; write \\\\ for a backslash.")
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return said("What begins with %s is not known: looking ahead or behind is not possible.", at)
	case syntax.ErrNestingDepth:
		return said("The expression has too many brackets within brackets.")
	}
	return said("The expression is wrong at %s.", at)
}
