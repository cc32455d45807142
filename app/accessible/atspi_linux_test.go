//go:build accessible

package accessible

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The program that starts the bus of accessibility, and the Python that Debian's python3-pyatspi is for.
const (
	busLauncher = "/usr/libexec/at-spi-bus-launcher"
	python      = "/usr/bin/python3"
)

// startDesktop starts a session bus with the accessibility of the desktop on it, switched on.
func startDesktop(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(busLauncher); err != nil {
		t.Skip("skipped: no at-spi2-core")
	}
	if exec.Command(python, "-c", "import pyatspi").Run() != nil {
		t.Skip("skipped: no python3-pyatspi")
	}
	t.Setenv("AT_SPI_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("GSETTINGS_BACKEND", "memory")
	t.Setenv("DISPLAY", startScreen(t)) // the registry ends without one
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	signals := make(chan *dbus.Signal, 10)
	bus.Signal(signals)
	if err := bus.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, busName)); err != nil {
		t.Fatal(err)
	}
	launcher := exec.Command(busLauncher, "--launch-immediately")
	launcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts a bus, which starts a registry
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-launcher.Process.Pid, syscall.SIGKILL); _ = launcher.Wait() })
	for s := <-signals; !strings.HasSuffix(s.Name, ".NameOwnerChanged"); {
		s = <-signals
	}
	set := bus.Object(busName, busPath).Call(propsFace+".Set", 0, statusFace, "IsEnabled", dbus.MakeVariant(true))
	if set.Err != nil {
		t.Fatal(set.Err)
	}
}

// startScreen starts an X server and returns its name.
func startScreen(t *testing.T) string {
	t.Helper()
	server := exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if server.Start() != nil {
		t.Skip("skipped: no Xvfb")
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	number, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Skip("skipped: Xvfb does not run here")
	}
	return ":" + strings.TrimSpace(number)
}

// libatspi, through which Orca reads, finds the tree with all that is in it, uses it, and hears what changes.
func TestLibatspiReadsTheTree(t *testing.T) {
	startDesktop(t)
	w := newFakeWindow()
	s := start("Kairos", w, soon)
	defer s.Close()
	go func() {
		for on := range w.listens {
			if on {
				s.Update(page())
			}
		}
	}()
	waitRegistered(t)

	client := exec.Command(python, "testdata/readtree.py", "Kairos")
	client.Stderr = os.Stderr
	out, err := client.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = client.Process.Kill() })
	defer kill.Stop()
	var said []string
	steps := append(story(), nil)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		// Each step of the story begins when the client has heard the one before, so that none are merged.
		if len(steps) > 0 && (lines.Text() == "READY" || strings.Contains(lines.Text(), "'heard'")) {
			s.Update(steps[0])
			s.Announce(map[bool]string{true: "done", false: "heard"}[steps[0] == nil], Polite)
			steps = steps[1:]
		}
	}
	if err := client.Wait(); err != nil {
		t.Errorf("the client ends with %v", err)
	}
	var asked []string
	for len(w.asked) > 0 {
		asked = append(asked, "asked "+<-w.asked)
	}
	golden(t, "testdata/readtree.txt", strings.Join(slices.Concat(said, asked), "\n")+"\n")
}

// story is what the window shows after page: the focus moves, a box is unchecked, a dialog comes and takes the focus,
// and goes.
func story() []*Tree {
	var all []*Tree
	next := func(change func(*Tree)) {
		t := page()
		change(t)
		all = append(all, t)
	}
	next(func(t *Tree) {
		t.Focus = 12
		t.Nodes[11].States, t.Nodes[12].States = t.Nodes[12].States, t.Nodes[11].States
		t.Nodes[31].States &^= Checked
	})
	next(func(t *Tree) {
		t.Nodes[1].Children = append(t.Nodes[1].Children, 50)
		t.Nodes[50] = &Node{ID: 50, Role: RoleDialog, Name: "Add a feed", Children: []ID{51}}
		t.Nodes[51] = &Node{ID: 51, Role: RoleEntry, Name: "Address", States: Focusable | Editable, Text: &Text{Content: "https"}}
		t.Focus = 51
	})
	next(func(t *Tree) { t.Focus = 11 })
	next(func(t *Tree) { t.Nodes[1].States &^= Active })
	return all
}

// waitRegistered waits until the registry knows a program.
func waitRegistered(t *testing.T) {
	t.Helper()
	session, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var address string
	if err := session.Object(busName, busPath).Call(busName+".GetAddress", 0).Store(&address); err != nil {
		t.Fatal(err)
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	for deadline := time.Now().Add(20 * time.Second); ; {
		v, err := bus.Object(registryName, rootPath).GetProperty(faces + "Accessible.ChildCount")
		if err == nil && v.Value() != int32(0) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not registered: %v %v", v, err)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(file)
	if got != string(want) {
		t.Errorf("this differs from %s:\n%s", file, got)
	}
}
