package handoff

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxName is how many bytes a file name has without its ending: fewer than any file system allows, since the folder has a path.
	maxName  = 120
	untitled = "Untitled"
	ending   = ".md"
)

// fileName returns the name of the file of an article, without its ending: its title without what Linux, macOS, Windows or links
// between notes cannot have in a name, or what would show it as another.
func fileName(title string) string {
	title = norm.NFC.String(strings.ToValidUTF8(title, " "))
	name := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:|`, r):
			return '-'
		case strings.ContainsRune(`<>"?*#^[]`, r), unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == utf8.RuneError, r&0xfffe == 0xfffe:
			return -1
		}
		return r
	}, title)
	name = strings.Join(strings.Fields(name), " ")
	name = cutBytes(strings.Trim(name, ". ~-"), maxName)
	name = strings.TrimRight(name, ". ")
	switch {
	case name == "":
		return untitled
	case isReserved(name):
		return name + "_"
	}
	return name
}

// numbered returns the name for the nth file of a title, from 1.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + " " + strconv.Itoa(n)
}

// cutBytes cuts a text to so many bytes, at a letter with the marks that follow it.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	at := most
	for at > 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		if utf8.RuneStart(text[at]) && !unicode.In(r, unicode.Mn, unicode.Me) {
			break
		}
		at--
	}
	return text[:at]
}

// isReserved reports whether Windows takes a name for a device, whatever its ending.
func isReserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, device := range []string{"COM", "LPT"} {
		if port, ok := strings.CutPrefix(stem, device); ok && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³") {
			return true
		}
	}
	return false
}
