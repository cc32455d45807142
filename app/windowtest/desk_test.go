//go:build window

package windowtest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything on screen may take before the test fails. It is
// long because a loaded machine is no fault of the program.
const patience = 40 * time.Second

var buildDir string

// build builds the program, once per test run.
var build = sync.OnceValues(func() (name string, err error) {
	if buildDir, err = os.MkdirTemp("", "kairos-build-"); err != nil {
		return "", err
	}
	name = filepath.Join(buildDir, "kairos")
	if out, err := exec.Command("go", "build", "-tags", "no_metadata", "-o", name, "kairos").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return name, nil
})

func binary(tb testing.TB) string {
	tb.Helper()
	name, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	return name
}

// desk is an X server and a home folder for the programs started on it.
type desk struct {
	testing.TB
	display string
	home    string
	shots   string
	look    string // light unless it says dark
	frames  string // where the server keeps its screen
}

// newDesk starts an X server. One that is missing is a failure: what nobody has
// looked at is not tested.
func newDesk(tb testing.TB) *desk {
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
	// Without -noreset it starts anew when its last client is killed, and turns away who comes meanwhile.
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset", "-fbdir", frames)
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
	d := &desk{TB: tb, frames: frames, display: ":" + strings.TrimSpace(number), home: tb.TempDir(), shots: os.Getenv("KAIROS_SHOTS")}
	if d.shots == "" {
		d.shots = filepath.Join("..", "..", "build", "window")
	}
	if err := os.MkdirAll(d.shots, 0o755); err != nil {
		tb.Fatal(err)
	}
	return d
}

func (d *desk) env() []string {
	return append(os.Environ(), "DISPLAY="+d.display, "HOME="+d.home, "LANG=en_US.UTF-8", "LC_ALL=", "FYNE_SCALE=1", "FYNE_THEME="+cmp.Or(d.look, "light"),
		"XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR="+d.home, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere", "WAYLAND_DISPLAY=")
}

// tool runs a program on the desk and returns what it printed.
func (d *desk) tool(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Env = d.env()
	out, err := c.Output()
	return string(out), err
}

// do is what hands do: xdotool's arguments.
func (d *desk) do(args ...string) {
	d.Helper()
	if out, err := d.tool("xdotool", args...); err != nil {
		d.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

func (d *desk) key(keys ...string) {
	d.Helper()
	for _, k := range keys {
		d.do("key", "--clearmodifiers", k)
	}
}

// write types text. A pause between the keys is what people make too.
func (d *desk) write(text string) {
	d.Helper()
	d.do("type", "--delay", "8", text)
}

// until waits for something to come true.
func (d *desk) until(what string, f func() bool) {
	d.Helper()
	end := time.Now().Add(patience)
	for !f() {
		if time.Now().After(end) {
			d.shot("failed")
			d.Fatalf("never happened: %s", what)
		}
		<-time.After(60 * time.Millisecond)
	}
}

// title is the window's title, "" while there is no window.
func (d *desk) title() string {
	ids, err := d.tool("xdotool", "search", "--onlyvisible", "--name", "Kairos")
	if err != nil {
		return ""
	}
	id, _, _ := strings.Cut(strings.TrimSpace(ids), "\n")
	name, _ := d.tool("xdotool", "getwindowname", id)
	return strings.TrimSpace(name)
}

// clipboard is what was copied.
func (d *desk) clipboard() string {
	text, err := d.tool("xclip", "-o", "-selection", "clipboard")
	if err != nil {
		return ""
	}
	return text
}

// shot keeps a picture of the screen and returns it.
func (d *desk) shot(name string) image.Image {
	d.Helper()
	file := filepath.Join(d.shots, name+".png")
	if out, err := d.tool("import", "-window", "root", file); err != nil {
		d.Fatalf("screenshot: %v %s", err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		d.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		d.Fatal(err)
	}
	return img
}

// ink counts the pixels of a part of the screen that differ from its commonest
// colour: an empty pane has none.
func ink(img image.Image, part image.Rectangle) int {
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
	*desk
	binary, data string
	cmd          *exec.Cmd
	log          bytes.Buffer
	ended        chan error
}

// start opens the window on the data folder and waits until it is there.
func (d *desk) start(binary, data string, args ...string) *program {
	d.Helper()
	p := &program{desk: d, binary: binary, data: data, ended: make(chan error, 1)}
	p.cmd = exec.Command(binary, append([]string{"--data", data}, args...)...)
	p.cmd.Env = d.env()
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		d.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	d.Cleanup(func() { p.cmd.Process.Kill() })
	return p
}

// kill ends the program at once, as a crash of the machine's power would.
func (p *program) kill() {
	p.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		p.Fatal(err)
	}
	<-p.ended
	p.checkLog()
}

// end waits for the program to end by itself.
func (p *program) end() {
	p.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.Errorf("Kairos ended with %v\n%s", err, p.log.String())
		}
	case <-time.After(patience):
		p.Fatal("Kairos did not end")
	}
	p.checkLog()
}

const threadError = "Error in Fyne call thread"

// checkLog fails on what Fyne says of calls off its goroutine, and on panics.
func (p *program) checkLog() {
	p.Helper()
	for _, bad := range []string{threadError, "panic:", "fatal error:", "DATA RACE"} {
		if strings.Contains(p.log.String(), bad) {
			p.Errorf("Kairos said:\n%s", p.log.String())
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

// number is a number out of the first line a verb prints.
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
