//go:build unix

package player

import (
	"bufio"
	"fmt"
	"net"
	"os"
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
	for _, property := range []string{"time-pos", "duration"} {
		if !asked.Scan() || asked.Err() != nil || !strings.Contains(asked.Text(), property) {
			return 1
		}
	}
	at := 0.0
	for _, arg := range args {
		if _, err := fmt.Sscanf(arg, "--start=%f", &at); err == nil {
			break
		}
	}
	fmt.Fprint(conn, `{"request_id":0,"error":"success"}`+"\n"+`{"event":"property-change","id":1,"name":"time-pos","data":null}`+"\n"+
		`{"event":"property-change","id":9,"data":"text"}`+"\n"+`{"event":"property-change","id":2,"name":"duration","data":20.5}`+"\n")
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
		{"https://x.test/a.mp3", 0, State{16 * s, 20500 * time.Millisecond, true}, []time.Duration{12 * s}},
		{"https://x.test/quit", 3 * s, State{11 * s, 20500 * time.Millisecond, false}, nil},
	} {
		var told []time.Duration
		got, err := Play(self, c.address, "A title", c.from, func(s State) { told = append(told, s.Position) })
		if err != nil || got != c.want || !slices.Equal(told, c.told) {
			t.Errorf("%s: %+v, told %v (%v); want %+v, %v", c.address, got, told, err, c.want, c.told)
		}
	}
	if _, err := Play(self, "https://x.test/broken", "", 7*s, nil); err == nil {
		t.Error("a failure is not told")
	}
	for _, address := range []string{"file:///etc/passwd", "/etc/passwd", "ytdl://x", "--script=x", "lavf://x"} {
		if _, err := Play(self, address, "", 0, nil); err != ErrAddress {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := PlayFile(self, "a.mp3", "", 0, nil); err != ErrAddress {
		t.Errorf("a relative path: %v", err)
	}
	if got, err := PlayFile(self, "/home/user/a.mp3", "", 0, func(State) {}); err != nil || !got.Ended {
		t.Errorf("a file: %+v (%v)", got, err)
	}
}
