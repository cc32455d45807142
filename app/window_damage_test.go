package app

import (
	"fmt"
	"testing"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/reader"
)

// Damage that is met while the window is open leads to a repair once the program has ended; it is offered once.
func TestDamageOffersRepair(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	met := fmt.Errorf("list: %w", reader.ErrDamaged)
	restarted := false
	d := &damage{shell: room.Shell, restart: func() { restarted = true }}
	room.Shell.OnDamage = d.met
	room.Fail(met)
	repair := room.Dialogs.Open[0].Buttons[1]
	room.Dialogs.CloseAll() // not now
	if room.Fail(met); len(room.Dialogs.Open) != 0 || room.Host.Said == "" || d.repairing {
		t.Errorf("it is asked again, or nothing is said: %q", room.Host.Said)
	}
	if repair.Do(); !restarted || !d.repairing {
		t.Error("it does not start again with a repair")
	}
}
