package papers

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
)

var update = flag.Bool("update", false, "write PAPERS.md and its pictures again (make papers)")

const page = "../PAPERS.md"

// The page has a section for every table, shows no picture that is missing, and its sections are
// what the code writes: with the traces, the quick ones that do not depend on what Kairos learns are
// written again and compared.
func TestPage(t *testing.T) {
	if *update {
		writePage(t)
	}
	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	for name := range tables {
		if !strings.Contains(text, "<!-- "+name+" -->") {
			t.Errorf("PAPERS.md has no section of the table %s: make papers", name)
		}
	}
	shown := map[string]bool{}
	for _, m := range regexp.MustCompile(`\]\((papers/[^)]*\.png)\)`).FindAllStringSubmatch(text, -1) {
		shown[filepath.Base(m[1])] = true
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("*.png")
	if err != nil || len(files) != len(shown) {
		t.Errorf("%d pictures, %d of them on the page: %v", len(files), len(shown), err)
	}
	if strings.Contains(text, synthetic) {
		t.Error("the page is of the synthetic set")
	}
	skipIfShort(t)
	set := labtest.Panel(t, 0)
	for _, name := range []string{"feeds", "cgm"} {
		var out bytes.Buffer
		if _, err := writeSection(t.Context(), &out, set, name); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(text, line) {
				t.Errorf("PAPERS.md lacks this line of the table %s: make papers\n%s", name, line)
			}
		}
	}
}

// What the page says of its traces.
const (
	synthetic = "This is a small synthetic set, since no traces were given: it shows the form of the tables and proves nothing."
	recorded  = "From traces of real feeds and people (864 feeds, 38 people; not shipped)."
)

func writePage(t *testing.T) {
	set, source := traces.SyntheticWeeks(26), synthetic
	if os.Getenv("KAIROS_TRACES") != "" {
		set, source = labtest.Panel(t, 0), recorded
	}
	var out bytes.Buffer
	pictures, err := WritePage(t.Context(), &out, set, source)
	if err != nil {
		t.Fatal(err)
	}
	old, err := filepath.Glob("*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, picture := range pictures {
		if err := os.WriteFile(filepath.Join("..", name), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(page, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
