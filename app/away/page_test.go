package away

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/shell/shelltest"
	"kairos/reader"
)

// page is the page with what it has asked for.
type page struct {
	*Page
	room   *shelltest.Room
	wanted int
	known  int
	opened int64
	feed   int64
	left   int
	marked []int64
}

func newPage(t *testing.T) *page {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	p := &page{room: room}
	p.Page = New(room.Shell, func() bool { return false }, Events{Wanted: func() { p.wanted++ }, Known: func() { p.known++ }, Changed: func() {}, Open: func(id int64) { p.opened = id },
		Feed: func(id int64) { p.feed = id }, Leave: func() { p.left++ }, Read: func(ids []int64) { p.marked = ids }, IsRead: func(a *reader.Article) bool { return a.Read }, Key: func(string) string { return "n" }})
	room.Place(p.Pane, 900, 700)
	return p
}

// visits logs visits at noon, so many days before now.
func (p *page) visits(t *testing.T, days ...int) {
	t.Helper()
	for _, d := range days {
		if _, err := p.room.Home.Log.Record(t.Context(), hometest.Noon.AddDate(0, 0, -d)); err != nil {
			t.Fatal(err)
		}
	}
}

// After an absence the page is wanted, once; it lists articles and feeds, and its keys read on, mark the rest and leave.
func TestPageAfterAnAbsence(t *testing.T) {
	p := newPage(t)
	p.visits(t, 30, 29, 28, 27, 26)
	p.room.Exec(t, "UPDATE status SET seen = ?", hometest.Noon.AddDate(0, 0, -1).Unix())
	p.Arrived()
	p.room.Queue.Until("it is wanted", func() bool { return p.wanted == 1 })
	p.SetVisible(true)
	var titles []string
	for _, r := range p.rows {
		titles = append(titles, r.title)
	}
	if !slices.Contains(titles, "You will probably read") || !slices.Contains(titles, "All by feed") || !slices.Contains(titles, "Feed 1") || len(p.Summary.Articles) != 6 {
		t.Errorf("%q", titles)
	}
	p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if p.List.Chosen != 1 {
		t.Errorf("the arrow chooses row %d, a heading is no choice", p.List.Chosen)
	}
	if p.OpenChosen(); p.opened != p.rows[1].article || p.opened == 0 {
		t.Errorf("opened %d", p.opened)
	}
	if p.ReadOn(); p.opened != p.Summary.Articles[0] {
		t.Errorf("reads on with %d", p.opened)
	}
	first, second := p.Summary.Likely[0].ID, p.Summary.Likely[1].ID
	known := func(int64) *reader.Article { return nil }
	if got := p.Next(second, known); got != 0 {
		t.Errorf("an article of the list leads to %d", got)
	}
	if got := p.Next(first, known); got != second {
		t.Errorf("the next one is %d, want the second %d", got, second)
	}
	third := p.Summary.Likely[3].ID
	if got := p.Next(second, func(id int64) *reader.Article { return &reader.Article{ID: id, Read: id != third} }); got != third {
		t.Errorf("the next one is %d, want %d: the one between is read", got, third)
	}
	last := len(p.rows) - 1
	if p.open(last); p.feed == 0 {
		t.Error("a feed does not open")
	}
	if p.MarkRest(); len(p.marked) != 0 || !strings.Contains(p.room.Host.Said, "No unread") {
		t.Errorf("%v are marked, all are likely", p.marked)
	}
	p.room.Queue.Until("it is stored", func() bool {
		s, err := p.afterAbsence(t.Context(), p.source())
		return err == nil && s.again && len(s.Articles) > 0
	})
	p.Arrived() // after a restart
	p.room.Queue.Until("it can be chosen, and is not wanted again", func() bool { return p.known == 1 && p.wanted == 1 })
	p.Left()
	p.room.Queue.Until("it is gone", func() bool {
		s, err := p.afterAbsence(t.Context(), p.source())
		return err == nil && len(s.Articles) == 0
	})
}

// On an ordinary morning, while the setting or learning is off, and where nothing came, there is no page.
func TestNoPage(t *testing.T) {
	for name, prepare := range map[string]func(p *page){
		"an ordinary morning": func(p *page) { p.visits(t, 5, 4, 3, 2, 1) },
		"never here":          func(*page) {},
		"nothing came":        func(p *page) { p.visits(t, 30, 29); p.room.Exec(t, "UPDATE status SET read = 1") },
		"switched off": func(p *page) {
			p.visits(t, 30, 29)
			if err := p.room.Home.Store.Settings.Set(t.Context(), home.SettingAway, "off"); err != nil {
				t.Fatal(err)
			}
		},
		"learning is off": func(p *page) {
			p.visits(t, 30, 29)
			if err := p.room.Home.Store.Settings.Set(t.Context(), home.SettingLearn, "off"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		p := newPage(t)
		p.room.Exec(t, "UPDATE status SET seen = ?", hometest.Noon.Add(-time.Hour).Unix())
		prepare(p)
		if s, err := p.afterAbsence(t.Context(), p.source()); err != nil || len(s.Articles) != 0 {
			t.Errorf("%s: %d articles are told, %v", name, len(s.Articles), err)
		}
	}
}
