package corpus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// nestedFeed writes a feed with two million nested elements.
func nestedFeed(w *bufio.Writer) {
	w.WriteString("<rss><channel><title>t</title><item><title>a</title></item><item><description>")
	for range 2000000 {
		w.WriteString("<a>")
	}
}

// largeFeed writes a feed of 64 MB.
func largeFeed(w *bufio.Writer) {
	w.WriteString("<rss><channel><title>t</title>")
	text := strings.Repeat("some words, and a &lt;a href=&quot;/x&quot;&gt;link&lt;/a&gt; ", 30)
	for i, size := 0, 0; size < 64<<20; i++ {
		n, _ := fmt.Fprintf(w, "<item><title>t</title><guid>%d</guid><description>&lt;p&gt;%s&lt;/p&gt;</description></item>", i, text)
		size += n
	}
	w.WriteString("</channel></rss>")
}

// process runs the command with a feed in a process of its own.
func process(feed func(*bufio.Writer)) func(*testing.T) line {
	return func(t *testing.T) line {
		dir := t.TempDir()
		program, path := filepath.Join(dir, "kairos.exe"), filepath.Join(dir, "feed.xml")
		build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "kairos/app/verbs/testdata/kairos")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build: %v: %s", err, said)
		}
		file := must(os.Create(path))
		w := bufio.NewWriter(file)
		feed(w)
		if err := errors.Join(w.Flush(), file.Close()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, "parse", "--json", "--data", dir, path)
		out, err := cmd.Output()
		took, held := usage(cmd.ProcessState)
		l := line{met: err == nil && took < maxTime && held < maxMemory, timed: err == nil && held < maxMemory}
		l.developed = fmt.Sprintf("%.2g s, %d MB, %d articles", took.Seconds(), held>>20, strings.Count(string(out), `{"key":`))
		if err != nil {
			l.missed = []string{err.Error()}
		}
		return l
	}
}

// usage returns the processor time of a process and its peak memory in bytes, 0 where
// the system does not tell.
func usage(p *os.ProcessState) (took time.Duration, held int64) {
	return p.UserTime() + p.SystemTime(), peakMemory(p)
}
