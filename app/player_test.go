//go:build unix

package app

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"kairos/app/accessible/describe/describetest"
	"kairos/app/reading"
	"kairos/app/session"
	"kairos/app/sidebar"
	"kairos/reader"
)

// fakePlayer plays 42 s of a minute from the beginning, and to the end from anywhere else.
const fakePlayer = `#!/bin/sh
read -r first <&3; read -r second <&3; read -r third <&3; read -r fourth <&3; read -r fifth <&3; read -r sixth <&3
case "$*" in *--start=0.000*) reason=quit;; *) reason=eof;; esac
printf '{"event":"property-change","id":2,"data":60}\n{"event":"property-change","id":1,"data":42.0}\n{"event":"end-file","reason":"%s"}\n' $reason >&3
`

// addSound gives each of the first articles of the list a file that can be heard.
func addSound(t *testing.T, w *window, urls ...string) {
	t.Helper()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for i, url := range urls {
			if _, err := tx.ExecContext(t.Context(), "INSERT INTO enclosure VALUES (?, ?, 'audio/mpeg', 0, 0)", w.session.List.IDs[i], url); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPlayAndQueue(t *testing.T) {
	w, q := newTestWindow(t)
	mpv := filepath.Join(t.TempDir(), "mpv")
	if err := os.WriteFile(mpv, []byte(fakePlayer), 0o700); err != nil {
		t.Fatal(err)
	}
	w.article.Player.Mpv = mpv
	ids := slices.Clone(w.session.List.IDs[:2])
	urls := []string{"https://x.test/0.mp3", "https://x.test/1.mp3"}
	addSound(t, w, urls...)
	played := func(i int) reader.Playback {
		all, err := w.shell.Home.Store.Articles.Playbacks(t.Context(), ids[i])
		if err != nil {
			t.Fatal(err)
		}
		return all[urls[i]]
	}
	show := func(i int) {
		w.timeline.List.Select(i)
		q.Until("it is shown", func() bool { return w.session.IsShown(ids[i]) && len(w.article.Playables()) == 1 })
	}
	show(0)
	w.timeline.List.TypedRune('P')
	q.Until("it is left in the middle", func() bool { return strings.Contains(w.status.message.Text, "Stopped at 0:42") })
	if got := played(0); got != (reader.Playback{Position: 42 * time.Second, Length: time.Minute}) {
		t.Errorf("%+v", got)
	}
	q.Until("the article says so", func() bool { return w.article.Played[urls[0]].Position == 42*time.Second })
	w.timeline.List.TypedRune('Q')
	q.Until("it is in the queue", func() bool { return w.article.Played[urls[0]].Queued })
	show(1)
	w.timeline.List.TypedRune('Q')
	q.Until("the next one, too", func() bool { return w.article.Played[urls[1]].Queued })
	w.reload()
	q.Until("the sidebar has a queue", func() bool {
		return slices.ContainsFunc(w.sidebar.Items, func(i sidebar.Item) bool { return i.Key == "queue" && i.Total == 2 })
	})
	w.perform("play-queue")
	q.Until("the first is heard, and the second left in the middle", func() bool {
		return played(0).Heard && !played(0).Queued && played(1).Position == 42*time.Second
	})
	q.Until("it has stopped", func() bool {
		return w.article.Player.Playing.URL == "" && strings.Contains(w.status.message.Text, "Stopped")
	})
	w.timeline.List.TypedRune('H')
	q.Until("the second is heard, too", func() bool { return w.article.Played[urls[1]].Heard })
	w.shell.UndoLast()
	q.Until("undone", func() bool { return !w.article.Played[urls[1]].Heard && w.shell.Pending() == 0 })
	w.shell.RedoLast()
	q.Until("heard again", func() bool { return w.article.Played[urls[1]].Heard && w.shell.Pending() == 0 })
	w.shell.UndoLast()
	q.Until("not yet", func() bool { return !w.article.Played[urls[1]].Heard && played(1).Queued })

	w.article.Player.Mpv = ""
	opened := ""
	w.article.Player.Open = func(link string) bool { opened = link; return false }
	w.timeline.List.TypedRune('P')
	if opened != urls[1] {
		t.Errorf("without the player %q is opened", opened)
	}
	if got := w.status.message.Text; !strings.HasPrefix(got, "Nothing was found that plays this.") {
		t.Errorf("told: %q", got)
	}
	w.article.Player.Mpv = filepath.Join(t.TempDir(), "none")
	w.timeline.List.TypedRune('P')
	q.Until("the error is told", func() bool {
		return strings.Contains(w.status.message.Text, "none") || strings.Contains(w.status.message.Text, "exist")
	})
}

// brokenPlayer cannot play anything.
const brokenPlayer = `#!/bin/sh
read -r first <&3; read -r second <&3; read -r third <&3; read -r fourth <&3; read -r fifth <&3; read -r sixth <&3
printf '{"event":"end-file","reason":"error","file_error":"unrecognized file format"}\n' >&3
exit 2
`

// What the player cannot play can be opened in the browser.
func TestOfferTheBrowserForWhatDoesNotPlay(t *testing.T) {
	w, q := newTestWindow(t)
	mpv, url, opened := filepath.Join(t.TempDir(), "mpv"), "https://x.test/0.mp3", ""
	if err := os.WriteFile(mpv, []byte(brokenPlayer), 0o700); err != nil {
		t.Fatal(err)
	}
	w.article.Player.Mpv, w.article.Player.Open = mpv, func(link string) bool { opened = link; return true }
	addSound(t, w, url)
	w.timeline.List.Select(0)
	q.Until("it is shown", func() bool { return len(w.article.Playables()) == 1 })
	w.timeline.List.TypedRune('P')
	q.Until("it is told", func() bool {
		return strings.HasSuffix(w.status.message.Text, ": mpv cannot play this file: its format is unknown.")
	})
	if !w.status.action.Visible() || w.status.action.Text != "Open in browser" {
		t.Fatalf("offered: %q", w.status.action.Text)
	}
	test.Tap(w.status.action)
	if opened != url || w.status.action.Visible() {
		t.Errorf("opened %q", opened)
	}
}

// argsPlayer notes what it is to play, and plays it like fakePlayer.
const argsPlayer = "#!/bin/sh\nfor last; do :; done; echo \"$last\" > \"$0.played\"\n"

func TestPlayTheSavedFile(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, "sound") }))
	defer server.Close()
	w, q := newTestWindow(t)
	folder := t.TempDir()
	mpv, url := filepath.Join(folder, "mpv"), server.URL+"/0.mp3"
	if err := os.WriteFile(mpv, []byte(argsPlayer+strings.TrimPrefix(fakePlayer, "#!/bin/sh\n")), 0o700); err != nil {
		t.Fatal(err)
	}
	w.article.Player.Mpv = mpv
	id := w.session.List.IDs[0]
	addSound(t, w, url)
	w.timeline.List.Select(0)
	q.Until("it is shown", func() bool { return w.session.IsShown(id) && len(w.article.Playables()) == 1 })
	saveTo(w.article.SaveFile(url), folder, "episode.mp3")
	saved := filepath.Join(folder, "episode.mp3")
	q.Until("the article knows where it is saved", func() bool { return w.article.Played[url].Saved == saved })
	plays := func(want string) {
		t.Helper()
		w.timeline.List.TypedRune('P')
		q.Until("it is over", func() bool { return w.article.Player.Playing.URL == "" })
		if got, err := os.ReadFile(mpv + ".played"); err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%q is played (%v), want %q", got, err, want)
		}
	}
	plays(saved)
	q.Until("the place is known, as is the file", func() bool {
		p := w.article.Played[url]
		return p.Position == 42*time.Second && p.Saved == saved
	})
	opened := ""
	w.article.Player.OpenSaved = func(path string) bool { opened = path; return true }
	w.article.Player.Mpv = ""
	w.timeline.List.TypedRune('P')
	if opened != saved {
		t.Errorf("without the player %q is opened", opened)
	}
	if program := filepath.Join(folder, "mpv"); reading.IsMedia(program) {
		t.Error("a program is taken for sound")
	}
	w.article.Player.Mpv = mpv
	if err := os.Remove(saved); err != nil {
		t.Fatal(err)
	}
	plays(url)
	q.Until("the article does not name it any more", func() bool { return w.article.Played[url].Saved == "" })
}

// endlessPlayer plays 42 s, and another one when its file has been removed.
const endlessPlayer = `#!/bin/sh
read -r first <&3; read -r second <&3; read -r third <&3; read -r fourth <&3; read -r fifth <&3; read -r sixth <&3
printf '{"event":"property-change","id":1,"data":42.0}\n' >&3
while [ -e "$0" ]; do sleep 0.05; done
printf '{"event":"property-change","id":1,"data":43.0}\n' >&3
`

// A player that is running keeps neither the program nor its data folder, and what was told before is stored.
func TestQuitWhilePlaying(t *testing.T) {
	w, q := newTestWindow(t)
	mpv, url := filepath.Join(t.TempDir(), "mpv"), "https://x.test/0.mp3"
	if err := os.WriteFile(mpv, []byte(endlessPlayer), 0o700); err != nil {
		t.Fatal(err)
	}
	w.article.Player.Mpv = mpv
	id := w.session.List.IDs[0]
	changes, unwatch := w.shell.Home.Store.Watch()
	defer unwatch()
	w.article.Player.Play(reader.Playable{Article: id, URL: url, Title: "Endless"})
	stored := func() bool {
		all, err := w.shell.Home.Store.Articles.Playbacks(t.Context(), id)
		return err == nil && all[url].Position == 42*time.Second
	}
	for !stored() {
		<-changes
	}
	w.remember()
	q.Until("nothing else runs", func() bool { return w.shell.Pending() == 0 })
	ended := false
	w.closing.end = func() { ended = true }
	if w.closing.quit(); !ended {
		t.Error("quitting waits for the player")
	}
	w.shell.Wait()
	if err := w.shell.Home.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(mpv); err != nil { // the player tells more, which nobody stores
		t.Fatal(err)
	}
	q.Until("the player has ended", func() bool { return w.article.Player.Playing.URL == "" })
}

// obedientPlayer plays the first second of two minutes, and then does what it is told.
const obedientPlayer = `#!/bin/sh
read -r first <&3; read -r second <&3; read -r third <&3; read -r fourth <&3; read -r fifth <&3; read -r sixth <&3
for last; do :; done
echo "$last" >> "$0.played"
printf '{"event":"property-change","id":2,"data":120}\n{"event":"property-change","id":1,"data":1.0}\n' >&3
while read -r line <&3; do
	case "$line" in
	*quit*) exit 0;;
	*pause*true*) echo '{"event":"property-change","id":3,"data":true}' >&3;;
	*pause*false*) echo '{"event":"property-change","id":3,"data":false}' >&3;;
	*seek*-15,*) echo '{"event":"property-change","id":1,"data":15}' >&3;;
	*speed*1.1*) echo '{"event":"property-change","id":4,"data":1.1}' >&3;;
	*seek*30,*) echo '{"event":"property-change","id":1,"data":30}' >&3;;
	esac
done
`

// In the stream an article says what it plays also after another one was scrolled to.
func TestPlayInTheStream(t *testing.T) {
	w, q := newStreamWindow(t)
	mpv := filepath.Join(t.TempDir(), "mpv")
	if err := os.WriteFile(mpv, []byte(obedientPlayer), 0o700); err != nil {
		t.Fatal(err)
	}
	w.article.Player.Mpv = mpv
	first, second := w.session.List.IDs[0], w.session.List.IDs[1]
	addSound(t, w, "https://x.test/0.mp3")
	w.setLayout(session.Columns)
	q.Until("the episode is there", func() bool { return w.session.IsShown(first) && len(w.article.Playables()) == 1 })
	w.setLayout(session.Combined)
	q.Until("it is in the stream", func() bool { return w.session.IsShown(first) && w.article.Stream.On && len(w.article.Playables()) == 1 })
	says := func(action string) func() bool {
		return func() bool { return strings.Contains(describetest.Listing(told(t, w)), action) }
	}
	w.article.View.TypedRune('P')
	q.Until("it plays", func() bool { return w.article.Player.State.Position > 0 })
	w.article.View.TypedRune('j')
	q.Until("the next is shown", func() bool { return w.session.IsShown(second) })
	w.perform("stop-playing")
	q.Until("it has stopped", func() bool { return w.article.Player.Playing.URL == "" })
	q.idle(w)
	w.article.View.TypedRune('k')
	q.Until("it offers to go on", says("Resume at 0:01"))
}

// While something plays the head of its article and the row above it say so, P pauses and resumes it, a time stamp goes there, another
// file takes its place, and Stop ends it.
func TestControlWhatPlays(t *testing.T) {
	w, q := newTestWindow(t)
	mpv := filepath.Join(t.TempDir(), "mpv")
	if err := os.WriteFile(mpv, []byte(obedientPlayer), 0o700); err != nil {
		t.Fatal(err)
	}
	p := w.article.Player
	p.Mpv = mpv
	ids, urls := slices.Clone(w.session.List.IDs[:2]), []string{"https://x.test/0.mp3", "https://x.test/1.mp3"}
	addSound(t, w, urls...)
	show := func(i int) {
		w.timeline.List.Select(i)
		q.Until("it is shown", func() bool { return w.session.IsShown(ids[i]) && len(w.article.Playables()) == 1 })
	}
	says := func(text string) func() bool {
		return func() bool { return p.Bar.Row.Visible() && strings.HasPrefix(p.Bar.Position.Text, text) }
	}
	show(0)
	for _, command := range []string{"stop-playing", "skip-back", "skip-forward"} {
		w.shell.Say("")
		if w.perform(command); !strings.Contains(w.status.message.Text, "Nothing is playing") {
			t.Errorf("%s: told: %q", command, w.status.message.Text)
		}
	}
	w.timeline.List.TypedRune('P')
	q.Until("it plays", says("0:01 of 2:00"))
	w.perform("skip-forward")
	q.Until("it is further", says("0:30 of 2:00"))
	test.Tap(p.Bar.Back)
	q.Until("it is back a little", says("0:15 of 2:00"))
	if s := p.Bar.Slider; !s.Visible() || s.Value != 15 || s.Max != 120 {
		t.Errorf("the slider is at %v of %v", s.Value, s.Max)
	}
	p.Bar.Slider.SetValue(30)
	q.Until("it is where the slider was moved to", says("0:30 of 2:00"))
	w.perform("faster")
	q.Until("it is faster", func() bool { return p.State.Speed == 1.1 && p.Bar.Speed.Text == "1.1×" })
	w.timeline.List.TypedRune('P')
	q.Until("it is paused", func() bool { return p.State.Paused && p.Bar.Pause.Name == "Resume" })
	w.article.View.OnFile("from", urls[0]+"#t=30")
	q.Until("it plays from the time stamp", func() bool { return says("0:30 of 2:00")() && !p.State.Paused })
	w.article.View.OnFile("resume", urls[0])
	q.Until("it is paused by the link", func() bool { return p.State.Paused })
	show(1)
	w.timeline.List.TypedRune('H')
	q.Until("the second is heard", func() bool { return w.article.Played[urls[1]].Heard })
	w.perform("slower")
	w.perform("faster")
	w.article.View.OnFile("from", urls[1]+"#t=60")
	q.Until("another plays as fast", func() bool {
		return p.Playing.URL == urls[1] && says("0:01 of")() && p.Speed() == 1.1 && p.Bar.Speed.Text == "1.1×"
	})
	q.Until("it is not heard while it plays", func() bool { return !w.article.Played[urls[1]].Heard })
	all, err := w.shell.Home.Store.Articles.Playbacks(t.Context(), ids[0])
	if err != nil || all[urls[0]].Position != 30*time.Second {
		t.Errorf("where the first was left: %+v (%v)", all, err)
	}
	w.perform("stop-playing")
	q.Until("it has stopped", func() bool {
		return p.Playing.URL == "" && p.Bar.Row.Hidden && strings.Contains(w.status.message.Text, "Stopped at")
	})
	if got, err := os.ReadFile(mpv + ".played"); err != nil || strings.Join(strings.Fields(string(got)), " ") != strings.Join(urls, " ") {
		t.Errorf("played %q (%v)", got, err)
	}
	opened := ""
	p.Mpv, p.Open = "", func(link string) bool { opened = link; return true }
	w.article.View.OnFile("from", urls[1]+"#t=60")
	if opened != urls[1]+"#t=60" {
		t.Errorf("without the player %q is opened", opened)
	}
}
