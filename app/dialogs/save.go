package dialogs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kairos/app/filechooser"
	"kairos/app/language"
	"kairos/app/widgets"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Save asks where to write a file or a new folder, and writes it. Fyne's own dialog empties an existing file before anything is
// written.
type Save struct {
	Folder, Name *widgets.Entry

	stack     *Stack
	message   *widgets.Text
	Extension string // such as ".png", added to a name that has none; "" for no such

	isFolder bool // a new folder is made
	save     *Button
	dialog   *Dialog
	write    func(ctx context.Context, file string) error
	done     func(file string)
}

// SaveFile asks for a folder and a name, with the form items more above them. write writes the file off Fyne's
// goroutine, and then done is called; if write is nil, done writes it.
func (s *Stack) SaveFile(title, name string, more []*widget.FormItem, write func(ctx context.Context, file string) error, done func(file string)) *Save {
	return s.saveAs(&Save{write: write, done: done}, title, name, more)
}

// SaveFolder asks for a folder and the name of a new one in it, which done makes.
func (s *Stack) SaveFolder(title, name string, done func(folder string)) *Save {
	return s.saveAs(&Save{isFolder: true, done: done}, title, name, nil)
}

func (s *Stack) saveAs(d *Save, title, name string, more []*widget.FormItem) *Save {
	d.stack, d.message = s, widgets.NewText("", widgets.Plain)
	d.Folder, d.Name = widgets.NewEntry(d.close), widgets.NewEntry(d.close)
	d.Folder.SetText(documents())
	d.Name.SetText(name)
	choose := widgets.NewDialogButton("", d.choose)
	choose.Icon, choose.Name = theme.FolderOpenIcon(), lang.L("Choose a folder")
	what := lang.L("File")
	if d.isFolder {
		what = lang.L("New folder")
	}
	form := widgets.NewForm(append(more,
		widget.NewFormItem(lang.L("Folder"), container.NewBorder(nil, nil, nil, choose, d.Folder)),
		widget.NewFormItem(what, d.Name))...)
	d.save = Do(lang.L("Save"), d.Submit)
	d.dialog = &Dialog{Title: title, Content: widgets.NewColumn(10, form, d.message), Width: 540, Focus: d.Name, Buttons: []*Button{Cancel(), d.save}}
	ask := func() {
		s.chooseFile(filechooser.Request{Title: title, Save: true, Name: d.Name.Text, Folder: d.Folder.Text}, d.writeTo, func() { s.Show(d.dialog) })
	}
	if s.ChooseFile != nil && len(more) > 0 {
		d.askFirst(title, more, ask)
		return d
	}
	ask()
	return d
}

// askFirst asks what the dialog of the desktop cannot ask.
func (d *Save) askFirst(title string, more []*widget.FormItem, choose func()) {
	d.stack.Show(&Dialog{Title: title, Content: widget.NewForm(more...), Buttons: []*Button{Cancel(), Do(lang.L("Choose a file…"), func() {
		d.stack.CloseTop()
		choose()
	})}})
}

// writeTo writes the file that the dialog of the desktop has named. It asks before it replaces one that the dialog has not
// asked about.
func (d *Save) writeTo(named string) {
	file := d.extended(named)
	if _, err := os.Stat(file); file != named && !errors.Is(err, fs.ErrNotExist) {
		d.confirm(func() { d.store(file) })
		return
	}
	d.store(file)
}

func (d *Save) store(file string) {
	if d.write == nil {
		d.done(file)
		return
	}
	d.stack.jobs.Work(func(ctx context.Context) error { return d.write(ctx, file) }, func(err error) {
		if err != nil {
			d.stack.Inform(d.dialog.Title, language.Printer().Error(err))
			return
		}
		d.done(file)
	})
}

// inHome returns a path with the user's folder in place of a ~ that it begins with.
func inHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	home, err := os.UserHomeDir()
	if !ok || err != nil || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return home + rest
}

func (d *Save) close() { d.dialog.Hide() }

// documents is the folder where people look for their files.
func documents() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	for _, name := range []string{"Documents", "Dokumente"} {
		if info, err := os.Stat(filepath.Join(home, name)); err == nil && info.IsDir() {
			return filepath.Join(home, name)
		}
	}
	return home
}

// choose asks for the folder.
func (d *Save) choose() {
	from := d.Folder.Text
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		from = documents()
	}
	d.stack.browse(from, Files{Title: lang.L("Choose a folder")}, true, d.Folder.SetText)
}

func (d *Save) fail(err error) { d.message.SetText(language.Printer().Error(err), widgets.Warning) }

// file returns the path of the file, or else what is wrong with it. The name may be a path, too.
func (d *Save) file() (path, problem string) {
	folder := inHome(strings.TrimSpace(d.Folder.Text))
	within, name := filepath.Split(inHome(strings.TrimSpace(d.Name.Text)))
	switch {
	case filepath.IsAbs(within):
		folder = within
	case within != "":
		folder = filepath.Join(folder, within)
	}
	switch info, err := os.Stat(folder); {
	case !filepath.IsAbs(folder), err != nil, !info.IsDir():
		return "", lang.L("This folder does not exist.")
	case name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`):
		if d.isFolder {
			return "", lang.L("Enter a folder name.")
		}
		return "", lang.L("Enter a file name.")
	}
	return filepath.Join(folder, d.extended(name)), ""
}

// extended is a name with the extension, if it has none.
func (d *Save) extended(name string) string {
	if filepath.Ext(name) == "" {
		return name + d.Extension
	}
	return name
}

// confirm asks whether to replace an existing file.
func (d *Save) confirm(replace func()) {
	d.stack.ConfirmLoss(lang.L("Replace the file?"), lang.L("A file with this name already exists."), lang.L("Keep the file"), lang.L("Replace"), replace)
}

// Submit writes the file. It asks before it replaces an existing one.
func (d *Save) Submit() {
	file, problem := d.file()
	if problem != "" {
		d.message.SetText(problem, widgets.Warning)
		return
	}
	switch _, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist), d.isFolder && isEmpty(file):
		d.run(file)
	case d.isFolder:
		d.message.SetText(lang.L("A folder or file with this name already exists."), widgets.Warning)
	default:
		d.confirm(func() { d.run(file) })
	}
}

// isEmpty reports whether a path is that of an empty folder.
func isEmpty(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

func (d *Save) run(file string) {
	if d.write == nil {
		d.close()
		d.done(file)
		return
	}
	d.save.SetEnabled(false)
	d.message.SetText(lang.L("Writing…"), widgets.Muted)
	d.stack.jobs.Work(func(ctx context.Context) error { return d.write(ctx, file) }, func(err error) {
		d.save.SetEnabled(true)
		if err != nil {
			d.fail(err)
			return
		}
		d.close()
		d.done(file)
	})
}
