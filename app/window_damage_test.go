package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/reader"
)

// Damage that is met while the window is open leads to the last backup, if that is sound; to a sentence where there is none.
func TestDamageOffersTheLastBackup(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	met := fmt.Errorf("list: %w", reader.ErrDamaged)
	meet := func() *damage {
		d := &damage{shell: room.Shell, restart: func() {}}
		room.Shell.OnDamage = d.met
		room.Host.Said = ""
		room.Fail(met)
		return d
	}
	meet()
	if len(room.Dialogs.Open) != 0 || !strings.Contains(room.Host.Said, "damaged") {
		t.Errorf("without a backup it says %q, and offers %d", room.Host.Said, len(room.Dialogs.Open))
	}

	broken := filepath.Join(room.Home.Dir, "backups", "kairos-2026-11-17"+home.BackupExtension)
	if err := errors.Join(os.MkdirAll(filepath.Dir(broken), 0o700), os.WriteFile(broken, []byte("no backup"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d := meet()
	room.Dialogs.Open[0].Buttons[1].Do()
	room.Queue.Until("it is said that the backup is damaged", func() bool { return len(room.Dialogs.Open) == 1 && len(room.Dialogs.Open[0].Buttons) == 1 })
	if room.Dialogs.CloseAll(); d.restoring {
		t.Error("a damaged backup is restored")
	}

	if _, err := room.Home.Backups.Create(t.Context(), filepath.Join(filepath.Dir(broken), "kairos-2026-11-24"+home.BackupExtension)); err != nil {
		t.Fatal(err)
	}
	meet()
	room.Dialogs.CloseAll() // not now
	if room.Fail(met); len(room.Dialogs.Open) != 0 || room.Host.Said == "" {
		t.Errorf("it is asked again, or nothing is said: %q", room.Host.Said)
	}
	d = meet()
	restarted := false
	d.restart = func() { restarted = true }
	room.Dialogs.Open[0].Buttons[1].Do()
	room.Queue.Until("the program starts again", func() bool { return restarted })
	if !d.restoring {
		t.Error("it starts again without the backup")
	}
}
