package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kairos/app/atomicfile"
	"kairos/poller"
	"kairos/poller/insights"
	"kairos/reader"
)

const (
	// SettingBackups is the setting "Back up every week": "on" or "off". While nobody has chosen, backups are made of a file that
	// is no larger than backupUnasked.
	SettingBackups = "home.backups"
	// backupsKept is the number of weekly backups that are kept.
	backupsKept = 4

	backupsFolder = "backups"
	backupEvery   = 7 * 24 * time.Hour
	// backupSooner is the time between the first backups, until there are as many as are kept: most is set up in the first days.
	backupSooner  = 24 * time.Hour
	backupUnasked = 300_000_000 // bytes
)

// BackupName is the suggested name of a backup made at a time.
func BackupName(at time.Time) string { return "kairos-" + at.Format("2006-01-02") + BackupExtension }

// BackupExtension ends the names of backups.
const BackupExtension = ".kairos"

// Backups makes and restores backups.
type Backups struct {
	dir          string
	store        *reader.Store
	poller       *poller.Poller
	now          func() time.Time
	maintenance  *sync.Mutex // held while the file is replaced
	insights     *insights.Insights
	stories      *Duplicates
	certificates *Certificates
}

// Create backs up everything but passwords, which are in the system's keyring, to one file:
// settings, feeds, articles, the access log and what was learned. The backup is checked before it
// gets its name.
func (b *Backups) Create(ctx context.Context, file string) (reader.BackupContents, error) {
	if err := atomicfile.Check(file); err != nil {
		return reader.BackupContents{}, err
	}
	return b.store.Backups.Create(ctx, file, b.now())
}

// weekly backs up into the data folder if that is wanted, there is something, and the last backup is a week old, and removes all but the
// newest of these backups.
func (b *Backups) weekly(ctx context.Context) error {
	if automatic, err := b.Automatic(ctx); err != nil || !automatic {
		return err
	}
	if feeds, err := b.store.Feeds.List(ctx); err != nil || len(feeds) == 0 {
		return err
	}
	dir := filepath.Join(b.dir, backupsFolder)
	made, err := filepath.Glob(filepath.Join(dir, "kairos-*.kairos"))
	if err != nil {
		return fmt.Errorf("list backups: %w", err)
	}
	slices.Sort(made) // by date
	every := backupEvery
	if len(made) < backupsKept {
		every = backupSooner
	}
	now := b.now()
	after, upto := BackupName(now.Add(-every)), BackupName(now)
	if slices.ContainsFunc(made, func(name string) bool { return filepath.Base(name) > after && filepath.Base(name) <= upto }) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	file := filepath.Join(dir, BackupName(now))
	if _, err := b.Create(ctx, file); err != nil {
		return err
	}
	made = slices.DeleteFunc(made, func(name string) bool { return name == file })
	for _, old := range made[:max(0, len(made)+1-backupsKept)] {
		err = errors.Join(err, os.Remove(old))
	}
	return err
}

// Automatic reports whether backups are made every week: the user has chosen that, or nothing and would not be surprised by their
// size.
func (b *Backups) Automatic(ctx context.Context) (bool, error) {
	chosen, err := b.store.Settings.Get(ctx, SettingBackups, "")
	if err != nil || chosen != "" {
		return chosen == on, err
	}
	info, err := os.Stat(filepath.Join(b.dir, reader.FileName))
	if err != nil {
		return false, fmt.Errorf("measure the store: %w", err)
	}
	return info.Size() <= backupUnasked, nil
}

// Check returns the contents of a backup. Errors: those of reader.CheckBackup.
func (b *Backups) Check(ctx context.Context, file string) (reader.BackupContents, error) {
	return reader.CheckBackup(ctx, file, rooms()...)
}

// Restore replaces all data by those of a backup, and goes on with them. The old file is set aside
// under the name that is returned. Errors: those of reader.CheckBackup.
func (b *Backups) Restore(ctx context.Context, file string) (aside string, err error) {
	b.maintenance.Lock()
	defer b.maintenance.Unlock()
	aside, err = b.store.Backups.Restore(ctx, file, b.now(), rooms()...)
	if err != nil {
		return aside, fmt.Errorf("restore %s: %w", file, err)
	}
	b.insights.Forget()
	b.poller.Replaced()
	b.stories.findNew(ctx)
	return aside, b.certificates.load(ctx)
}
