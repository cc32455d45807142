// Package player plays audio and video in mpv, and learns from it how far it has come.
//
// Kairos has no sound of its own: what decodes and plays every format without C does not exist, and
// a player that everybody knows has its own window, keys, speeds and subtitles.
package player

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// State is how far a file was played.
type State struct {
	Position, Length time.Duration // Length 0: unknown
	Ended            bool          // it was played to its end
}

// Find returns the path of mpv, "" if it is not installed or cannot tell how far it has come.
func Find() string {
	path, err := exec.LookPath("mpv")
	if err != nil || !connectable {
		return ""
	}
	return path
}

// ErrAddress means that an address is not one of the web.
var ErrAddress = errors.New("only files of the web are played")

// tellEvery is how much more must have been played until it is told again.
const tellEvery = 10 * time.Second

// Play plays the file at an address with the program mpv, from a position on, until it ends or its
// window is closed. tell is called every few seconds of playing. Errors: ErrAddress, those of
// os/exec.
func Play(mpv, address, title string, from time.Duration, tell func(State)) (State, error) {
	// mpv also opens files, devices and lists of commands by their addresses, and a feed names the address.
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return State{}, ErrAddress
	}
	return play(mpv, address, title, from, tell)
}

// PlayFile plays a file of the user as Play does. path is absolute.
func PlayFile(mpv, path, title string, from time.Duration, tell func(State)) (State, error) {
	if !filepath.IsAbs(path) {
		return State{}, ErrAddress
	}
	// It came from the web: it is never read as a list of other files.
	return play(mpv, path, title, from, tell, "--demuxer=lavf")
}

func play(mpv, what, title string, from time.Duration, tell func(State), options ...string) (State, error) {
	args := append([]string{"--no-terminal", "--force-window=yes", "--ytdl=no", "--input-ipc-client=fd://3",
		"--start=" + strconv.FormatFloat(from.Seconds(), 'f', 3, 64), "--force-media-title=" + title}, options...)
	cmd := exec.Command(mpv, append(args, "--", what)...)
	conn, theirs, err := socketPair()
	if err != nil {
		return State{}, fmt.Errorf("connect to the player: %w", err)
	}
	defer conn.Close()
	cmd.ExtraFiles = append(cmd.ExtraFiles, theirs)
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return State{}, fmt.Errorf("start the player: %w", err)
	}
	state := follow(conn, from, tell)
	if err := cmd.Wait(); err != nil && state.Position == from && !state.Ended {
		return state, fmt.Errorf("play: %w", err)
	}
	return state, nil
}

// The properties that are observed, by the numbers that mpv repeats.
const (
	positionProperty = 1
	lengthProperty   = 2
)

// event is a line of mpv's protocol (mpv.io/manual, "JSON IPC").
type event struct {
	Event  string   `json:"event"`
	ID     int      `json:"id"`
	Data   *float64 `json:"data"`
	Reason string   `json:"reason"`
}

// follow reads what mpv says until it ends.
func follow(conn io.ReadWriter, from time.Duration, tell func(State)) State {
	fmt.Fprintf(conn, `{"command":["observe_property",%d,"time-pos"]}`+"\n"+`{"command":["observe_property",%d,"duration"]}`+"\n", positionProperty, lengthProperty)
	state, told := State{Position: from}, from
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			continue // data of another type, of a property that nobody asked for
		}
		switch {
		case e.Event == "end-file":
			state.Ended = e.Reason == "eof"
		case e.Event != "property-change" || e.Data == nil || *e.Data < 0 || *e.Data > maxSeconds:
		case e.ID == positionProperty:
			state.Position = seconds(*e.Data)
		case e.ID == lengthProperty:
			state.Length = seconds(*e.Data)
		}
		if (state.Position - told).Abs() >= tellEvery {
			told = state.Position
			tell(state)
		}
	}
	if err := lines.Err(); err != nil {
		slog.Warn("what is played is no longer followed", "err", err)
	}
	return state
}

// maxSeconds is longer than any file.
const maxSeconds = 1e7

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
