package settings

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
	"kairos/reader/rule"
)

// ruleName returns the name of a rule, or its first condition if it has none.
func ruleName(r rule.Rule) string {
	switch {
	case r.Name != "":
		return r.Name
	case len(r.Conditions) > 0:
		return conditionText(r.Conditions[0])
	}
	return lang.L("Unnamed rule")
}

// ruleText says what a rule does.
func ruleText(r rule.Rule, labels []reader.Label) string {
	var conditions []string
	for _, c := range r.Conditions {
		conditions = append(conditions, conditionText(c))
	}
	between := lang.X("join.and", " and ")
	if r.Any {
		between = lang.X("join.or", " or ")
	}
	var actions []string
	for _, a := range ruleActions(&r.Actions) {
		if *a.on {
			actions = append(actions, a.name)
		}
	}
	if label := r.Actions.Label; label != 0 {
		actions = append(actions, labelAction(labels, label))
	}
	return lang.L("{{.Conditions}}: {{.Actions}}", map[string]any{"Conditions": strings.Join(conditions, between),
		"Actions": strings.Join(actions, lang.X("join.parts", ", "))})
}

// labelAction says which label a rule sets.
func labelAction(labels []reader.Label, id int64) string {
	for _, l := range labels {
		if l.ID == id {
			return lang.L("label “{{.Name}}”", map[string]any{"Name": l.Name})
		}
	}
	return lang.L("a label that was deleted")
}

// ruleAction is an action of a rule, with its name.
type ruleAction struct {
	on   *bool
	name string
}

func ruleActions(a *rule.Actions) []ruleAction {
	return []ruleAction{{&a.Hide, lang.L("hide")}, {&a.Read, lang.L("mark read")}, {&a.Star, lang.L("star")}, {&a.Notify, lang.L("notify")},
		{&a.Snooze, lang.L("snooze until the next visit")}}
}

func conditionText(c rule.Condition) string {
	values := map[string]any{"Field": fieldName(c.Field), "Words": c.Pattern}
	switch {
	case c.Field == rule.Story && c.Not:
		return lang.L("no other feed carried it before")
	case c.Field == rule.Story:
		return lang.L("another feed carried it before")
	case c.Regexp && c.Not:
		return lang.L("{{.Field}} does not match “{{.Words}}”", values)
	case c.Regexp:
		return lang.L("{{.Field}} matches “{{.Words}}”", values)
	case c.Not:
		return lang.L("{{.Field}} does not contain “{{.Words}}”", values)
	}
	return lang.L("{{.Field}} contains “{{.Words}}”", values)
}

func fieldName(f rule.Field) string {
	switch f {
	case rule.Feed:
		return lang.L("Feed")
	case rule.Category:
		return lang.L("Category")
	case rule.Folder:
		return lang.L("Folder")
	case rule.Address:
		return lang.L("Address")
	case rule.Author:
		return lang.L("Author")
	case rule.Title:
		return lang.L("Title")
	case rule.Text:
		return lang.L("Text")
	case rule.Story:
		return lang.L("Story")
	}
	return string(f)
}

// problemText says what is wrong with a rule and, among several conditions, with which.
func problemText(err *rule.Error, conditions int) string {
	reason := language.Printer().RuleError(err)
	if err.Condition == rule.WholeRule || conditions < 2 {
		return reason
	}
	return lang.L("Condition {{.Number}}: {{.Reason}}", map[string]any{"Number": err.Condition + 1, "Reason": reason})
}

// trialText says how many articles of the last days a rule would have matched.
func trialText(t reader.Trial, days int) string {
	return lang.N("It would have matched {{.PluralCount}} of {{.Of}} articles from the last {{.Days}} days.", t.Matched,
		map[string]any{"PluralCount": t.Matched, "Of": t.Examined, "Days": days})
}

// changesText says how many articles a rule would change, and how.
func changesText(c reader.RuleChanges) string {
	of := map[string]any{"PluralCount": len(c.IDs), "Of": c.Examined}
	if len(c.IDs) == 0 {
		return lang.L("None of {{.Of}} stored articles would change.", of)
	}
	text := lang.N("{{.PluralCount}} of {{.Of}} stored articles would change.", len(c.IDs), of)
	if c.More > 0 {
		of["More"] = c.More
		text = lang.N("{{.PluralCount}} of {{.Of}} stored articles would change, and {{.More}} more of the same stories.", len(c.IDs), of)
	}
	for _, action := range []struct {
		n    int
		text string
	}{
		{c.ToHide, lang.L("Hidden: {{.Count}}.", map[string]any{"Count": c.ToHide})},
		{c.ToMarkRead, lang.L("Marked read: {{.Count}}.", map[string]any{"Count": c.ToMarkRead})},
		{c.ToSnooze, lang.L("Snoozed: {{.Count}}.", map[string]any{"Count": c.ToSnooze})},
		{c.ToLabel, lang.L("Labeled: {{.Count}}.", map[string]any{"Count": c.ToLabel})},
		{c.ToStar, lang.L("Starred: {{.Count}}.", map[string]any{"Count": c.ToStar})},
	} {
		if action.n > 0 {
			text = language.Printer().Sentences(text, action.text)
		}
	}
	return text
}
