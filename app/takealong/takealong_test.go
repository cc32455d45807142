package takealong

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/poller/preparer"
	"kairos/reader"
)

// paged makes each article of a room lead to a page of a server, and returns how many were asked for; pages come once gate is closed.
func paged(t *testing.T, room *shelltest.Room, gate chan struct{}) *atomic.Int32 {
	asked := new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		<-gate
		if asked.Add(1) == 1 {
			http.NotFound(out, r)
			return
		}
		fmt.Fprint(out, "<article>", strings.Repeat("<p>The lamplighter walked along the quay and counted the lamps one by one.</p>", 9), "</article>")
	}))
	t.Cleanup(server.Close)
	room.Exec(t, "UPDATE article SET link = ? || id", server.URL+"/")
	room.Exec(t, "UPDATE body SET html = '<p>A line…</p>'")
	return asked
}

// texts returns what a dialog says.
func texts(o fyne.CanvasObject) string { return strings.Join(widgetstest.Texts(o), " ") }

// The size is told before it starts, and the result in the end.
func TestTakeAlong(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	gate := make(chan struct{})
	asked := paged(t, room, gate)
	shown := ""
	take := &TakeAlong{Shell: room.Shell, Show: func(search string) { shown = search }}
	take.Ask("Unread", reader.Query{View: reader.Unread})
	room.Queue.Until("the size is told", func() bool { return len(room.Dialogs.Open) == 1 })
	room.Dialogs.Open[0].Press("Take along")
	room.Queue.Until("it is under way", func() bool { return len(room.Host.Progress) == 1 })
	row := room.Host.Progress[0].(*fyne.Container)
	pause := row.Objects[1].(*widgets.Button)
	pause.OnTapped()
	if text := row.Objects[0].(*widget.Label).Text; !strings.Contains(text, "paused: 0 of 6") || pause.Text != "Continue" {
		t.Errorf("%q, %q", text, pause.Text)
	}
	take.Ask("Unread", reader.Query{View: reader.Unread})
	if room.Host.Said != "Articles are being brought already." {
		t.Errorf("twice at once: %q", room.Host.Said)
	}
	pause.OnTapped()
	close(gate)
	room.Queue.Until("it has ended", func() bool {
		return len(room.Host.Progress) == 1 && room.Host.Progress[0] != fyne.CanvasObject(row)
	})
	end := room.Host.Progress[0].(*fyne.Container)
	if said := end.Objects[0].(*widget.Label).Text; !strings.HasPrefix(said, "Taken along: 5 articles can now be read without a network; ") || !strings.HasSuffix(said, " 1 article is incomplete.") || asked.Load() != 6 {
		t.Errorf("%q, asked %d times", said, asked.Load())
	}
	end.Objects[1].(*widgets.Button).OnTapped()
	if len(room.Host.Progress) > 0 || len(room.Dialogs.Open) != 1 || !strings.Contains(texts(room.Dialogs.Open[0].Content), "1 article was refused by its server.") {
		t.Errorf("it does not say why")
	}
	room.Dialogs.Open[0].Press("Show them")
	if shown != "is:incomplete" {
		t.Errorf("leads to %q", shown)
	}
	take.Ask("Unread", reader.Query{View: reader.Unread})
	room.Queue.Until("there is nothing to do", func() bool { return len(room.Dialogs.Open) == 1 })
	if said := texts(room.Dialogs.Open[0].Content); !strings.HasPrefix(said, "Unread: there is nothing to download. 5 articles are complete.") {
		t.Errorf("a second time: %q", said)
	}
	room.Dialogs.Open[0].Press("Close")
	take.Ask("Starred", reader.Query{View: reader.Starred})
	room.Queue.Until("there is nothing", func() bool { return strings.HasPrefix(room.Host.Said, "There is nothing unread") })
}

// Where all is here already it says so, and brings nothing but files that are wanted.
func TestTakeAlongWhereAllIsHere(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	take := &TakeAlong{Shell: room.Shell}
	take.confirm("News", offer{Estimate: preparer.Estimate{Articles: 5, Whole: 5}})
	d := room.Dialogs.Open[0]
	if said := texts(d.Content); !strings.HasPrefix(said, "News: all 5 articles are already complete.") || d.Press("Take along") {
		t.Errorf("%q", said)
	}
	d.Press("Close")
	take.confirm("News", offer{Estimate: preparer.Estimate{Articles: 5, Whole: 5, Files: 2, FileSize: 9e6}})
	if d = room.Dialogs.Open[0]; d.Press("Take along") {
		t.Error("it begins although nothing is missing")
	}
	check := d.Content.(*fyne.Container).Objects[1].(*widgets.Check)
	check.SetChecked(true)
	if !d.Press("Take along") || take.under == nil {
		t.Error("the files cannot be taken along")
	}
	take.under.trip.Pause(false)
	room.Queue.Until("it has ended", func() bool { return take.under == nil })
}

func TestTakeAlongCanceled(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	gate := make(chan struct{})
	paged(t, room, gate)
	take := &TakeAlong{Shell: room.Shell}
	take.Ask("Unread", reader.Query{View: reader.Unread})
	room.Queue.Until("the size is told", func() bool { return len(room.Dialogs.Open) == 1 })
	room.Dialogs.Open[0].Press("Take along")
	room.Queue.Until("it is under way", func() bool { return len(room.Host.Progress) == 1 })
	room.Host.Progress[0].(*fyne.Container).Objects[2].(*widgets.Button).OnTapped()
	room.Queue.Until("it is canceled", func() bool { return strings.HasPrefix(room.Host.Said, "Canceled.") })
	close(gate)
}

// Pages that were to be opened without a network are offered once there is one.
func TestPagesAreKept(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	room.Home.Poller.SetPowerState(poller.PowerState{NoNetwork: true})
	kept := &Kept{Shell: room.Shell}
	links := func() []string {
		links, err := room.Home.Store.Articles.KeptLinks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return links
	}
	for _, link := range []string{"https://a.test/1", "https://a.test/2", "https://a.test/1"} {
		if !room.OpenLink(link) {
			t.Errorf("%s is not kept", link)
		}
	}
	kept.SetOffline(true)
	room.Queue.Until("they are kept", func() bool { return len(links()) == 2 })
	kept.Open()
	room.Queue.Until("they stay", func() bool {
		return room.Host.Said == "There is still no network. 2 pages stay kept for later." && len(links()) == 2
	})
	room.Home.Poller.SetPowerState(poller.PowerState{})
	kept.SetOffline(false)
	kept.SetOffline(false)
	room.Queue.Until("they are offered", func() bool { return len(room.Host.Progress) == 1 })
	row := room.Host.Progress[0].(*fyne.Container)
	if text := row.Objects[0].(*widget.Label).Text; text != "2 pages waited for a network" {
		t.Errorf("%q", text)
	}
	row.Objects[2].(*widgets.Button).OnTapped()
	room.Queue.Until("they are discarded", func() bool { return room.Host.Said == "2 pages are not kept any more." && len(links()) == 0 })
	room.UndoLast()
	room.Queue.Until("they are kept again", func() bool { return len(links()) == 2 })
	kept.SetOffline(true)
	kept.SetOffline(false)
	room.Queue.Until("they are offered again", func() bool { return len(room.Host.Progress) == 1 })
	row = room.Host.Progress[0].(*fyne.Container)
	row.Objects[1].(*widgets.Button).OnTapped()
	room.Queue.Until("they are open", func() bool { return len(room.Host.Progress) == 0 && len(links()) == 0 })
	kept.Open()
	room.Queue.Until("none is left", func() bool { return room.Host.Said == "No pages are kept for later." })
}

// A story that the sidebar counts once is one article to take along.
func TestTakeStoriesAsListed(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	gate := make(chan struct{})
	close(gate)
	paged(t, room, gate)
	if err := room.Home.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: true}); err != nil {
		t.Fatal(err)
	}
	room.Exec(t, "UPDATE status SET story = (SELECT min(id) FROM status) WHERE id IN (SELECT id FROM status ORDER BY id LIMIT 3)")
	take := &TakeAlong{Shell: room.Shell, Show: func(string) {}}
	take.Ask("Unread", reader.Query{View: reader.Unread})
	room.Queue.Until("the size is told", func() bool { return len(room.Dialogs.Open) == 1 })
	if said := texts(room.Dialogs.Open[0].Content); !strings.Contains(said, "4 articles") {
		t.Errorf("it says %q", said)
	}
}
