// Package shelltest gives the tests of panes a shell without a window.
package shelltest

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/preferences"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// Host is what a pane has asked of the window around it.
type Host struct {
	Said, Hovered string // last
	Offered       string // beside it, the last
	Announced     []string
	Progress      []fyne.CanvasObject // rows of the status bar
	Uses          int
}

var _ shell.Host = (*Host)(nil)

func (h *Host) Used()                 { h.Uses++ }
func (h *Host) Say(text string)       { h.Said = text }
func (h *Host) Show(text string)      { h.Said = text }
func (h *Host) Announce(text string)  { h.Announced = append(h.Announced, text) }
func (h *Host) Hover(text string)     { h.Hovered = text }
func (h *Host) OfferUndo(text string) { h.Said = text }
func (*Host) WithdrawUndo()           {}
func (*Host) ReloadStatus()           {}
func (*Host) CheckFonts(...string)    {}

// Offer implements shell.Host.
func (h *Host) Offer(text, button string, _ func()) { h.Said, h.Offered = text, button }

// ShowProgress implements shell.Host.
func (h *Host) ShowProgress(o fyne.CanvasObject) { h.Progress = append(h.Progress, o) }

// HideProgress implements shell.Host.
func (h *Host) HideProgress(o fyne.CanvasObject) {
	h.Progress = slices.DeleteFunc(h.Progress, func(shown fyne.CanvasObject) bool { return shown == o })
}

// Retract implements shell.Host.
func (h *Host) Retract(text string) {
	if h.Said == text {
		h.Said = ""
	}
}

// Room is what a pane stands in: a data folder with two feeds of three articles each, of which the second lies in the folder
// News, its library, a session in which Unread is chosen, and a shell.
type Room struct {
	*shell.Shell
	Host    *Host
	Library *library.Library
	Session *session.Session
	Queue   *asynctest.Queue // stands for Fyne's goroutine
	place   func(fyne.CanvasObject, fyne.Size)
}

// New returns a room. Its library is empty until it is loaded by Fill.
func New(t testing.TB, o home.Options) *Room {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.OpenWith(ctx, t, o)
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	q := asynctest.NewQueue(t)
	win := a.NewWindow("")
	jobs := async.New(ctx, win, q.Add)
	t.Cleanup(func() {
		for _, wrong := range describetest.Lint(describe.Tree(win.Canvas(), accessible.Node{})) { // whatever the test has opened
			t.Error(wrong)
		}
		stop()
		jobs.Wait()
		h.Close()
	})
	host := &Host{}
	s := &shell.Shell{Jobs: jobs, Host: host, App: a, Home: h, Canvas: win.Canvas(), Now: h.Now,
		Dialogs: dialogs.NewStack(win.Canvas, jobs, host.Used)}
	key := func(ev *fyne.KeyEvent) { s.Dialogs.Key(ev.Name) } // as the window does while a dialog is open
	s.Keys = widgets.Keys{Used: host.Used, Key: key, Rune: func(rune) {}}
	s.Canvas.SetOnTypedKey(key)
	jobs.OnError = func(err error) { t.Error(err) }
	s.BindPreferences(preferences.Read(ctx, h.Dir, a.Preferences()))
	unread := session.Place{Key: session.Unread, Name: "Unread", Query: session.ViewQuery(reader.Unread)}
	r := &Room{Shell: s, Host: host, Session: session.New(unread, session.NewMarks(&h.Marks, jobs)), Queue: q}
	r.place = func(o fyne.CanvasObject, size fyne.Size) {
		win.SetPadded(false)
		win.SetContent(o)
		win.Resize(size)
	}
	r.Library = library.New(h, s.Midnight, &shell.LibraryJobs{Jobs: jobs})
	r.Library.Here = "This computer"
	return r
}

// Fill loads the library.
func (r *Room) Fill() {
	loaded := false
	before := r.Library.Snapshot
	r.Library.Reload()
	r.Queue.Until("the library is loaded", func() bool { loaded = r.Library.Snapshot != before; return loaded })
}

// Exec changes the store without the pane.
func (r *Room) Exec(t *testing.T, query string, args ...any) {
	t.Helper()
	err := r.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Place puts what a test draws onto the canvas, in a size.
func (r *Room) Place(o fyne.CanvasObject, width, height float32) {
	r.place(o, fyne.NewSize(width, height))
}
