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

// saveDialog asks where to write a file, and writes it. Fyne's own dialog empties an existing file before anything is
// written.
type saveDialog struct {
	*env
	folder, name *widgets.Entry
	message      *widgets.Text
	save         *widget.Button
	dialog       *dialog.CustomDialog
	write        func(ctx context.Context, file string) error
	done         func(file string)
}

// saveDialog asks for a folder and a name, with the form items more above them. write writes the file off Fyne's
// goroutine, and then done is called; if write is nil, done writes it.
func (e *env) saveDialog(title, name string, more []*widget.FormItem, write func(ctx context.Context, file string) error, done func(file string)) *saveDialog {
	s := &saveDialog{env: e, message: widgets.NewText("", widgets.Plain), write: write, done: done}
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
	s.dialog = dialog.NewCustomWithoutButtons(title, widgets.NewColumn(10, form, s.message), e.win)
	s.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), s.close), s.save})
	s.dialog.Resize(fyne.NewSize(560, 260))
	e.dialogs.show(s.dialog, nil)
	s.focus(s.name)
	return s
}

func (s *saveDialog) close() { s.dialog.Hide() }

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
func (s *saveDialog) choose() {
	d := dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		switch {
		case err != nil:
			s.message.SetText(errorText(err), widgets.Warning)
		case dir != nil:
			s.folder.SetText(dir.Path())
		}
	}, s.win)
	d.SetTitleText(lang.L("Choose a folder"))
	d.Resize(s.dialogs.roomFor(760, 520))
	s.dialogs.show(d, nil)
}

// file returns the path of the file, or an error that tells people what is wrong with it.
func (s *saveDialog) file() (string, error) {
	folder, name := strings.TrimSpace(s.folder.Text), strings.TrimSpace(s.name.Text)
	if rest, ok := strings.CutPrefix(folder, "~"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			folder = home + rest
		}
	}
	switch info, err := os.Stat(folder); {
	case !filepath.IsAbs(folder), err != nil, !info.IsDir():
		return "", errors.New(lang.L("This folder does not exist."))
	case name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`):
		return "", errors.New(lang.L("Enter a file name."))
	}
	return filepath.Join(folder, name), nil
}

// submit writes the file. It asks before it replaces an existing one.
func (s *saveDialog) submit() {
	s.used()
	if s.save.Disabled() {
		return
	}
	file, err := s.file()
	if err != nil {
		s.message.SetText(errorText(err), widgets.Warning)
		return
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		s.run(file)
		return
	}
	s.dialogs.show(dialog.NewConfirm(lang.L("Replace the file?"), lang.L("A file with this name already exists."), func(yes bool) {
		if yes {
			s.run(file)
		}
	}, s.win), nil)
}

func (s *saveDialog) run(file string) {
	if s.write == nil {
		s.close()
		s.done(file)
		return
	}
	s.save.Disable()
	s.message.SetText(lang.L("Writing…"), widgets.Muted)
	s.Work(func(ctx context.Context) error { return s.write(ctx, file) }, func(err error) {
		s.save.Enable()
		if err != nil {
			s.message.SetText(errorText(err), widgets.Warning)
			return
		}
		s.close()
		s.done(file)
	})
}
