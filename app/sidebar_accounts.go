package app

import (
	"fyne.io/fyne/v2/theme"

	"kairos/app/library"
	"kairos/app/session"
	"kairos/reader"
)

// accountItem returns the row of an account.
func (s *sidebar) accountItem(id int64) sidebarItem {
	path, icon := library.AccountPath(id), iconOf(theme.IconNameComputer)
	if a := s.library.Account(id); a != nil {
		switch icon = iconOf(theme.IconNameAccount); {
		case a.Sync.Error != nil:
			icon = iconOf(theme.IconNameWarning)
		case a.Paused:
			icon = iconOf(theme.IconNameMediaPause)
		}
	}
	return sidebarItem{Place: session.FolderPlace(path, s.library.AccountName(id), true), icon: icon, collapsed: s.collapsed[path],
		count: s.library.Unread.Folders[reader.Place{Account: id}], paused: s.library.Account(id) != nil && s.library.Account(id).Paused}
}
