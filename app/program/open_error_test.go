package program

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/home"
	"kairos/app/owner"
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
		showOpenError(a, "/data/ada", c.err, wayOut{retry: func() error { return still }})
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

// A database that cannot be opened is restored from its last backup where there is one, and set aside where that fails.
func TestOpenErrorOffersTheLastBackup(t *testing.T) {
	dir := t.TempDir()
	backup := filepath.Join(dir, "backups", "kairos-2026-11-17"+home.BackupExtension)
	if err := errors.Join(os.Mkdir(filepath.Dir(backup), 0o700), os.WriteFile(backup, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	var done []string
	step := func(name string) func() error {
		return func() error { done = append(done, name); return nil }
	}
	showOpenError(a, dir, reader.ErrDamaged, wayOut{retry: step("open"), startFresh: step("fresh"), restore: step("restore")})
	all := a.Driver().AllWindows()
	win := all[len(all)-1]
	seen := describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{}))
	if !strings.Contains(seen, "is damaged; its last backup was made on") || !strings.Contains(seen, "2026") || strings.Contains(seen, "start fresh") {
		t.Errorf("the window says %q", seen)
	}
	closed := make(chan struct{})
	win.SetOnClosed(func() { close(closed) })
	win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	<-closed
	if !slices.Equal(done, []string{"restore", "open"}) {
		t.Error(done)
	}
}

// Of a damaged database without a backup, what can be read is saved; where that is nothing, a fresh start is offered, and where the
// disk has no room, another try.
func TestOpenErrorOffersWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		err        error
		says, then string
	}{{nil, "7 articles could be read", "open"}, {reader.ErrNothingLeft, "neither a backup nor anything of it can be read", "fresh"}, {reader.ErrFull, "is full", "open"}} {
		a := test.NewTempApp(t)
		done, closed := "", make(chan struct{})
		saved := make(chan struct{})
		step := func(name string) func() error {
			return func() error { done = name; return nil }
		}
		showOpenError(a, t.TempDir(), reader.ErrDamaged, wayOut{retry: step("open"), startFresh: step("fresh"), salvage: func() (string, error) {
			defer close(saved)
			return "7 articles could be read", c.err
		}})
		all := a.Driver().AllWindows()
		win := all[len(all)-1]
		win.SetOnClosed(func() { close(closed) })
		enter := func() { win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
		enter()
		<-saved
		for !strings.Contains(describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{})), c.says) {
			runtime.Gosched()
		}
		if seen := describetest.Listing(describe.Tree(win.Canvas(), accessible.Node{})); strings.Contains(seen, "Kairos cannot open its folder") != (c.err != nil) ||
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
