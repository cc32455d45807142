package program

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/widgets"
	"kairos/reader"
)

// A fresh start is offered where only that helps here, and the window says what else does.
func TestOpenErrorSaysWhatHelps(t *testing.T) {
	for _, c := range []struct {
		err   error
		says  string
		fresh bool
	}{
		{reader.ErrNewer, "A newer version of Kairos has written /data/ada. Install that version", true},
		{reader.ErrDamaged, "damaged, and there is no backup. Much of it can probably still be read.", false},
		{reader.ErrReadOnly, "/data/ada", false},
		{reader.ErrFull, "/data/ada is full", false},
		{&owner.ForeignError{Folder: "/data", User: "ada"}, "/data belongs to ada. Run Kairos as ada", false},
		{owner.ErrOwned, "Another Kairos is using /data/ada", false},
	} {
		a := test.NewTempApp(t)
		still := errors.New("it stays so")
		showOpenError(a, asynctest.NewQueue(t).Add, "/data/ada", c.err, wayOut{retry: func() error { return still }})
		all := a.Driver().AllWindows()
		win := all[len(all)-1]
		seen := describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{}))
		if !strings.Contains(seen, c.says) {
			t.Errorf("%v: the window says %q, want %q", c.err, seen, c.says)
		}
		if strings.Contains(seen, "Set the file aside and start fresh") != c.fresh {
			t.Errorf("%v: the window says %q; a fresh start offered: want %t", c.err, seen, c.fresh)
		}
		win.Close()
	}
}

// shown waits until a window shows a text, and returns all that it shows.
func shown(q *asynctest.Queue, win fyne.Window, text string) (seen string) {
	q.Until("it says "+text, func() bool {
		seen = describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{}))
		return strings.Contains(seen, text)
	})
	return seen
}

// A database that cannot be opened is restored from its last backup where there is one, or saved as far as it can be read: what each
// would bring back is told before, and what came back after.
func TestOpenErrorOffersTheLastBackup(t *testing.T) {
	for _, c := range []struct{ button, done string }{{"Restore the last backup", "restore"}, {"Save what can be read", "salvage"}} {
		dir := t.TempDir()
		backup := filepath.Join(dir, "backups", "kairos-2026-11-17"+home.BackupExtension)
		if err := errors.Join(os.Mkdir(filepath.Dir(backup), 0o700), os.WriteFile(backup, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		a, q := test.NewTempApp(t), asynctest.NewQueue(t)
		var done []string
		step := func(name string) func() error {
			return func() error { done = append(done, name); return nil }
		}
		bring := func(name string) func() (string, error) {
			return func() (string, error) { return "it came back", step(name)() }
		}
		counted := make(chan struct{})
		showOpenError(a, q.Add, dir, reader.ErrDamaged, wayOut{retry: step("open"), startFresh: step("fresh"), restore: bring("restore"), salvage: bring("salvage"),
			contents: func() (backup, left reader.BackupContents, err error) {
				<-counted
				made := time.Date(2026, 11, 17, 14, 3, 0, 0, time.Local)
				return reader.BackupContents{Made: made, Feeds: 185, Articles: 900}, reader.BackupContents{Feeds: 198, Articles: 950, Starred: 10}, nil
			}})
		all := a.Driver().AllWindows()
		win := all[len(all)-1]
		seen := shown(q, win, "is damaged; its last backup was made on 17 November 2026.")
		if strings.Contains(seen, "start fresh") {
			t.Errorf("the window says %q", seen)
		}
		close(counted)
		seen = shown(q, win, "14:03")
		for _, says := range []string{"17 November 2026, 14:03 holds 185 feeds, 900 articles.", "About 198 feeds, 950 articles, 10 starred can still be read", "Restore the last backup"} {
			if !strings.Contains(seen, says) {
				t.Errorf("the window says %q, want %q", seen, says)
			}
		}
		closed := make(chan struct{})
		win.SetOnClosed(func() { close(closed) })
		for win.Canvas().Focused().(*widgets.DialogButton).Text != c.button {
			win.Canvas().(interface{ FocusPrevious() }).FocusPrevious()
		}
		enter := func() { win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
		enter()
		if seen := shown(q, win, "it came back"); strings.Contains(seen, "Save what can be read") || strings.Contains(seen, "is damaged") {
			t.Errorf("after %s: %q", c.button, seen)
		}
		enter()
		<-closed
		if !slices.Equal(done, []string{c.done, "open"}) {
			t.Error(done)
		}
	}
}

// A backup that turns out to be damaged is not offered any longer.
func TestOpenErrorChecksTheBackup(t *testing.T) {
	dir := t.TempDir()
	backup := filepath.Join(dir, "backups", "kairos-2026-11-17"+home.BackupExtension)
	if err := errors.Join(os.Mkdir(filepath.Dir(backup), 0o700), os.WriteFile(backup, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	a, q := test.NewTempApp(t), asynctest.NewQueue(t)
	showOpenError(a, q.Add, dir, reader.ErrDamaged, wayOut{contents: func() (backup, left reader.BackupContents, err error) {
		return home.ContentsOfDamaged(t.Context(), dir)
	}})
	all := a.Driver().AllWindows()
	win := all[len(all)-1]
	q.Until("the backup is not offered", func() bool {
		return !strings.Contains(shown(q, win, "Save what can be read"), "Restore the last backup")
	})
}

// Of a damaged database without a backup, what can be read is saved; where that is nothing, a fresh start is offered, and where the
// disk has no room, another try.
func TestOpenErrorOffersWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		err        error
		says, then string
	}{{nil, "7 articles could be read", "open"}, {reader.ErrNothingLeft, "neither a backup nor anything of it can be read", "fresh"}, {reader.ErrFull, "is full", "open"}} {
		a, q := test.NewTempApp(t), asynctest.NewQueue(t)
		done, closed := "", make(chan struct{})
		step := func(name string) func() error {
			return func() error { done = name; return nil }
		}
		showOpenError(a, q.Add, t.TempDir(), reader.ErrDamaged, wayOut{retry: step("open"), startFresh: step("fresh"), salvage: func() (string, error) {
			return "7 articles could be read", c.err
		}})
		all := a.Driver().AllWindows()
		win := all[len(all)-1]
		win.SetOnClosed(func() { close(closed) })
		enter := func() { win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
		enter()
		shown(q, win, c.says)
		if seen := describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{})); strings.Contains(seen, "Kairos cannot open its folder") != errors.Is(c.err, reader.ErrFull) ||
			strings.Contains(seen, "Kairos has saved what could be read") != (c.err == nil) {
			t.Errorf("%v: the title does not fit: %q", c.err, seen)
		}
		enter()
		<-closed
		if done != c.then {
			t.Errorf("%v: %q", c.err, done)
		}
	}
}
