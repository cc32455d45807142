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
	counts := V{"Read": r.Read, "All": r.Read + r.Passed}
	switch r.Kind {
	case taste.Word:
		counts["Word"] = r.Text
		return p.L("“{{.Word}}” in the title: you read {{.Read}} of {{.All}}.", counts)
	case taste.Author:
		counts["Author"] = author
		return p.L("By {{.Author}}: you read {{.Read}} of {{.All}}.", counts)
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
