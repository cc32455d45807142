package power

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// properties is a UPower that knows one property.
type properties struct{ battery atomic.Bool }

// Get is org.freedesktop.DBus.Properties.Get.
func (p *properties) Get(face, name string) (dbus.Variant, *dbus.Error) {
	if face != upower || name != "OnBattery" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
	}
	return dbus.MakeVariant(p.battery.Load()), nil
}

// systemBus starts a bus of the test's own as the system bus.
func systemBus(t *testing.T) *dbus.Conn {
	t.Helper()
	dir := t.TempDir()
	address := "unix:path=" + filepath.Join(dir, "bus")
	config := filepath.Join(dir, "bus.conf")
	text := `<busconfig><type>system</type><listen>` + address + `</listen><auth>EXTERNAL</auth>` +
		`<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("dbus-daemon", "--nofork", "--print-address=1", "--config-file="+config)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Skip("skipped: no dbus-daemon")
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	if _, err := out.Read(make([]byte, 256)); err != nil {
		t.Skip("skipped: dbus-daemon does not run here")
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Close() })
	return bus
}

func TestUPower(t *testing.T) {
	bus := systemBus(t)
	if s := Read(t.Context()); s.Reason == "UPower" {
		t.Errorf("without UPower: %+v", s)
	}
	p := &properties{}
	p.battery.Store(true)
	if err := bus.Export(p, upowerPath, "org.freedesktop.DBus.Properties"); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(upower, 0); err != nil {
		t.Fatal(err)
	}
	if s := Read(t.Context()); !s.Battery || !s.Known || s.Reason != "UPower" {
		t.Errorf("on battery: %+v", s)
	}

	ctx, cancel := context.WithCancel(t.Context())
	states := make(chan State)
	done := make(chan struct{})
	go func() {
		defer close(done)
		Watch(ctx, time.Hour, func(s State) { states <- s })
	}()
	if s := <-states; !s.Battery {
		t.Errorf("at first: %+v", s)
	}
	p.battery.Store(false)
	err := bus.Emit(upowerPath, "org.freedesktop.DBus.Properties.PropertiesChanged", upower,
		map[string]dbus.Variant{"OnBattery": dbus.MakeVariant(false)}, []string{})
	if err != nil {
		t.Fatal(err)
	}
	if s := <-states; s.Battery || s.Reason != "UPower" {
		t.Errorf("plugged in: %+v", s)
	}
	cancel()
	<-done
}
