package parse

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

func (r *reading) warnf(format string, args ...any) {
	r.feed.Warnings = append(r.feed.Warnings, fmt.Sprintf(format, args...))
}

// told says how much of the feed was read, where that is not all: how many
// articles were kept, and how much behind them was lost.
func (r *reading) told(kept int, early, full bool, lost int) {
	articles := fmt.Sprintf("%d complete %s kept", kept, plural(kept, "article was", "articles were"))
	if early && lost > 0 && !full {
		articles += fmt.Sprintf(", one that breaks off after %s was left out", amount(int64(lost)))
	}
	switch {
	case full:
		r.warnf("The feed is too large: its first %d %s kept, %s behind them were not read.",
			kept, plural(kept, "article was", "articles were"), amount(int64(lost)))
	case r.o.Truncated && r.o.Whole > 0:
		r.warnf("Only a part of the feed was read, %s of %s: %s.", amount(r.read), amount(r.o.Whole), articles)
	case r.o.Truncated:
		r.warnf("Only a part of the feed was read, the first %s: %s.", amount(r.read), articles)
	case early:
		r.warnf("The feed ends early: %s.", articles)
	}
}

// mended says what was wrong with the markup.
func (r *reading) mended(m mended, before []byte) {
	var faults []string
	count := func(n int, one, many string) {
		if n > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", n, plural(n, one, many)))
		}
	}
	count(m.missing, "end tag was missing", "end tags were missing")
	count(m.stray, "tag stood where none belongs", "tags stood where none belongs")
	count(m.bare, "< or & was not escaped", "< or & were not escaped")
	if junk := prolog.ReplaceAll(before, nil); len(bytes.TrimSpace(junk)) > 0 {
		faults = append(faults, amount(int64(len(bytes.TrimSpace(junk))))+" of other text stood before it")
	}
	if len(faults) > 0 {
		r.warnf("The feed's markup is broken and was mended: %s.", strings.Join(faults, ", "))
	}
	r.noted()
}

// noted says what was wrong with the encoding.
func (r *reading) noted() {
	if r.note != "" {
		r.feed.Warnings = append(r.feed.Warnings, r.note)
	}
}

// prolog is what may stand before the root of XML (XML 1.0 §2.8).
var prolog = regexp.MustCompile(`(?s)<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>`)

// amount writes a number of bytes for people.
func amount(n int64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d %s", n, plural(int(n), "byte", "bytes"))
}
