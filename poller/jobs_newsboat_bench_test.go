package poller

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkAgainstNewsboat is the first fetch of the 500 feeds of BenchmarkFetch500 by the
// kairos command and by newsboat, one after the other in the same run: whole processes,
// wall and processor time.
func BenchmarkAgainstNewsboat(b *testing.B) {
	newsboat, err := exec.LookPath("newsboat")
	if err != nil {
		b.Skip("skipped: there is no newsboat on this machine (Debian: apt-get install newsboat)")
	}
	if !loopbackNet() {
		b.Skip("skipped: this system has one loopback address only")
	}
	kairos := buildKairos(b)
	port := startWeb(b)
	var urls strings.Builder
	for i := range benchFeeds {
		fmt.Fprintf(&urls, "http://127.0.%d.%d:%s/%d\n", 1+i/250, 1+i%250, port, i)
	}
	for b.Loop() {
		dir := b.TempDir()
		write := func(name, text string) string {
			name = filepath.Join(dir, name)
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			return name
		}
		list := write("urls", urls.String())
		data := filepath.Join(dir, "data")
		run(b, dir, kairos, "--data", data, "import", "--local", list)
		fetch := []string{"--data", data, "fetch"}
		ours, oursCPU := run(b, dir, kairos, fetch...)
		b.ReportMetric(ours.Seconds(), "s-kairos")
		b.ReportMetric(oursCPU.Seconds(), "cpu-s-kairos")

		config := write("config", "reload-threads 8\n")
		reload := []string{"-q", "-u", list, "-c", filepath.Join(dir, "cache.db"), "-C", config, "-x", "reload"}
		theirs, theirsCPU := run(b, dir, newsboat, reload...)
		b.ReportMetric(theirs.Seconds(), "s-newsboat")
		b.ReportMetric(theirsCPU.Seconds(), "cpu-s-newsboat")
		b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
		b.ReportMetric(theirsCPU.Seconds()/oursCPU.Seconds(), "times-less-cpu")
	}
}

// buildKairos builds the command without its window.
func buildKairos(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "kairos.exe")
	cmd := exec.Command("go", "build", "-o", name, "kairos/app/verbs/testdata/kairos")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build: %v: %s", err, said)
	}
	return name
}

// run runs a command to its end.
func run(b *testing.B, home, name string, args ...string) (wall, cpu time.Duration) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home)
	start := time.Now()
	said, err := cmd.CombinedOutput()
	wall = time.Since(start)
	if err != nil {
		b.Fatalf("%s %v: %v: %s", name, args, err, said)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
