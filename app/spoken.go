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
	"an icon", "the page that may name it", "a picture", "a page", "a file of {{.Size}}", "{{.N}} new, {{.M}} edited",
	"{{.N}} new", "nothing new", "unchanged (304)", "unchanged (the same again)", "no fetches", "1 fetch", "{{.N}} fetches",
	"{{.N}} with 1 new article", "{{.N}} with {{.M}} new articles", "{{.N}} without", "1 fault", "{{.N}} faults", "{{.N}} put off",
	"{{.N}} {{.Reason}}", "Checked {{.Span}} ago.",
	// Spans of time; N min and N h are those of dates.go.
	"{{.N}} s", "{{.N}} min", "{{.N}} h", "{{.N}} days", "tomorrow {{.Time}}", "yesterday {{.Time}}",
	// How a feed fares.
	"Never fetched yet.", "{{.When}}.", "{{.When}}, {{.Reason}}: {{.Result}}.",
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
	"gone since {{.When}}", "failing since {{.When}}", "failing since {{.When}} ({{.Span}}, {{.N}} faults in a row)",
	"The feed has moved for good to {{.Host}}.", "The feed has moved for good to {{.Host}}, which you have already: they are one now.",
	// What the feed asks for beside.
	"Checked {{.Span}} ago: {{.Why}}",
	"It wants no fetch from {{.Hours}} (skipHours).",
	"It wants no fetch on {{.Days}} (skipDays).",
	"It wants no fetch on {{.Days}} (skipDays, in UTC).",
	"Since {{.When}} its server has pointed to {{.Host}} for good, 1 time; the address is changed after {{.N}} times in {{.Span}}.",
	"Since {{.When}} its server has pointed to {{.Host}} for good, {{.M}} times; the address is changed after {{.N}} times in {{.Span}}.",
	// What was wrong with a feed that was read all the same.
	"{{.Result}} ({{.Notes}})",
	"The feed is too large: its first 1 article was kept, {{.Bytes}} behind them were not read.",
	"The feed is too large: its first {{.N}} articles were kept, {{.Bytes}} behind them were not read.",
	"Only a part of the feed was read, {{.Bytes}} of {{.Whole}}: {{.Kept}}.",
	"Only a part of the feed was read, the first {{.Bytes}}: {{.Kept}}.",
	"The feed ends early: {{.Kept}}.",
	"1 complete article was kept", "{{.N}} complete articles were kept", "one that breaks off after {{.Bytes}} was left out",
	"The feed's markup is broken and was mended: {{.Faults}}.",
	"1 end tag was missing", "{{.N}} end tags were missing",
	"1 tag stood where none belongs", "{{.N}} tags stood where none belongs",
	"1 < or & was not escaped", "{{.N}} < or & were not escaped",
	"{{.Bytes}} of other text stood before it",
	"1 byte", "{{.N}} bytes",
	"1 article is broken beyond mending and left out.", "{{.N}} articles are broken beyond mending and left out.",
	"It does not say its encoding truly; {{.Text}} was assumed.",
	"It says to be {{.Text}} and is not; {{.Other}} was assumed.",
	"It is not quite UTF-8: 1 byte was read as Windows-1252.", "It is not quite UTF-8: {{.N}} bytes were read as Windows-1252.",
	// What went wrong on the web.
	"There is no network connection.", "The network went away meanwhile.", "No server named {{.Host}} was found.",
	"Nothing answers at {{.Host}}.", "{{.Host}} did not answer in time.", "{{.Host}} sends too slowly.",
	"No secure connection to {{.Host}} could be made.", "The connection to {{.Host}} broke off.", "{{.Host}} redirects in a circle.",
	"The request was cancelled.", "What came could not be written to the disk.",
	"{{.Host}} asked to be left alone for another {{.Span}}.", "{{.Host}} asked to be left alone for {{.Span}} ({{.N}}).",
	"{{.Host}} wants a user name and a password (401).", "The feed has been removed for good (410).", "{{.Host}} is busy ({{.N}}).",
	"The network wants a sign-in before it lets anything through (511).", "{{.Host}} lets only browsers in ({{.N}}).",
	"{{.Host}} has a fault of its own ({{.N}}).", "The answer of {{.Host}} makes no sense.", "{{.Host}} does not allow access (403).",
	"There is nothing at this address (404).", "{{.Host}} refused the request ({{.N}}).", "\"{{.Text}}\" is not a web address.",
	"The network may want a sign-in before it lets anything through: a web page came instead of the feed.",
	"A page of another site came, as where one has to sign in.", "It has been removed for good (410).",
	"It lies in this machine's network, where nothing is asked for a feed of the web.",
	"The answer is empty.", "This is a web page, not a feed.", "This is a page to log in, not a feed.", "This is not a feed.",
	"The feed is broken beyond mending.",
	"This is JSON data, not a feed.", "This is a list of feeds (OPML), not a feed.", "This is a sitemap, not a feed.",
	"This is a picture, not a feed.", "This is another kind of XML, not a feed.", "This is a sound, not a feed.",
	"This is a video, not a feed.", "This is a font, not a feed.", "This is a PDF document, not a feed.",
	"This is an archive, not a feed.", "This is plain text, not a feed.", "This is binary data, not a feed.",
	// What helps.
	"Enter the user name and the password that the site has given you.",
	"See what the address shows in the browser. If the site asks for a login there, enter it here too; if it shows the feed, the site turns feed readers away, and its owner is the one to tell.",
	"The feed has probably moved. Look for its new address on its site.",
	"Its site says that it will not come back there, so it is not asked any more. Look for a new address on its site, or unsubscribe. What was fetched stays as long as you are subscribed.",
	"See in the browser what the site has to say.",
	"Nothing needs to be done: Kairos asks less often, and waits as long as the site wants it to.",
	"Only the site can mend that. Kairos goes on trying, at least once a day.",
	"The site's name is gone: it has moved, or it has ended. Look for the site under another name, and give its new address here.",
	"Correct the address, or look for the feed on its site.",
	"The server is switched off, or has moved. Kairos goes on trying, at least once a day.",
	"The server is overloaded, or cannot be reached from here. If the browser does not reach it either, there is only waiting: Kairos goes on trying, at least once a day.",
	"The server is overloaded. Kairos goes on trying, at least once a day.",
	"The site's certificate is not valid (it may have run out), or something in this network stands in between. The browser says more; Kairos makes no exceptions.",
	"The server or the network broke the connection. Kairos goes on trying, at least once a day.",
	"The site is set up wrongly, or sends away whoever keeps no cookies, as Kairos does. Look for another address of the feed.",
	"The site lets only browsers in. Look for another address of the feed, or ask the site's owner to let feed readers through.",
	"The feed may have moved, or the site may want a login or a consent before it. See what the address shows in the browser, and look for the feed on its site.",
	"Something else stands at the address now. Look for the feed on its site.",
	"Only the site can mend that: its owner is the one to tell. Kairos goes on trying, at least once a day.",
	"See whether the file is still there and may be read, or give its new place.", "See what the file holds, or give another one.",
	"The user name or the password is not accepted any more. Enter them anew.",
	"Its login could not be read from the system keyring. Unlock it, or enter the login anew.",
	"Kairos goes on trying, at least once a day.",
}

const (
	clockLooks  = `\d\d:\d\d`
	spanLooks   = `\d+ (?:s|min|h|days)`
	sizeLooks   = `\d+(?:\.\d)? (?:B|kB|MB|GB)`
	bytesLooks  = `\d+(?:\.\d)? (?:bytes?|kB|MB)`
	numberLooks = `\d+`
	amountLooks = `\d+(?:\.\d+)?`
	whenLooks   = `(?:(?:tomorrow|yesterday|[A-Z][a-z]{2}|\d+ [A-Z][a-z]{2}) )?` + clockLooks + `|\d+ [A-Z][a-z]{2} \d{4}`
	reasonLooks = "planned|when you opened Kairos|catching up|while it posted much|trying again|first fetch|by hand|" +
		"to probe the network|for its icon|for the article shown|to save a file|for the full text"
)

// valueLooks is what the values of heard look like in English, by name.
var valueLooks = map[string]string{"N": numberLooks, "M": numberLooks, "Amount": amountLooks, "Delay": amountLooks, "Span": spanLooks,
	"Most": spanLooks, "Time": clockLooks, "When": whenLooks, "Size": sizeLooks, "Host": `\S+`, "Text": `.+`,
	"Bytes": bytesLooks, "Whole": bytesLooks, "Kept": `.+`, "Faults": `.+`, "Notes": `.+`, "Other": `.+`,
	"Reason": reasonLooks, "Why": `.+`, "Result": `.+`, "Hours": `[0-9:to, and]+`, "Days": `[A-Za-z, ]+`}

// sayValue says a value of heard.
func sayValue(name, english string, depth int) string {
	switch name {
	case "Amount", "Delay", "Size":
		return decimal(english)
	case "When":
		return whenText(english)
	case "Span", "Most", "Reason", "Why", "Result", "Bytes", "Whole", "Kept", "Faults":
		return spokenIn(english, depth+1)
	case "Notes":
		return text.WithoutStop(spokenIn(english+".", depth+1))
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
