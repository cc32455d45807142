package rule

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// compiledRule is a rule with conditions that are ready to be matched.
type compiledRule struct {
	Rule
	conditions []compiledCondition
}

// compiledCondition looks for folded words in a field, or for an expression if that is not nil.
type compiledCondition struct {
	field      Field
	words      string
	expression *regexp.Regexp
	size       int // of the expression
	not        bool
}

// maxSize is how many steps the expressions of a rule have together, with all repetitions: a step takes memory as long as Kairos runs,
// and the text of each new article may pass through all of them.
const maxSize = 5000

// sizeOf returns how many steps an expression has, about.
func sizeOf(e *syntax.Regexp) int {
	size := max(1, len(e.Rune))
	if e.Op == syntax.OpCharClass {
		size = 1
	}
	for _, sub := range e.Sub {
		size += sizeOf(sub)
	}
	if e.Op == syntax.OpRepeat {
		size *= max(e.Min, e.Max, 1)
	}
	return size
}

func compileRule(r Rule) (*compiledRule, error) {
	c, size := &compiledRule{Rule: r}, 0
	for i, condition := range r.Conditions {
		compiled, err := condition.compile()
		if err != nil {
			err.Condition = i
			return nil, err
		}
		if size += compiled.size; size > maxSize {
			return nil, &Error{Code: ExpressionTooLarge, Condition: i}
		}
		c.conditions = append(c.conditions, compiled)
	}
	return c, nil
}

func (c Condition) compile() (compiledCondition, *Error) {
	compiled := compiledCondition{field: c.Field, words: fold(c.Pattern), not: c.Not}
	switch {
	case !slices.Contains(Fields, c.Field):
		return compiled, &Error{Code: UnknownField, Text: fmt.Sprintf("%.40s", c.Field)}
	case c.Field == Story:
		return compiled, nil
	case compiled.words == "":
		return compiled, &Error{Code: EmptyCondition}
	case len(c.Pattern) > maxPattern:
		return compiled, &Error{Code: ConditionTooLong, Limit: maxPattern}
	case !utf8.ValidString(c.Pattern):
		return compiled, &Error{Code: InvalidText}
	case !c.Regexp:
		return compiled, nil
	}
	// Parsed alone first: the group around it below would change what an error quotes.
	parsed, err := syntax.Parse(c.Pattern, syntax.Perl)
	if err != nil {
		return compiled, expressionError(err)
	}
	if compiled.size = sizeOf(parsed); compiled.size > maxSize {
		return compiled, &Error{Code: ExpressionTooLarge}
	}
	if compiled.expression, err = regexp.Compile("(?i)(?:" + c.Pattern + ")"); err != nil {
		return compiled, expressionError(err)
	}
	return compiled, nil
}

func (r *compiledRule) matches(a *Article) bool {
	for _, c := range r.conditions {
		if c.matches(a) == r.Any {
			return r.Any
		}
	}
	return !r.Any && len(r.conditions) > 0
}

func (c compiledCondition) matches(a *Article) bool { return c.finds(a) != c.not }

// finds reports whether the field has what is looked for.
func (c compiledCondition) finds(a *Article) bool {
	if c.field == Story {
		return a.Told
	}
	if c.expression != nil {
		return slices.ContainsFunc(a.plainText(c.field), c.expression.MatchString)
	}
	return slices.ContainsFunc(a.foldedText(c.field), func(text string) bool { return strings.Contains(text, c.words) })
}
