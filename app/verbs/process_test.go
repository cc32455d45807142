package verbs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var buildDir string

// build builds the command once for all tests.
var build = sync.OnceValues(func() (name string, err error) {
	if buildDir, err = os.MkdirTemp("", "kairos-build-"); err != nil {
		return "", err
	}
	name = filepath.Join(buildDir, "kairos.exe")
	// Of the same packages as the tests, which are compiled already: without cgo SQLite would be compiled once more for the tests alone.
	if output, err := exec.Command("go", "build", "-o", name, "./testdata/kairos").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, output)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// process is a verb that runs in a process of its own.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string // of its output, closed at the end
	err   bytes.Buffer
}

func (c *command) command(args ...string) *exec.Cmd {
	name, err := build()
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	c.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, append(args, "--data", c.dir)...)
	cmd.Dir = c.cwd
	return cmd
}

// start starts a verb and reads its output while it runs.
func (c *command) start(args ...string) *process {
	c.t.Helper()
	p := &process{t: c.t.(*testing.T), cmd: c.command(args...), lines: make(chan string, 1000)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	p.cmd.Stderr = &p.err
	if err := p.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			p.lines <- in.Text()
		}
	}()
	c.t.Cleanup(func() { p.cmd.Process.Kill() })
	return p
}

// line waits for the next line of output.
func (p *process) line() map[string]any {
	p.t.Helper()
	text, ok := <-p.lines
	if !ok {
		p.t.Fatalf("the output ended: %v\n%s", p.cmd.Wait(), p.err.String())
	}
	return objects(p.t, text)[0]
}

// end sends a signal, reads the remaining output and returns the exit code.
func (p *process) end(s os.Signal) int {
	p.t.Helper()
	if s != nil {
		if err := p.cmd.Process.Signal(s); err != nil {
			p.t.Fatal(err)
		}
	}
	for range p.lines {
	}
	p.cmd.Wait() //nolint:errcheck // the exit code is returned
	return p.cmd.ProcessState.ExitCode()
}

// run runs a verb in a process of its own until it ends.
func (c *command) run(args ...string) result {
	c.t.Helper()
	cmd := c.command(args...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	cmd.Run() //nolint:errcheck // the exit code is returned
	return result{cmd.ProcessState.ExitCode(), out.String(), err.String()}
}

// poller starts `poll` and returns when it owns the folder, which then has one feed.
func (c *command) poller(site string) *process {
	c.t.Helper()
	c.file("first.opml", `<opml><body><outline xmlUrl="`+site+`/posts/a" text="Alpha"/></body></opml>`)
	c.do("import", "--local", "first.opml")
	p := c.start("poll", "--for", "50s", "--json")
	l := p.line()
	keys(c.t, "poll", l, "time feed reason status new spent budget")
	if l["reason"] != "first" || l["new"] != 3.0 || l["status"] != 200.0 {
		c.t.Errorf("first line %v", l)
	}
	return p
}

func TestVerbsBesideAnOwner(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	c.file("my feed.xml", rss("Local", 1))

	r := c.run("add", site+"/posts/b", "my feed.xml", "--json")
	if got := objects(t, r.out); r.code != 0 || len(got) != 2 || got[0]["title"] != "Beta" || got[1]["title"] != "Local" {
		t.Errorf("%+v", r)
	}
	if l := p.line(); l["title"] != site+"/posts/b" && l["title"] != "Beta" {
		t.Errorf("the owner says %v", l)
	}
	if r := c.run("add", site+"/nothing"); r.code != 1 || !strings.Contains(r.err, "404") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	for _, line := range []string{"set 99 title=x", "remove x", "import missing.opml"} {
		if r := c.run(strings.Fields(line)...); r.code != 2 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	if r := c.run("feeds", "--json"); r.code != 0 || len(objects(t, r.out)) != 3 {
		t.Errorf("%+v", r)
	}
	if r := c.run("export", "out.opml"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(c.cwd, "out.opml")); err != nil {
		t.Error(err)
	}
	if r := c.run("access"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := c.run("show"); r.code != 1 || !strings.Contains(r.err, "without a window") {
		t.Errorf("%+v", r)
	}
	if code := p.end(os.Interrupt); code != 0 || p.err.String() != "" {
		t.Errorf("the poller ended with %d: %s", code, p.err.String())
	}
	if n := len(c.lines("feeds")); n != 3 {
		t.Errorf("%d feeds afterwards", n)
	}
}

func TestKilledOwner(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	if r := c.run("mark", "1", "2", "starred"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := c.run("add", site+"/posts/b"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	p.end(syscall.SIGKILL)
	if n := len(c.lines("feeds")); n != 2 {
		t.Errorf("%d feeds", n)
	}
	starred := 0
	for _, a := range c.lines("articles") {
		if a["starred"] == true {
			starred++
		}
	}
	if starred != 2 {
		t.Errorf("%d starred", starred)
	}
	if r := c.run("set", "1", "title=After"); r.code != 0 || r.err != "" {
		t.Errorf("a stale lock stands in the way: %+v", r)
	}
}

func TestPollBesideAnOwner(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	began := time.Now()
	second := c.start("poll", "--for", "2s", "--json")
	// It cannot be seen from outside when the second one listens, so the owner is
	// kept busy until it does.
	asking, stop := context.WithCancel(t.Context())
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for asking.Err() == nil {
			c.run("fetch", "1")
		}
	}()
	if l := second.line(); l["reason"] != "manual" || l["feed"] != 1.0 {
		t.Errorf("it says %v", l)
	}
	stop()
	<-asked
	if code := second.end(nil); code != 0 || second.err.String() != "" {
		t.Errorf("exit %d: %s", code, second.err.String())
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("two seconds took %v", took)
	}
	if code := p.end(os.Interrupt); code != 0 {
		t.Errorf("the owner ended with %d", code)
	}
	awake := c.run("access", "--list", "--json")
	if got := objects(t, awake.out); len(got) != 1 || got[0]["awakeFrom"] == nil || got[0]["awakeTo"] == nil {
		t.Errorf("the log of times awake: %+v", awake)
	}
	if c.run("access", "--clear"); c.run("access", "--list", "--json").out != "" {
		t.Error("it is not cleared")
	}
}

func TestPollGoesOnWhenTheOwnerEnds(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	second := c.start("poll", "--for", "30s", "--json")
	for len(second.lines) == 0 {
		c.run("fetch", "1")
	}
	p.end(syscall.SIGTERM)
	c.file("second.opml", `<opml><body><outline xmlUrl="`+site+`/posts/b" text="Beta"/></body></opml>`)
	if r := c.run("import", "--local", "second.opml"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	for l := second.line(); l["reason"] != "first" || l["feed"] != 2.0; l = second.line() {
	}
	if code := second.end(os.Interrupt); code != 0 {
		t.Errorf("exit %d: %s", code, second.err.String())
	}
}

func TestManyVerbsAtOnce(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	results := make(chan result)
	const n = 8
	for i := range n {
		go func() { results <- c.run("mark", fmt.Sprint(1+i%3), "starred") }()
	}
	for range n {
		if r := <-results; r.code != 0 || r.err != "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestClosedOutput(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	cmd := c.command("articles", "--content", "--json")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	r.Close()
	err = cmd.Run()
	w.Close()
	if err == nil {
		t.Error("it says that all went well")
	}
}
