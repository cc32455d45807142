//go:build !race

package verbs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
)

// TestParseBoundsItsMemory gives `parse` feeds of 64 MB: it prints what it reads of them, and uses less
// than 250 MB. (The race detector keeps several bytes for each one of the program: it is not built with it.)
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
		out, peak, err := outputAndPeak(c.command("parse", "--json", path))
		if err != nil || !strings.Contains(string(out[max(0, len(out)-500):]), part.said) {
			t.Errorf("%s: %v, %.500s", name, err, out[max(0, len(out)-500):])
		}
		if peak == 0 || peak > 250000 {
			t.Errorf("%s: %d kB of memory", name, peak)
		}
		t.Logf("%s: %d kB of memory", name, peak)
	}
}

// outputAndPeak runs a command and returns what it prints and the most memory it had resident, in kB. The kernel's
// account of an ended process (getrusage(2)) would not do: it counts the memory of the process that began it.
func outputAndPeak(cmd *exec.Cmd) (output []byte, peak int, err error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return out.Bytes(), peak, err
		case <-time.After(2 * time.Millisecond):
			peak = max(peak, residentPeak(cmd.Process.Pid))
		}
	}
}

// residentPeak reads VmHWM of proc_pid_status(5), in kB; 0 for a process that has ended.
func residentPeak(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kB := 0
	fmt.Sscan(rest, &kB)
	return kB
}
