//go:build !windows && !darwin

package tray

import (
	"context"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

// panel is the tray of a desktop.
type panel struct{ registered chan dbus.Sender }

// RegisterStatusNotifierItem is org.kde.StatusNotifierWatcher.RegisterStatusNotifierItem.
func (p *panel) RegisterStatusNotifierItem(item string, sender dbus.Sender) *dbus.Error {
	if item == itemPath {
		p.registered <- sender
	}
	return nil
}

// A session may start Kairos before its panel, and panels are restarted. There is one icon in a process, and so one test.
func TestIcon(t *testing.T) {
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	p := &panel{make(chan dbus.Sender, 100)}
	if err := bus.Export(p, watcherPath, watcher); err != nil {
		t.Fatal(err)
	}
	tasks, done := make(chan func(), 100), make(chan string, 10)
	note := func(what string) func() { return func() { done <- what } }
	tray := New(func(f func()) { tasks <- f }, Actions{Show: note("show"), Refresh: note("refresh"), Quit: note("quit")})
	tray.SetUnread(7, "7")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		tray.Watch(ctx)
		close(ended)
	}()
	defer func() {
		stop()
		<-ended
	}()
	own := func() {
		t.Helper()
		if _, err := bus.RequestName(watcher, dbus.NameFlagDoNotQueue); err != nil {
			t.Fatal(err)
		}
	}
	run := func() string {
		for {
			select {
			case f := <-tasks:
				f()
			case what := <-done:
				return what
			}
		}
	}
	if _, err := bus.ReleaseName(watcher); err != nil {
		t.Fatal(err)
	}
	own()
	(<-tasks)() // shows the icon
	sender := string(<-p.registered)
	item, menu := bus.Object(sender, itemPath), bus.Object(sender, "/StatusNotifierItem/menu")

	var labels []string
	labelsNow := func() (ids map[string]int32) {
		t.Helper()
		var revision uint32
		var layout struct {
			ID       int32
			Values   map[string]dbus.Variant
			Children []dbus.Variant
		}
		if err := menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &layout); err != nil {
			t.Fatal(err)
		}
		ids, labels = map[string]int32{}, nil
		for _, child := range layout.Children {
			entry := child.Value().([]any)
			if label, ok := entry[1].(map[string]dbus.Variant)["label"].Value().(string); ok {
				ids[label], labels = entry[0].(int32), append(labels, label)
			}
		}
		return ids
	}
	ids := labelsNow()
	if len(labels) != 3 || labels[0] != "Show Kairos (7)" || labels[1] != "Refresh" || labels[2] != "Quit" {
		t.Errorf("the menu is %q", labels)
	}
	tray.SetUnread(0, "")
	if labelsNow(); labels[0] != "Show Kairos" {
		t.Errorf("with nothing unread the menu is %q", labels)
	}

	for label, want := range map[string]string{"Show Kairos (7)": "show", "Refresh": "refresh", "Quit": "quit"} {
		// The library drops a click while the one before is still being passed on.
		menu.Go("com.canonical.dbusmenu.Event", 0, nil, ids[label], "clicked", dbus.MakeVariant(""), uint32(0))
		if got := run(); got != want {
			t.Errorf("%s: %s", label, got)
		}
	}
	item.Go("org.kde.StatusNotifierItem.Activate", 0, nil, int32(0), int32(0))
	if got := run(); got != "show" {
		t.Errorf("a click on the icon: %s", got)
	}

	// A signal that the library takes for the end of the bus, then a panel that restarts.
	shared, err := dbus.SessionBus()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shared.RequestName("org.kairos.Test", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.ReleaseName(watcher); err != nil {
		t.Fatal(err)
	}
	for len(p.registered) > 0 {
		<-p.registered
	}
	own()
	(<-tasks)()
	if again := string(<-p.registered); again != sender {
		t.Errorf("another program registered: %s", again)
	}
}

// Without a bus there is no tray.
func TestWithoutBus(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	New(func(func()) { t.Error("a tray") }, Actions{}).Watch(ctx)
}
