package secret

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// systemKeyring is the keyring of this desktop.
type systemKeyring struct{}

func (systemKeyring) Set(service, user, password string) error {
	if err := checkBus(); err != nil {
		return err
	}
	return keyring.Set(service, user, password)
}

func (systemKeyring) Get(service, user string) (string, error) {
	if err := checkBus(); err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (systemKeyring) Delete(service, user string) error {
	if err := checkBus(); err != nil {
		return err
	}
	return keyring.Delete(service, user)
}

// checkBus checks that there is a session bus if the keyring needs one, as asking for a missing one would start it.
func checkBus() error {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), name)); err == nil {
			return nil
		}
	}
	return errors.New("no session bus")
}

// isLocked tells a locked keyring from a missing one.
func isLocked(err error) bool {
	var e dbus.Error
	if errors.As(err, &e) {
		return e.Name == "org.freedesktop.Secret.Error.IsLocked"
	}
	return strings.HasPrefix(err.Error(), "failed to unlock") // go-keyring, when the prompt was dismissed
}
