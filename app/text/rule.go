package text

import "kairos/reader/rule"

var ruleErrors = table[rule.Code]{
	rule.NoCondition:         "Add a condition. Without one the rule would match every article.",
	rule.TooManyConditions:   "A rule can have at most {{.Limit}} conditions.",
	rule.NoAction:            "Choose what the rule does: hide, mark as read, star, label or notify.",
	rule.NameTooLong:         "The name is too long.",
	rule.TooManyRules:        "There can be at most {{.Limit}} rules.",
	rule.UnknownField:        "There is no field “{{.Text}}”.",
	rule.EmptyCondition:      "The condition is empty. Enter what to look for.",
	rule.ConditionTooLong:    "The condition is too long. It can have at most {{.Limit}} characters.",
	rule.InvalidText:         "The condition contains invalid characters.",
	rule.UnclosedParenthesis: "The bracket ( in “{{.Text}}” is never closed.",
	rule.UnopenedParenthesis: "The bracket ) in “{{.Text}}” was never opened.",
	rule.UnclosedBracket:     "The bracket [ at “{{.Text}}” is never closed.",
	rule.NothingToRepeat:     "There is nothing to repeat before “{{.Text}}”.",
	rule.RepeatedRepetition:  "Two repetitions follow each other: “{{.Text}}”.",
	rule.TooManyRepetitions:  "“{{.Text}}” repeats too often. At most 1000 repetitions are possible.",
	rule.BadRange:            "“{{.Text}}” is not a range of characters.",
	rule.BadEscape:           "The backslash in “{{.Text}}” has no meaning there. Write \\\\ for a backslash.",
	rule.TrailingBackslash:   "The expression ends with a backslash. Write \\\\ for a backslash.",
	rule.UnsupportedGroup:    "“{{.Text}}” is not supported: expressions cannot look ahead or behind.",
	rule.NestedTooDeeply:     "The brackets of the expression are nested too deeply.",
	rule.BadExpression:       "The expression is wrong at “{{.Text}}”.",
	rule.ExpressionTooLarge:  "The rule is too large. Use fewer repetitions in its expressions.",
}

// RuleError describes why a rule cannot be used.
func (p *Printer) RuleError(e *rule.Error) string {
	return say(p, ruleErrors, e.Code, V{"Limit": e.Limit, "Text": e.Text})
}
