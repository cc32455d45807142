//go:build unix

package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/reader"
)

// newPlayingWindow returns a window whose player is a script.
func newPlayingWindow(t *testing.T, script string) (*window, *queue) {
	t.Helper()
	w, q := newTestWindow(t)
	w.article.Player.Mpv = scriptedPlayer(t, script)
	return w, q
}

func scriptedPlayer(t *testing.T, script string) string {
	t.Helper()
	mpv := filepath.Join(t.TempDir(), "mpv")
	if err := os.WriteFile(mpv, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return mpv
}

// heardPlayer plays a minute to its end.
const heardPlayer = `#!/bin/sh
read -r first <&3; read -r second <&3; read -r third <&3; read -r fourth <&3; read -r fifth <&3; read -r sixth <&3
printf '{"event":"property-change","id":2,"data":60}\n{"event":"property-change","id":1,"data":60.0}\n{"event":"end-file","reason":"eof"}\n' >&3
`

// playableOf is a file of an article, as it was played so far.
func playableOf(t *testing.T, w *window, article, feed int64, url string) reader.Playable {
	t.Helper()
	all, err := w.shell.Home.Store.Articles.Playbacks(t.Context(), article)
	if err != nil {
		t.Fatal(err)
	}
	return reader.Playable{Article: article, Feed: feed, URL: url, Title: "Episode", Playback: all[url]}
}

// Each feed keeps the speed that was chosen while it played; others play at the one that was chosen last. All are as loud.
func TestSpeedOfEachFeedAndVolume(t *testing.T) {
	w, q := newPlayingWindow(t, obedientPlayer)
	p, id := w.article.Player, w.session.List.IDs[0]
	episode := 0
	play := func(feed int64, speed float64) {
		t.Helper()
		episode++
		p.Play(playableOf(t, w, id, feed, fmt.Sprintf("https://x.test/%d.mp3", episode)))
		q.Until("it plays", func() bool { return p.State.Position == time.Second && p.State.Length > 0 })
		if got := p.Speed(); got != speed {
			t.Errorf("feed %d plays at %v, want %v", feed, got, speed)
		}
	}
	stop := func() {
		w.perform("stop-playing")
		q.Until("it has stopped", func() bool { return p.Playing.URL == "" })
	}
	play(1, 1)
	w.perform("faster")
	stop()
	play(2, 1.1)
	w.perform("slower")
	w.timeline.List.TypedRune('0')
	w.timeline.List.TypedRune('0')
	w.timeline.List.TypedRune('9')
	if got := w.status.message.Text; got != "Volume: 105 %" || p.Volume() != 105 {
		t.Errorf("told %q, at %v", got, p.Volume())
	}
	stop()
	play(1, 1.1)
	if p.Volume() != 105 {
		t.Errorf("the next one plays at %v %%", p.Volume())
	}
	stop()
	play(3, 1)
	stop()
}

// A slider that is let go after another file has begun moves nothing in that.
func TestSliderOfTheFileBefore(t *testing.T) {
	w, q := newPlayingWindow(t, obedientPlayer)
	p, id := w.article.Player, w.session.List.IDs[0]
	play := func(url string) {
		p.Play(playableOf(t, w, id, 1, url))
		q.Until("it plays", func() bool { return p.Playing.URL == url && p.State.Position == time.Second && p.State.Length > 0 })
	}
	play("https://x.test/0.mp3")
	s := p.Bar.Slider
	s.Value = 30
	s.OnChanged(30)
	play("https://x.test/1.mp3")
	s.Value = 40
	s.OnChanged(40)
	if s.OnChangeEnded(40); p.State.Position != time.Second || s.Value != 1 {
		t.Errorf("at %v, the slider at %v", p.State.Position, s.Value)
	}
	s.Value = 30
	s.OnChanged(30)
	s.OnChangeEnded(30)
	q.Until("the next time it goes there", func() bool { return strings.HasPrefix(p.Bar.Position.Text, "0:30") })
	w.perform("stop-playing")
	q.Until("it has stopped", func() bool { return p.Playing.URL == "" })
}

// Where an episode was left stays known when its server can only play it from its beginning.
func TestServerThatPlaysFromTheStart(t *testing.T) {
	w, q := newPlayingWindow(t, obedientPlayer)
	p, id, url := w.article.Player, w.session.List.IDs[0], "https://x.test/0.mp3"
	left := reader.Playback{Position: 30 * time.Minute, Length: time.Hour}
	if err := w.shell.Home.Marks.SetPlayback(t.Context(), id, url, left); err != nil {
		t.Fatal(err)
	}
	p.Play(playableOf(t, w, id, 1, url))
	q.Until("it is told", func() bool {
		return w.status.message.Text == "“Episode” plays from its beginning: its server cannot start later. You had stopped at 30:00."
	})
	w.perform("skip-forward")
	q.Until("it is further", func() bool { return p.State.Position == 30*time.Second })
	w.perform("stop-playing")
	q.Until("it has stopped", func() bool { return p.Playing.URL == "" })
	if got := playableOf(t, w, id, 1, url).Position; got != left.Position {
		t.Errorf("it was left at %v", got)
	}
}

// An episode of the queue is followed by the next one, and any other by the first one, until none is left. One that comes into the queue
// or leaves it while it plays stays so.
func TestQueueGoesOn(t *testing.T) {
	w, q := newPlayingWindow(t, heardPlayer)
	p, ids := w.article.Player, w.session.List.IDs[:3]
	urls := []string{"https://x.test/0.mp3", "https://x.test/1.mp3", "https://x.test/2.mp3"}
	addSound(t, w, urls...)
	play := func(i int) {
		t.Helper()
		p.Play(playableOf(t, w, ids[i], 1, urls[i]))
		q.Until("all has been played", func() bool { return p.Playing.URL == "" && strings.HasPrefix(w.status.message.Text, "Heard: ") })
	}
	heard := func() (all []int) {
		for i := range ids {
			if one := playableOf(t, w, ids[i], 1, urls[i]); one.Heard && !one.Queued {
				all = append(all, i)
			}
		}
		return all
	}
	for begun, want := range map[int][]int{0: {0, 1, 2}, 2: {1, 2}} {
		for i := range ids {
			if err := w.shell.Home.Marks.SetPlayback(t.Context(), ids[i], urls[i], reader.Playback{Queued: i > 0}); err != nil {
				t.Fatal(err)
			}
		}
		if play(begun); !slices.Equal(heard(), want) {
			t.Errorf("after %d has been played, %v are heard", begun, heard())
		}
	}
	w.article.Player.Mpv = scriptedPlayer(t, obedientPlayer)
	p.Play(playableOf(t, w, ids[0], 1, urls[0]))
	q.Until("it plays", func() bool { return p.State.Position == time.Second })
	if err := w.shell.Home.Marks.SetPlayback(t.Context(), ids[0], urls[0], reader.Playback{Queued: true}); err != nil {
		t.Fatal(err)
	}
	w.perform("stop-playing")
	q.Until("it has stopped", func() bool { return p.Playing.URL == "" })
	if !playableOf(t, w, ids[0], 1, urls[0]).Queued {
		t.Error("it is out of the queue again")
	}
}

// That what was played could not be stored is told, and the queue does not begin with it again.
func TestPlaybackThatCannotBeStored(t *testing.T) {
	w, q := newPlayingWindow(t, fakePlayer)
	p, id, url := w.article.Player, w.session.List.IDs[0], "https://x.test/0.mp3"
	if err := w.shell.Home.Marks.SetPlayback(t.Context(), id, url, reader.Playback{Position: time.Minute, Queued: true}); err != nil {
		t.Fatal(err)
	}
	exec(t, w, "CREATE TRIGGER full BEFORE UPDATE ON playback BEGIN SELECT raise(ABORT, 'the disk is full'); END")
	w.perform("play-queue")
	q.Until("it is told", func() bool {
		return p.Playing.URL == "" && strings.HasPrefix(w.status.message.Text, "How far “") && strings.Contains(w.status.message.Text, "” was played could not be stored.")
	})
	exec(t, w, "DROP TRIGGER full")
}

// The context menu of an episode that is in the queue takes it out of there.
func TestRemoveFromTheQueueInTheList(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1200, 800))
	id, url := w.session.List.IDs[1], "https://x.test/0.mp3"
	addSound(t, w, "https://x.test/other.mp3", url)
	entries := func() []string {
		w.session.List.Selection.Target = id
		w.showArticleMenu(fyne.NewPos(300, 100))
		defer describe.PopUpMenus(w.win.Canvas())[0].Dismiss()
		var names []string
		for _, node := range describe.Tree(w.win.Canvas(), accessible.Node{}).Nodes {
			names = append(names, node.Name)
		}
		return names
	}
	if slices.Contains(entries(), "Remove from queue") {
		t.Error("it is in no queue")
	}
	if err := w.shell.Home.Marks.SetPlayback(t.Context(), id, url, reader.Playback{Queued: true}); err != nil {
		t.Fatal(err)
	}
	w.reload()
	q.Until("the list knows", func() bool { a := w.session.Find(id); return a != nil && a.Queued })
	if !slices.Contains(entries(), "Remove from queue") {
		t.Errorf("the menu has %q", entries())
	}
	w.article.Player.Unqueue([]int64{id})
	q.Until("it is out", func() bool { return !playableOf(t, w, id, 1, url).Queued && w.shell.Pending() == 0 })
	w.shell.UndoLast()
	q.Until("and back", func() bool { return playableOf(t, w, id, 1, url).Queued && w.shell.Pending() == 0 })
}
