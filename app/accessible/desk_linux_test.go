package accessible

import (
	"context"
	"fmt"
	"image"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

// desk is what stands around a program: one bus that is both that of the session and that of accessibility, the
// launcher that reports it, and the registry.
type desk struct {
	t       *testing.T
	bus     *dbus.Conn
	address string

	mu       sync.Mutex
	enabled  bool
	embedded chan string // names of programs
}

func newDesk(t *testing.T, enabled bool) *desk {
	t.Helper()
	t.Setenv("AT_SPI_BUS_ADDRESS", "")
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	d := &desk{t: t, bus: bus, address: os.Getenv("DBUS_SESSION_BUS_ADDRESS"), enabled: enabled, embedded: make(chan string, 10)}
	d.export(d.launcher(), busPath, busName)
	d.export(map[string]any{"Get": func(_, property string) (dbus.Variant, *dbus.Error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		return dbus.MakeVariant(property == "IsEnabled" && d.enabled), nil
	}}, busPath, propsFace)
	d.own(busName)
	return d
}

func (d *desk) launcher() map[string]any {
	return map[string]any{"GetAddress": func() (string, *dbus.Error) { return d.address, nil }}
}

func (d *desk) export(methods map[string]any, path dbus.ObjectPath, face string) {
	d.t.Helper()
	if err := d.bus.ExportMethodTable(methods, path, face); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) own(name string) {
	d.t.Helper()
	if _, err := d.bus.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
		d.t.Fatal(err)
	}
}

// openRegistry lets programs be registered from now on, on a connection of its own: it is no client.
func (d *desk) openRegistry() *dbus.Conn {
	d.t.Helper()
	registry := d.connect()
	desktop := reference{registry.Names()[0], rootPath}
	for _, each := range []struct {
		path    dbus.ObjectPath
		face    string
		methods map[string]any
	}{
		{rootPath, socketFace, map[string]any{"Embed": func(plug reference) (reference, *dbus.Error) {
			set := registry.Object(plug.Bus, plug.Path).Call(propsFace+".Set", 0, faces+"Application", "Id", dbus.MakeVariant(int32(7)))
			if set.Err != nil {
				d.t.Errorf("the registry sets the ID: %v", set.Err)
			}
			d.embedded <- plug.Bus
			return desktop, nil
		}}},
		{registryPath, registryName, map[string]any{"GetRegisteredEvents": func() ([]struct{ Bus, Event string }, *dbus.Error) {
			return nil, nil
		}}},
	} {
		if err := registry.ExportMethodTable(each.methods, each.path, each.face); err != nil {
			d.t.Fatal(err)
		}
	}
	if _, err := registry.RequestName(registryName, dbus.NameFlagDoNotQueue); err != nil {
		d.t.Fatal(err)
	}
	return registry
}

func (d *desk) connect() *dbus.Conn {
	d.t.Helper()
	bus, err := dbus.Connect(d.address)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = bus.Close() })
	return bus
}

// enable is what the desktop does when a screen reader is started or ended.
func (d *desk) enable(on bool) {
	d.t.Helper()
	d.mu.Lock()
	d.enabled = on
	d.mu.Unlock()
	changed := map[string]dbus.Variant{"IsEnabled": dbus.MakeVariant(on)}
	if err := d.bus.Emit(busPath, propsFace+".PropertiesChanged", statusFace, changed, []string{}); err != nil {
		d.t.Fatal(err)
	}
}

// kill ends the bus as a crash would.
func (d *desk) kill() {
	d.t.Helper()
	var pid int
	if err := d.bus.BusObject().Call(daemon+".GetConnectionUnixProcessID", 0, daemon).Store(&pid); err != nil {
		d.t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		d.t.Fatal(err)
	}
}

// fakeWindow is an App that writes down what it is asked.
type fakeWindow struct {
	listens chan bool
	asked   chan string
	hangs   chan struct{} // full while nothing is answered
}

func newFakeWindow() *fakeWindow {
	return &fakeWindow{listens: make(chan bool, 100), asked: make(chan string, 2000), hangs: make(chan struct{}, 1)}
}

func (w *fakeWindow) ask(ctx context.Context, what string, args ...any) bool {
	select {
	case w.hangs <- struct{}{}:
		<-w.hangs
	case <-ctx.Done():
		return false
	}
	w.asked <- what + fmt.Sprint(args...)
	return true
}

func (w *fakeWindow) Listen(on bool) { w.listens <- on }
func (w *fakeWindow) Do(ctx context.Context, id ID, action int) bool {
	return w.ask(ctx, "do ", id, " ", action)
}
func (w *fakeWindow) Focus(ctx context.Context, id ID) bool { return w.ask(ctx, "focus ", id) }
func (w *fakeWindow) Select(ctx context.Context, id ID, on bool) bool {
	return w.ask(ctx, "select ", id, " ", on)
}
func (w *fakeWindow) Replace(ctx context.Context, id ID, from, to int, text string) bool {
	return w.ask(ctx, "replace ", id, " ", from, " ", to, " "+text)
}
func (w *fakeWindow) SelectText(ctx context.Context, id ID, from, to int) bool {
	return w.ask(ctx, "select text ", id, " ", from, " ", to)
}
func (w *fakeWindow) SetValue(ctx context.Context, id ID, value float64) bool {
	return w.ask(ctx, "value ", id, " ", value)
}
func (w *fakeWindow) ScrollTo(ctx context.Context, id ID, from, to int) bool {
	return w.ask(ctx, "scroll ", id, " ", from, " ", to)
}
func (w *fakeWindow) Origin(context.Context) (image.Point, bool) { return image.Pt(100, 50), true }
func (w *fakeWindow) TextBounds(_ context.Context, _ ID, from, to int) (image.Rectangle, bool) {
	return image.Rect(10*from, 0, 10*to, 20), true
}
func (w *fakeWindow) OffsetAt(_ context.Context, _ ID, at image.Point) (int, bool) {
	return at.X / 10, true
}

// page is a small window: a list of feeds, an article with a heading and a paragraph with a link, a field, a check box
// and a table.
func page() *Tree {
	t := &Tree{Focus: 11, Nodes: map[ID]*Node{}, Explains: map[ID]ID{43: 44}}
	for _, n := range []*Node{
		{ID: 1, Role: RoleFrame, Name: "Kairos", States: Active, Bounds: image.Rect(0, 0, 800, 600), Children: []ID{10, 20, 30, 31, 32, 40}},
		{ID: 10, Role: RoleList, Name: "Feeds", Bounds: image.Rect(0, 0, 200, 600), Children: []ID{11, 12}},
		{ID: 11, Role: RoleListItem, Name: "All, 12 unread", States: Selectable | Selected | Focusable, PosInSet: 1, SetSize: 40, Bounds: image.Rect(0, 0, 200, 30)},
		{ID: 12, Role: RoleListItem, Name: "Planet Gnome", States: Selectable | Focusable, PosInSet: 2, SetSize: 40, Bounds: image.Rect(0, 30, 200, 60)},
		{ID: 20, Role: RoleDocument, Name: "Größe", URL: "https://a.test/1", Bounds: image.Rect(200, -100, 800, 700), Shown: image.Rect(200, 40, 800, 560), Children: []ID{21, 22}},
		{ID: 21, Role: RoleHeading, Level: 2, Text: &Text{Content: "Größe", Caret: -1}},
		{ID: 22, Role: RoleParagraph, Language: "de", Children: []ID{23}, Text: &Text{
			Content: "Lies größere Zeilen. Und mehr.", Caret: 0, Select: [2]int{5, 12}, Lines: []int{13},
			Runs: []Run{{From: 5, To: 12, Bold: true}}, Links: []Link{{From: 13, To: 19, Child: 23}}}},
		{ID: 23, Role: RoleLink, Name: "Zeilen", URL: "https://a.test/2", Actions: []Action{{Name: "open", Label: "Öffnen"}}},
		{ID: 30, Role: RoleEntry, Name: "Search", States: Editable | Focusable, Placeholder: "Words", Text: &Text{Content: "gnome"}},
		{ID: 31, Role: RoleCheckBox, Name: "Full text", States: Checkable | Checked | Focusable, Shortcut: "Ctrl+Shift+F", Actions: []Action{{Name: "toggle"}}},
		{ID: 32, Role: RoleSlider, Name: "Fetches a day", Value: &Value{Now: 8, Max: 24, Step: 1, Text: "8 fetches"}},
		{ID: 40, Role: RoleTable, Children: []ID{41, 42, 43, 44}},
		{ID: 41, Role: RoleColumnHeader, Name: "Feed", Cell: &Cell{}},
		{ID: 42, Role: RoleColumnHeader, Name: "Delay", Cell: &Cell{Column: 1}},
		{ID: 43, Role: RoleRowHeader, Name: "A", Cell: &Cell{Row: 1}},
		{ID: 44, Role: RoleTableCell, Name: "3 h", Cell: &Cell{Row: 1, Column: 1}},
	} {
		if n.Shown.Empty() {
			n.Shown = n.Bounds
		}
		t.Nodes[n.ID] = n
	}
	return t
}

// soon is a retry without a wait.
func soon(int) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

// reader is a client.
type reader struct {
	t       *testing.T
	bus     *dbus.Conn
	program string
	signals chan *dbus.Signal
}

func newReader(d *desk, program string) *reader {
	d.t.Helper()
	r := &reader{d.t, d.connect(), program, make(chan *dbus.Signal, 1000)}
	r.bus.Signal(r.signals)
	for _, face := range []string{"Object", "Window"} {
		if err := r.bus.AddMatchSignal(dbus.WithMatchInterface(eventFace + face)); err != nil {
			d.t.Fatal(err)
		}
	}
	return r
}

func (r *reader) call(id ID, method string, args ...any) *dbus.Call {
	path := rootPath
	if id != 0 {
		path = pathOf(id)
	}
	return r.bus.Object(r.program, path).Call(faces+method, 0, args...)
}

// ask is what a method answers, as text.
func (r *reader) ask(id ID, method string, args ...any) string {
	call := r.call(id, method, args...)
	if call.Err != nil {
		return "error"
	}
	answer := fmt.Sprint(call.Body)
	return answer[1 : len(answer)-1]
}

func (r *reader) property(id ID, face, name string) any {
	path := rootPath
	if id != 0 {
		path = pathOf(id)
	}
	var v dbus.Variant
	if err := r.bus.Object(r.program, path).Call(propsFace+".Get", 0, faces+face, name).Store(&v); err != nil {
		return err
	}
	return v.Value()
}

// hear is the next event of a kind, as text.
func (r *reader) hear(event string) string {
	r.t.Helper()
	for {
		s := <-r.signals
		if s.Name == eventFace+event {
			return fmt.Sprintf("%s %v %v %v", strings.TrimPrefix(string(s.Path), nodePaths), s.Body[0], s.Body[1], s.Body[3].(dbus.Variant).Value())
		}
	}
}

// open starts a service for a window that shows page and a client that reads it.
func open(t *testing.T) (*desk, *fakeWindow, *Service, *reader) {
	t.Helper()
	d := newDesk(t, true)
	d.openRegistry()
	w := newFakeWindow()
	s := start("Kairos", w, soon)
	t.Cleanup(s.Close)
	r := newReader(d, <-d.embedded)
	go func() { r.call(0, "Accessible.GetChildren") }()
	if !<-w.listens {
		t.Fatal("Listen(false)")
	}
	s.Update(page())
	r.hear("Window.Create")
	return d, w, s, r
}
