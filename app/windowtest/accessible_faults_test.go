//go:build window && accessible

package windowtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// stopAccessibility ends at-spi2-core, as when it crashes. Where somebody asks for it the session starts it again, but it is
// not switched on.
func (d *desktop) stopAccessibility() {
	d.Helper()
	owner := func() (pid uint32) {
		if d.owned("org.a11y.Bus") {
			_ = d.bus.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, "org.a11y.Bus").Store(&pid)
		}
		return pid
	}
	pid := owner()
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", pid))
	for _, child := range append(strings.Fields(string(children)), fmt.Sprint(pid)) { // its bus, and itself
		if n, err := strconv.Atoi(child); err == nil && n > 1 {
			syscall.Kill(n, syscall.SIGKILL)
		}
	}
	d.until("accessibility has ended", func() bool { return owner() != pid })
}

// accessibilityBus connects to the bus of accessibility, and returns the name that the program called name has there, "" if
// it has none.
func (d *desktop) accessibilityBus(name string) (bus *dbus.Conn, program string) {
	d.Helper()
	var address string
	if err := d.bus.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.a11y.Bus.GetAddress", 0).Store(&address); err != nil {
		d.Fatal(err)
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		d.Fatal(err)
	}
	var programs []struct {
		Bus  string
		Path dbus.ObjectPath
	}
	const root = "/org/a11y/atspi/accessible/root"
	if err := bus.Object("org.a11y.atspi.Registry", root).Call("org.a11y.atspi.Accessible.GetChildren", 0).Store(&programs); err != nil {
		return bus, ""
	}
	for _, p := range programs {
		if v, err := bus.Object(p.Bus, p.Path).GetProperty("org.a11y.atspi.Accessible.Name"); err == nil && v.Value() == name {
			return bus, p.Bus
		}
	}
	return bus, ""
}

// flood asks a program without end and without listening, for what is there and what is not, and is gone before it is
// answered.
func flood(bus *dbus.Conn, program string) {
	defer bus.Close()
	for i := range 1500 {
		for _, call := range []struct {
			path, method string
			args         []any
		}{
			{fmt.Sprint("accessible/", 1<<40+i), "Accessible.GetRole", nil},
			{fmt.Sprint("accessible/", i), "Accessible.GetChildren", nil},
			{fmt.Sprint("accessible/", i), "Component.GetExtents", []any{uint32(0)}},
			{fmt.Sprint("accessible/", i), "Text.GetText", []any{int32(0), int32(-1)}},
			{fmt.Sprint("accessible/", 1<<40+i), "Action.DoAction", []any{int32(i)}},
			{fmt.Sprint("accessible/", i), "Action.DoAction", []any{int32(99)}},
			{"accessible/root", "Accessible.GetChildren", []any{"too", "many"}},
		} {
			if bus.Object(program, dbus.ObjectPath("/org/a11y/atspi/"+call.path)).Go("org.a11y.atspi."+call.method, 0, make(chan *dbus.Call, 1), call.args...).Err != nil {
				return
			}
		}
	}
}

// resident is the memory of a program, in kilobytes.
func resident(t *testing.T, pid int) (kB int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		t.Fatal(err)
	}
	return kB
}

// Accessibility that comes late, ends and comes again, and clients that flood and die in the middle: the real window goes
// on, is told, and grows by nothing.
func TestAccessibleFaults(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveFeeds))
	defer server.Close()
	d := newAccessibleDesktop(t)
	d.stopAccessibility()
	p := &program{desktop: d, binary: binary(t, buildChecked), data: filepath.Join(t.TempDir(), "data")}
	p.verb("add", server.URL+"/gazette.xml")
	p = d.start(p.binary, p.data)
	d.until("the window opens", func() bool { return d.title() != "" })

	told := func() string { return d.client("testdata/reader/tree.py", "Kairos") }
	isTold := func() {
		t.Helper()
		d.until("Kairos is there for clients", func() bool {
			bus, program := d.accessibilityBus("Kairos")
			bus.Close()
			return program != ""
		})
		d.until("it is told", func() bool { return strings.Contains(told(), "list item 'Lamps of the harbour, part 0") })
	}
	d.startAccessibility() // late
	isTold()

	var sizes []int
	for range 4 {
		var floods sync.WaitGroup
		for range 3 {
			bus, program := d.accessibilityBus("Kairos")
			floods.Go(func() { flood(bus, program) })
		}
		floods.Wait()
		isTold()
		sizes = append(sizes, resident(t, p.cmd.Process.Pid))
	}
	if grown := min(sizes[2], sizes[3]) - max(sizes[0], sizes[1]); grown > 15_000 { // between two collections of garbage it may
		t.Errorf("it grows with each flood: %v kB", sizes)
	}

	d.stopAccessibility()
	d.key("j") // it goes on without
	d.until("an article is read", func() bool { return strings.HasPrefix(d.title(), "(11)") })
	d.startAccessibility()
	isTold()
	d.key("ctrl+n")
	d.until("a dialog is told", func() bool { return strings.Contains(told(), "dialog 'Add a feed'") })
	d.key("Escape")
	d.until("it is gone", func() bool { return !strings.Contains(told(), "dialog 'Add a feed'") })
	d.key("ctrl+q")
	p.end()
	t.Logf("%v kB after each flood", sizes)
}
