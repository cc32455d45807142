package app

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/widgets"
	"kairos/reader"
)

// toggleFolder hides or shows the feeds of a folder.
func (s *sidebar) toggleFolder(folder string) {
	s.collapsed[folder] = !s.collapsed[folder]
	s.reload()
}

// toggleChosenFolder hides or shows the feeds of the chosen folder, or of the one that the chosen feed is in.
func (s *sidebar) toggleChosenFolder() {
	switch item := s.chosen; {
	case item.folder != "":
		s.toggleFolder(item.folder)
	case item.feed != nil && s.path(item.feed) != "":
		path := s.path(item.feed)
		s.toggleFolder(path)
		s.chooseKey(folderKey(path))
	}
}

// hidden reports whether a folder or one above it is collapsed.
func (s *sidebar) hidden(path string) bool {
	for path != "" {
		if s.collapsed[path] {
			return true
		}
		path = path[:max(0, strings.LastIndex(path, reader.FolderSeparator))]
	}
	return false
}

// folders returns all folders of an account, to choose one.
func (s *sidebar) folders(account int64) []string {
	var names []string
	for _, f := range s.feeds {
		if f.Account == account && f.Folder != "" && (len(names) == 0 || names[len(names)-1] != f.Folder) {
			names = append(names, f.Folder)
		}
	}
	return names
}

// inFolder reports whether a folder is another one or lies in it.
func inFolder(folder, in string) bool {
	return folder == in || strings.HasPrefix(folder, in+reader.FolderSeparator)
}

// followChosen keeps the chosen item chosen and in sight where it was moved: a folder that got another path is found
// by where its feeds went, and the folders around it are opened. It reports whether it has moved.
func (s *sidebar) followChosen(before []reader.Feed) bool {
	path := s.chosen.folder
	if p := placeOf(path); p.Path != "" { // feeds are grouped by account now, or not any more
		path = s.path(&reader.Feed{Account: p.Account, Folder: p.Path})
		s.chosen.key, s.chosen.folder, s.chosen.query = folderKey(path), path, queryOf(path)
	}
	if f := s.chosen.feed; f != nil {
		now := s.feed(f.ID)
		if now == nil || inOneFolder(now, f) {
			return false
		}
		path = s.path(now)
	} else if path == "" || s.chosen.account || slices.ContainsFunc(s.feeds, func(f reader.Feed) bool { return inFolder(s.path(&f), path) }) {
		return false
	} else {
		if path = s.newPath(path, before); path == "" {
			return false
		}
		if slices.ContainsFunc(before, func(f reader.Feed) bool { return inFolder(s.path(&f), path) && !inFolder(s.path(&f), s.chosen.folder) }) {
			s.lost = s.chosen.key // it is a part of another folder now
		}
		s.chosen.key, s.chosen.folder = folderKey(path), path
		s.chosen.query = queryOf(path)
	}
	maps.DeleteFunc(s.collapsed, func(folder string, _ bool) bool {
		return path != folder && inFolder(path, folder) || s.chosen.feed != nil && path == folder
	})
	return true
}

// newPath is the path that a folder has now if all feeds that were in it went there together, else "".
func (s *sidebar) newPath(folder string, before []reader.Feed) (path string) {
	for i := range before {
		old := s.path(&before[i])
		if !inFolder(old, folder) {
			continue
		}
		now := s.feed(before[i].ID)
		if now == nil {
			continue
		}
		to, ok := strings.CutSuffix(s.path(now), strings.TrimPrefix(old, folder))
		if !ok || path != "" && path != to {
			return ""
		}
		path = to
	}
	return path
}

// movable reports whether the item is a feed or a folder.
func (item sidebarItem) movable() bool { return item.feed != nil || item.folder != "" && !item.account }

// inOrIsFolder is the path that an item has or lies at, "" for the top level.
func (s *sidebar) inOrIsFolder(item sidebarItem) string {
	if item.feed != nil {
		return s.path(item.feed)
	}
	return item.folder
}

// feedsOf are the feeds of an item: itself, or what is in a folder.
func (s *sidebar) feedsOf(item sidebarItem) (feeds []reader.Feed) {
	for i := range s.feeds {
		if f := &s.feeds[i]; item.feed != nil && item.feed.ID == f.ID || item.feed == nil && item.folder != "" && inFolder(s.path(f), item.folder) {
			feeds = append(feeds, *f)
		}
	}
	return feeds
}

// moves returns the folder each feed gets when an item is moved to a path of its account. Nothing moves into itself.
func (s *sidebar) moves(item sidebarItem, into string) map[int64]string {
	return s.movesOf(item, s.below(item.folder), into)
}

// below returns the feeds in a folder and those within it.
func (s *sidebar) below(folder string) (feeds []*reader.Feed) {
	for i := range s.feeds {
		if inFolder(s.path(&s.feeds[i]), folder) {
			feeds = append(feeds, &s.feeds[i])
		}
	}
	return feeds
}

// movesOf is moves for an item with these feeds below it.
func (s *sidebar) movesOf(item sidebarItem, below []*reader.Feed, into string) map[int64]string {
	to := map[int64]string{}
	if item.feed != nil {
		if p := placeOf(into); p.Account == item.feed.Account && p.Path != item.feed.Folder {
			to[item.feed.ID] = p.Path
		}
		return to
	}
	if placeOf(into).Account != placeOf(item.folder).Account {
		return nil
	}
	name := item.folder
	if i := strings.LastIndex(item.folder, reader.FolderSeparator); i >= 0 {
		name = item.folder[i+len(reader.FolderSeparator):]
	}
	if into != "" {
		name = into + reader.FolderSeparator + name
	}
	if inFolder(into, item.folder) || name == item.folder {
		return nil
	}
	return s.renamesOf(below, item.folder, name)
}

// renames returns the folder each feed gets when a folder gets another path in its account.
func (s *sidebar) renames(from, to string) map[int64]string {
	return s.renamesOf(s.below(from), from, to)
}

// renamesOf is renames for a folder with these feeds below it.
func (s *sidebar) renamesOf(below []*reader.Feed, from, to string) map[int64]string {
	folders := map[int64]string{}
	for _, f := range below {
		folders[f.ID] = placeOf(to + strings.TrimPrefix(s.path(f), from)).Path
	}
	return folders
}

// move moves feeds into folders, which can be undone; message tells that it is done.
func (s *sidebar) move(folders map[int64]string, message string) {
	if len(folders) == 0 {
		return
	}
	var before map[int64]string
	s.Work(func(ctx context.Context) (err error) {
		before, err = s.home.Subscriptions.SetFolders(ctx, folders)
		return err
	}, func(err error) {
		if err != nil {
			s.say(errorText(err))
			return
		}
		s.moved(folders)
		s.undo.add(message, func(ctx context.Context) error {
			_, err := s.home.Subscriptions.SetFolders(ctx, before)
			s.Do(func() { s.moved(before) })
			return err
		})
	})
}

func movedText(name, into string) string {
	folder := placeOf(into).Path
	if folder == "" {
		return lang.L("{{.Name}} moved to the top level", map[string]any{"Name": name})
	}
	return lang.L("{{.Name}} moved to {{.Folder}}", map[string]any{"Name": name, "Folder": folder})
}

// moveText tells what letting go of a dragged item would do.
func moveText(name, into string) string {
	folder := placeOf(into).Path
	if folder == "" {
		return lang.L("Move {{.Name}} to the top level", map[string]any{"Name": name})
	}
	return lang.L("Move {{.Name}} to {{.Folder}}", map[string]any{"Name": name, "Folder": folder})
}

// moveMenu offers the folders that an item can be moved into.
func (s *sidebar) moveMenu(item sidebarItem) *fyne.MenuItem {
	below := s.below(item.folder) // found once, not for each folder
	return s.moveMenuOf(item.name, placeOf(s.inOrIsFolder(item)).Account, func(path string) map[int64]string { return s.movesOf(item, below, path) })
}

// moveMenuOf offers the folders of an account for what name says; moves returns the folders that feeds would get at a path.
func (s *sidebar) moveMenuOf(name string, account int64, moves func(path string) map[int64]string) *fyne.MenuItem {
	within := func(folder string) string { return s.path(&reader.Feed{Account: account, Folder: folder}) }
	into := func(title, folder string) *fyne.MenuItem {
		path := within(folder)
		entry := fyne.NewMenuItem(title, func() { s.move(moves(path), movedText(name, path)) })
		entry.Disabled = len(moves(path)) == 0
		return entry
	}
	entries := []*fyne.MenuItem{into(lang.L("Top level"), "")}
	for _, f := range s.folders(account) {
		entries = append(entries, into(f, f))
	}
	entries = append(entries, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("New folder…"), func() {
		s.askName(lang.L("New folder"), "", lang.L("Create"), func(folder string) { s.move(moves(within(folder)), movedText(name, within(folder))) })
	}))
	return submenu(lang.L("Move to"), entries...)
}

// renameFolder asks for another name of a folder.
func (s *sidebar) renameFolder(item sidebarItem) {
	s.askName(lang.L("Rename folder"), item.name, lang.L("Rename"), func(name string) {
		path := name
		if i := strings.LastIndex(item.folder, reader.FolderSeparator); i >= 0 {
			path = item.folder[:i] + reader.FolderSeparator + name
		}
		if path != item.folder {
			s.move(s.renames(item.folder, path), lang.L("{{.Name}} renamed", map[string]any{"Name": item.name}))
		}
	})
}

// askName asks for a name, which the button verb takes, and gives it to done unless it is empty.
func (s *sidebar) askName(title, name, verb string, done func(string)) {
	entry := widgets.NewEntry(s.dialogs.CloseTop)
	entry.SetText(name)
	s.dialogs.Show(&dialogs.Dialog{Title: title, Content: entry, Focus: entry, Width: 380,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(verb, func() {
			if name := strings.TrimSpace(entry.Text); name != "" {
				s.dialogs.CloseTop()
				done(name)
			}
		})}})
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}
