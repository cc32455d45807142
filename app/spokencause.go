package app

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/text"
)

// What the system says comes at the end of a sentence, behind what was tried: "The list
// cannot be read: open feeds.opml: permission denied."

// heardCauses are the common words of systems and of Go's library, as far as people may
// come to see them.
var heardCauses = language.Texts{
	"no such host", "connection refused", "connection reset by peer", "network is unreachable", "no route to host", "host is down",
	"i/o timeout", "connection timed out", "context deadline exceeded", "broken pipe", "unexpected EOF", "EOF",
	"permission denied", "operation not permitted", "no such file or directory", "file exists", "is a directory", "not a directory",
	"no space left on device", "disk quota exceeded", "read-only file system", "input/output error", "file name too long",
	"executable file not found in $PATH", "too many open files", "device or resource busy", "invalid argument",
	"certificate has expired or is not yet valid", "certificate signed by unknown authority",
	"certificate is valid for {{.Text}}, not {{.Host}}", "failed to verify certificate", "handshake failure",
	// Windows.
	"Access is denied.", "The system cannot find the file specified.", "The system cannot find the path specified.",
	"There is not enough space on the disk.", "The process cannot access the file because it is being used by another process.",
}

// heardTrials are what was tried when such words came.
var heardTrials = language.Texts{
	"The list cannot be read", "The list could not be read", "The file cannot be read", "The backup cannot be read",
	"Nothing was saved", "Save the password", "The feeds to begin with",
	"Write {{.Text}}", "Open {{.Text}}", "Read {{.Text}}",
}

var (
	causeIndex = sync.OnceValue(func() *hearing { return hear(heardCauses) })
	trialIndex = sync.OnceValue(func() *hearing { return hear(heardTrials) })
)

// aCall is what Go's library puts before the words of the system: what was called, and
// with what. The second is what people know.
var aCall = regexp.MustCompile(`^(?:open|read|write|stat|lstat|mkdir|rename|remove|unlink|chmod|fsync|sync|close|link|lookup|dial (?:tcp|udp)) (.+)$`)

// heardCause says a sentence that ends in words of the system.
func heardCause(english string) (string, bool) {
	pieces := strings.Split(english, ": ")
	var said []string
	known := false
	for i, piece := range pieces {
		if i == len(pieces)-1 {
			piece = strings.TrimSuffix(piece, ".")
		}
		cause, isCause := sayCause(piece)
		trial, isTrial := trialIndex().say(piece, spokenDepth)
		call := aCall.FindStringSubmatch(piece)
		switch {
		case strings.EqualFold(piece, "exec"), strings.EqualFold(piece, "tls"), strings.EqualFold(piece, "x509"), strings.HasPrefix(piece, "current time "):
			continue
		case isCause:
			piece, known = cause, true
		case isTrial:
			piece = trial
		case call != nil && i > 0:
			piece = call[1]
		}
		said = append(said, piece)
	}
	if !known {
		return "", false
	}
	return language.Printer().Sentence(strings.Join(said, lang.X("join.cause", ": "))), true
}

// sayCause says words of the system, also where they begin a sentence.
func sayCause(english string) (string, bool) {
	for _, form := range []string{english, english + ".", small(english)} {
		if said, ok := causeIndex().say(form, spokenDepth); ok {
			return text.WithoutStop(said), true
		}
	}
	return "", false
}

// small makes the first letter a small one.
func small(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}
