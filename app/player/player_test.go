//go:build unix

package player

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain is mpv where the test starts its own program as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "--no-terminal" {
		os.Exit(mpv(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// mpv plays a file of 20 s, or as its address says, as the protocol of mpv tells it.
func mpv(args []string) int {
	address := args[len(args)-1]
	if strings.HasSuffix(address, "broken") {
		return 2
	}
	for _, arg := range args { // its plug-ins, of which mpv-mpris obeys media keys, are to be loaded
		if arg == "--no-config" || strings.HasPrefix(arg, "--load-scripts=") || strings.HasPrefix(arg, "--config-dir=") {
			return 3
		}
	}
	conn, err := net.FileConn(os.NewFile(3, ""))
	if err != nil {
		return 1
	}
	asked := bufio.NewScanner(conn)
	speed, volume := 0.0, 0.0
	for _, asks := range []string{"time-pos", "duration", "pause", "speed", "volume", "request_log_messages"} {
		if !asked.Scan() {
			return 1
		}
		if _, err := fmt.Sscanf(asked.Text(), `{"command":["set_property","speed",%g]}`, &speed); err == nil && !asked.Scan() {
			return 1
		}
		if _, err := fmt.Sscanf(asked.Text(), `{"command":["set_property","volume",%g]}`, &volume); err == nil && !asked.Scan() {
			return 1
		}
		if !strings.Contains(asked.Text(), asks) {
			return 1
		}
	}
	if volume != 0 {
		fmt.Fprintf(conn, `{"event":"property-change","id":5,"name":"volume","data":%g}`+"\n", volume)
	}
	if speed != 0 {
		fmt.Fprintf(conn, `{"event":"property-change","id":4,"name":"speed","data":%g}`+"\n", speed)
	}
	if words, fails := strings.CutPrefix(address, "https://x.test/fails/"); fails {
		words, _ = url.PathUnescape(words)
		words, said, _ := strings.Cut(words, "/")
		if said != "" {
			fmt.Fprintf(conn, `{"event":"log-message","prefix":"ffmpeg","level":"error","text":%q}`+"\n"+
				`{"event":"log-message","prefix":"stream","level":"error","text":"Failed to open it.\n"}`+"\n", said)
		}
		fmt.Fprintf(conn, `{"event":"end-file","reason":"error","file_error":%q}`+"\n", words)
		return 2
	}
	at := 0.0
	for _, arg := range args {
		if _, err := fmt.Sscanf(arg, "--start=%f", &at); err == nil {
			break
		}
	}
	fmt.Fprint(conn, `{"request_id":0,"error":"success"}`+"\n"+`{"event":"property-change","id":1,"name":"time-pos","data":null}`+"\n"+
		`{"event":"property-change","id":9,"data":"text"}`+"\n"+`{"event":"property-change","id":2,"name":"duration","data":20.5}`+"\n")
	switch {
	case strings.HasSuffix(address, "obeys"):
		return obey(conn, asked)
	case strings.HasSuffix(address, "babbles"):
		for err == nil {
			_, err = fmt.Fprint(conn, strings.Repeat("x", bufio.MaxScanTokenSize))
		}
	}
	for ; at < 20; at += 4 {
		fmt.Fprintf(conn, `{"event":"property-change","id":1,"name":"time-pos","data":%f}`+"\n", at)
		if strings.HasSuffix(address, "quit") && at > 10 {
			fmt.Fprint(conn, `{"event":"end-file","reason":"quit"}`+"\n")
			return 0
		}
	}
	fmt.Fprint(conn, `{"event":"end-file","reason":"eof"}`+"\n")
	return 0
}

// obey plays the first second of a file, and then does what it is told.
func obey(conn net.Conn, asked *bufio.Scanner) int {
	fmt.Fprint(conn, `{"event":"property-change","id":1,"name":"time-pos","data":1}`+"\n")
	at := 1.0
	for asked.Scan() {
		var to, by float64
		switch line := asked.Text(); {
		case line == `{"command":["set_property","pause",true]}`:
			fmt.Fprint(conn, `{"event":"property-change","id":3,"name":"pause","data":true}`+"\n")
		case line == `{"command":["set_property","pause",false]}`:
			fmt.Fprint(conn, `{"event":"property-change","id":3,"name":"pause","data":false}`+"\n")
		case strings.HasPrefix(line, `{"command":["set_property","speed",`):
			fmt.Sscanf(line, `{"command":["set_property","speed",%g]}`, &to) //nolint:errcheck // 0 then
			fmt.Fprintf(conn, `{"event":"property-change","id":4,"name":"speed","data":%g}`+"\n", to)
		case strings.HasPrefix(line, `{"command":["set_property","volume",`):
			fmt.Sscanf(line, `{"command":["set_property","volume",%g]}`, &to) //nolint:errcheck // 0 then
			fmt.Fprintf(conn, `{"event":"property-change","id":5,"name":"volume","data":%g}`+"\n", to)
		case strings.HasSuffix(line, `,"relative"]}`):
			fmt.Sscanf(line, `{"command":["seek",%g,"relative"]}`, &by) //nolint:errcheck // 0 then
			at += by
			fmt.Fprintf(conn, `{"event":"property-change","id":1,"name":"time-pos","data":%f}`+"\n", at)
		case line == `{"command":["quit"]}`:
			fmt.Fprint(conn, `{"event":"end-file","reason":"quit"}`+"\n")
			return 0
		default:
			if _, err := fmt.Sscanf(line, `{"command":["seek",%g,"absolute"]}`, &to); err != nil {
				return 1
			}
			at = to
			fmt.Fprintf(conn, `{"event":"property-change","id":1,"name":"time-pos","data":%f}`+"\n", at)
		}
	}
	return 1
}

// What plays is paused, moved and stopped; a place that is asked for before the file plays is gone to once it does.
func TestControl(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const s = time.Second
	var c Control
	c.Pause(true) // nothing plays yet
	c.Seek(30 * s)
	var told []State
	got, err := Play(self, "https://x.test/obeys", "", 0, &c, func(now State) {
		switch told = append(told, now); len(told) {
		case 3: // at the place that was asked for before
			c.Pause(true)
		case 4:
			c.Pause(false)
		case 5:
			c.Seek(72 * s)
		case 6:
			c.Stop()
		}
	})
	const length = 20500 * time.Millisecond
	want := []State{{0, length, false, false, 0, 0}, {s, length, false, false, 0, 0}, {30 * s, length, false, false, 0, 0}, {30 * s, length, true, false, 0, 0}, {30 * s, length, false, false, 0, 0}, {72 * s, length, false, false, 0, 0}}
	if err != nil || got != want[5] || !slices.Equal(told, want) {
		t.Errorf("%+v, told %+v (%v)", got, told, err)
	}
	c.Stop() // nothing plays any more
	c.Stop()
}

// What plays is skipped through, also before it plays, and plays at the speed and the volume that were set, also before there was a player.
func TestSkipAndSpeed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const s = time.Second
	var c Control
	c.SetSpeed(1.5)
	c.SetVolume(80)
	c.Skip(30 * s)
	c.Seek(60 * s) // instead
	c.Skip(-15 * s)
	c.Skip(10 * s)
	var told []State
	got, err := Play(self, "https://x.test/obeys", "", 0, &c, func(now State) {
		if now.Position < 2*s { // not yet there
			return
		}
		switch told = append(told, now); len(told) {
		case 2: // skipped back
			c.Skip(30 * s)
		case 3:
			c.SetSpeed(0.8)
		case 4:
			c.SetVolume(85)
		case 5:
			c.Stop()
		}
	})
	const length = 20500 * time.Millisecond
	want := []State{{60 * s, length, false, false, 1.5, 80}, {55 * s, length, false, false, 1.5, 80}, {85 * s, length, false, false, 1.5, 80}, {85 * s, length, false, false, 0.8, 80}, {85 * s, length, false, false, 0.8, 85}}
	if err != nil || got != want[4] || !slices.Equal(told, want) {
		t.Errorf("%+v, told %+v (%v)", got, told, err)
	}
}

// logged passes on what is logged.
type logged chan string

func (l logged) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// A player whose words make no sense, and that obeys none, is ended by force the second time, which is no failure.
func TestStopByForce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := make(logged)
	defer log.SetOutput(log.Writer())
	log.SetOutput(said)
	var c Control
	ended := make(chan error)
	go func() {
		_, err := Play(self, "https://x.test/babbles", "", 0, &c, func(State) {})
		ended <- err
	}()
	<-said // it is not followed any more
	for range 1000 {
		runtime.Gosched()
	}
	c.Stop()
	c.Stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestPlay(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const s = time.Second
	for _, c := range []struct {
		address string
		from    time.Duration
		want    State
		told    []time.Duration
	}{
		{"https://x.test/a.mp3", 0, State{16 * s, 20500 * time.Millisecond, false, true, 0, 0}, []time.Duration{0, 4 * s, 8 * s, 12 * s, 16 * s}},
		{"https://x.test/quit", 3 * s, State{11 * s, 20500 * time.Millisecond, false, false, 0, 0}, []time.Duration{3 * s, 7 * s, 11 * s}},
	} {
		var told []time.Duration
		got, err := Play(self, c.address, "A title", c.from, new(Control), func(s State) { told = append(told, s.Position) })
		if err != nil || got != c.want || !slices.Equal(told, c.told) {
			t.Errorf("%s: %+v, told %v (%v); want %+v, %v", c.address, got, told, err, c.want, c.told)
		}
	}
	for _, address := range []string{"file:///etc/passwd", "/etc/passwd", "ytdl://x", "--script=x", "lavf://x"} {
		if _, err := Play(self, address, "", 0, new(Control), nil); err != ErrAddress {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := PlayFile(self, "a.mp3", "", 0, new(Control), nil); err != ErrAddress {
		t.Errorf("a relative path: %v", err)
	}
	if got, err := PlayFile(self, "/home/user/a.mp3", "", 0, new(Control), func(State) {}); err != nil || !got.Ended {
		t.Errorf("a file: %+v (%v)", got, err)
	}
}

// Why nothing was played is told as a code, and of what could not be loaded as the player says it.
func TestFailures(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]Error{
		"broken":                         {Ended, "2"},
		"fails/unrecognized file format": {Code: UnknownFormat},
		"fails/unrecognized file format/Failed to recognize file format.": {Code: UnknownFormat},
		"fails/loading failed": {Code: NotLoaded},
		"fails/loading failed/http: HTTP error 404 Not  Found\n":                             {NotLoaded, "HTTP error 404 Not Found"},
		"fails/loading failed/tcp: Connection to tcp://[::1]:1 failed: Connection refused\n": {NotLoaded, "Connection refused"},
		"fails/loading failed/http: HTTP error 500 " + strings.Repeat("x", maxReason):        {Code: NotLoaded},
		"fails/audio output initialization failed/Could not open/initialize audio device":    {Code: NoSound},
		"fails/video output initialization failed":                                           {Code: NoVideo},
		"fails/no audio or video data played":                                                {Code: NothingToPlay},
		"fails/something that a later version says/x: Why":                                   {Ended, "2"},
	} {
		_, err := Play(self, "https://x.test/"+strings.ReplaceAll(url.PathEscape(address), "%2F", "/"), "", 7*time.Second, new(Control), func(State) {})
		var got *Error
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%s: %v, want %v", address, err, &want)
		}
	}
}

// The real player says so as well.
func TestFailuresOfMpv(t *testing.T) {
	mpv := Find()
	if mpv == "" {
		t.Skip("mpv is not installed")
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	noise := filepath.Join(t.TempDir(), "a.mp3")
	if err := os.WriteFile(noise, []byte(strings.Repeat("<p>No sound.\n", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	var got *Error
	if _, err := PlayFile(mpv, noise, "", 0, new(Control), func(State) {}); !errors.As(err, &got) || got.Code != UnknownFormat {
		t.Errorf("text: %v", err)
	}
	if _, err := Play(mpv, server.URL+"/a.mp3", "", 0, new(Control), func(State) {}); !errors.As(err, &got) || got.Code != NotLoaded || got.Value != "HTTP error 404 Not Found" && got.Value != "" { // mpv may end before it tells
		t.Errorf("a missing file: %v", err)
	}
}
