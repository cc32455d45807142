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
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"kairos/poller/fetch"
)

// State is how far a file was played.
type State struct {
	Position, Length time.Duration // Length 0: unknown
	Paused           bool
	Ended            bool    // it was played to its end
	Speed            float64 // 1 is as it was recorded; 0: unknown
	Volume           float64 // percent; 0: unknown, or silent
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

// Play plays the file at an address with the program mpv, from a position on, until it ends, the window of a film is closed or c stops it.
// A file of the web leads the player nowhere into the local network. tell is called with each second that was played, and when it
// pauses or its speed or volume changes. Errors: ErrAddress, *Error, those of os/exec.
func Play(mpv, address, title string, from time.Duration, c *Control, tell func(State)) (State, error) {
	// mpv also opens files, devices and lists of commands by their addresses, and a feed names the address.
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return State{}, ErrAddress
	}
	proxy, err := fetch.NewGuardedProxy(address)
	if err != nil {
		return State{}, err
	}
	defer proxy.Close()
	// In the environment other users do not see its password, and FFmpeg obeys it for HTTP. Settings of mpv would come first. As a list
	// of mpv's own, the file would lead to servers of other protocols, which know no proxy: FFmpeg's streams are bound to some.
	environment := append(os.Environ(), "http_proxy="+proxy.URL(), "no_proxy=")
	return play(mpv, address, title, from, c, tell, environment, "--http-proxy=", "--demuxer=lavf", openOnly(webProtocols))
}

// PlayFile plays a file of the user as Play does. path is absolute.
func PlayFile(mpv, path, title string, from time.Duration, c *Control, tell func(State)) (State, error) {
	if !filepath.IsAbs(path) {
		return State{}, ErrAddress
	}
	// It came from the web: it is never read as a list of other files.
	return play(mpv, path, title, from, c, tell, nil, "--demuxer=lavf", "--access-references=no", openOnly("file"))
}

// webProtocols are what a stream of the web is made of: its segments may be encrypted or within, and a proxy may be on the way.
const webProtocols = "http,https,tls,tcp,httpproxy,crypto,data"

// openOnly is the option of mpv by which a file leads to others by some protocols of FFmpeg only. A description of a session
// (RFC 8866), which a file is whatever its name says, would open ports of this computer to the network.
func openOnly(protocols string) string {
	return "--demuxer-lavf-o-append=protocol_whitelist=" + protocols
}

func play(mpv, what, title string, from time.Duration, c *Control, tell func(State), environment []string, options ...string) (State, error) {
	// What is only heard has no window: it is paused and stopped in that of Kairos.
	args := append([]string{"--no-terminal", "--audio-display=no", "--ytdl=no", "--load-unsafe-playlists=no", "--input-ipc-client=fd://3",
		"--start=" + strconv.FormatFloat(from.Seconds(), 'f', 3, 64), "--force-media-title=" + title}, options...)
	cmd := exec.Command(mpv, append(args, "--", what)...)
	cmd.Env = environment
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
	c.begin(conn, cmd.Process)
	state, said := follow(conn, from, c, tell)
	err = cmd.Wait()
	if asked := c.end(); err != nil && !asked && state.Position == from && !state.Ended {
		return state, said.failed(err)
	}
	return state, nil
}

// The properties that are observed, by the numbers that mpv repeats.
const (
	positionProperty = 1
	lengthProperty   = 2
	pauseProperty    = 3
	speedProperty    = 4
	volumeProperty   = 5
)

// event is a line of mpv's protocol (mpv.io/manual, "JSON IPC").
type event struct {
	Event     string          `json:"event"`
	ID        int             `json:"id"`
	Data      json.RawMessage `json:"data"`
	Reason    string          `json:"reason"`
	FileError string          `json:"file_error"` // where the reason is an error
	Prefix    string          `json:"prefix"`     // the part of mpv that logs Text
	Text      string          `json:"text"`
}

// number returns a number of at most most, and none below 0; ok is whether the property has one.
func (e *event) number(most float64) (x float64, ok bool) {
	var n *float64
	if json.Unmarshal(e.Data, &n) != nil || n == nil || *n < 0 || *n > most {
		return 0, false
	}
	return *n, true
}

// seconds returns a number of seconds; ok is whether the property has one.
func (e *event) seconds() (d time.Duration, ok bool) {
	n, ok := e.number(maxSeconds)
	return time.Duration(n * float64(time.Second)), ok
}

// apply adds what an event says to a state.
func (s *State) apply(e *event) {
	switch {
	case e.Event == "end-file":
		s.Ended = e.Reason == "eof"
	case e.Event != "property-change":
	case e.ID == pauseProperty:
		s.Paused = string(e.Data) == "true"
	case e.ID == positionProperty:
		if at, ok := e.seconds(); ok {
			s.Position = at
		}
	case e.ID == lengthProperty:
		if length, ok := e.seconds(); ok {
			s.Length = length
		}
	case e.ID == speedProperty:
		if speed, ok := e.number(maxSpeed); ok {
			s.Speed = speed
		}
	case e.ID == volumeProperty:
		if volume, ok := e.number(maxVolume); ok {
			s.Volume = volume
		}
	}
}

// shown is a state as clocks show it.
func (s State) shown() State {
	s.Position, s.Length = s.Position.Truncate(time.Second), s.Length.Truncate(time.Second)
	return s
}

// follow reads what mpv says until it ends.
func follow(conn net.Conn, from time.Duration, c *Control, tell func(State)) (state State, said complaint) {
	for id, name := range []string{positionProperty: "time-pos", lengthProperty: "duration", pauseProperty: "pause", speedProperty: "speed", volumeProperty: "volume"} {
		if name != "" {
			fmt.Fprintf(conn, `{"command":["observe_property",%d,%q]}`+"\n", id, name)
		}
	}
	fmt.Fprintln(conn, `{"command":["request_log_messages","warn"]}`)
	state = State{Position: from}
	told := state.shown()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		state.apply(&e)
		said.apply(&e)
		if _, plays := e.seconds(); plays && e.Event == "property-change" && e.ID == positionProperty {
			c.load()
		}
		if now := state.shown(); now != told && !now.Ended {
			told = now
			tell(state)
		}
	}
	if err := lines.Err(); err != nil {
		slog.Warn("what is played is no longer followed", "err", err)
	}
	return state, said
}

// maxSeconds is longer than any file.
const maxSeconds = 1e7

// maxSpeed is the highest speed of mpv.
const maxSpeed = 100

// maxVolume is the highest volume that mpv can be set to have, in percent.
const maxVolume = 1000
