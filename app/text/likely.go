package text

import (
	"kairos/poller/likely"
	"kairos/useraccess/taste"
)

// maxReasons is how many features of an article are named.
const maxReasons = 3

// Likely describes how probably an article is read and why, a sentence each. author is its author as it is written.
func (p *Printer) Likely(r likely.Reason, author string) []string {
	sentences := []string{p.L("Likely to be read: {{.Percent}}.", V{"Percent": p.Percent(r.Chance)}), p.Interest(r.Feed)}
	for _, f := range r.Features[:min(maxReasons, len(r.Features))] {
		sentences = append(sentences, p.feature(f, author))
	}
	return sentences
}

// feature describes what was read of articles with a feature: "By Jane Doe: you read 6 of 7."
func (p *Printer) feature(r taste.Reason, author string) string {
	if r.Asked {
		f := r.Feature
		if f.Kind == taste.Author {
			f.Text = author
		}
		return p.L("As you asked: {{.Feature}}.", V{"Feature": p.featureName(f)})
	}
	counts := V{"Read": r.Read, "All": r.Read + r.Passed}
	switch r.Kind {
	case taste.Word:
		counts["Word"] = r.Text
		return p.L("“{{.Word}}” in the title: you read {{.Read}} of {{.All}}.", counts)
	case taste.Author:
		counts["Author"] = author
		return p.L("By {{.Author}}: you read {{.Read}} of {{.All}}.", counts)
	case taste.Category:
		counts["Category"] = r.Text
		return p.L("Filed under “{{.Category}}”: you read {{.Read}} of {{.All}}.", counts)
	}
	return say(p, featureSentences, featureCode(r.Text), counts)
}

// featureCode is one of the codes of package taste.
type featureCode string

var featureSentences = table[featureCode]{
	taste.DaysOld:  "More than a day old: you read {{.Read}} of {{.All}}.",
	taste.WeeksOld: "More than a week old: you read {{.Read}} of {{.All}}.",
	taste.Short:    "Short: you read {{.Read}} of {{.All}}.",
	taste.Long:     "Long: you read {{.Read}} of {{.All}}.",
	taste.Several:  "Several feeds carry it: you read {{.Read}} of {{.All}} like that.",
	taste.Many:     "Many feeds carry it: you read {{.Read}} of {{.All}} like that.",
}

// Learned describes what was learned of a feature: "By Jane Doe: you read 6 of 7. Likelier."
func (p *Printer) Learned(l taste.Learned) string {
	direction := p.L("Likelier.")
	if l.Mean < 0 {
		direction = p.L("Less likely.")
	}
	return p.Sentences(p.feature(taste.Reason{Feature: written(l.Named), Read: l.Read, Passed: l.Passed, Asked: l.Asked}, l.Written), direction)
}

// written is a feature with its name as people write it, for the eye only.
func written(n taste.Named) taste.Feature { return taste.Feature{Kind: n.Kind, Text: n.Written} }

// Feature names a feature: "the author Jane Doe".
func (p *Printer) Feature(n taste.Named) string { return p.featureName(written(n)) }

func (p *Printer) featureName(f taste.Feature) string {
	switch f.Kind {
	case taste.Word:
		return p.L("the word “{{.Word}}”", V{"Word": f.Text})
	case taste.Author:
		return p.L("the author {{.Author}}", V{"Author": f.Text})
	case taste.Category:
		return p.L("the category “{{.Category}}”", V{"Category": f.Text})
	}
	return say(p, featureNames, featureCode(f.Text))
}

var featureNames = table[featureCode]{
	taste.DaysOld:  "more than a day old",
	taste.WeeksOld: "more than a week old",
	taste.Short:    "short",
	taste.Long:     "long",
	taste.Several:  "in several feeds",
	taste.Many:     "in many feeds",
}
