package article

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"kairos/reader/content"
)

// Time stamps in the notes of something that can be heard or seen, such as "1:02:03 Swans" or "(00:30)", and its chapters, are links
// that play it from there.

// ActionFrom plays a file from the time that is in its address.
const ActionFrom = "from"

// timeFragment is the beginning of a time in an address (Media Fragments URI 1.0, section 4.2.1).
const timeFragment = "#t="

// TimeLink is the address of a file with a time in it.
func TimeLink(url string, at time.Duration) string {
	return url + timeFragment + strconv.Itoa(int(at.Seconds()))
}

// CutTime takes the time out of an address that TimeLink made.
func CutTime(link string) (url string, at time.Duration) {
	i := strings.LastIndex(link, timeFragment)
	if i < 0 {
		return link, 0
	}
	seconds, err := strconv.ParseUint(link[i+len(timeFragment):], 10, 31)
	if err != nil {
		return link, 0
	}
	return link[:i], time.Duration(seconds) * time.Second
}

const clockPattern = `\d{1,3}[:：][0-5]\d(?:[:：][0-5]\d)?`

var (
	// stampPattern finds a time at the beginning of a line, maybe behind a bullet and a parenthesis, or behind one anywhere.
	stampPattern = regexp.MustCompile(`(?m)(^[\s\x{a0}•·*▶►–—-]*[\[(（【]?|[\[(（【])(` + clockPattern + `)`)
	// closedPattern is what follows a time in parentheses: maybe the end of a span.
	closedPattern = regexp.MustCompile(`^(?:[.,]\d+)?\s*(?:[–—-]\s*` + clockPattern + `\s*)?[\])）】]`)
	// otherPattern is what follows a number that is no time stamp: more digits, or what makes it a time of the day.
	otherPattern = regexp.MustCompile(`(?i)^(?:[:：\d]|\s*(?:[ap]\.?m\b|uhr\b|h\b|utc\b|gmt\b|c?es?t\b|p[sd]t\b))`)
)

// stamp is a time stamp in a text.
type stamp struct {
	from, to int // bytes
	at       time.Duration
}

// findStamps returns the time stamps of a text that are not beyond an end; 0: that is not known.
func findStamps(text string, end time.Duration) (stamps []stamp) {
	for _, m := range stampPattern.FindAllStringSubmatchIndex(text, -1) {
		s := stamp{from: m[4], to: m[5]}
		before, rest := text[m[2]:m[3]], text[s.to:]
		atStart := m[2] == 0 || text[m[2]-1] == '\n'
		inside := strings.ContainsAny(before, "[(（【")
		var ok bool
		if s.at, ok = clockOf(text[s.from:s.to]); !ok || end > 0 && s.at > end || otherPattern.MatchString(rest) || inside && !atStart && !closedPattern.MatchString(rest) {
			continue
		}
		stamps = append(stamps, s)
	}
	return stamps
}

// clockOf reads 0:30 or 1:02:03. Minutes of an hour are below 60.
func clockOf(s string) (d time.Duration, ok bool) {
	parts := strings.Split(strings.ReplaceAll(s, "：", ":"), ":")
	total := 0
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return 0, false
		}
		total = 60*total + n
	}
	return time.Duration(total) * time.Second, len(parts) < 3 || len(parts[0]) < 3
}

// longestChapter is how many characters a list item has at most that is a link as a whole if it begins with a time.
const longestChapter = 120

// linked makes what is to be a link in a block of the article one: addresses that have an action, and time stamps.
func (a *Article) linked(b content.Block) content.Block {
	i := slices.IndexFunc(a.Files, func(f File) bool { return f.Plays })
	if b.Kind == content.Summary || i < 0 && len(a.Actions) == 0 {
		return b
	}
	of := func(runs []content.Run, item bool) []content.Run {
		runs = a.withActions(runs)
		if i >= 0 {
			runs = linkTimes(runs, a.Files[i], item)
		}
		return runs
	}
	b.Runs = of(b.Runs, b.Kind == content.Item && b.Marker != "")
	if b.Kind == content.Table {
		b.Rows = slices.Clone(b.Rows)
		for y := range b.Rows {
			b.Rows[y] = slices.Clone(b.Rows[y])
			for x := range b.Rows[y] {
				b.Rows[y][x].Runs = of(b.Rows[y][x].Runs, false)
			}
		}
	}
	return b
}

// withActions makes links to addresses that have an action do that.
func (a *Article) withActions(runs []content.Run) []content.Run {
	if !slices.ContainsFunc(runs, func(r content.Run) bool { return a.Actions[r.Link] != "" }) {
		return runs
	}
	runs = slices.Clone(runs)
	for i := range runs {
		if action := a.Actions[runs[i].Link]; action != "" {
			runs[i].Link = actionMark + action + " " + runs[i].Link
		}
	}
	return runs
}

// linkTimes makes the time stamps of a text, as far as they are no links of the author, play a file from there; of a short list item,
// which is a chapter, all up to the author's next link.
func linkTimes(runs []content.Run, f File, item bool) []content.Run {
	var all strings.Builder
	for _, r := range runs {
		all.WriteString(r.Text)
	}
	text := all.String()
	if !strings.ContainsAny(text, ":：") {
		return runs
	}
	stamps := findStamps(text, f.Duration)
	if len(stamps) == 0 {
		return runs
	}
	if s := &stamps[0]; item && len(stamps) == 1 && utf8.RuneCountInString(text) <= longestChapter && !strings.ContainsAny(text[s.to:], "\n()[]（）【】") {
		s.to = max(s.to, len(strings.TrimRight(text[:firstLink(runs, len(text))], " –—-·")))
	}
	var out []content.Run
	at := 0
	for _, r := range runs {
		end := at + len(r.Text)
		for _, s := range stamps {
			from, to := max(s.from, at), min(s.to, end)
			if r.Link != "" || from >= to {
				continue
			}
			out = appendRun(out, r, text[at:from], r.Link)
			out = appendRun(out, r, text[from:to], actionMark+ActionFrom+" "+TimeLink(f.URL, s.at))
			at = to
		}
		out = appendRun(out, r, text[at:end], r.Link)
		at = end
	}
	return out
}

// firstLink returns where the first link of the author begins, or the end.
func firstLink(runs []content.Run, end int) int {
	at := 0
	for _, r := range runs {
		if r.Link != "" {
			return at
		}
		at += len(r.Text)
	}
	return end
}

// appendRun appends a part of a run, if there is any.
func appendRun(out []content.Run, r content.Run, text, link string) []content.Run {
	if text == "" {
		return out
	}
	r.Text, r.Link = text, link
	return append(out, r)
}
