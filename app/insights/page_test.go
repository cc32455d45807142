package insights

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets"
)

// opened is an open page in a window.
type opened struct {
	*Page
	t      testing.TB
	win    fyne.Window
	queue  *asynctest.Queue
	copied string
	did    []string
	passed []fyne.KeyName
}

type feedsOfTest struct{ o *opened }

func (f feedsOfTest) Open(int64)        { f.o.did = append(f.o.did, "open") }
func (f feedsOfTest) Lower(int64)       { f.o.did = append(f.o.did, "lower") }
func (f feedsOfTest) Pause(int64)       { f.o.did = append(f.o.did, "pause") }
func (f feedsOfTest) Unsubscribe(int64) { f.o.did = append(f.o.did, "unsubscribe") }

// open opens the page on a history; it is loaded when the function returns.
func open(t *testing.T, l hometest.History, size fyne.Size) *opened {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.Open(ctx, t)
	if l.Feeds > 0 {
		hometest.Live(ctx, t, h, l)
	}
	o := newOpened(t, ctx, h, size)
	t.Cleanup(func() {
		stop()
		o.Wait()
		h.Close()
	})
	o.Open()
	o.loaded()
	return o
}

func newOpened(t *testing.T, ctx context.Context, h *home.Home, size fyne.Size) *opened {
	o := &opened{t: t, queue: asynctest.NewQueue(t)}
	o.win = test.NewTempWindow(t, container.NewStack())
	jobs := async.New(ctx, o.win, o.queue.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	o.Page = New(Host{Jobs: jobs, Home: h, Focus: o.win.Canvas().Focus, Copy: func(text string) { o.copied = text }, Save: func(string, []byte) {},
		Keys: widgets.Keys{Used: func() {}, Key: func(ev *fyne.KeyEvent) { o.passed = append(o.passed, ev.Name) }, Rune: func(rune) {}},
		Fail: func(err error) { t.Error(err) }, Menu: func(fyne.Position, ...*fyne.MenuItem) {}, Feeds: feedsOfTest{o}, OnBudget: func() {}})
	o.win.SetPadded(false)
	o.win.SetContent(container.NewStack(o.Pane()))
	o.win.Resize(size)
	return o
}

// loaded waits until everything is known.
func (o *opened) loaded() {
	o.t.Helper()
	o.queue.Until("everything is known", func() bool { return !strings.Contains(strings.Join(o.Texts(), "\n"), "Computing…") })
}

func (o *opened) says(want ...string) {
	o.t.Helper()
	all := strings.Join(o.Texts(), "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			o.t.Errorf("the page does not say %q:\n%s", w, all)
		}
	}
}

func light(t *testing.T) { test.NewTempApp(t).Settings().SetTheme(look.New(look.Light)) }

func TestMonth(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 12, Days: 35}, fyne.NewSize(900, 700))
	o.says("Ready when you come", "The last 7 days", "The last 30 days", "already there (typical wait", "Equal intervals with the same number of requests",
		"When you read", "times a day: around 07:30", "1 visit so far today", "Your computer is usually awake from 06:00 to 23:00 on workdays.",
		"Visits of the last 8 weeks", "Today", "fetches in the last 24 hours", "are planned for the next 24 hours", "Which feeds cost what",
		"The Harbour Gazette", "You opened no article of 3 feeds", "How well Kairos predicts", "Your visits came as expected", "Articles came as expected")
	shoot(t, o, "month")
}

// shoot writes a picture of the whole page into the folder KAIROS_SHOTS, to be looked at.
func shoot(t *testing.T, o *opened, name string) {
	dir := os.Getenv("KAIROS_SHOTS")
	if dir == "" {
		return
	}
	o.win.Resize(fyne.NewSize(o.win.Canvas().Size().Width, o.pane.Content.MinSize().Height))
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, o.win.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}
