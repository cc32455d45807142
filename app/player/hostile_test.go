//go:build unix

package player

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What is played opens no port of this computer, reads no other file and plays no list of others in its place, whatever it calls itself.
func TestHostileFiles(t *testing.T) {
	mpv := Find()
	if mpv == "" {
		t.Skip("needs mpv")
	}
	t.Setenv("MPV_HOME", t.TempDir()) // with no settings
	port, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := port.LocalAddr().(*net.UDPAddr).Port
	port.Close()
	folder := t.TempDir()
	other := filepath.Join(folder, "other.ts")
	for name, text := range map[string]string{
		"session":  fmt.Sprintf("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=S\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio %d RTP/AVP 97\na=rtpmap:97 L16/8000\n", free),
		"stream":   "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n" + other + "\n#EXT-X-ENDLIST\n",
		"playlist": "#EXTM3U\n" + other + "\n",
		"cuts":     "# mpv EDL v0\n" + other + ",0,9\n",
	} {
		path := filepath.Join(folder, name+".mp3")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "audio/mpeg")
			w.Write([]byte(text)) //nolint:errcheck // the player may leave
		}))
		for how, play := range map[string]func(*Control) (State, error){
			"saved":      func(c *Control) (State, error) { return PlayFile(mpv, path, "T", 0, c, func(State) {}) },
			"of the web": func(c *Control) (State, error) { return Play(mpv, server.URL+"/a.mp3", "T", 0, c, func(State) {}) },
		} {
			var c Control
			hangs := time.AfterFunc(time.Minute, c.Stop)
			if state, err := play(&c); err == nil || state.Ended || !hangs.Stop() {
				t.Errorf("%s, %s: %+v, %v", name, how, state, err)
			}
		}
		server.Close()
	}
}

// silence is an uncompressed sound of one second.
func silence() []byte {
	const rate = 8000
	head := "RIFF\x64\x1f\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x40\x1f\x00\x00"
	return []byte(head + strings.Repeat("\x80", rate))
}

// A plain file, and a stream that consists of files of the web, play to their ends.
func TestPlayByMpv(t *testing.T) {
	mpv := Find()
	if mpv == "" {
		t.Skip("needs mpv")
	}
	home := t.TempDir()
	t.Setenv("MPV_HOME", home)
	if err := os.WriteFile(filepath.Join(home, "mpv.conf"), []byte("ao=null\nvo=null\nao-null-untimed=yes\nhttp-proxy=http://127.0.0.1:9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, silence(), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/a.wav":
			w.Write(silence()) //nolint:errcheck // the player may leave
		case "/a.mp3":
			w.Write([]byte(strings.Repeat("\xff\xfb\x90\x64"+strings.Repeat("\x00", 413), 38))) //nolint:errcheck // see above
		case "/stream.m3u8":
			fmt.Fprint(w, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.mp3\n#EXT-X-ENDLIST\n")
		default:
			http.Redirect(w, r, "/a.wav", http.StatusFound)
		}
	}))
	defer server.Close()
	var c Control
	if state, err := PlayFile(mpv, path, "T", 0, &c, func(State) {}); err != nil || !state.Ended || state.Length != time.Second {
		t.Errorf("a file: %+v, %v", state, err)
	}
	for _, what := range []string{"/led", "/stream.m3u8"} {
		if state, err := Play(mpv, server.URL+what, "T", 0, new(Control), func(State) {}); err != nil || !state.Ended {
			t.Errorf("%s of the web: %+v, %v", what, state, err)
		}
	}
}

// A file of the web leads the player neither to this computer nor into its network: by redirects, by the parts of a stream,
// and by lists of what other protocols than HTTP have.
func TestPlayedFileStaysOutOfTheNetwork(t *testing.T) {
	mpv := Find()
	if mpv == "" {
		t.Skip("needs mpv")
	}
	t.Setenv("MPV_HOME", t.TempDir()) // with no settings
	var asked atomic.Int32
	inside := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(silence()) //nolint:errcheck // the player may leave
	}))
	inside.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			asked.Add(1)
		}
	}
	inside.Start()
	defer inside.Close()
	var outside atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // the user's proxy, which knows the web
		switch outside.Add(1); {
		case r.URL.Hostname() != "pod.test":
			t.Errorf("the proxy was asked for %s", r.URL)
		case r.URL.Path == "/redirect":
			http.Redirect(w, r, inside.URL, http.StatusFound)
		case r.URL.Path == "/stream":
			fmt.Fprintf(w, "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n%s/a.ts\n#EXT-X-ENDLIST\n", inside.URL)
		case r.URL.Path == "/secure":
			http.Redirect(w, r, strings.Replace(inside.URL, "http", "https", 1), http.StatusFound)
		default: // a list of what the protocol has that it is called by
			fmt.Fprintf(w, "#EXTM3U\n%s/a/b\n", strings.Replace(inside.URL, "http", r.URL.Path[1:], 1))
		}
	}))
	defer web.Close()
	t.Setenv("http_proxy", web.URL)
	t.Setenv("no_proxy", "127.0.0.1")
	for _, how := range []string{"redirect", "stream", "secure", "http", "rtmp", "rtsp", "gopher", "httpproxy"} {
		before := outside.Load()
		var c Control
		hangs := time.AfterFunc(time.Minute, c.Stop)
		state, err := Play(mpv, "http://pod.test/"+how, "T", 0, &c, func(State) {})
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != NotLoaded && failed.Code != UnknownFormat || failed.Value != "it lies in this machine's network" && failed.Value != "" || state.Ended || !hangs.Stop() || outside.Load() == before || asked.Load() > 0 {
			t.Errorf("%s: %+v, %v; the web was asked %d times, this computer %d times", how, state, err, outside.Load()-before, asked.Load())
		}
	}
}
