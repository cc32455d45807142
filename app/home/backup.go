package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kairos/app/atomicfile"
	"kairos/reader"
)

// BackupName is what a backup made at the instant now is called.
func BackupName(now time.Time) string { return "kairos-" + now.Format("2006-01-02") + ".kairos" }

// BackUp writes everything but passwords, which the system's keyring keeps, to one file:
// settings, feeds, articles, the access log and what was learned. It is checked before
// it takes its name.
func (h *Home) BackUp(ctx context.Context, file string) (reader.BackupContents, error) {
	if err := atomicfile.Check(file); err != nil {
		return reader.BackupContents{}, err
	}
	return h.Store.Backups.Create(ctx, file, h.Now())
}

const (
	// SettingBackups is the switch "back up every week": "on" or "off", the default.
	SettingBackups = "home.backups"
	// BackupsKept is how many of these backups are kept.
	BackupsKept = 4

	backupsFolder = "backups"
	backupEvery   = 7 * 24 * time.Hour
)

// weekly backs up into the data folder if the user wants that and the last time was a
// week ago, and removes all but the newest of these backups.
func (h *Home) weekly(ctx context.Context) error {
	wanted, err := h.Store.Settings.Get(ctx, SettingBackups, "off")
	if err != nil || wanted != "on" {
		return err
	}
	dir := filepath.Join(h.Dir, backupsFolder)
	made, err := filepath.Glob(filepath.Join(dir, "kairos-*.kairos"))
	if err != nil {
		return fmt.Errorf("look for backups: %w", err)
	}
	slices.Sort(made) // by their date
	now := h.Now()
	after, upto := BackupName(now.Add(-backupEvery)), BackupName(now)
	if slices.ContainsFunc(made, func(name string) bool { return filepath.Base(name) > after && filepath.Base(name) <= upto }) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	file := filepath.Join(dir, BackupName(now))
	if _, err := h.BackUp(ctx, file); err != nil {
		return err
	}
	made = slices.DeleteFunc(made, func(name string) bool { return name == file })
	for _, old := range made[:max(0, len(made)+1-BackupsKept)] {
		err = errors.Join(err, os.Remove(old))
	}
	return err
}

// CheckBackup says what a backup holds. Errors: those of reader.CheckBackup.
func (h *Home) CheckBackup(ctx context.Context, file string) (reader.BackupContents, error) {
	return reader.CheckBackup(ctx, file, rooms()...)
}

// RestoreBackup puts what a backup holds in place of what is there, which is set aside
// under the name that is returned. The program goes on with it. Errors: those of
// reader.CheckBackup.
func (h *Home) RestoreBackup(ctx context.Context, file string) (aside string, err error) {
	h.cleaning.Lock()
	defer h.cleaning.Unlock()
	aside, err = h.Store.Backups.Restore(ctx, file, h.Now(), rooms()...)
	if err != nil {
		return aside, fmt.Errorf("restore %s: %w", file, err)
	}
	h.Poller.Replaced()
	return aside, nil
}
