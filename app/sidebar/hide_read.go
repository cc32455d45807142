package sidebar

import (
	"slices"

	"kairos/app/library"
)

// prefHideRead is the preference of whether feeds and folders without unread articles are left out.
const prefHideRead = "sidebar.hide-read"

// SetHideRead leaves out feeds and folders without unread articles, or lists them again.
func (s *Pane) SetHideRead(on bool) {
	s.HideRead = on
	s.shell.Preferences.SetBool(prefHideRead, on)
	s.library.Reload()
}

// withoutRead leaves out feeds and folders without unread articles. What is chosen stays, or will be chosen once it is listed, and so do
// the folders around what is chosen.
func (s *Pane) withoutRead(items []Item) []Item {
	chosen := s.session.Place.Branch().Path(s.library.Snapshot)
	return slices.DeleteFunc(items, func(item Item) bool {
		return item.Count == 0 && item.Key != s.session.Place.Key && item.Key != s.returnTo && item.Key != s.lost &&
			(item.Folder == "" || !library.InFolder(chosen, item.Folder))
	})
}
