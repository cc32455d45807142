package article

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// corpusPages returns the articles of real web pages.
func corpusPages(t testing.TB) map[string]Article {
	t.Helper()
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	pages := map[string]Article{}
	err := filepath.WalkDir(filepath.Join(root, "readability"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil {
			pages[path] = Article{Title: path, Body: content.Parse(content.Sanitize(string(body), content.Origin{Base: "https://example.org/"}))}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// Every text of a real page is drawn at a common and at a narrow width, and can be selected and copied.
func TestCorpusLayout(t *testing.T) {
	pages := corpusPages(t)
	v, _ := openView(t, fyne.NewSize(800, 600))
	for path, a := range pages {
		v.Display(a)
		checkLayout(t, v.page.stylesheet.layOut(withWords(v.page.doc), 800))
		checkLayout(t, v.page.stylesheet.layOut(withWords(v.page.doc), 260))
		v.SelectAll()
		copied := strings.Fields(v.Selected())
		if want := words(a.Body); len(copied) < want {
			t.Errorf("%s: %d words of %d are on the page", path, len(copied), want)
		}
		for v.PageDown() {
			if n := len(v.page.painter.objects); n > 2000 {
				t.Errorf("%s: %d objects at once", path, n)
			}
		}
	}
	t.Logf("%d pages", len(pages))
}

// words counts the words of a document without those of its pictures.
func words(d content.Document) (n int) {
	count := func(runs []content.Run) {
		var b strings.Builder
		for _, r := range runs {
			b.WriteString(r.Text)
		}
		n += len(strings.Fields(b.String()))
	}
	for _, b := range d.Blocks {
		switch b.Kind {
		case content.Picture, content.Rule:
		case content.Table:
			for _, row := range b.Rows {
				for _, c := range row {
					count(c.Runs)
				}
			}
		default:
			count(b.Runs)
		}
	}
	return n
}

func BenchmarkCorpusDisplay(b *testing.B) {
	pages := corpusPages(b)
	v, _ := openView(b, fyne.NewSize(800, 600))
	total := 0
	for _, a := range pages {
		total += words(a.Body)
	}
	for b.Loop() {
		for _, a := range pages {
			v.Display(a)
		}
	}
	b.ReportMetric(float64(total)/float64(len(pages)), "words/page")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(pages)), "µs/page")
}
