package home

import (
	"context"
	"errors"
	"time"
)

// settingChecked is the table that was checked last.
const settingChecked = "home.checked"

// maxCheck is how long the check of one table may take.
const maxCheck = 3 * time.Minute

// check looks for damage in the next table of the file: pages that nobody reads for months may be damaged unnoticed, and replace
// the sound ones in every backup. A table too large for the time is passed over.
func (d *Disk) check(ctx context.Context) error {
	last, err := d.store.Settings.Get(ctx, settingChecked, "")
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, maxCheck)
	defer cancel()
	table, err := d.store.Storage.CheckNext(limited, last)
	if limited.Err() != nil && ctx.Err() == nil {
		d.logger.Warn("not checked for damage in time", "table", table)
		err = nil
	}
	return errors.Join(err, d.store.Settings.Set(ctx, settingChecked, table))
}
