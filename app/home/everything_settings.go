package home

import (
	"strings"

	"kairos/reader"
)

// settingKind says what becomes of a setting when everything is exported.
type settingKind int

const (
	chosen      settingKind = iota + 1 // by the user: it is exported as it is
	listOfFeeds                        // chosen, a JSON list of ids of feeds, which are exported as addresses
	ofComputer                         // it belongs to this computer or data folder
	found                              // it is found again
)

// settingKinds are all settings. A test looks for others.
var settingKinds = map[string]settingKind{
	"app.keys": chosen, "app.open_marks": chosen, "app.scroll_marks": chosen, "app.keep_running": chosen, SettingAway: chosen,
	SettingLearn: chosen, SettingBackups: chosen, SettingUpdates: chosen, SettingPictures: chosen,
	"look.theme": chosen, "view.style": chosen, "share.services": chosen,
	"notify.of": chosen, "notify.names": chosen, "notify.quiet_from": chosen, "notify.quiet_to": chosen,
	"poller.budget": chosen, "poller.budget_before_goal": chosen, "poller.saver": chosen, "poller.method": chosen,
	"poller.prepare": chosen, "poller.prepare.megabytes": chosen, "poller.prepare.disk": chosen,
	"reader.keep_days": chosen, "reader.keep_number": chosen, "reader.clean_unread": chosen, "reader.first_unread_days": chosen,
	"reader.end_days": chosen, "reader.end_number": chosen,
	"reader.fold_stories": chosen, "reader.fold_alike": chosen, "reader.fold_read": chosen,

	reader.SettingFeedOrder: listOfFeeds, settingKept: listOfFeeds, settingEndsOffered: listOfFeeds,

	"look.desktop": ofComputer, "view.fontHints": ofComputer, settingColumn: ofComputer, "poller.seed": ofComputer, "reader.backup_made": ofComputer,
	settingUpdatesAsked: ofComputer, settingUpdatesFound: ofComputer, settingUpdatesAway: ofComputer,
	settingCleaned: ofComputer, settingChecked: ofComputer, settingUnopenedAt: ofComputer, "app.away_shown": ofComputer,

	"poller.promise": found, "poller.prepare.judged": found,
}

// kindOfSetting returns what becomes of a setting; 0 if it is none.
func kindOfSetting(key string) settingKind {
	if strings.HasPrefix(key, "window.") || strings.HasPrefix(key, importHintsPrefix) || strings.HasPrefix(key, reader.SettingCertificate) {
		return ofComputer
	}
	return settingKinds[key]
}
