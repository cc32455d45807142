package messagebus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

const (
	testPath = dbus.ObjectPath("/a/test")
	testFace = "a.test.Face"
)

// Who listens hears what it has asked for, in its order, although others listen over the same connection.
func TestListenersShareAConnection(t *testing.T) {
	other := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	conn, err := Session().Connection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Session().Connection(t.Context()); again != conn || err != nil {
		t.Errorf("a second connection, %v", err)
	}
	type heard struct {
		by   string
		what int32
	}
	all, begun := make(chan heard, 100), make(chan bool, 2)
	for by, m := range map[string]Match{
		"one": {Path: testPath, Interface: testFace, Member: "Changed", Arg0: "one"},
		"two": {Below: "/a", Interface: testFace, Member: "Changed", Arg0: "two"},
	} {
		go Listen(t.Context(), conn, func() error { begun <- true; return nil }, func(s *dbus.Signal) bool {
			all <- heard{by, s.Body[1].(int32)}
			return s.Body[1].(int32) == 3
		}, m)
	}
	<-begun
	<-begun
	emit := func(path dbus.ObjectPath, member, to string, n int32) {
		if err := other.Emit(path, testFace+"."+member, to, n); err != nil {
			t.Fatal(err)
		}
	}
	emit(testPath, "Another", "one", 1)
	emit("/another", "Changed", "one", 1)
	emit("/another", "Changed", "two", 1)
	for n := range int32(3) {
		emit(testPath, "Changed", "one", n+1)
	}
	for n := range int32(3) {
		if got := <-all; got != (heard{"one", n + 1}) {
			t.Errorf("heard %v", got)
		}
	}
	emit(testPath, "Changed", "one", 4) // to nobody
	emit("/a/b/c", "Changed", "two", 3)
	if got := <-all; got != (heard{"two", 3}) {
		t.Errorf("heard %v", got)
	}
}

// A bus that was not there, or that was lost, is listened to once it has come.
func TestBusComesBack(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if _, err := Session().Connection(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("without a bus: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	begun, lost, heard, ended := make(chan bool), make(chan bool, 2), make(chan string), make(chan bool)
	go func() {
		defer close(ended)
		Session().Watch(ctx, func(ctx context.Context, _ *dbus.Conn) {
			context.AfterFunc(ctx, func() { lost <- true })
			begun <- true
		}, func(_ context.Context, _ *dbus.Conn, s *dbus.Signal) { heard <- s.Name }, Match{Interface: testFace})
	}()
	for _, name := range []string{"first", "second"} {
		var other *dbus.Conn
		t.Run(name, func(t *testing.T) {
			other = bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
			<-begun
			if err := other.Emit(testPath, testFace+".Changed"); err != nil {
				t.Fatal(err)
			}
			if name := <-heard; name != testFace+".Changed" {
				t.Errorf("heard %s", name)
			}
		})
		<-lost
	}
	cancel()
	<-ended
}

// Nothing is started where there is no session, and nothing waits for a bus that does not answer.
func TestWithoutSession(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	if _, err := Session().Connection(t.Context()); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		t.Errorf("a bus was started at %s", address)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Session().Connection(ended); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
