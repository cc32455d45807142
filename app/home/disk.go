package home

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"kairos/reader"
)

const (
	// settingCleaned is the time of the last automatic clean-up, in Unix seconds.
	settingCleaned = "home.cleaned"
	cleanEvery     = 24 * time.Hour
)

// Disk measures the data folder and frees its space.
type Disk struct {
	dir         string
	store       *reader.Store
	now         func() time.Time
	logger      *slog.Logger
	maintenance *sync.Mutex // held while the file is compacted
}

// daily cleans up if the last time was a day ago, or the clock was set back.
func (d *Disk) daily(ctx context.Context) error {
	last, err := d.store.Settings.Int(ctx, settingCleaned, 0)
	if err != nil {
		return err
	}
	now := d.now()
	if age := now.Sub(time.Unix(int64(last), 0)); age >= 0 && age < cleanEvery {
		return nil
	}
	done, err := d.CleanUp(ctx)
	if err != nil {
		return err
	}
	d.logger.Info("cleaned up", "articles", done.Articles, "bytes", done.Bytes)
	return d.store.Settings.Set(ctx, settingCleaned, strconv.FormatInt(now.Unix(), 10))
}

// CleanUp removes what the retention settings allow (reader.Store.Storage.FindCleanup) and returns
// the space to the disk. It returns what was removed, also if ctx ends early.
func (d *Disk) CleanUp(ctx context.Context) (reader.Cleanup, error) {
	d.maintenance.Lock()
	defer d.maintenance.Unlock()
	now := d.now()
	c, err := d.store.Storage.FindCleanup(ctx, now)
	if err != nil {
		return reader.Cleanup{}, err
	}
	done, err := d.store.Storage.CleanUp(ctx, c, now)
	if err != nil {
		return done, err
	}
	return done, d.store.Storage.Compact(ctx)
}
