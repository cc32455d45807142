package notify

import (
	"context"
	"strings"
	"time"

	"kairos/reader"
)

// The settings of notifications as they are stored.
const (
	SettingFeeds     = "notify.of"    // None, Chosen or All
	SettingNames     = "notify.names" // "off" keeps feeds and titles out of notifications
	SettingQuietFrom = "notify.quiet_from"
	SettingQuietTo   = "notify.quiet_to" // as "22:00"; both or none
)

// Values of SettingFeeds: which feeds the user is notified of.
const (
	None   = "none"
	Chosen = "chosen" // those with Feed.Notify
	All    = "all"
)

// Defaults are the values of settings that nobody has set.
var Defaults = map[string]string{SettingFeeds: Chosen, SettingNames: "on", SettingQuietFrom: "", SettingQuietTo: ""}

// settings are the settings of notifications.
type settings struct {
	feeds    string
	names    bool // feeds and titles are named
	from, to string
}

func loadSettings(ctx context.Context, store *reader.Store) (s settings, err error) {
	names := ""
	for key, value := range map[string]*string{SettingFeeds: &s.feeds, SettingNames: &names, SettingQuietFrom: &s.from, SettingQuietTo: &s.to} {
		if *value, err = store.Settings.Get(ctx, key, Defaults[key]); err != nil {
			return s, err
		}
	}
	s.names = names != "off"
	return s, nil
}

// quiet reports whether now is in the quiet hours, which may go past midnight.
func (s settings) quiet(now time.Time) bool {
	from, errFrom := ParseClock(s.from)
	to, errTo := ParseClock(s.to)
	if errFrom != nil || errTo != nil || from == to {
		return false
	}
	at := now.Hour()*60 + now.Minute()
	if from < to {
		return at >= from && at < to
	}
	return at >= from || at < to
}

// ParseClock reads a time of day such as "22:00" as minutes since midnight.
func ParseClock(text string) (int, error) {
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	return t.Hour()*60 + t.Minute(), nil
}
