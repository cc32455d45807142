package reading

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

func TestArticleFiles(t *testing.T) {
	files := filesOf([]reader.Enclosure{
		{URL: "https://x.example/a/Episode%201.mp3?t=1", Type: "audio/mpeg", Length: 34_000_000, Seconds: 4320},
		{URL: "https://x.example/film.mp4"},
		{URL: "https://x.example/paper.pdf", Type: "application/pdf"},
		{URL: "https://x.example/"},
	}, map[string]reader.Playback{"https://x.example/film.mp4": {Position: 65 * time.Second, Length: time.Hour, Queued: true}}, nowPlaying{})
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s (%s) %v", f.Name, f.Details, f.Plays))
	}
	want := "Episode 1.mp3 (Audio · 34 MB · 1 h 12 min) true|film.mp4 (Video · 59 min left) true|paper.pdf (application/pdf) false|https://x.example/ (File) false"
	if strings.Join(got, "|") != want {
		t.Errorf("%v", got)
	}
	if a := files[1].Actions; a[0].Text != "Resume at 1:05" || a[1].Text != "Remove from queue" || a[2].Text != "Mark as heard" || len(files[2].Actions) != 0 {
		t.Errorf("%+v", a)
	}
}

// A file whose address begins at a time of its own is played, too.
func TestPlayAnAddressWithATime(t *testing.T) {
	p, room, ids := newPane(t)
	const url = "https://x.test/a.mp3#t=90"
	room.Exec(t, "INSERT INTO enclosure VALUES (?, ?, 'audio/mpeg', 0, 0)", ids[0], url)
	p.Open(ids[0])
	room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[0]) && room.Pending() == 0 })
	opened := ""
	p.Player.Mpv, p.Player.Open = "", func(link string) bool { opened = link; return true }
	if p.fileAction(ActionPlay, url); opened != url {
		t.Errorf("%q is opened", opened)
	}
}
