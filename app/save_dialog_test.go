package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"kairos/app/dialogs"
	"kairos/app/widgets"

	"fyne.io/fyne/v2/test"
)

// saveTo answers a save dialog.
func saveTo(s *dialogs.Save, folder, name string) {
	s.Folder.SetText(folder)
	s.Name.SetText(name)
	s.Submit()
}

// An existing file stays intact until its replacement is complete, whether the user declines or the download fails.
func TestSaveKeepsExistingFileUntilReplaced(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for name, ask := range map[string]func(*window) *dialogs.Save{
		"list":    func(w *window) *dialogs.Save { return w.opml.AskExport() },
		"picture": func(w *window) *dialogs.Save { return w.article.SavePicture(server.URL + "/a.png") },
		"file":    func(w *window) *dialogs.Save { return w.article.SaveFile(server.URL + "/a.mp3") },
	} {
		t.Run(name, func(t *testing.T) {
			w, q := newTestWindow(t)
			folder := t.TempDir()
			file := filepath.Join(folder, "precious")
			if err := os.WriteFile(file, []byte("years of work"), 0o600); err != nil {
				t.Fatal(err)
			}
			whole := func() {
				t.Helper()
				if text, err := os.ReadFile(file); err != nil || string(text) != "years of work" {
					t.Errorf("it holds %.40q, %v", text, err)
				}
			}
			s := ask(w)
			saveTo(s, folder, "precious")
			if len(w.shell.Dialogs.Open) != 2 {
				t.Fatal("it does not ask whether to replace the file")
			}
			w.shell.Dialogs.Open[1].Press("Keep the file")
			whole()
			s.Submit()
			w.shell.Dialogs.Open[1].Press("Replace")
			if name == "list" {
				q.Until("it is replaced", func() bool { return len(w.shell.Dialogs.Open) == 0 })
				if text, err := os.ReadFile(file); err != nil || len(text) < 100 {
					t.Errorf("the list is %q, %v", text, err)
				}
				return
			}
			q.Until("it says that nothing came", func() bool { return failed(w) || w.status.message.Text != "" })
			whole()
		})
	}
}

// A picture of a chart is one for other programs, too, whatever its name.
func TestSavedChartsAreNamedAsPictures(t *testing.T) {
	w, q := newTestWindow(t)
	for name, want := range map[string]string{"work-chart": "work-chart.png", "other.png": "other.png"} {
		folder := t.TempDir()
		w.pages.insights.Save("kairos-ready.png", []byte("picture"))
		for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
			if e, ok := o.(*widgets.Entry); ok {
				if e.Text == "kairos-ready.png" {
					e.SetText(name)
				} else {
					e.SetText(folder)
				}
			}
		}
		w.shell.Dialogs.Open[0].Press("Save")
		q.Until("it is written", func() bool {
			_, err := os.Stat(filepath.Join(folder, want))
			return err == nil && len(w.shell.Dialogs.Open) == 0
		})
	}
}

// failed reports whether the topmost dialog shows a text other than what it shows while it is writing.
func failed(w *window) bool {
	for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
		if text, ok := o.(*widgets.Text); ok && text.Visible() && text.String() != "" && text.String() != "Writing…" {
			return true
		}
	}
	return false
}
