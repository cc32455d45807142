package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// saving asks where a file is to be written, and writes it. Fyne's own dialog for that
// empties a file that is there before anything is written.
type saving struct {
	w            *window
	folder, name *widgets.Entry
	said         *widgets.Text
	save         *widget.Button
	dialog       *dialog.CustomDialog
	write        func(ctx context.Context, file string) error
	done         func(file string)
}

// saveDialog asks for a folder and a name, with more fields above them if there are any.
// write does the work off Fyne's goroutine, done is told that it has worked; without a write
// the work is done's.
func (w *window) saveDialog(title, name string, more []*widget.FormItem, write func(ctx context.Context, file string) error, done func(file string)) *saving {
	s := &saving{w: w, said: widgets.NewText("", widgets.Plain), write: write, done: done}
	s.folder, s.name = widgets.NewEntry(s.close), widgets.NewEntry(s.close)
	s.folder.SetText(documents())
	s.name.SetText(name)
	s.name.OnSubmitted = func(string) { s.submit() }
	choose := widget.NewButtonWithIcon("", theme.FolderOpenIcon(), s.choose)
	form := widget.NewForm(append(more,
		widget.NewFormItem(lang.L("Folder"), container.NewBorder(nil, nil, nil, choose, s.folder)),
		widget.NewFormItem(lang.L("File"), s.name))...)
	s.save = widget.NewButton(lang.L("Save"), s.submit)
	s.save.Importance = widget.HighImportance
	s.dialog = dialog.NewCustomWithoutButtons(title, widgets.NewColumn(10, form, s.said), w.win)
	s.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), s.close), s.save})
	s.dialog.Resize(fyne.NewSize(560, 260))
	w.dialogs.show(s.dialog, nil)
	w.win.Canvas().Focus(s.name)
	return s
}

func (s *saving) close() { s.dialog.Hide() }

// documents is where people look for what they have saved.
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

// choose lets a folder be looked for.
func (s *saving) choose() {
	d := dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		switch {
		case err != nil:
			s.said.SetText(errorText(err), widgets.Warning)
		case dir != nil:
			s.folder.SetText(dir.Path())
		}
	}, s.w.win)
	d.SetTitleText(lang.L("Choose a folder"))
	d.Resize(s.w.dialogs.roomFor(760, 520))
	s.w.dialogs.show(d, nil)
}

// file is the one that was named, or why it cannot be.
func (s *saving) file() (string, error) {
	folder, name := strings.TrimSpace(s.folder.Text), strings.TrimSpace(s.name.Text)
	if rest, ok := strings.CutPrefix(folder, "~"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			folder = home + rest
		}
	}
	switch info, err := os.Stat(folder); {
	case !filepath.IsAbs(folder), err != nil, !info.IsDir():
		return "", errors.New(lang.L("There is no such folder."))
	case name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`):
		return "", errors.New(lang.L("Give the file a name."))
	}
	return filepath.Join(folder, name), nil
}

// submit writes the file; one that is there is replaced only if that is said.
func (s *saving) submit() {
	s.w.used()
	if s.save.Disabled() {
		return
	}
	file, err := s.file()
	if err != nil {
		s.said.SetText(errorText(err), widgets.Warning)
		return
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		s.run(file)
		return
	}
	s.w.dialogs.show(dialog.NewConfirm(lang.L("Replace the file?"), lang.L("There is a file of this name already."), func(yes bool) {
		if yes {
			s.run(file)
		}
	}, s.w.win), nil)
}

func (s *saving) run(file string) {
	if s.write == nil {
		s.close()
		s.done(file)
		return
	}
	s.save.Disable()
	s.said.SetText(lang.L("Writing…"), widgets.Muted)
	s.w.Work(func(ctx context.Context) error { return s.write(ctx, file) }, func(err error) {
		s.save.Enable()
		if err != nil {
			s.said.SetText(errorText(err), widgets.Warning)
			return
		}
		s.close()
		s.done(file)
	})
}
