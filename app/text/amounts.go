package text

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Feeds describes a number of feeds: "7 feeds".
func (p *Printer) Feeds(n int) string { return p.N("{{.PluralCount}} feeds", n) }

// Span describes a duration: "45 s", "20 min", "3 h", "2 days".
func (p *Printer) Span(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return p.L("{{.N}} s", V{"N": int(d.Round(time.Second).Seconds())})
	case d < 90*time.Minute:
		return p.L("{{.N}} min", V{"N": int(d.Round(time.Minute).Minutes())})
	case d < 36*time.Hour:
		return p.L("{{.N}} h", V{"N": int(d.Round(time.Hour).Hours())})
	}
	return p.N("{{.PluralCount}} days", int(math.Round(d.Hours()/24)))
}

// playingTime describes how long something plays: "45 s", "42 min", "1 h 12 min", "2 h".
func (p *Printer) playingTime(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	switch {
	case d < time.Minute:
		return p.L("{{.N}} s", V{"N": int(d.Seconds())})
	case minutes < 60:
		return p.L("{{.N}} min", V{"N": minutes})
	case minutes%60 == 0:
		return p.L("{{.N}} h", V{"N": minutes / 60})
	}
	return p.L("{{.Hours}} h {{.Minutes}} min", V{"Hours": minutes / 60, "Minutes": minutes % 60})
}

// PlayingTimeLeft describes how long something plays that was begun: "18 min left"; else as playingTime does. "" where that is not known.
func (p *Printer) PlayingTimeLeft(whole, left time.Duration) string {
	switch {
	case left > 0:
		return p.L("{{.Time}} left", V{"Time": p.playingTime(left)})
	case whole > 0:
		return p.playingTime(whole)
	}
	return ""
}

// Percent describes a share: "94 %". Shares next to all and next to nothing are not rounded to these.
func (p *Printer) Percent(share float64) string {
	x := math.Round(share * 100)
	if share < 1 {
		x = min(x, 99)
	}
	if share > 0 {
		x = max(x, 1)
	}
	return p.L("{{.N}} %", V{"N": fmt.Sprintf("%.0f", x)})
}

// Size describes a number of bytes: "0 B", "812 B", "4.2 kB", "31 MB".
func (p *Printer) Size(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, larger := range []string{"kB", "MB", "GB"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, larger
	}
	if unit != "B" && x < 9.95 {
		return p.Decimal(x, 1) + " " + unit
	}
	return fmt.Sprintf("%.0f %s", x, unit)
}

// Decimal writes a number with the decimal point of the language.
func (p *Printer) Decimal(x float64, digits int) string {
	return strings.Replace(fmt.Sprintf("%.*f", digits, x), ".", p.X("decimal.point", "."), 1)
}

// Speed describes how fast something is played: "1×", "1.25×".
func (p *Printer) Speed(x float64) string {
	digits := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
	_, decimals, _ := strings.Cut(digits, ".")
	return p.L("{{.N}}×", V{"N": p.Decimal(x, len(decimals))})
}

// Figure writes a number with at most two digits that count, without an exponent: "12", "0.35", "0.1", "0.004".
func (p *Printer) Figure(x float64) string {
	if x < 1e-4 {
		return "0"
	}
	digits := max(0, 1-int(math.Floor(math.Log10(x))))
	_, decimals, _ := strings.Cut(strings.TrimRight(fmt.Sprintf("%.*f", digits, x), "0"), ".")
	return p.Decimal(x, len(decimals))
}

// List joins words: "a, b and c".
func (p *Printer) List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], p.X("join.items", ", ")) + p.X("join.listed", " and ") + words[last]
}

// Sentences puts sentences one after the other, with the space that the language leaves between them. Empty ones are
// left out.
func (p *Printer) Sentences(sentences ...string) string {
	all := ""
	for _, s := range sentences {
		switch {
		case s == "":
		case all == "":
			all = s
		default:
			all = p.X("text.together", "{{.First}} {{.Second}}", V{"First": all, "Second": s})
		}
	}
	return all
}

// Sentence makes a sentence of text: a capital letter first, a full stop last. "" stays "".
func (p *Printer) Sentence(text string) string {
	if text == "" {
		return ""
	}
	return p.X("text.sentence", "{{.Text}}.", V{"Text": Capital(text)})
}

// Capital makes the first letter a capital and drops the full stop.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return WithoutStop(string(unicode.ToUpper(first)) + text[size:])
}

// WithoutStop drops the full stop of a sentence.
func WithoutStop(sentence string) string { return strings.TrimRight(sentence, ".。") }

// CutMiddle shortens text to n characters, keeping both ends.
func CutMiddle(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2+1:])
}

// Count is a number of unread articles as a row shows it: "" for none, "12,345".
func (p *Printer) Count(n int) string {
	if n == 0 {
		return ""
	}
	return p.Number(n)
}

// Number writes a whole number with the thousands separator of the language: "12,345".
func (p *Printer) Number(n int) string {
	digits := strconv.Itoa(n)
	if -1000 < n && n < 1000 {
		return digits
	}
	separator := p.X("thousands.separator", ",")
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + separator + digits[at:]
	}
	return digits
}

// WithNumbers returns values of a template with whole numbers as Number writes them.
func (p *Printer) WithNumbers(values V) V {
	cloned := false
	for name, value := range values {
		n, ok := value.(int)
		if !ok || -1000 < n && n < 1000 {
			continue
		}
		if !cloned {
			values, cloned = maps.Clone(values), true
		}
		values[name] = p.Number(n)
	}
	return values
}
