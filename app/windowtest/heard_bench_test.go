//go:build window

package windowtest

import (
	"context"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// The names of AT-SPI 2 that a client needs.
const (
	atspi        = "org.a11y.atspi."
	registryPath = "/org/a11y/atspi/registry"
)

// readers are the screen readers of a desktop: its bus of accessibility, which is that of the session, with its registry, and
// one that listens to all events and asks about each object, as Orca does, while it is there.
type readers struct {
	*desktop
	registry *dbus.Conn
	embedded chan struct{}
	events   atomic.Int64 // that were heard
}

// startReaders starts what stands around screen readers, none of which is there yet.
func (d *desktop) startReaders() *readers {
	d.Helper()
	d.startBus()
	r := &readers{desktop: d, registry: d.connect(), embedded: make(chan struct{}, 10)}
	export := func(to *dbus.Conn, path dbus.ObjectPath, face string, methods map[string]any) {
		if err := to.ExportMethodTable(methods, path, face); err != nil {
			d.Fatal(err)
		}
	}
	export(d.bus, "/org/a11y/bus", "org.a11y.Bus", map[string]any{"GetAddress": func() (string, *dbus.Error) { return d.address, nil }})
	export(d.bus, "/org/a11y/bus", "org.freedesktop.DBus.Properties", map[string]any{"Get": func(string, string) (dbus.Variant, *dbus.Error) {
		return dbus.MakeVariant(true), nil
	}})
	type reference struct {
		Bus  string
		Path dbus.ObjectPath
	}
	root := reference{r.registry.Names()[0], "/org/a11y/atspi/accessible/root"}
	export(r.registry, root.Path, atspi+"Socket", map[string]any{"Embed": func(reference) (reference, *dbus.Error) {
		r.embedded <- struct{}{}
		return root, nil
	}})
	export(r.registry, registryPath, atspi+"Registry", map[string]any{"GetRegisteredEvents": func() ([]struct{ Bus, Event string }, *dbus.Error) {
		return nil, nil
	}})
	for bus, name := range map[*dbus.Conn]string{d.bus: "org.a11y.Bus", r.registry: atspi + "Registry"} {
		if _, err := bus.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
			d.Fatal(err)
		}
	}
	return r
}

func (d *desktop) connect() *dbus.Conn {
	d.Helper()
	bus, err := dbus.Connect(d.address)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { bus.Close() })
	return bus
}

// listen has a screen reader listen until the function it returns is called.
func (r *readers) listen() (leave func()) {
	r.Helper()
	client := r.connect()
	if err := client.AddMatchSignal(dbus.WithMatchOption("eavesdrop", "true"), dbus.WithMatchOption("path_namespace", "/org/a11y/atspi/accessible")); err != nil {
		r.Fatal(err)
	}
	signals := make(chan *dbus.Signal, 1000)
	client.Signal(signals)
	go func() {
		for s := range signals {
			if !strings.HasPrefix(s.Name, atspi+"Event.") {
				continue
			}
			r.events.Add(1)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			of := client.Object(s.Sender, s.Path)
			for _, method := range []string{"GetRole", "GetState", "GetAttributes", "GetRelationSet"} {
				of.CallWithContext(ctx, atspi+"Accessible."+method, 0)
			}
			of.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, atspi+"Accessible", "Name")
			cancel()
		}
	}()
	if err := r.registry.Emit(registryPath, atspi+"Registry.EventListenerRegistered", client.Names()[0], "object:", []string{}); err != nil {
		r.Fatal(err)
	}
	return func() { client.Close() }
}

// BenchmarkKeysHeard measures how long after a key the window is painted, with 500 feeds and 100,000 articles, by turns with a
// screen reader that listens to everything and with none: the medians of each kind, and by how much they differ at most.
func BenchmarkKeysHeard(b *testing.B) {
	kairos, data := binary(b, buildShipped), filepath.Join(b.TempDir(), "data")
	fill(b, data, 500, 200)
	pause(b, data)
	d := newDesktop(b)
	r := d.startReaders()
	p := d.start(kairos, data)
	<-r.embedded
	s, h := d.framebuffer(), d.startXdotool()
	d.until("the list is painted", func() bool { return s.filled(listPart, 3000) })
	h.do("mousemove 1279 799")
	<-time.After(2 * time.Second)
	took := [2]map[string][]time.Duration{{}, {}}
	for b.Loop() {
		for heard := range 2 {
			leave := func() {}
			if heard == 1 {
				leave = r.listen()
			}
			<-time.After(time.Second)
			before := r.events.Load()
			s.keys(h, took[heard])
			leave()
			<-time.After(time.Second)
			if events := r.events.Load() - before; heard == 1 && events < 20 || heard == 0 && events > 0 {
				b.Fatalf("%d events were heard", events)
			}
		}
	}
	most := time.Duration(0)
	for what, times := range took[1] {
		slices.Sort(times)
		slices.Sort(took[0][what])
		alone, heard := took[0][what][len(times)/2], times[len(times)/2]
		most = max(most, heard-alone)
		b.ReportMetric(ms(alone), "ms-"+what)
		b.ReportMetric(ms(heard), "ms-"+what+"-heard")
	}
	b.ReportMetric(ms(most), "ms-more-at-most")
	b.ReportMetric(float64(r.events.Load())/float64(b.N), "events/op")
	d.key("ctrl+q")
	p.end()
}

// keys presses the keys of reading and writes down how long each took.
func (s *framebuffer) keys(h *xdotoolSession, took map[string][]time.Duration) {
	key := func(what string, part image.Rectangle, name string) {
		took[what] = append(took[what], s.painted(part, func() { h.do("key --delay 0 " + name) }))
	}
	for range 4 {
		key("starred", listPart, "ctrl+4")
		key("all", listPart, "ctrl+1")
	}
	h.do("key --delay 0 ctrl+2")
	<-time.After(settled)
	for range 8 {
		key("next-unread", articlePart, "n")
	}
	for range 4 {
		key("page", articlePart, "space")
	}
	h.do("key --delay 0 ctrl+5")
	<-time.After(2 * time.Second)
	for range 6 {
		key("place", listPart, "bracketright")
	}
	key("all", listPart, "ctrl+1")
	h.do("key slash")
	for _, letter := range []string{"1", "7", "3"} {
		key("search-key", listPart, letter)
	}
	h.do("key Escape")
}
