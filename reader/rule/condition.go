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
	not        bool
}

func compileRule(r Rule) (*compiledRule, error) {
	c := &compiledRule{Rule: r}
	for i, condition := range r.Conditions {
		compiled, err := condition.compile()
		if err != nil {
			err.Condition = i
			return nil, err
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
	case len(c.Pattern) > MaxPattern:
		return compiled, &Error{Code: ConditionTooLong, Limit: MaxPattern}
	case !utf8.ValidString(c.Pattern):
		return compiled, &Error{Code: InvalidText}
	case !c.Regexp:
		return compiled, nil
	}
	// Parsed alone first: the group around it below would change what an error quotes.
	if _, err := syntax.Parse(c.Pattern, syntax.Perl); err != nil {
		return compiled, expressionError(err)
	}
	var err error
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
