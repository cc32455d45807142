package app

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/sync"
	"kairos/reader"
)

// activityStatus is what Kairos does and will do: the poller, and the accounts; and whether there is a newer version.
type activityStatus struct {
	poller.Status
	accounts []home.AccountStatus
	newer    home.Release
}

// syncing returns how many accounts are being synced.
func (s activityStatus) syncing() (n int) {
	for _, a := range s.accounts {
		if a.Sync.Syncing {
			n++
		}
	}
	return n
}

// trouble reports whether an account needs the user.
func (s activityStatus) trouble() bool { return s.accountTrouble() != "" }

// damaged reports whether nothing is fetched because the database is damaged.
func (s activityStatus) damaged() bool {
	store := s.StoreFailure.Store
	return store != nil && store.Code == reader.Damaged
}

// accountTrouble tells what is wrong with the first account that could not be synced.
func (s activityStatus) accountTrouble() string {
	for _, a := range s.accounts {
		if a.Sync.Error != nil && !a.Sync.Syncing && !a.Paused {
			said := text.WithoutStop(language.Printer().SyncError(a.Sync.Error))
			if strings.HasPrefix(said, a.Name) { // as where it is named after its server
				return said
			}
			return lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": a.Name, "Said": said})
		}
	}
	return ""
}

// accountsText tells what is synced, what is wrong and what waits to be sent; "" if there is nothing to tell.
func (s activityStatus) accountsText() string {
	var parts []string
	waiting := 0
	for _, a := range s.accounts {
		switch {
		case a.Sync.Syncing && a.Sync.Phase == sync.First:
			parts = append(parts, lang.L("Syncing {{.Account}}: {{.Articles}}", map[string]any{"Account": a.Name, "Articles": lang.N("{{.PluralCount}} articles so far", a.Sync.Stored)}))
		case a.Sync.Syncing:
			parts = append(parts, lang.L("Syncing {{.Account}}…", map[string]any{"Account": a.Name}))
		case a.Sync.Error != nil || a.Paused || s.Offline:
			waiting += a.Sync.Waiting // otherwise they are sent within seconds
		}
	}
	if trouble := s.accountTrouble(); trouble != "" {
		parts = append(parts, trouble)
	}
	if waiting > 0 {
		parts = append(parts, text.WithoutStop(lang.N("{{.PluralCount}} changes wait to be sent.", waiting)))
	}
	return strings.Join(parts, statusGap)
}

// statusGap stands between what the status bar tells.
const statusGap = "  ·  "

// text tells what Kairos does and will do.
func (s activityStatus) text(now time.Time) string {
	n := s.syncing()
	s.Busy = max(0, s.Busy-n) // those are told by name
	accounts, fetches := s.accountsText(), statusText(s.Status, now)
	switch {
	case accounts == "":
		return fetches
	case s.PerDay == 0 && !s.Budget.Paused(): // there is nothing to fetch
		return accounts
	}
	return accounts + statusGap + fetches
}
