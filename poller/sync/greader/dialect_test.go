package greader

import "testing"

// FreshRSS tells some letters of titles in full width.
func TestTitlesOfFreshRSS(t *testing.T) {
	for told, want := range map[string]string{
		"Ars， Tech ＆ Bits": "Ars, Tech & Bits",
		"A＼B／C；D？ ＜b＞":     `A\B/C;D? <b>`,
		"科技，新闻":            "科技，新闻",
		"何？":               "何？",
		"AC／DC":            "AC/DC",
	} {
		if got := freshRSSDialect.feedTitle(told); got != want {
			t.Errorf("%q is read as %q, want %q", told, got, want)
		}
	}
	if got := plainDialect.feedTitle("A，B"); got != "A，B" {
		t.Errorf("of another server: %q", got)
	}
	if got, want := minifluxDialect.titleHTML("1 < 2 & <b>"), "1 &lt; 2 &amp; &lt;b&gt;"; got != want {
		t.Errorf("of Miniflux: %q, want %q", got, want)
	}
}

func TestFoldersOfFreshRSS(t *testing.T) {
	for label, want := range map[string]string{"Unkategorisiert": "", "Sans catégorie": "", "Uncategorized": "", "Papers": "Papers"} {
		s := subscription{ID: "feed/1", URL: "http://a.test/", Categories: []category{{ID: labels + label}}}
		if got := s.service(freshRSSDialect).Folder; got != want {
			t.Errorf("a feed of %q is in the folder %q", label, got)
		}
	}
}
