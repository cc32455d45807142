package program

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
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
		{reader.ErrDamaged, "damaged", true},
		{reader.ErrReadOnly, "/data/ada", false},
		{reader.ErrFull, "/data/ada is full", false},
		{&owner.ForeignError{Folder: "/data", User: "ada"}, "/data belongs to ada. Run Kairos as ada", false},
		{owner.ErrOwned, "Another Kairos is using /data/ada", false},
	} {
		a := test.NewTempApp(t)
		still := errors.New("it stays so")
		showOpenError(a, "/data/ada", c.err, func() error { return still }, func() error { return nil })
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
