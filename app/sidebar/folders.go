package sidebar

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

// ToggleFolder hides or shows the feeds of a folder.
func (s *Pane) ToggleFolder(folder string) {
	s.Collapsed[folder] = !s.Collapsed[folder]
	s.library.Reload()
}

// FoldChosen hides the feeds of the chosen folder if step is negative, else it shows them. It reports whether that has changed anything.
func (s *Pane) FoldChosen(step int) bool {
	item := s.session.Place
	if item.Folder == "" || s.Collapsed[item.Folder] == (step < 0) {
		return false
	}
	s.ToggleFolder(item.Folder)
	return true
}

// ToggleChosenFolder hides or shows the feeds of the chosen folder, or of the one that the chosen feed is in.
func (s *Pane) ToggleChosenFolder() {
	switch item := s.session.Place; {
	case item.Folder != "":
		s.ToggleFolder(item.Folder)
	case item.Feed != nil && s.library.Path(item.Feed) != "":
		path := s.library.Path(item.Feed)
		s.ToggleFolder(path)
		s.ChooseKey(session.FolderKey(path))
	}
}

// hidden reports whether a folder or one above it is collapsed.
func (s *Pane) hidden(path string) bool {
	for path != "" {
		if s.Collapsed[path] {
			return true
		}
		path = path[:max(0, strings.LastIndex(path, reader.FolderSeparator))]
	}
	return false
}

// followChosen keeps the chosen item chosen and in sight where it was moved: a folder that got another path is found
// by where its feeds went, and the folders around it are opened. It reports whether it has moved.
func (s *Pane) followChosen(before []reader.Feed) bool {
	path := s.session.Place.Folder
	if p := library.PlaceOf(path); p.Path != "" { // feeds are grouped by account now, or not any more
		path = s.library.Path(&reader.Feed{Account: p.Account, Folder: p.Path})
		s.session.Place.Key, s.session.Place.Folder, s.session.Place.Query = session.FolderKey(path), path, library.QueryOf(path)
	}
	if f := s.session.Place.Feed; f != nil {
		now := s.library.Feed(f.ID)
		if now == nil || library.SameFolder(now, f) {
			return false
		}
		path = s.library.Path(now)
	} else if path == "" || s.session.Place.Account || slices.ContainsFunc(s.library.Feeds, func(f reader.Feed) bool { return library.InFolder(s.library.Path(&f), path) }) {
		return false
	} else {
		if path = s.library.NewPath(path, before); path == "" {
			return false
		}
		if slices.ContainsFunc(before, func(f reader.Feed) bool {
			return library.InFolder(s.library.Path(&f), path) && !library.InFolder(s.library.Path(&f), s.session.Place.Folder)
		}) {
			s.lost = s.session.Place.Key // it is a part of another folder now
		}
		s.session.Place.Key, s.session.Place.Folder = session.FolderKey(path), path
		s.session.Place.Query = library.QueryOf(path)
	}
	maps.DeleteFunc(s.Collapsed, func(folder string, _ bool) bool {
		return path != folder && library.InFolder(path, folder) || s.session.Place.Feed != nil && path == folder
	})
	return true
}

// Move moves feeds into folders, which can be undone; message tells that it is done.
func (s *Pane) Move(folders map[int64]string, message string) {
	if len(folders) == 0 {
		return
	}
	var before map[int64]string
	s.shell.Work(func(ctx context.Context) (err error) {
		before, err = s.shell.Home.Subscriptions.SetFolders(ctx, folders)
		return err
	}, func(err error) {
		if err != nil {
			s.shell.Fail(err)
			return
		}
		s.Moved(folders)
		move := func(folders map[int64]string) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				_, err := s.shell.Home.Subscriptions.SetFolders(ctx, folders)
				s.shell.Do(func() { s.Moved(folders) })
				return err
			}
		}
		s.shell.AddUndoRedo(message, move(before), move(folders))
	})
}

func movedText(name, into string) string {
	folder := library.PlaceOf(into).Path
	if folder == "" {
		return lang.L("{{.Name}} moved to the top level", map[string]any{"Name": name})
	}
	return lang.L("{{.Name}} moved to {{.Folder}}", map[string]any{"Name": name, "Folder": folder})
}

// moveText tells what letting go of a dragged item would do.
func moveText(name, into string) string {
	folder := library.PlaceOf(into).Path
	if folder == "" {
		return lang.L("Move {{.Name}} to the top level", map[string]any{"Name": name})
	}
	return lang.L("Move {{.Name}} to {{.Folder}}", map[string]any{"Name": name, "Folder": folder})
}

// MoveMenuOf offers the folders that an item can be moved into.
func (s *Pane) MoveMenuOf(item session.Place) *fyne.MenuItem {
	b := item.Branch()
	return s.MoveMenu(item.Name, library.PlaceOf(b.Path(s.library.Snapshot)).Account, s.library.Moves(b))
}

// MoveMenu offers the folders of an account for what name says; moves returns the folders that feeds would get at a path.
func (s *Pane) MoveMenu(name string, account int64, moves func(path string) map[int64]string) *fyne.MenuItem {
	within := func(folder string) string { return s.library.Path(&reader.Feed{Account: account, Folder: folder}) }
	into := func(title, folder string) *fyne.MenuItem {
		path := within(folder)
		entry := fyne.NewMenuItem(title, func() { s.Move(moves(path), movedText(name, path)) })
		entry.Disabled = len(moves(path)) == 0
		return entry
	}
	entries := []*fyne.MenuItem{into(lang.L("Top level"), "")}
	for _, f := range s.library.Folders(account) {
		entries = append(entries, into(f, f))
	}
	entries = append(entries, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("New folder…"), func() { s.newFolder(name, account, moves) }))
	return widgets.Submenu(lang.L("Move to"), entries...)
}

// NewFolder asks for the name of a new folder, and moves an item into it.
func (s *Pane) NewFolder(item session.Place) {
	b := item.Branch()
	s.newFolder(item.Name, library.PlaceOf(b.Path(s.library.Snapshot)).Account, s.library.Moves(b))
}

func (s *Pane) newFolder(name string, account int64, moves func(path string) map[int64]string) {
	s.askName(lang.L("New folder"), "", lang.L("Create"), func(folder string) {
		path := s.library.Path(&reader.Feed{Account: account, Folder: folder})
		s.Move(moves(path), movedText(name, path))
	})
}

// RenameFolder asks for another name of a folder.
func (s *Pane) RenameFolder(item session.Place) {
	s.askName(lang.L("Rename folder"), item.Name, lang.L("Rename"), func(name string) {
		path := name
		if i := strings.LastIndex(item.Folder, reader.FolderSeparator); i >= 0 {
			path = item.Folder[:i] + reader.FolderSeparator + name
		}
		if path != item.Folder {
			s.Move(s.library.Renames(item.Folder, path), s.renamedText(item, path))
		}
	})
}

// renamedText tells that a folder got another path, or that it is one with the folder that is there already.
func (s *Pane) renamedText(item session.Place, path string) string {
	if slices.ContainsFunc(s.library.Feeds, func(f reader.Feed) bool {
		is := s.library.Path(&f)
		return library.InFolder(is, path) && !library.InFolder(is, item.Folder)
	}) {
		return lang.L("{{.Name}} merged with {{.Folder}}", map[string]any{"Name": item.Name, "Folder": library.PlaceOf(path).Path})
	}
	return lang.L("{{.Name}} renamed", map[string]any{"Name": item.Name})
}

// askName asks for a name, which the button verb takes, and gives it to done unless it is empty.
func (s *Pane) askName(title, name, verb string, done func(string)) {
	entry := widgets.NewEntry(s.shell.Dialogs.CloseTop)
	entry.SetText(name)
	s.shell.Dialogs.Show(&dialogs.Dialog{Title: title, Content: entry, Focus: entry, Width: 380,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(verb, func() {
			if name := strings.TrimSpace(entry.Text); name != "" {
				s.shell.Dialogs.CloseTop()
				done(name)
			}
		})}})
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}
