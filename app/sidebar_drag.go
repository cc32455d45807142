package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/reader"
)

// movable reports whether a place is a feed or a folder.
func (p place) movable() bool { return p.feed != nil || p.folder != "" }

// folderAt is the folder that a place is or lies in, "" for the top.
func (p place) folderAt() string {
	if p.feed != nil {
		return p.feed.Folder
	}
	return p.folder
}

// moves are the folders that feeds come to when a place is put into a folder. Nothing
// moves into itself.
func (s *sidebar) moves(p place, into string) map[int64]string {
	to := map[int64]string{}
	if p.feed != nil {
		if p.feed.Folder != into {
			to[p.feed.ID] = into
		}
		return to
	}
	name := p.folder
	if i := strings.LastIndex(p.folder, reader.FolderSeparator); i >= 0 {
		name = p.folder[i+len(reader.FolderSeparator):]
	}
	if into != "" {
		name = into + reader.FolderSeparator + name
	}
	if inFolder(into, p.folder) || name == p.folder {
		return nil
	}
	return s.renames(p.folder, name)
}

// renames are the folders that feeds come to when a folder gets another path.
func (s *sidebar) renames(from, to string) map[int64]string {
	folders := map[int64]string{}
	for _, f := range s.feeds {
		if inFolder(f.Folder, from) {
			folders[f.ID] = to + strings.TrimPrefix(f.Folder, from)
		}
	}
	return folders
}

// move puts feeds into folders; undo brings them back.
func (w *window) move(folders map[int64]string, what string) {
	if len(folders) == 0 {
		return
	}
	var before map[int64]string
	w.Work(func(ctx context.Context) (err error) {
		before, err = w.home.SetFolders(ctx, folders)
		return err
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.undo.add(what, func(ctx context.Context) error {
			_, err := w.home.SetFolders(ctx, before)
			return err
		})
	})
}

func movedText(name, into string) string {
	if into == "" {
		return lang.L("{{.Name}} moved to the top", map[string]any{"Name": name})
	}
	return lang.L("{{.Name}} moved into {{.Folder}}", map[string]any{"Name": name, "Folder": into})
}

// moveMenu offers the folders a place can be put into.
func (w *window) moveMenu(p place) *fyne.MenuItem {
	into := func(name, folder string) *fyne.MenuItem {
		item := fyne.NewMenuItem(name, func() { w.move(w.sidebar.moves(p, folder), movedText(p.name, folder)) })
		item.Disabled = len(w.sidebar.moves(p, folder)) == 0
		return item
	}
	items := []*fyne.MenuItem{into(lang.L("The top"), "")}
	for _, f := range w.sidebar.folders() {
		items = append(items, into(f, f))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("New folder…"), func() {
		w.askName(lang.L("New folder"), "", func(name string) { w.move(w.sidebar.moves(p, name), movedText(p.name, name)) })
	}))
	return submenu(lang.L("Move into"), items...)
}

// renameFolder asks for another name of a folder.
func (w *window) renameFolder(p place) {
	w.askName(lang.L("Rename folder"), p.name, func(name string) {
		path := name
		if i := strings.LastIndex(p.folder, reader.FolderSeparator); i >= 0 {
			path = p.folder[:i] + reader.FolderSeparator + name
		}
		if path != p.folder {
			w.move(w.sidebar.renames(p.folder, path), lang.L("{{.Name}} renamed", map[string]any{"Name": p.name}))
		}
	})
}

// askName asks for a name; it is given to done unless it is empty.
func (w *window) askName(title, name string, done func(string)) {
	var d *dialog.FormDialog
	entry := widgets.NewEntry(func() { d.Hide() })
	entry.SetText(name)
	d = dialog.NewForm(title, lang.L("OK"), lang.L("Cancel"), []*widget.FormItem{widget.NewFormItem(lang.L("Name"), entry)},
		func(ok bool) {
			if name := strings.TrimSpace(entry.Text); ok && name != "" {
				done(name)
			}
		}, w.win)
	d.Resize(fyne.NewSize(420, 160))
	w.dialogs.show(d, nil)
	w.win.Canvas().Focus(entry)
}

// Dragged implements fyne.Draggable: a feed or a folder is on its way to another folder.
func (r *sidebarRow) Dragged(ev *fyne.DragEvent) {
	if r.drag != nil {
		r.drag(ev.AbsolutePosition)
	}
}

// DragEnd implements fyne.Draggable.
func (r *sidebarRow) DragEnd() {
	if r.drop != nil {
		r.drop()
	}
}

// dragged says where a place would go if it were dropped at a point of the window.
func (s *sidebar) dragged(p place, at fyne.Position) {
	s.moving, s.target = &p, nil
	if i := s.rowAt(at); i >= 0 && i < len(s.places) && p.movable() {
		folder := s.places[i].folderAt()
		if len(s.moves(p, folder)) > 0 {
			s.target = &folder
			s.w.status.hover(lang.X("text.question", "{{.Text}}?", map[string]any{"Text": movedText(p.name, folder)}))
			return
		}
	}
	s.w.status.hover("")
}

// dropped moves what was dragged to where it was let go.
func (s *sidebar) dropped() {
	if s.moving != nil && s.target != nil {
		s.w.move(s.moves(*s.moving, *s.target), movedText(s.moving.name, *s.target))
	}
	s.moving, s.target = nil, nil
	s.w.status.hover("")
}

// rowAt is the row at a point of the window, -1 for none.
func (s *sidebar) rowAt(at fyne.Position) int {
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.list)
	y := at.Y - origin.Y
	if y < 0 || y > s.list.Size().Height || at.X < origin.X || at.X > origin.X+s.list.Size().Width {
		return -1
	}
	return int((y + s.list.GetScrollOffset()) / (sidebarRowHeight + theme.Padding()))
}
