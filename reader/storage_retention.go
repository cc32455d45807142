package reader

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
)

// Keep limits how much is kept of each feed. In the general setting 0 means no limit. In the
// setting of a feed 0 means "as the general setting" and KeepAll means no limit.
type Keep struct {
	Days   int // since an article arrived
	Number int // of the newest articles
}

// KeepAll keeps everything of a feed, whatever the general setting is.
const KeepAll = -1

// maxKeep is the largest number of days or articles that can be set.
const maxKeep = 1_000_000

// or fills k's unset bounds from otherwise.
func (k Keep) or(otherwise Keep) Keep {
	return Keep{Days: cmp.Or(k.Days, otherwise.Days), Number: cmp.Or(k.Number, otherwise.Number)}
}

// Retention is the general setting of what is cleaned up, for feeds without a setting of their own.
// Its zero value, the default, keeps everything: a hundred thousand articles take some hundred
// megabytes, and only the user knows what they are worth.
type Retention struct {
	Keep
	Unread bool // unread articles, too; starred and labeled ones are never cleaned up
}

// Keys of the settings that make up a Retention.
const (
	settingKeepDays    = "reader.keep_days"
	settingKeepNumber  = "reader.keep_number"
	settingCleanUnread = "reader.clean_unread"
)

// Retention returns the general setting.
func (s Storage) Retention(ctx context.Context) (r Retention, err error) {
	if r.Days, err = s.settings.Int(ctx, settingKeepDays, 0); err != nil {
		return r, err
	}
	if r.Number, err = s.settings.Int(ctx, settingKeepNumber, 0); err != nil {
		return r, err
	}
	unread, err := s.settings.Int(ctx, settingCleanUnread, 0)
	r.Unread = unread == 1
	return r, err
}

// SetRetention stores the general setting.
func SetRetention(ctx context.Context, tx *sql.Tx, r Retention) error {
	unread := 0
	if r.Unread {
		unread = 1
	}
	for key, n := range map[string]int{settingKeepDays: r.Days, settingKeepNumber: r.Number, settingCleanUnread: unread} {
		if err := SetSetting(ctx, tx, key, strconv.Itoa(min(max(n, 0), maxKeep))); err != nil {
			return err
		}
	}
	return nil
}
