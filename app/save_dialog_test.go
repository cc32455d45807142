package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/dialog"
)

// saveTo answers a save dialog.
func saveTo(s *saveDialog, folder, name string) {
	s.folder.SetText(folder)
	s.name.SetText(name)
	s.submit()
}

// An existing file stays intact until its replacement is complete, whether the user declines or the download fails.
func TestSaveKeepsExistingFileUntilReplaced(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for name, ask := range map[string]func(*window) *saveDialog{
		"list":    func(w *window) *saveDialog { return w.opml.askExport() },
		"picture": func(w *window) *saveDialog { return w.article.savePicture(server.URL + "/a.png") },
		"file":    func(w *window) *saveDialog { return w.article.saveFile(server.URL + "/a.mp3") },
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
			if len(w.dialogs.open) != 2 {
				t.Fatal("it does not ask whether to replace the file")
			}
			w.dialogs.open[1].(*dialog.ConfirmDialog).Dismiss()
			whole()
			s.submit()
			w.dialogs.open[1].(*dialog.ConfirmDialog).Confirm()
			if name == "list" {
				q.until("it is replaced", func() bool { return len(w.dialogs.open) == 0 })
				if text, err := os.ReadFile(file); err != nil || len(text) < 100 {
					t.Errorf("the list is %q, %v", text, err)
				}
				return
			}
			q.until("it says that nothing came", func() bool { return s.message.Visible() && !s.save.Disabled() || w.status.message.Text != "" })
			whole()
		})
	}
}
