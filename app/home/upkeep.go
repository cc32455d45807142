package home

import (
	"context"
	"errors"
	"strconv"
	"time"

	"kairos/reader"
)

const (
	// settingCleaned is when the store was last cleaned up by itself, in Unix seconds.
	settingCleaned = "home.cleaned"
	// Every so often it is looked whether a day has passed: timers stand still in suspend.
	// The first time leaves the start alone.
	upkeepFirst = 3 * time.Minute
	upkeepEvery = time.Hour
	cleanEvery  = 24 * time.Hour
)

// keepHouse does what is to be done once a day, until ctx ends.
func (h *Home) keepHouse(ctx context.Context) {
	timer := time.NewTimer(upkeepFirst)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		_, err := h.Store.Duplicates.Find(ctx) // as far as it was interrupted
		if err = errors.Join(err, h.upkeep(ctx), h.weekly(ctx)); err != nil && ctx.Err() == nil {
			h.logger.Error("upkeep", "err", err)
		}
		timer.Reset(upkeepEvery)
	}
}

// upkeep cleans up if that was a day ago; a clock that was set back does not put it off.
func (h *Home) upkeep(ctx context.Context) error {
	last, err := h.Store.Settings.Int(ctx, settingCleaned, 0)
	if err != nil {
		return err
	}
	now := h.Now()
	if age := now.Sub(time.Unix(int64(last), 0)); age >= 0 && age < cleanEvery {
		return nil
	}
	done, err := h.CleanUp(ctx)
	if err != nil {
		return err
	}
	h.logger.Info("cleaned up", "articles", done.Articles, "bytes", done.Bytes)
	return h.Store.Settings.Set(ctx, settingCleaned, strconv.FormatInt(now.Unix(), 10))
}

// CleanUp takes away what the retention settings allow (reader.Storage.FindCleanup says what
// that is) and gives the disk its room back. It returns what was taken, also if ctx
// ends meanwhile.
func (h *Home) CleanUp(ctx context.Context) (reader.Cleanup, error) {
	h.cleaning.Lock()
	defer h.cleaning.Unlock()
	now := h.Now()
	c, err := h.Store.Storage.FindCleanup(ctx, now)
	if err != nil {
		return reader.Cleanup{}, err
	}
	done, err := h.Store.Storage.CleanUp(ctx, c, now)
	if err != nil {
		return done, err
	}
	return done, h.Store.Storage.Compact(ctx)
}
