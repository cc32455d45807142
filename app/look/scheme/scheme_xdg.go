//go:build !windows && !darwin

package scheme

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
)

// Where desktops tell of themselves: the portal's settings, and those of XFCE, whose themes no portal knows.
const (
	portal         = "org.freedesktop.portal.Desktop"
	portalPath     = "/org/freedesktop/portal/desktop"
	portalSettings = "org.freedesktop.portal.Settings"
	appearance     = "org.freedesktop.appearance"

	xfconf     = "org.xfce.Xfconf"
	xfconfPath = "/org/xfce/Xfconf"
	xsettings  = "xsettings"
	themeName  = "/Net/ThemeName"
)

// Watch calls changed with how the desktop looks, and again whenever that changes, until ctx ends. It is never Unknown.
func Watch(ctx context.Context, changed func(Scheme)) {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return
	}
	defer bus.Close()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return
	}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	if bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(portalSettings), dbus.WithMatchMember("SettingChanged"), dbus.WithMatchArg(0, appearance)) != nil ||
		bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(xfconf), dbus.WithMatchMember("PropertyChanged"), dbus.WithMatchArg(0, xsettings)) != nil {
		return
	}
	var now desktop
	said := Unknown
	tell := func() {
		if s := now.scheme(); s != said && s != Unknown {
			said = s
			changed(s)
		}
	}
	// XFCE answers at once; a portal may have to be started first.
	now.theme = readTheme(ctx, bus)
	tell()
	now.preference, now.portal = readPreference(ctx, bus)
	tell()
	for {
		select {
		case <-ctx.Done():
			return
		case s, open := <-signals:
			if !open {
				return
			}
			if len(s.Body) != 3 {
				continue
			}
			value, _ := s.Body[2].(dbus.Variant)
			switch {
			case s.Body[0] == appearance && s.Body[1] == "color-scheme":
				now.preference, now.portal = preference(value), true
			case s.Body[0] == xsettings && s.Body[1] == themeName:
				now.theme, _ = value.Value().(string)
			}
			tell()
		}
	}
}

// readTheme returns the name of XFCE's theme, "" on other desktops.
func readTheme(ctx context.Context, bus *dbus.Conn) (name string) {
	var value dbus.Variant
	err := bus.Object(xfconf, xfconfPath).CallWithContext(ctx, xfconf+".GetProperty", dbus.FlagNoAutoStart, xsettings, themeName).Store(&value)
	var e dbus.Error
	switch {
	case err == nil:
		name, _ = value.Value().(string)
	case errors.As(err, &e) && strings.HasPrefix(e.Name, xfconf): // nobody has chosen one
		name = "Xfce"
	}
	return name
}

// readPreference asks the portal by the call that all portals know.
func readPreference(ctx context.Context, bus *dbus.Conn) (p uint32, ok bool) {
	var value dbus.Variant
	err := bus.Object(portal, portalPath).CallWithContext(ctx, portalSettings+".Read", 0, appearance, "color-scheme").Store(&value)
	if err != nil {
		return noPreference, false
	}
	return preference(value), true
}

// preference unwraps a color-scheme, which Read wraps twice.
func preference(value dbus.Variant) uint32 {
	if inner, ok := value.Value().(dbus.Variant); ok {
		value = inner
	}
	p, _ := value.Value().(uint32)
	return p
}
