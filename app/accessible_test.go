package app

import (
	"os"
	"path/filepath"
	"testing"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
)

// told is what a window tells whoever cannot see it; what is wrong with it is an error.
func told(t *testing.T, w *window) *accessible.Tree {
	t.Helper()
	tree := describe.Tree(w.win.Canvas(), accessible.Node{Name: w.win.Title()})
	for _, wrong := range describetest.Lint(tree) {
		t.Error(wrong)
	}
	return tree
}

// assertTells compares what a window tells with testdata/tells/NAME.txt. Where they differ, what it tells is in
// testdata/failed.
func assertTells(t *testing.T, name string, w *window) {
	t.Helper()
	got := describetest.Listing(told(t, w))
	want, _ := os.ReadFile(filepath.Join("testdata", "tells", name+".txt"))
	if got == string(want) {
		return
	}
	failed := filepath.Join("testdata", "failed", "tells")
	if err := os.MkdirAll(failed, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(failed, name+".txt"), []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s tells something else; it is in %s:\n%s", name, failed, got)
}

func TestMainWindowTells(t *testing.T) {
	w, q := newPictureWindow(t, 1200, 780)
	q.read(w, 0)
	w.focusTimeline()
	w.win.Content().Refresh()
	assertTells(t, "main", w)
}
