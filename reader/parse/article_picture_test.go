package parse

import (
	"strings"
	"testing"
)

// A picture that comes as a file only stands above the text, and not among the files; one that the body has already is in neither.
func TestPictureFiles(t *testing.T) {
	const jpeg = `<enclosure type="image/jpeg" length="9" url="https://e.org/`
	for name, c := range map[string]struct{ item, html, files string }{
		"only a file":          {jpeg + `a.jpg"/><description>text</description>`, `<p><img src="https://e.org/a.jpg"></p>text`, ""},
		"without a type":       {`<enclosure url="https://e.org/a.webp"/><description>text</description>`, `<p><img src="https://e.org/a.webp"></p>text`, ""},
		"two":                  {jpeg + `a.jpg"/>` + jpeg + `b.jpg"/><description>text</description>`, `<p><img src="https://e.org/a.jpg"></p>text`, "b.jpg"},
		"as Media RSS, too":    {jpeg + `a.jpg"/><media:content url="https://e.org/a.jpg" medium="image"/><description>text</description>`, `<p><img src="https://e.org/a.jpg"></p>text`, ""},
		"in the body":          {jpeg + `a.jpg"/><description>&lt;img src="https://e.org/a.jpg"&gt;text</description>`, `<img src="https://e.org/a.jpg">text`, ""},
		"smaller in the body":  {jpeg + `a.jpg?w=9"/><description>&lt;img src="https://e.org/a-300x200.jpg"&gt;text</description>`, `<img src="https://e.org/a-300x200.jpg">text`, ""},
		"size in the path":     {jpeg + `1/2/ab12_34567-89-2026-11-27.jpg"/><description>&lt;img src="https://e.org/3/ab12_34567-89-2026-11-27.jpg"&gt;text</description>`, `<img src="https://e.org/3/ab12_34567-89-2026-11-27.jpg">text`, ""},
		"another in the body":  {jpeg + `a.jpg"/><description>&lt;img src="https://e.org/b.jpg"&gt;text</description>`, `<img src="https://e.org/b.jpg">text`, "a.jpg"},
		"one that cannot be":   {`<enclosure type="image/avif" url="https://e.org/a.avif"/><description>text</description>`, `text`, "a.avif"},
		"of an episode":        {`<enclosure type="audio/mpeg" url="https://e.org/a.mp3"/>` + jpeg + `a.jpg"/><description>text</description>`, `<p><img src="https://e.org/a.jpg"></p>text`, "a.mp3"},
		"nothing but the file": {jpeg + `a.jpg"/>`, `<p><img src="https://e.org/a.jpg"></p>`, ""},
	} {
		a := mustParse(t, `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>V</title><item><guid>1</guid><title>v</title>`+c.item+`</item></channel></rss>`).Articles[0]
		var files []string
		for _, e := range a.Enclosures {
			files = append(files, strings.TrimPrefix(e.URL, "https://e.org/"))
		}
		if a.HTML != c.html || strings.Join(files, " ") != c.files {
			t.Errorf("%s: %s, files %q", name, a.HTML, files)
		}
	}
}
