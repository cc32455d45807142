package app

import (
	"regexp"
	"strings"
	"sync"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/text"
)

// What the poller and the reader say is English, as the verbs say it. Here the fixed
// sentences among it come into the language of the window.

// heard are the sentences known. A value's name tells what it looks like (valueLooks).
var heard = language.Texts{
	// Why a fetch happens.
	"planned", "when you opened Kairos", "catching up", "while it posted much", "trying again", "first fetch", "by hand",
	"to probe the network", "for its icon", "for the article shown", "to save a file", "for the full text",
	"you opened Kairos", "missed while asleep",
	"last fetched {{.Span}} ago", "next in turn", "before your {{.Time}} reading", "trying again after a fault",
	"trying again after {{.N}} faults", "at least every {{.Span}}, as you asked", "it posts much more than usual now",
	"every {{.N}} days", "fewer than 0.01 articles expected", "1 article expected", "{{.Amount}} articles expected",
	// What it came to.
	"no fetches", "1 fetch", "{{.N}} fetches",
	"{{.N}} with 1 new article", "{{.N}} with {{.M}} new articles", "{{.N}} without", "1 fault", "{{.N}} faults", "{{.N}} put off",
	"{{.N}} {{.Reason}}",
	// Spans of time; N min and N h are those of dates.go.
	"{{.N}} s", "{{.N}} min", "{{.N}} h", "{{.N}} days", "tomorrow {{.Time}}", "yesterday {{.Time}}",
	// How a feed fares.
	"By hand only: the feed is paused.", "By hand only: the feed is gone for good.", "At once: it is new.",
	"By hand only: fetching is paused.", "Not within 48 hours: it is fetched about every {{.Span}}.",
	"Not planned: the budget does not reach it.", "Now: {{.Why}}.", "{{.When}}: {{.Why}}.",
	"An answer is good for {{.Span}} (max-age or Expires).",
	"An answer is good for {{.Span}} (max-age or Expires); of that {{.Most}} are heeded, since so much is mostly a mistake.",
	"Between two fetches shall lie {{.Span}} (ttl or sy:updatePeriod).",
	"Between two fetches shall lie {{.Span}} (ttl or sy:updatePeriod); of that {{.Most}} are heeded, since so much is mostly a mistake.",
	"{{.Host}} is left alone until {{.When}}, as it asks (429 or 503); that binds a refresh by hand, too.",
	"At least {{.Span}} lie between two background fetches: as asked for.",
	"At least {{.Span}} lie between two background fetches: no feed is asked more often.",
	"At least {{.Span}} lie between two background fetches: it has been silent for a month and more.",
	"At least {{.Span}} lie between two background fetches: it has been silent for a year and more.",
	"At least {{.Span}} lie between two background fetches: neither its server nor its posts are in a hurry.",
	"At least {{.Span}} lie between two background fetches: you want it that often.",
	"Push would bring its articles at once. But a hub must be able to reach whoever it tells, and a computer behind a home router cannot be reached: so Kairos goes on asking.",
	"Push would bring its articles at once and save {{.Amount}} fetches and {{.Delay}} h of delay a day. But a hub must be able to reach whoever it tells, and a computer behind a home router cannot be reached: so Kairos goes on asking.",
	// What the feed asks for beside.
	"It wants no fetch from {{.Hours}} (skipHours).",
	"It wants no fetch on {{.Days}} (skipDays).",
	"It wants no fetch on {{.Days}} (skipDays, in UTC).",
	"Since {{.When}} its server has pointed to {{.Host}} for good, 1 time; the address is changed after {{.N}} times in {{.Span}}.",
	"Since {{.When}} its server has pointed to {{.Host}} for good, {{.M}} times; the address is changed after {{.N}} times in {{.Span}}.",
}

const (
	clockLooks  = `\d\d:\d\d`
	spanLooks   = `\d+ (?:s|min|h|days)`
	sizeLooks   = `\d+(?:\.\d)? (?:B|kB|MB|GB)`
	numberLooks = `\d+`
	amountLooks = `\d+(?:\.\d+)?`
	whenLooks   = `(?:(?:tomorrow|yesterday|[A-Z][a-z]{2}|\d+ [A-Z][a-z]{2}) )?` + clockLooks + `|\d+ [A-Z][a-z]{2} \d{4}`
	reasonLooks = "planned|when you opened Kairos|catching up|while it posted much|trying again|first fetch|by hand|" +
		"to probe the network|for its icon|for the article shown|to save a file|for the full text"
)

// valueLooks is what the values of heard look like in English, by name.
var valueLooks = map[string]string{"N": numberLooks, "M": numberLooks, "Amount": amountLooks, "Delay": amountLooks, "Span": spanLooks,
	"Most": spanLooks, "Time": clockLooks, "When": whenLooks, "Size": sizeLooks, "Host": `\S+`, "Text": `.+`,
	"Reason": reasonLooks, "Why": `.+`, "Result": `.+`, "Hours": `[0-9:to, and]+`, "Days": `[A-Za-z, ]+`}

// sayValue says a value of heard.
func sayValue(name, english string, depth int) string {
	switch name {
	case "Amount", "Delay", "Size":
		return decimal(english)
	case "When":
		return whenText(english)
	case "Span", "Most", "Reason", "Why", "Result":
		return spokenIn(english, depth+1)
	case "Hours":
		return strings.ReplaceAll(listed(english), " to ", lang.X("join.to", " to "))
	case "Days":
		return weekdaysText(listed(english))
	}
	return english
}

// sentencePattern is a sentence of heard with values.
type sentencePattern struct {
	at    int // in heard
	looks *regexp.Regexp
	names []string
}

var templateValue = regexp.MustCompile(`\\{\\{\\\.(\w+)\\}\\}`)

// hearing knows texts by what they look like.
type hearing struct {
	texts    language.Texts
	plain    map[string]int // those without values
	patterns []sentencePattern
}

func hear(texts language.Texts) *hearing {
	h := &hearing{texts: texts, plain: map[string]int{}}
	for i, text := range texts {
		p := sentencePattern{at: i}
		expression := templateValue.ReplaceAllStringFunc(regexp.QuoteMeta(text), func(found string) string {
			name := templateValue.FindStringSubmatch(found)[1]
			p.names = append(p.names, name)
			return "(" + valueLooks[name] + ")"
		})
		if len(p.names) == 0 {
			h.plain[text] = i
			continue
		}
		p.looks = regexp.MustCompile("^" + expression + "$")
		h.patterns = append(h.patterns, p)
	}
	return h
}

var heardIndex = sync.OnceValue(func() *hearing { return hear(heard) })

// say says a text in the language of the window.
func (h *hearing) say(english string, depth int) (string, bool) {
	if i, ok := h.plain[english]; ok {
		return h.texts.Say(i), true
	}
	for _, p := range h.patterns {
		found := p.looks.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		data := map[string]any{}
		for i, name := range p.names {
			data[name] = sayValue(name, found[i+1], depth)
		}
		return h.texts.Say(p.at, data), true
	}
	return "", false
}

// spoken is what the poller or the reader has said, in the language of the window as far
// as it is known there.
func spoken(english string) string { return spokenIn(english, 0) }

// spokenDepth is how deep sentences stand in one another; each level takes several times as
// long as the one in it.
const spokenDepth = 4

func spokenIn(english string, depth int) string {
	if depth > spokenDepth {
		return english
	}
	if i, ok := heardIndex().plain[english]; ok {
		return heard.Say(i)
	}
	if i, ok := heardIndex().plain[english+"."]; ok { // a whole sentence within another
		return text.WithoutStop(heard.Say(i))
	}
	if said, ok := heardSentences(english, depth); ok {
		return said
	}
	if said, ok := heardSentence(english, depth); ok {
		return said
	}
	for _, whole := range []string{english + ".", text.Capital(english) + "."} {
		if said, ok := heardSentence(whole, depth); ok {
			return text.WithoutStop(said)
		}
	}
	for _, joint := range []struct{ english, said string }{{"; ", lang.X("join.reasons", "; ")}, {", ", lang.X("join.parts", ", ")}} {
		if said, ok := heardParts(strings.Split(english, joint.english), joint.said, depth); ok {
			return said
		}
	}
	return english
}

// heardSentences are several that stand one after the other and are all known.
func heardSentences(english string, depth int) (string, bool) {
	var said []string
	for rest := english; rest != ""; {
		end := strings.Index(rest, ". ") + 1
		if end == 0 {
			end = len(rest)
		}
		one, ok := heardSentence(rest[:end], depth)
		if !ok || end == len(english) {
			return "", false
		}
		said, rest = append(said, one), strings.TrimPrefix(rest[end:], " ")
	}
	return language.Printer().Sentences(said...), len(said) > 1
}

// heardParts are parts that are all known.
func heardParts(parts []string, joint string, depth int) (string, bool) {
	if len(parts) < 2 {
		return "", false
	}
	for i := range parts {
		said, ok := heardSentence(parts[i], depth)
		if !ok {
			return "", false
		}
		parts[i] = said
	}
	return strings.Join(parts, joint), true
}

func heardSentence(english string, depth int) (string, bool) {
	if sizeOnly.MatchString(english) {
		return decimal(english), true
	}
	return heardIndex().say(english, depth)
}

var sizeOnly = regexp.MustCompile("^" + sizeLooks + "$")

// decimal writes a number with the point of the language.
func decimal(english string) string {
	return strings.Replace(english, ".", lang.X("decimal.point", "."), 1)
}

// listed says the "and" of a list.
func listed(english string) string {
	return strings.ReplaceAll(english, " and ", lang.X("join.listed", " and "))
}
