package dialogs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kairos/app/language"
	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// browser chooses a file or a folder from the lists of folders. Fyne's own dialog swallows Escape, Enter and letters.
type browser struct {
	stack   *Stack
	files   Files
	folders bool // a folder is chosen
	chosen  func(path string)

	folder  string // the one listed
	entries []browserEntry
	path    *widgets.FilterEntry
	list    *widgets.List
	message *widgets.Text
	dialog  *Dialog
}

// browserEntry is a row of the list.
type browserEntry struct {
	name   string
	folder bool
}

// browse asks for a file, or for a folder, beginning in a folder.
func (s *Stack) browse(from string, files Files, folders bool, chosen func(path string)) *browser {
	b := &browser{stack: s, files: files, folders: folders, chosen: chosen, message: widgets.NewText("", widgets.Plain)}
	b.path = widgets.NewFilterEntry(b.close, b.move)
	b.path.OnSubmitted = func(typed string) { b.enter(b.resolve(typed)) }
	b.list = widgets.NewList(widgets.Keys{Used: s.used, Key: b.key, Rune: b.find}, func() int { return len(b.entries) },
		func() fyne.CanvasObject { return newBrowserRow() }, b.update)
	b.list.HideSeparators, b.list.Name = true, lang.L("Files")
	b.path.Name = lang.L("Folder")
	answer := Do(lang.L("Open"), b.submit)
	if folders {
		answer = Do(lang.L("Choose this folder"), func() { b.choose(b.folder) })
	}
	b.dialog = &Dialog{Title: files.Title, Content: container.NewBorder(b.path, b.message, nil, nil, b.list), Width: 640, Height: 400,
		Focus: b.list, Buttons: []*Button{Cancel(), answer}}
	s.Show(b.dialog)
	b.enter(from)
	return b
}

func (b *browser) close() { b.dialog.Hide() }

func (b *browser) choose(path string) {
	b.close()
	b.chosen(path)
}

// resolve returns the path that was typed: ~ is the user's folder, and a name alone is one in the folder that is listed.
func (b *browser) resolve(typed string) string {
	path := inHome(strings.TrimSpace(typed))
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.folder, path)
	}
	return path
}

// enter lists a folder, or chooses a file.
func (b *browser) enter(path string) {
	info, err := os.Stat(path)
	var found []os.DirEntry
	switch {
	case err != nil:
	case info.IsDir():
		found, err = os.ReadDir(path)
	case !b.folders:
		b.choose(path)
		return
	}
	if err != nil {
		b.message.SetText(language.Printer().Error(err), widgets.Warning)
		return
	}
	b.message.Clear()
	came := filepath.Base(b.folder)
	b.folder = filepath.Clean(path)
	b.path.SetText(b.folder)
	b.entries = b.offered(found)
	if parent := filepath.Dir(b.folder); parent != b.folder {
		b.entries = slices.Insert(b.entries, 0, browserEntry{"..", true})
	}
	b.list.Clear()
	b.list.Refresh()
	b.list.ScrollToTop()
	at := slices.IndexFunc(b.entries, func(e browserEntry) bool { return e.name == came })
	if at < 0 { // what is in the folder comes first, not the way out of it
		at = max(0, slices.IndexFunc(b.entries, func(e browserEntry) bool { return e.name != ".." }))
	}
	b.list.Select(at)
}

// offered are the folders, and the files that can be chosen, by name. Hidden ones are left out.
func (b *browser) offered(found []os.DirEntry) (folders []browserEntry) {
	var files []browserEntry
	for _, f := range found {
		info, err := os.Stat(filepath.Join(b.folder, f.Name()))
		switch {
		case err != nil, strings.HasPrefix(f.Name(), "."):
		case info.IsDir():
			folders = append(folders, browserEntry{f.Name(), true})
		case !b.folders && b.fits(f.Name()):
			files = append(files, browserEntry{f.Name(), false})
		}
	}
	byName := func(x, y browserEntry) int { return strings.Compare(strings.ToLower(x.name), strings.ToLower(y.name)) }
	slices.SortFunc(folders, byName)
	slices.SortFunc(files, byName)
	return append(folders, files...)
}

// fits reports whether a file is of the kind asked for. Those without an extension may be.
func (b *browser) fits(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return len(b.files.Extensions) == 0 || ext == "" || slices.Contains(b.files.Extensions, ext)
}

// submit opens what was typed, else the chosen row.
func (b *browser) submit() {
	if typed := b.resolve(b.path.Text); typed != b.folder {
		b.enter(typed)
		return
	}
	b.open()
}

// open opens the chosen row.
func (b *browser) open() {
	if at := b.list.Chosen; at >= 0 && at < len(b.entries) {
		b.enter(filepath.Join(b.folder, b.entries[at].name))
	}
}

// move chooses the row by steps below the chosen one.
func (b *browser) move(by int) { b.list.Select(min(max(b.list.Chosen+by, 0), len(b.entries)-1)) }

// key handles a key that the list does not use.
func (b *browser) key(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.open()
	case fyne.KeyBackspace, fyne.KeyLeft:
		b.enter(filepath.Dir(b.folder))
	default:
		b.stack.Key(ev.Name)
	}
}

// find chooses the next row whose name begins with a letter. What a path begins with begins one.
func (b *browser) find(r rune) {
	if r == filepath.Separator || r == '/' || r == '~' {
		b.typePath(r)
		return
	}
	letter := strings.ToLower(string(r))
	for step := range b.entries {
		at := (max(b.list.Chosen, 0) + 1 + step) % len(b.entries)
		if strings.HasPrefix(strings.ToLower(b.entries[at].name), letter) {
			b.list.Select(at)
			return
		}
	}
}

// typePath goes on in the field of the path, which begins at the root or, for ~, in the user's folder.
func (b *browser) typePath(r rune) {
	begun := string(r)
	if home, err := os.UserHomeDir(); err == nil && r == '~' {
		begun = home + string(filepath.Separator)
	}
	b.path.SetText(begun)
	b.path.CursorColumn = len([]rune(begun))
	b.stack.Canvas().Focus(b.path)
}

// update fills a row. A click on a folder opens it, one on a file chooses it, and a second one opens that.
func (b *browser) update(i int, o fyne.CanvasObject) {
	if i >= len(b.entries) {
		return
	}
	e, row := b.entries[i], o.(*browserRow)
	row.name.SetText(e.name)
	row.icon.SetResource(theme.FileIcon())
	if e.folder {
		row.icon.SetResource(theme.FolderIcon())
	}
	row.OnTapped = func() {
		b.stack.used()
		again := b.list.Chosen == i
		b.list.Select(i)
		b.path.SetText(b.folder)
		b.stack.Canvas().Focus(b.list)
		if e.folder || again {
			b.open()
		}
	}
}

// browserRow shows a file or a folder.
type browserRow struct {
	widgets.ListRow
	icon *widget.Icon
	name *widget.Label
}

func newBrowserRow() *browserRow {
	r := &browserRow{icon: widget.NewIcon(nil), name: widget.NewLabel("")}
	r.name.Truncation = fyne.TextTruncateEllipsis
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *browserRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewBorder(nil, nil, container.NewPadded(r.icon), nil, r.name))
}
