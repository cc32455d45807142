package app

import (
	"fmt"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/poller"
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
	if room.Fail(met); len(room.Dialogs.Open) != 0 || room.Host.Offered != "Close and repair…" || d.repairing {
		t.Errorf("it is asked again, or %q is offered beside %q", room.Host.Offered, room.Host.Said)
	}
	if repair.Do(); !restarted || !d.repairing {
		t.Error("it does not start again with a repair")
	}
}

// Where nothing is fetched because the database is damaged, a click on what the status bar says of it offers the repair.
func TestStatusOffersRepair(t *testing.T) {
	w, _ := newTestWindow(t)
	w.status.damaged = true
	w.status.state.Tapped(nil)
	if len(w.shell.Dialogs.Open) != 1 || w.shell.Dialogs.Open[0].Buttons[1].Text != "Close and repair…" {
		t.Error("no repair is offered")
	}
	for code, damaged := range map[reader.ErrorCode]bool{reader.Damaged: true, reader.Full: false} {
		s := activityStatus{Status: poller.Status{PerDay: 4, StoreFailure: poller.Message{Code: poller.NotStored, Store: &reader.Error{Code: code}}}}
		if s.damaged() != damaged || damaged && !strings.Contains(s.text(w.shell.Now()), "Close and repair…") {
			t.Errorf("%s: damaged %v; %s", code, s.damaged(), s.text(w.shell.Now()))
		}
	}
}
