package verbs

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"kairos/poller/fetch"
)

// TestParseBoundsItsMemory gives `parse` feeds of 64 MB: it prints what it reads of them, and uses less
// than 250 MB.
func TestParseBoundsItsMemory(t *testing.T) {
	c := newCommand(t)
	words := strings.Repeat("and some more words, as an article has them ", 48)
	for name, part := range map[string]struct{ head, item, said string }{
		"articles":  {`<rss><channel><title>F</title>`, `<item><title>T</title><guid>%d</guid><description><![CDATA[<p>` + words + `<img src="/p.png"></p>]]></description></item>`, "17 MB of 67 MB"},
		"headlines": {`<rss><channel><title>F</title>`, `<item><title>T</title><guid>%d</guid></item>`, "first 10000 articles"},
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
		// What a process is begun with counts as its own (getrusage(2)): with -race that is much.
		var own syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
			t.Fatal(err)
		}
		inherited := own.Maxrss
		cmd := c.command("parse", "--json", path)
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out[max(0, len(out)-500):]), part.said) {
			t.Errorf("%s: %v, %.500s", name, err, out[max(0, len(out)-500):])
		}
		usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if kB := usage.Maxrss; kB <= inherited {
			t.Logf("%s: less memory than the %d kB of this process, which it is begun with", name, inherited)
		} else if kB > 250000 {
			t.Errorf("%s: %d kB of memory", name, kB)
		} else {
			t.Logf("%s: %d kB of memory, %v of processor time", name, kB, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
	}
}
