// Package bustest gives tests a D-Bus of their own.
package bustest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Start starts a bus, puts its address into the environment variable env and returns a
// connection to it; both end with the test. Where there is no dbus-daemon the test is skipped.
func Start(t *testing.T, env string) *dbus.Conn {
	t.Helper()
	dir := t.TempDir()
	address := "unix:path=" + filepath.Join(dir, "bus")
	config := filepath.Join(dir, "bus.conf")
	text := `<busconfig><listen>` + address + `</listen><auth>EXTERNAL</auth>` +
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
	t.Setenv(env, address)
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Close() })
	return bus
}
