package player

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
)

// ErrorCode says why nothing was played.
type ErrorCode string

const (
	NotLoaded     ErrorCode = "not-loaded" // Value is why, in the player's words; "" if it did not say
	UnknownFormat ErrorCode = "unknown-format"
	NothingToPlay ErrorCode = "nothing-to-play" // neither sound nor video
	NoSound       ErrorCode = "no-sound"        // the computer's sound cannot be used
	NoVideo       ErrorCode = "no-video"        // no window can be opened for a film
	Ended         ErrorCode = "ended"           // the player ended, with Value as its exit status
)

// Error says why a file was not played.
type Error struct {
	Code  ErrorCode
	Value string
}

func (e *Error) Error() string { return strings.TrimSpace("play: " + string(e.Code) + " " + e.Value) }

// failures are the codes of what mpv calls them at the end of a file (mpv_error_string in libmpv's client.h).
var failures = map[string]ErrorCode{
	"loading failed":                     NotLoaded,
	"unrecognized file format":           UnknownFormat,
	"no audio or video data played":      NothingToPlay,
	"audio output initialization failed": NoSound,
	"video output initialization failed": NoVideo,
}

// complaint is what a player said of a file.
type complaint struct {
	code ErrorCode // "" if it did not say that it failed, or as none of those we know
	last string    // the reason in the last line of its log that is about what it reads
}

// apply adds what an event says.
func (c *complaint) apply(e *event) {
	switch e.Event {
	case "end-file":
		if e.Reason == "error" {
			c.code = failures[e.FileError]
		}
	case "log-message":
		if e.Prefix == "ffmpeg" || e.Prefix == "file" { // others tell that it failed, and not why
			c.last = reason(e.Text)
		}
	}
}

// maxReason is the longest reason that is kept, in bytes: what servers say stands in it.
const maxReason = 200

// reason is the end of a line of mpv's log, which names parts of the program and the address before: "tcp: Connection to
// tcp://127.0.0.1:1 failed: Connection refused".
func reason(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	if len(line) > maxReason {
		return ""
	}
	return line
}

// failed is the error of a player that ended with err before it played anything.
func (c *complaint) failed(err error) *Error {
	var exit *exec.ExitError
	switch {
	case c.code == NotLoaded:
		return &Error{c.code, c.last}
	case c.code != "":
		return &Error{Code: c.code}
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return &Error{Ended, strconv.Itoa(exit.ExitCode())}
	default: // by a signal
		return &Error{Code: Ended}
	}
}
