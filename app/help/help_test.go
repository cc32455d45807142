package help

import (
	"image"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/article"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell/shelltest"
	"kairos/app/text"
	"kairos/assets"
)

// plain are words as they are written in the manual.
var plain = Words{Key: func(id string) string { return id }, Title: func(id string) string { return id }, Say: func(s string, _ ...any) string { return s }}

// Every language has every page, with a title and a text, and its links lead to others.
func TestManualIsWhole(t *testing.T) {
	links := regexp.MustCompile(`[^!]\[[^\]]+\]\(([^)]+)\)`)
	for _, l := range language.Known() {
		for _, topic := range Topics {
			p, err := readPage(assets.Help(), l, topic, plain)
			if err != nil || p.title == "" || len(p.text) < 200 {
				t.Errorf("%s/%s: %q with %d letters, %v", l, topic, p.title, len(p.text), err)
			}
			source, err := fs.ReadFile(assets.Help(), l+"/"+topic+".md")
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range links.FindAllStringSubmatch(string(source), -1) {
				if _, err := fs.Stat(assets.Help(), l+"/"+link[1]+".md"); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// A page that is missing is one sentence, and the others are there.
func TestMissingPage(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	m := open(room.Shell, fstest.MapFS{"en/reading.md": {Data: []byte("# Reading\n\nText")}}, plain, article.Style{})
	if got := m.view.Markdown(); !strings.Contains(got, "This page of the manual is missing.") {
		t.Errorf("shows %q", got)
	}
	m.move(1)
	if got := m.view.Markdown(); !strings.Contains(got, "Text") {
		t.Errorf("shows %q", got)
	}
}

// The search field finds pages by any of their words.
func TestFind(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	m := open(room.Shell, assets.Help(), plain, article.Style{})
	test.Type(m.search, "telemetry")
	if got := m.view.Markdown(); len(m.found) != 1 || !strings.Contains(got, "Tracking pixels") {
		t.Errorf("found %v, shows %q", m.found, got)
	}
	m.search.SetText("xylophone")
	if got := m.view.Markdown(); len(m.found) != 0 || strings.Contains(got, "Tracking") {
		t.Errorf("found %v, shows %q", m.found, got)
	}
	m.follow(base + "rules")
	if got := m.view.Markdown(); !strings.Contains(got, "Hidden articles") {
		t.Errorf("shows %q", got)
	}
}

// What is searched for is marked, and Return goes from place to place and from page to page.
func TestReturnGoesToWhatIsFound(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	long := strings.Repeat("\n\nSome other sentence that fills the page.", 60)
	m := open(room.Shell, fstest.MapFS{
		"en/start.md":   {Data: []byte("# Start\n\nNo such word." + long)},
		"en/reading.md": {Data: []byte("# Reading\n\nFirst" + long + "\n\nA podcast here." + long + "\n\nThe speed of a podcast.")},
		"en/search.md":  {Data: []byte("# Search\n\nA podcast of others." + long)}}, plain, article.Style{})
	top := m.view.Top()
	test.Type(m.search, "podcast")
	enter := func() { m.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	first := m.view.Top()
	if m.list.Chosen != 0 || m.pages[m.found[0]].title != "Reading" || first <= top {
		t.Errorf("row %d, scrolled from %v to %v", m.list.Chosen, top, first)
	}
	if enter(); len(room.Dialogs.Open) != 1 || m.list.Chosen != 0 || m.view.Top() <= first {
		t.Errorf("%d dialogs, row %d, at %v", len(room.Dialogs.Open), m.list.Chosen, m.view.Top())
	}
	if enter(); m.list.Chosen != 1 {
		t.Errorf("the next page: row %d", m.list.Chosen)
	}
	if enter(); m.list.Chosen != 0 || m.view.Top() != first {
		t.Errorf("around: row %d, at %v", m.list.Chosen, m.view.Top())
	}
}

// The pictures are there, and five pages have one at least.
func TestPictures(t *testing.T) {
	illustrated := map[string]bool{}
	for _, l := range language.Known() {
		for _, topic := range Topics {
			source, err := fs.ReadFile(assets.Help(), l+"/"+topic+".md")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`).FindAllStringSubmatch(string(source), -1) {
				if p, err := loadPicture(assets.Help(), l+"/"+name[1], image.Pt(600, 0)); err != nil || p.Image.Bounds().Dx() != 600 {
					t.Errorf("%s/%s: %v", l, name[1], err)
				}
				illustrated[topic] = true
			}
		}
	}
	if len(illustrated) < 5 {
		t.Errorf("only %v have pictures", illustrated)
	}
}

// No page shows the marks of its source, in the window's own words of any language. Chinese has quotation marks instead of italics.
func TestPagesHaveNoMarkup(t *testing.T) {
	for _, l := range language.Known() {
		words, err := text.In(l)
		if err != nil {
			t.Fatal(err)
		}
		say := func(english string, _ ...any) string { return words.L(english) }
		w := Words{Key: plain.Key, Title: func(string) string { return say("Settings…") }, Say: say}
		for _, topic := range Topics {
			p, err := readPage(assets.Help(), l, topic, w)
			if err != nil {
				t.Fatal(err)
			}
			source, err := fs.ReadFile(assets.Help(), l+"/"+topic+".md")
			if err != nil || l == "zh_Hans" && strings.Contains(string(source), "*{{") {
				t.Errorf("%s/%s has italics, %v", l, topic, err)
			}
			if i := strings.IndexAny(p.text, "*{}"); i >= 0 {
				t.Errorf("%s/%s shows %q", l, topic, p.text[max(0, i-30):min(len(p.text), i+30)])
			}
		}
	}
}
