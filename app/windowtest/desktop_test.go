//go:build window

package windowtest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// timeout is how long anything on screen may take before the test fails. It is long because the machine may be loaded.
const timeout = 40 * time.Second

// buildDir is where the programs are built.
var buildDir = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "kairos-build-") })

// built returns what builds a program, once per test run: that of a package, with these tags.
func built(name, pkg, tags string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := buildDir()
		if err != nil {
			return "", err
		}
		name := filepath.Join(dir, name)
		if out, err := exec.Command("go", "build", "-tags", tags, "-o", name, pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("build: %w\n%s", err, out)
		}
		return name, nil
	})
}

// The programs: with Fyne's checks of the UI thread, and as they are shipped (.ci/build), to measure. The checks look the
// goroutine up whenever something is redrawn, which takes a third of a key's time.
const (
	checks  = "no_metadata"
	release = "migrated_fynedo,release"
)

var (
	buildChecked = built("kairos", "kairos", checks)
	buildShipped = built("kairos-shipped", "kairos", release)
	buildProbed  = built("probed", "./testdata/probed", release)
	buildEmpty   = built("empty", "./testdata/empty", release)
)

// binary builds a program.
func binary(tb testing.TB, build func() (string, error)) string {
	tb.Helper()
	name, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	return name
}

// desktop is an X server, and a home folder for the programs started on it.
type desktop struct {
	testing.TB
	whole   testing.TB // how long it is there; TB may be a part of that
	display string
	home    string
	shots   string
	look    string // light unless it says dark
	frames  string // where the server keeps its screen

	counting []string // environment of programs that count what they draw (countGL)
	with     []string // what a session adds to the environment
	address  string   // of the session bus
	bus      *dbus.Conn
}

// newDesktop starts an X server, with options of Xvfb. The test fails if the tools for it are missing, instead of being skipped unnoticed.
func newDesktop(tb testing.TB, options ...string) *desktop {
	tb.Helper()
	return newDesktopOf(tb, "1280x800x24", options...)
}

// newDesktopOf is newDesktop with a screen of another size.
func newDesktopOf(tb testing.TB, screen string, options ...string) *desktop {
	tb.Helper()
	for _, tool := range []string{"Xvfb", "xdotool", "import", "xclip"} {
		if _, err := exec.LookPath(tool); err != nil {
			tb.Fatalf("%s is missing; “make test” installs it", tool)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	frames := tb.TempDir()
	// Without -noreset it restarts when its last client is killed, and refuses clients meanwhile. A cursor is taken off the screen
	// and put back with each frame below it, which looks like a change.
	x := exec.Command("Xvfb", append(options, "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-nocursor", "-fbdir", frames)...)
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		tb.Fatal(err)
	}
	write.Close()
	tb.Cleanup(func() {
		x.Process.Kill()
		x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		tb.Fatalf("Xvfb gave no display: %v", err)
	}
	d := &desktop{TB: tb, whole: tb, frames: frames, display: ":" + strings.TrimSpace(number), home: tb.TempDir(), shots: os.Getenv("KAIROS_SHOTS")}
	if d.shots == "" {
		d.shots = filepath.Join("..", "..", "build", "window")
	}
	if err := os.MkdirAll(d.shots, 0o755); err != nil {
		tb.Fatal(err)
	}
	return d
}

func (d *desktop) env() []string {
	env := append(os.Environ(), "DISPLAY="+d.display, "HOME="+d.home, "LANG=en_US.UTF-8", "LC_ALL=", "FYNE_SCALE=1", "FYNE_THEME="+cmp.Or(d.look, "light"),
		"XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR="+d.home, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere", "WAYLAND_DISPLAY=")
	return append(env, d.with...)
}

// folders makes those of a session and returns the one for what runs (XDG_RUNTIME_DIR).
func (d *desktop) folders() (run string) {
	d.Helper()
	run = filepath.Join(d.home, "run")
	for _, dir := range []string{run, filepath.Join(d.home, ".config")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			d.Fatal(err)
		}
	}
	d.whole.Cleanup(func() { exec.Command("fusermount3", "-u", "-z", filepath.Join(run, "doc")).Run() }) // what a portal leaves mounted
	return run
}

// breakFonts installs files that are not fonts, for all that is started after it.
func (d *desktop) breakFonts() {
	d.Helper()
	fonts := filepath.Join(d.home, ".fonts")
	if err := os.MkdirAll(filepath.Join(fonts, "folder.ttf"), 0o700); err != nil {
		d.Fatal(err)
	}
	for name, head := range map[string]string{"empty.ttf": "", "text.ttf": "no font", "short.ttf": "\x00\x01\x00\x00\x00\x13\x01\x00", "many.ttc": "ttcf\x00\x01\x00\x00\xff\xff\xff\xff"} {
		if err := os.WriteFile(filepath.Join(fonts, name), []byte(head), 0o600); err != nil {
			d.Fatal(err)
		}
	}
}

// startBus starts a session bus, for all that is started after it.
func (d *desktop) startBus() {
	d.Helper()
	out := d.background("", "dbus-daemon", "--session", "--nofork", "--print-address=1")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		d.Fatal("the bus does not start: ", err)
	}
	d.address = strings.TrimSpace(line)
	d.with = append(d.with, "DBUS_SESSION_BUS_ADDRESS="+d.address)
	if d.bus, err = dbus.Connect(d.address); err != nil {
		d.Fatal(err)
	}
	d.whole.Cleanup(func() { d.bus.Close() })
}

// owned reports whether a program has this name on the bus.
func (d *desktop) owned(name string) (there bool) {
	return d.bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&there) == nil && there
}

// background runs a part of the desktop until that is gone.
func (d *desktop) background(input, name string, args ...string) io.Reader {
	d.Helper()
	c := exec.Command(name, args...)
	c.Env, c.Dir = d.env(), d.home
	c.Stdin = strings.NewReader(input)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := c.StdoutPipe()
	if err != nil {
		d.Fatal(err)
	}
	if err := c.Start(); err != nil {
		d.Fatal(err)
	}
	d.whole.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
	return out
}

// tool runs a program on the desktop and returns its output.
func (d *desktop) tool(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Env = d.env()
	out, err := c.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return string(out), err
}

// xdotool runs xdotool with these arguments.
func (d *desktop) xdotool(args ...string) {
	d.Helper()
	if out, err := d.tool("xdotool", args...); err != nil {
		d.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

func (d *desktop) key(keys ...string) {
	d.Helper()
	for _, k := range keys {
		d.xdotool("key", "--clearmodifiers", k)
	}
}

// typeText types text with the pauses between keys that people make, too.
func (d *desktop) typeText(text string) {
	d.Helper()
	d.xdotool("type", "--delay", "8", text)
}

// until waits for f to become true.
func (d *desktop) until(what string, f func() bool) {
	d.Helper()
	d.untilTime(time.Now().Add(timeout), what, f)
}

// untilTime is until with another end.
func (d *desktop) untilTime(end time.Time, what string, f func() bool) {
	d.Helper()
	for !f() {
		if time.Now().After(end) {
			d.shot("failed")
			d.Fatalf("never happened: %s", what)
		}
		<-time.After(60 * time.Millisecond)
	}
}

// title returns the window's title, "" while there is no window.
func (d *desktop) title() string {
	ids, err := d.tool("xdotool", "search", "--onlyvisible", "--name", "Kairos")
	if err != nil {
		return ""
	}
	id, _, _ := strings.Cut(strings.TrimSpace(ids), "\n")
	name, _ := d.tool("xdotool", "getwindowname", id)
	return strings.TrimSpace(name)
}

// resize gives the window this size, at the top left of the screen.
func (d *desktop) resize(window image.Rectangle) {
	d.Helper()
	d.xdotool("search", "--onlyvisible", "--name", "Kairos", "windowsize", "--sync", strconv.Itoa(window.Dx()), strconv.Itoa(window.Dy()))
}

// clipboard returns the copied text.
func (d *desktop) clipboard() string {
	text, err := d.tool("xclip", "-o", "-selection", "clipboard")
	if err != nil {
		return ""
	}
	return text
}

// shot takes a screenshot, stores it and returns it.
func (d *desktop) shot(name string) image.Image {
	d.Helper()
	file := filepath.Join(d.shots, name+".png")
	if out, err := d.tool("import", "-window", "root", file); err != nil {
		d.Fatalf("screenshot: %v %s", err, out)
	}
	return d.picture(name)
}

// picture reads a picture that was stored by this name.
func (d *desktop) picture(name string) image.Image {
	d.Helper()
	raw, err := os.ReadFile(filepath.Join(d.shots, name+".png"))
	if err != nil {
		d.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		d.Fatal(err)
	}
	return img
}

// foreground counts the pixels of a part of the screen that differ from its most frequent color. An empty pane has
// none.
func foreground(img image.Image, part image.Rectangle) int {
	count := map[[3]uint32]int{}
	all, most := 0, 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			c := [3]uint32{r >> 8, g >> 8, b >> 8}
			count[c]++
			all++
			most = max(most, count[c])
		}
	}
	return all - most
}

// program is a running Kairos.
type program struct {
	*desktop
	binary, data string
	cmd          *exec.Cmd
	log          bytes.Buffer
	ended        chan error
}

// start opens the window on the data folder and waits until it appears.
func (d *desktop) start(binary, data string, args ...string) *program {
	d.Helper()
	p := &program{desktop: d, binary: binary, data: data, ended: make(chan error, 1)}
	p.cmd = exec.Command(binary, append([]string{"--data", data}, args...)...)
	p.cmd.Env = append(d.env(), d.counting...)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		d.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	d.Cleanup(func() { p.cmd.Process.Kill() })
	return p
}

// kill ends the program at once, as a power cut does.
func (p *program) kill() {
	p.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		p.Fatal(err)
	}
	<-p.ended
	p.checkLog()
}

// end waits until the program ends.
func (p *program) end() {
	p.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.Errorf("Kairos ended with %v\n%s", err, p.log.String())
		}
	case <-time.After(timeout):
		p.Fatal("Kairos did not end")
	}
	p.checkLog()
}

const threadError = "Error in Fyne call thread"

// checkLog fails the test if Fyne has reported calls off its goroutine, or on panics.
func (p *program) checkLog() {
	p.Helper()
	said := p.log.String()
	if logged, err := os.ReadFile(filepath.Join(p.data, "kairos.log")); err == nil {
		said += string(logged)
	}
	for _, bad := range []string{threadError, "panic:", "fatal error:", "DATA RACE"} {
		if strings.Contains(said, bad) {
			p.Errorf("Kairos said:\n%s", said)
			return
		}
	}
}

// verb runs a verb beside the window and returns the JSON objects it printed.
func (p *program) verb(args ...string) []map[string]any {
	p.Helper()
	out, err := p.tool(p.binary, append([]string{"--data", p.data, "--json"}, args...)...)
	if err != nil {
		p.Fatalf("kairos %v: %v", args, err)
	}
	var lines []map[string]any
	dec := json.NewDecoder(strings.NewReader(out))
	for dec.More() {
		var line map[string]any
		if err := dec.Decode(&line); err != nil {
			p.Fatalf("kairos %v printed %q: %v", args, out, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// accesses is how many accesses are in the log; it tells when the machine was awake, too.
func (p *program) accesses() (n int) {
	p.Helper()
	for _, line := range p.verb("access", "--list") {
		if line["at"] != nil {
			n++
		}
	}
	return n
}

// number returns a number from the first line that a verb prints.
func (p *program) number(field string, args ...string) int {
	p.Helper()
	lines := p.verb(args...)
	if len(lines) == 0 {
		return -1
	}
	n, ok := lines[0][field].(float64)
	if !ok {
		p.Fatalf("kairos %v has no number %q: %v", args, field, lines[0])
	}
	return int(n)
}
