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
		if r.URL.Path == "/a.wav" {
			w.Write(silence()) //nolint:errcheck // the player may leave
			return
		}
		http.Redirect(w, r, "/a.wav", http.StatusFound)
	}))
	defer server.Close()
	var c Control
	if state, err := PlayFile(mpv, path, "T", 0, &c, func(State) {}); err != nil || !state.Ended || state.Length != time.Second {
		t.Errorf("a file: %+v, %v", state, err)
	}
	if state, err := Play(mpv, server.URL+"/led", "T", 0, new(Control), func(State) {}); err != nil || !state.Ended {
		t.Errorf("of the web: %+v, %v", state, err)
	}
}

// A file of the web leads the player neither to this computer nor into its network: by redirects, and by the parts of a stream.
func TestPlayedFileStaysOutOfTheNetwork(t *testing.T) {
	mpv := Find()
	if mpv == "" {
		t.Skip("needs mpv")
	}
	t.Setenv("MPV_HOME", t.TempDir()) // with no settings
	var asked atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Write(silence()) //nolint:errcheck // the player may leave
	}))
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
		}
	}))
	defer web.Close()
	t.Setenv("http_proxy", web.URL)
	t.Setenv("no_proxy", "127.0.0.1")
	for _, how := range []string{"redirect", "stream", "secure"} {
		before := outside.Load()
		var c Control
		hangs := time.AfterFunc(time.Minute, c.Stop)
		state, err := Play(mpv, "http://pod.test/"+how, "T", 0, &c, func(State) {})
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != NotLoaded || failed.Value != "it lies in this machine's network" && failed.Value != "" || state.Ended || !hangs.Stop() || outside.Load() == before || asked.Load() > 0 {
			t.Errorf("%s: %+v, %v; the web was asked %d times, this computer %d times", how, state, err, outside.Load()-before, asked.Load())
		}
	}
}
