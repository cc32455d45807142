package home

import (
	"context"
	"fmt"
	"time"

	"kairos/reader"
)

// BackupName is what a backup made at the instant now is called.
func BackupName(now time.Time) string { return "kairos-" + now.Format("2006-01-02") + ".kairos" }

// BackUp writes everything but passwords, which the system's keyring keeps, to one file:
// settings, feeds, articles, the access log and what was learned. It is checked before
// it takes its name.
func (h *Home) BackUp(ctx context.Context, file string) (reader.Contents, error) {
	if err := CanWrite(file); err != nil {
		return reader.Contents{}, err
	}
	return h.Store.Backup(ctx, file, h.Now())
}

// CheckBackup says what a backup holds. Errors: those of reader.CheckBackup.
func (h *Home) CheckBackup(ctx context.Context, file string) (reader.Contents, error) {
	return reader.CheckBackup(ctx, file, rooms()...)
}

// RestoreBackup puts what a backup holds in place of what is there, which is set aside
// under the name that is returned. The program goes on with it. Errors: those of
// reader.CheckBackup.
func (h *Home) RestoreBackup(ctx context.Context, file string) (aside string, err error) {
	h.cleaning.Lock()
	defer h.cleaning.Unlock()
	aside, err = h.Store.Restore(ctx, file, h.Now(), rooms()...)
	if err != nil {
		return aside, fmt.Errorf("restore %s: %w", file, err)
	}
	h.Poller.Replaced()
	return aside, nil
}
