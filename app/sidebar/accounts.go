package sidebar

import (
	"fyne.io/fyne/v2/theme"

	"kairos/app/icon"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/reader"
)

// accountItem returns the row of an account.
func (s *Pane) accountItem(id int64) Item {
	path, shown := library.AccountPath(id), icon.Theme(theme.IconNameComputer)
	if a := s.library.Account(id); a != nil {
		switch shown = icon.Theme(theme.IconNameAccount); {
		case a.Sync.Error != nil:
			shown = icon.Theme(theme.IconNameWarning)
		case a.Paused:
			shown = icon.Theme(theme.IconNameMediaPause)
		}
	}
	return Item{Place: session.FolderPlace(path, s.library.AccountName(id), true), icon: shown, collapsed: s.Collapsed[path],
		Count: s.library.Unread.Folders[reader.Place{Account: id}], paused: s.library.Account(id) != nil && s.library.Account(id).Paused}
}
