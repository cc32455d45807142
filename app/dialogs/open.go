package dialogs

import (
	"context"
	"errors"
	"strings"

	"kairos/app/async"
	"kairos/app/filechooser"

	"fyne.io/fyne/v2/lang"
)

// Files says which files are offered to open. None are all files.
type Files struct {
	Title      string // what to choose one for
	Kind       string // what they are
	Extensions []string
}

// OpenFile asks for a file to read and calls open with its name.
func (s *Stack) OpenFile(files Files, open func(name string)) {
	s.chooseFile(filechooser.Request{Title: files.Title, Extensions: files.Extensions, Kind: files.Kind, All: lang.L("All files")},
		open, func() { s.browse(documents(), files, false, open) })
}

// chooseFile asks for a file by the dialog of the desktop and calls chosen with it. Where there is none it calls
// otherwise. A second question takes the place of the first.
func (s *Stack) chooseFile(r filechooser.Request, chosen func(file string), otherwise func()) {
	if s.ChooseFile == nil {
		otherwise()
		return
	}
	if s.Parent != nil {
		r.Parent = s.Parent()
	}
	type answer struct {
		file string
		err  error
	}
	async.Load(s.jobs, &s.choosing, func(ctx context.Context) (answer, error) {
		file, err := s.ChooseFile(ctx, r)
		return answer{file, err}, nil
	}, func(a answer) {
		switch {
		case errors.Is(a.err, filechooser.ErrUnsupported):
			otherwise()
		case a.err != nil:
			s.jobs.OnError(a.err)
		case a.file != "":
			s.used()
			chosen(a.file)
		}
	})
}

// OpenFolder asks for a folder, beginning at one, and hands over its path.
func (s *Stack) OpenFolder(from string, chosen func(path string)) {
	if strings.TrimSpace(from) == "" {
		from = documents()
	}
	s.browse(from, Files{Title: lang.L("Choose a folder")}, true, chosen)
}
