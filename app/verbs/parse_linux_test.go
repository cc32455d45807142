package verbs

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"kairos/poller/fetch"
	"kairos/reader/readertest"
)

// TestParseBoundsItsMemory gives `parse` feeds of 64 MB: it prints what it reads of them, and uses less
// than 250 MB: the kernel gives it no more (RLIMIT_DATA of setrlimit(2)).
func TestParseBoundsItsMemory(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	words := strings.Repeat("and some more words, as an article has them ", 48)
	for name, part := range map[string]struct{ head, item, said string }{
		"articles":  {`<rss><channel><title>F</title>`, `<item><title>T</title><guid>%d</guid><description><![CDATA[<p>` + words + `<img src="/p.png"></p>]]></description></item>`, "17 MB of 67 MB"},
		"headlines": {`<rss><channel><title>F</title>`, `<item><title>T</title><guid>%d</guid></item>`, "first 10,000 articles"},
		"JSON":      {`{"version":"https://jsonfeed.org/version/1","items":[`, `{"id":"%d","title":"T","content_html":"<p>` + words + `</p>"},`, "17 MB of 67 MB"},
		"elements":  {`<rss><channel><item><title>T</title></item><item><title>T</title>`, `<x:a b="c">`, "1 complete article."},
	} {
		text := bytes.NewBufferString(part.head)
		for i := 0; text.Len() <= fetch.MaxBody; i++ {
			if strings.Contains(part.item, "%d") {
				fmt.Fprintf(text, part.item, i)
			} else {
				text.WriteString(part.item)
			}
		}
		path := c.file("feed", text.String())
		if err := os.Truncate(path, 64<<20); err != nil { // what is behind is not read
			t.Fatal(err)
		}
		cmd := c.command("parse", "--json", path)
		// With cgo each thread has a stack of the size of the first one's, which counts.
		cmd.Args = append([]string{"sh", "-c", `ulimit -s 1024 && ulimit -d 250000 && exec "$@"`, "sh"}, cmd.Args...)
		cmd.Path = "/bin/sh"
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out[max(0, len(out)-500):]), part.said) {
			t.Errorf("%s: %v, %.500s", name, err, out[max(0, len(out)-500):])
		}
	}
}
