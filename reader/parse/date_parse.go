package parse

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/width"
)

// chooseDates chooses when the article was published and changed.
func (d *draft) chooseDates(now time.Time) {
	d.Published = chosenDate(d.Published, d.published, d.publishedAlt, now)
	d.Updated = chosenDate(d.Updated, d.updated, d.updatedAlt, now)
	if d.Published.IsZero() {
		d.Published = d.Updated
	}
}

// chosenDate returns read, if that was read already, else firstDate.
func chosenDate(read time.Time, list []string, fallback *time.Time, now time.Time) time.Time {
	if read.IsZero() {
		return firstDate(list, fallback, now)
	}
	return firstDate(nil, &read, now)
}

// epoch is later than Unix time 0 in any time zone: dates before it are zeros of
// some clock.
var epoch = time.Date(1970, 1, 3, 0, 0, 0, 0, time.UTC)

// firstDate returns the first date of a list that can be read, else the fallback,
// but nothing later than now.
func firstDate(list []string, fallback *time.Time, now time.Time) time.Time {
	var t time.Time
	for _, s := range list {
		if read, ok := parseDate(s); ok && read.After(epoch) {
			t = read
			break
		}
	}
	if t.IsZero() && fallback != nil && fallback.After(epoch) {
		t = *fallback
	}
	if !now.IsZero() && t.After(now) {
		t = now
	}
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// commonLayouts are those of nearly all feeds, which are tried first.
var commonLayouts = []string{
	time.RFC3339, time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "2006-01-02T15:04:05Z0700",
}

// parseDate reads a date as feeds write it: RFC 822/2822, RFC 3339, W3CDTF, and any
// order of its parts in several languages. A date without a zone is UTC.
func parseDate(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 120 {
		return time.Time{}, false
	}
	for _, layout := range commonLayouts {
		if isDigit(layout[0]) != isDigit(s[0]) || strings.HasSuffix(layout, " -0700") && !isDigit(s[len(s)-1]) {
			continue
		}
		if t, err := time.Parse(layout, s); err == nil && knownZone(t, s) {
			return t, true
		}
	}
	if t, ok := unixTime(s); ok {
		return t, true
	}
	p := dateParser{rest: " " + strings.ToLower(width.Narrow.String(s)) + " "}
	p.takeTime()
	p.takeZone()
	if !p.takeDate() {
		return time.Time{}, false
	}
	return p.time(), true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// knownZone rejects a zone whose abbreviation time.Parse accepted without knowing it.
func knownZone(t time.Time, s string) bool {
	name, offset := t.Zone()
	if len(name) > len("GMT") && strings.HasPrefix(name, "GMT") {
		return false // the library reads "GMT-4" as GMT
	}
	return offset != 0 || name == "UTC" || name == "" || name == "GMT" || strings.HasSuffix(s, "0000")
}

// unixTime reads seconds or milliseconds since 1970.
func unixTime(s string) (time.Time, bool) {
	if len(s) > 13 {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
	case len(s) == 13:
		return time.UnixMilli(n), true
	case len(s) == 9 || len(s) == 10:
		return time.Unix(n, 0), true
	}
	return time.Time{}, false
}

// dateParser reads the parts of a date one after the other and removes them from rest.
type dateParser struct {
	rest             string
	year, month, day int
	hour, min, sec   int
	nano             int
	offset           int // seconds east of UTC
}

var (
	clock     = regexp.MustCompile(`(?:t|\b)(\d{1,2})[:：h](\d{1,2})(?:[:：](\d{1,2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\b\.?)?`)
	hourOnly  = regexp.MustCompile(`\b(\d{1,2})\s*([ap])\.?m\b\.?`)
	offsetRe  = regexp.MustCompile(`(?:gmt|utc)?\s*([+−-])\s*(\d{1,2}):?(\d{2})?\b`)
	iso       = regexp.MustCompile(`(?:^|\D)(\d{4})\s*[-/.年년]\s*(\d{1,2})(?:\s*[-/.月월]\s*(\d{1,2}))?(?:\D|$)`)
	compact   = regexp.MustCompile(`(?:^|\D)((?:19|20)\d{2})(\d{2})(\d{2})(?:\D|$)`)
	compactT  = regexp.MustCompile(`\b(\d{8})t?(\d{2})(\d{2})(\d{2})(\D)`)
	numeric   = regexp.MustCompile(`(?:^|\D)(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*[-/.]\s*(\d{4}|\d{2})(?:\D|$)`)
	number    = regexp.MustCompile(`\d+`)
	word      = regexp.MustCompile(`\p{L}+`)
	ordinal   = regexp.MustCompile(`^\s*(\d{4})-?(\d{3})\s*$`)
	week      = regexp.MustCompile(`^\s*(\d{4})-?w(\d{2})(?:-?([1-7]))?\s*$`)
	morning   = regexp.MustCompile(`上午|午前|오전`)
	afternoon = regexp.MustCompile(`下午|午後|오후`)
	yearOnly  = regexp.MustCompile(`^\s*((?:19|20)\d{2})\s*$`)
)

func (p *dateParser) takeTime() {
	if m := compactT.FindStringSubmatch(p.rest); m != nil {
		p.rest = strings.Replace(p.rest, m[0], m[1]+" \x00 "+m[5], 1)
		p.hour, p.min, p.sec = atoi(m[2]), atoi(m[3]), atoi(m[4])
		return
	}
	m := clock.FindStringSubmatchIndex(p.rest)
	if m == nil {
		if h := hourOnly.FindStringSubmatch(p.rest); h != nil {
			p.hour = to24Hours(atoi(h[1]), h[2])
			p.rest = strings.Replace(p.rest, h[0], " ", 1)
		}
		return
	}
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return p.rest[m[2*i]:m[2*i+1]]
	}
	p.hour, p.min, p.sec = atoi(part(1)), atoi(part(2)), atoi(part(3))
	if frac := part(4); frac != "" {
		p.nano = atoi((frac + "000000000")[:9])
	}
	p.hour = to24Hours(p.hour, part(5))
	switch {
	case afternoon.MatchString(p.rest):
		p.hour = to24Hours(p.hour, "p")
	case morning.MatchString(p.rest):
		p.hour = to24Hours(p.hour, "a")
	}
	p.rest = p.rest[:m[0]] + " \x00 " + p.rest[m[1]:]
}

// to24Hours applies "am", "pm" or neither to an hour.
func to24Hours(hour int, half string) int {
	switch {
	case strings.HasPrefix(half, "p") && hour < 12:
		return hour + 12
	case strings.HasPrefix(half, "a") && hour == 12:
		return 0
	}
	return hour
}

// takeZone reads the zone, which follows the time.
func (p *dateParser) takeZone() {
	before, after, found := strings.Cut(p.rest, "\x00")
	if !found {
		return
	}
	if m := offsetRe.FindStringSubmatchIndex(after); m != nil && strings.TrimSpace(number.ReplaceAllString(after[:m[0]], "")) == strings.TrimSpace(after[:m[0]]) {
		hours, minutes := atoi(after[m[4]:m[5]]), 0
		if m[6] >= 0 {
			minutes = atoi(after[m[6]:m[7]])
		}
		p.offset = hours*3600 + minutes*60
		if after[m[2]:m[3]] != "+" {
			p.offset = -p.offset
		}
		p.rest = before + after[:m[0]] + " " + after[m[1]:]
		return
	}
	for _, w := range word.FindAllString(after, 3) {
		if o, ok := zones[w]; ok {
			p.offset = o * 60
			p.rest = before + strings.Replace(after, w, " ", 1)
			return
		}
	}
}

// takeDate reads year, month and day.
func (p *dateParser) takeDate() bool {
	rest := strings.ReplaceAll(p.rest, "\x00", " ")
	if m := iso.FindStringSubmatch(rest); m != nil {
		p.year, p.month, p.day = atoi(m[1]), atoi(m[2]), max(1, atoi(m[3]))
		return p.valid()
	}
	if m := compact.FindStringSubmatch(rest); m != nil {
		p.year, p.month, p.day = atoi(m[1]), atoi(m[2]), atoi(m[3])
		return p.valid()
	}
	if m := numeric.FindStringSubmatch(rest); m != nil {
		p.takeNumbers(m[2], atoi(m[1]), atoi(m[3]), m[4])
		return p.valid()
	}
	if m := yearOnly.FindStringSubmatch(rest); m != nil {
		p.year, p.month, p.day = atoi(m[1]), 1, 1
		return true
	}
	if p.takeOrdinalOrWeek(rest) {
		return true
	}
	return p.takeMonthName(rest)
}

// takeOrdinalOrWeek reads the day or week of a year (ISO 8601 §5.2.2 and §5.2.3).
func (p *dateParser) takeOrdinalOrWeek(rest string) bool {
	if m := ordinal.FindStringSubmatch(rest); m != nil {
		p.year, p.month, p.day = atoi(m[1]), 1, atoi(m[2])
		return p.day >= 1 && p.day <= 366
	}
	m := week.FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	// The first week is that of the fourth of January.
	p.year, p.month = atoi(m[1]), 1
	fourth := (int(time.Date(p.year, 1, 4, 0, 0, 0, 0, time.UTC).Weekday()) + 6) % 7
	p.day = 4 - fourth + 7*(atoi(m[2])-1) + max(1, atoi(m[3])) - 1
	return true
}

// takeNumbers reads three numbers: with dots and dashes the day comes first, with
// slashes the month, as far as the numbers allow. "06/1/2" begins with the year.
func (p *dateParser) takeNumbers(sep string, first, second int, third string) {
	p.year = fullYear(third)
	p.day, p.month = first, second
	if sep == "/" && first <= 12 || second > 12 {
		p.day, p.month = second, first
	}
	if first > 31 {
		p.year, p.month, p.day = fullYear(strconv.Itoa(first)), second, atoi(third)
	}
}

func fullYear(s string) int {
	y := atoi(s)
	if len(s) > 2 {
		return y
	}
	if y < 70 {
		return 2000 + y
	}
	return 1900 + y
}

// takeMonthName reads a date whose month is a word.
func (p *dateParser) takeMonthName(rest string) bool {
	for _, w := range word.FindAllString(rest, 8) {
		if m := monthOf(w); m > 0 {
			p.month = m // the last one: "mar. 24 févr." begins with a Tuesday
		}
	}
	for _, n := range number.FindAllString(rest, 4) {
		switch v := atoi(n); {
		case len(n) == 4 && p.year == 0:
			p.year = v
		case p.day == 0 && len(n) <= 2 && v >= 1 && v <= 31:
			p.day = v
		case p.year == 0 && len(n) == 2:
			p.year = fullYear(n)
		}
	}
	p.day = max(1, p.day)
	return p.month > 0 && p.year > 0
}

func (p *dateParser) valid() bool {
	return p.month >= 1 && p.month <= 12 && p.day >= 1 && p.day <= 31 && p.year > 0
}

// time combines the parts; a day that the month does not have becomes its last.
func (p *dateParser) time() time.Time {
	if last := time.Date(p.year, time.Month(p.month)+1, 0, 0, 0, 0, 0, time.UTC).Day(); p.day <= 31 {
		p.day = min(p.day, last)
	}
	zone := time.UTC
	if p.offset != 0 && p.offset > -16*3600 && p.offset < 16*3600 {
		zone = time.FixedZone("", p.offset)
	}
	return time.Date(p.year, time.Month(p.month), p.day, min(p.hour, 24), min(p.min, 59), min(p.sec, 60), p.nano, zone)
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// Date reads a date in any of the forms that feeds and pages have; ok is false if it is none. A time without a zone is UTC.
func Date(s string) (at time.Time, ok bool) { return parseDate(s) }
