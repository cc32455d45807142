package appearance

import (
	"context"
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
)

// The names of the XDG desktop portal's documentation, and of GNOME's settings, which other desktops tell, too.
const (
	portal     = "org.freedesktop.portal.Desktop"
	portalPath = "/org/freedesktop/portal/desktop"
	face       = "org.freedesktop.portal.Settings"
	common     = "org.freedesktop.appearance"
	gnome      = "org.gnome.desktop.interface"
)

// connect returns a connection to the desktop's bus until ctx ends, nil where there is none.
func connect(ctx context.Context) *dbus.Conn {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return nil
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return nil
	}
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		bus.Close()
		return nil
	}
	return bus
}

// WindowScale is how many times larger than usual XFCE wants windows to be, 0 on another desktop. Others tell it where all
// programs of X11 find it.
func WindowScale(ctx context.Context) float64 {
	if !strings.Contains(os.Getenv("XDG_CURRENT_DESKTOP"), "XFCE") {
		return 0
	}
	bus := connect(ctx)
	if bus == nil {
		return 0
	}
	defer bus.Close()
	var factor int32
	call := bus.Object("org.xfce.Xfconf", "/org/xfce/Xfconf").CallWithContext(ctx, "org.xfce.Xfconf.GetProperty", dbus.FlagNoAutoStart, "xsettings", "/Gdk/WindowScalingFactor")
	if call.Store(&factor) != nil {
		return 0
	}
	return scale(float64(factor))
}

// Follow calls changed with what the desktop wishes, and again when that changes, until ctx ends. It returns at once where
// there is no such desktop, and calls nothing then.
func Follow(ctx context.Context, changed func(Wishes)) {
	bus := connect(ctx)
	if bus == nil {
		return
	}
	defer bus.Close()
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	if bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(face), dbus.WithMatchMember("SettingChanged"), dbus.WithMatchObjectPath(portalPath)) != nil {
		return
	}
	last, ok := read(ctx, bus)
	if !ok {
		return
	}
	changed(last)
	for range signals { // closed when ctx ends or the bus goes away
		if now, ok := read(ctx, bus); ok && now != last {
			last = now
			changed(now)
		}
	}
}

// read asks for all at once: what belongs together may change together.
func read(ctx context.Context, bus *dbus.Conn) (w Wishes, ok bool) {
	var all map[string]map[string]dbus.Variant
	if bus.Object(portal, portalPath).CallWithContext(ctx, face+".ReadAll", 0, []string{common, gnome}).Store(&all) != nil {
		return w, false
	}
	contrast, _ := all[common]["contrast"].Value().(uint32)
	still, _ := all[common]["reduced-motion"].Value().(uint32)
	animations, told := all[gnome]["enable-animations"].Value().(bool)
	factor, _ := all[gnome]["text-scaling-factor"].Value().(float64)
	return Wishes{Contrast: contrast == 1, Still: still == 1 || told && !animations, TextScale: scale(factor)}, true
}
