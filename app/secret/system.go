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

// system is the keyring of this desktop.
type system struct{}

func (system) Set(service, user, password string) error {
	if err := bus(); err != nil {
		return err
	}
	return keyring.Set(service, user, password)
}

func (system) Get(service, user string) (string, error) {
	if err := bus(); err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (system) Delete(service, user string) error {
	if err := bus(); err != nil {
		return err
	}
	return keyring.Delete(service, user)
}

// bus makes sure that there is a session bus where the keyring needs one:
// asking for one that is not there would start it.
func bus() error {
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

// isLocked tells a keyring that stays shut from one that is not there.
func isLocked(err error) bool {
	var e dbus.Error
	if errors.As(err, &e) {
		return e.Name == "org.freedesktop.Secret.Error.IsLocked"
	}
	return strings.HasPrefix(err.Error(), "failed to unlock") // go-keyring, when the prompt was dismissed
}
