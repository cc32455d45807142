package widgetstest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Update is set by -update: what is drawn is accepted and becomes the master.
var Update = flag.Bool("update", false, "accept what is drawn: it becomes the master in testdata")

// AssertMarkup fails unless o renders to the markup in testdata/NAME. What it renders to is in testdata/failed then.
func AssertMarkup(t *testing.T, name string, o fyne.CanvasObject) {
	t.Helper()
	if *Update {
		accept(t, name, []byte(test.RenderObjectToMarkup(o)))
	}
	test.AssertObjectRendersToMarkup(t, name, o)
}

// accept writes a master.
func accept(t *testing.T, name string, content []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
