//go:build !windows && !darwin

package desktop

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// Where desktops tell how they look: the portal's settings, among them those of GNOME, which other desktops tell, too; and
// those of XFCE, whose themes and scale no portal knows.
const (
	portalSettings = "org.freedesktop.portal.Settings"
	appearance     = "org.freedesktop.appearance"
	gnome          = "org.gnome.desktop.interface"

	xfconf      = "org.xfce.Xfconf"
	xfconfPath  = "/org/xfce/Xfconf"
	xsettings   = "xsettings"
	themeName   = "/Net/ThemeName"
	windowScale = "/Gdk/WindowScalingFactor"

	busError = "org.freedesktop.DBus.Error."
)

// portalPatience is how long XFCE's theme waits for the portal, which may have to be started first: a window that changes its
// scale flickers.
const portalPatience = 150 * time.Millisecond

// Unasked is the scheme of a desktop that has told none.
const Unasked = Light

// FollowSettings calls changed with what the desktop wants, with nothing where there is none to ask, and again whenever that
// changes, until ctx ends.
func FollowSettings(ctx context.Context, changed func(Settings)) {
	f := &follower{changed: changed}
	found, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	if _, err := messagebus.Session().Connection(found); err != nil {
		f.answered = found.Err() == nil // there is nobody to ask, rather than nobody yet
		f.tellAll()
	}
	messagebus.Session().Watch(ctx, f.begin, f.signal,
		messagebus.Match{Path: PortalPath, Interface: portalSettings, Member: "SettingChanged"},
		messagebus.Match{Path: xfconfPath, Interface: xfconf, Member: "PropertyChanged", Arg0: xsettings})
}

// follower is what is known of the settings so far.
type follower struct {
	changed func(Settings)
	told    bool
	last    Settings

	portal     Settings // without Scheme
	preference uint32
	answered   bool // by a portal, or there is none
	theme      string
}

func (f *follower) begin(ctx context.Context, bus *dbus.Conn) {
	asked := make(chan func(), 1)
	go func() { asked <- f.ask(ctx, bus) }()
	f.theme = readTheme(ctx, bus)
	select {
	case store := <-asked:
		store()
	case <-time.After(portalPatience):
		f.tellAll()
		(<-asked)()
	}
	f.tellAll()
}

func (f *follower) signal(ctx context.Context, bus *dbus.Conn, s *dbus.Signal) {
	switch {
	case len(s.Body) != 3:
		return
	case s.Body[0] == xsettings && s.Body[1] == themeName:
		value, _ := s.Body[2].(dbus.Variant)
		f.theme, _ = value.Value().(string)
	case s.Body[0] == appearance, s.Body[0] == gnome:
		f.ask(ctx, bus)()
	default:
		return
	}
	f.tellAll()
}

func (f *follower) tellAll() {
	is := f.portal
	is.Scheme = schemeOf(f.answered, f.preference, f.theme)
	f.tell(is)
}

func (f *follower) tell(is Settings) {
	if f.told && is == f.last {
		return
	}
	f.told, f.last = true, is
	f.changed(is)
}

// ask asks the portal for all at once, since what belongs together may change together, and returns what stores the answer.
func (f *follower) ask(ctx context.Context, bus *dbus.Conn) (store func()) {
	var all map[string]map[string]dbus.Variant
	if err := bus.Object(PortalService, PortalPath).CallWithContext(ctx, portalSettings+".ReadAll", 0, []string{appearance, gnome}).Store(&all); err != nil {
		none := isMissing(err)
		return func() { f.answered = f.answered || none }
	}
	preference, _ := all[appearance]["color-scheme"].Value().(uint32)
	contrast, _ := all[appearance]["contrast"].Value().(uint32)
	still, _ := all[appearance]["reduced-motion"].Value().(uint32)
	animations, told := all[gnome]["enable-animations"].Value().(bool)
	factor, _ := all[gnome]["text-scaling-factor"].Value().(float64)
	return func() {
		f.answered, f.preference = true, preference
		f.portal = Settings{Contrast: contrast == 1, Still: still == 1 || told && !animations, TextScale: scale(factor)}
	}
}

// isMissing reports whether an error says that there is no portal, or none that knows how the desktop looks.
func isMissing(err error) bool {
	var e dbus.Error
	return errors.As(err, &e) && (slices.Contains([]string{"ServiceUnknown", "UnknownObject", "UnknownInterface", "UnknownMethod"}, strings.TrimPrefix(e.Name, busError)) ||
		strings.HasPrefix(e.Name, busError+"Spawn."))
}

// readTheme returns the name of XFCE's theme, "" on other desktops.
func readTheme(ctx context.Context, bus *dbus.Conn) (name string) {
	value, err := readXFCE(ctx, bus, themeName)
	var e dbus.Error
	switch {
	case err == nil:
		name, _ = value.Value().(string)
	case errors.As(err, &e) && strings.HasPrefix(e.Name, xfconf): // nobody has chosen one
		name = "Xfce"
	}
	return name
}

func readXFCE(ctx context.Context, bus *dbus.Conn, property string) (value dbus.Variant, err error) {
	err = bus.Object(xfconf, xfconfPath).CallWithContext(ctx, xfconf+".GetProperty", dbus.FlagNoAutoStart, xsettings, property).Store(&value)
	return value, err
}

// WindowScale is how many times larger than usual XFCE wants windows to be, 0 on another desktop. Others tell it where all
// programs of X11 find it.
func WindowScale(ctx context.Context) float64 {
	if !strings.Contains(os.Getenv("XDG_CURRENT_DESKTOP"), "XFCE") {
		return 0
	}
	bus, err := messagebus.Session().Connection(ctx)
	if err != nil {
		return 0
	}
	value, err := readXFCE(ctx, bus, windowScale)
	if err != nil {
		return 0
	}
	factor, _ := value.Value().(int32)
	return scale(float64(factor))
}
