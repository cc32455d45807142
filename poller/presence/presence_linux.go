package presence

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
	"kairos/useraccess/rate"
)

// Services on the buses.
const (
	logind        = "org.freedesktop.login1"
	logindManager = "org.freedesktop.login1.Manager"
	logindSession = "org.freedesktop.login1.Session"
	logindPath    = dbus.ObjectPath("/org/freedesktop/login1")
	logindOwn     = logindPath + "/session" // paths of sessions lie below it

	mutter     = "org.gnome.Mutter.IdleMonitor"
	mutterPath = dbus.ObjectPath("/org/gnome/Mutter/IdleMonitor/Core")

	portal        = "org.freedesktop.portal.Desktop"
	portalInhibit = "org.freedesktop.portal.Inhibit"
	portalPath    = dbus.ObjectPath("/org/freedesktop/portal/desktop")

	properties = "org.freedesktop.DBus.Properties"
	busItself  = "org.freedesktop.DBus"
)

// screenSavers are the interfaces, and the services, of the desktops' screen savers: all have the signal
// ActiveChanged. KDE, and what follows the standard, has the first.
var screenSavers = []string{"org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver",
	"org.mate.ScreenSaver", "org.xfce.ScreenSaver"}

// sandbox is the file that is there in Flatpak's sandbox alone.
var sandbox = "/.flatpak-info"

// answerTimeout is how long a service may take to answer.
const answerTimeout = time.Second

func observe(context.Context) observation { return observation{} }

// listen passes on the signs of both buses until ctx ends. ready is called each time that one of them is listened to.
func listen(ctx context.Context, ready func(), sign func(rate.Sign)) {
	var listening sync.WaitGroup
	listening.Go(func() { listenToLogind(ctx, ready, sign) })
	listening.Go(func() { listenToDesktop(ctx, ready, sign) })
	listening.Wait()
}

// Names of signals, with their interface.
const (
	propertiesChanged = properties + ".PropertiesChanged"
	unlockAsked       = logindSession + ".Unlock"
	aboutToSleep      = logindManager + ".PrepareForSleep"
	idleWatchFired    = mutter + ".WatchFired"
	portalState       = portalInhibit + ".StateChanged"
	ownerChanged      = busItself + ".NameOwnerChanged"
)

// listenToLogind passes on what logind says about the user's own sessions.
func listenToLogind(ctx context.Context, ready func(), sign func(rate.Sign)) {
	l := &login{sign: sign, own: map[dbus.ObjectPath]bool{}}
	messagebus.System().Watch(ctx, func(context.Context, *dbus.Conn) { ready() }, l.signal,
		messagebus.Match{Sender: logind, Path: logindPath, Interface: logindManager, Member: "PrepareForSleep"},
		messagebus.Match{Sender: logind, Below: logindOwn, Interface: logindSession, Member: "Unlock"},
		messagebus.Match{Sender: logind, Below: logindOwn, Interface: properties, Member: "PropertiesChanged", Arg0: logindSession})
}

// login reads the signals of logind.
type login struct {
	sign func(rate.Sign)
	own  map[dbus.ObjectPath]bool // whether a session is the user's
}

// mostSessions bounds what is remembered of sessions.
const mostSessions = 64

func (l *login) signal(ctx context.Context, bus *dbus.Conn, s *dbus.Signal) {
	switch s.Name {
	case aboutToSleep:
		if begins, ok := firstArgument[bool](s.Body); ok && !begins {
			l.sign(rate.Resume)
		}
	case unlockAsked:
		l.signOf(ctx, bus, s.Path, rate.Unlock)
	case propertiesChanged:
		if ended(s.Body, "LockedHint") {
			l.signOf(ctx, bus, s.Path, rate.Unlock)
		}
		if ended(s.Body, "IdleHint") {
			l.signOf(ctx, bus, s.Path, rate.Return)
		}
	}
}

// signOf passes on a sign of a session if that is the user's: others may use the same machine.
func (l *login) signOf(ctx context.Context, bus *dbus.Conn, session dbus.ObjectPath, kind rate.Sign) {
	own, known := l.own[session]
	if !known {
		if own, known = isOwn(ctx, bus, session); !known {
			return
		}
		if len(l.own) >= mostSessions {
			clear(l.own)
		}
		l.own[session] = own
	}
	if own {
		l.sign(kind)
	}
}

// isOwn asks logind whether a session is of the user who runs the program.
func isOwn(ctx context.Context, bus *dbus.Conn, session dbus.ObjectPath) (own, known bool) {
	var user dbus.Variant
	if err := call(ctx, bus, logind, session, properties+".Get", []any{logindSession, "User"}, &user); err != nil {
		return false, false
	}
	fields, _ := user.Value().([]any) // (uo)
	id, ok := firstArgument[uint32](fields)
	return int(id) == os.Getuid(), ok
}

// ended reports whether a change of properties turns one off.
func ended(body []any, property string) bool {
	if len(body) < 2 {
		return false
	}
	changed, _ := body[1].(map[string]dbus.Variant)
	on, ok := changed[property].Value().(bool)
	return ok && !on
}

// firstArgument returns the first of the values of a signal or an answer if it is of a type.
func firstArgument[T any](values []any) (value T, ok bool) {
	if len(values) == 0 {
		return value, false
	}
	value, ok = values[0].(T)
	return value, ok
}

func call(ctx context.Context, bus *dbus.Conn, service string, path dbus.ObjectPath, method string, args []any, answer ...any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return bus.Object(service, path).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...).Store(answer...)
}

// listenToDesktop passes on what the session's own services tell.
func listenToDesktop(ctx context.Context, ready func(), sign func(rate.Sign)) {
	d := &desktop{sign: sign}
	matches := []messagebus.Match{
		{Sender: mutter, Interface: mutter, Member: "WatchFired"},
		messagebus.OwnerOf(mutter),
		{Sender: portal, Interface: portalInhibit, Member: "StateChanged"},
	}
	for _, saver := range screenSavers {
		matches = append(matches, messagebus.Match{Sender: saver, Interface: saver, Member: "ActiveChanged"})
	}
	messagebus.Session().Watch(ctx, func(ctx context.Context, bus *dbus.Conn) { d.begin(ctx, bus); ready() }, d.signal, matches...)
}

// desktop reads the signals of the session's services.
type desktop struct {
	sign func(rate.Sign)

	idle, active uint32 // Mutter's watches for idleness and for its end; 0: none
	dark         bool   // the portal has told about the screen saver
}

// begin asks for the signals that have to be asked for.
func (d *desktop) begin(ctx context.Context, bus *dbus.Conn) {
	d.watchIdle(ctx, bus)
	if _, err := os.Stat(sandbox); err == nil {
		// Its answer is a signal that it sends first; the states follow in any case.
		var handle dbus.ObjectPath
		_ = call(ctx, bus, portal, portalPath, portalInhibit+".CreateMonitor",
			[]any{"", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant("kairos_presence")}}, &handle)
	}
}

// watchIdle asks Mutter to tell when there was no input for a while.
func (d *desktop) watchIdle(ctx context.Context, bus *dbus.Conn) {
	d.idle, d.active = 0, 0
	_ = call(ctx, bus, mutter, mutterPath, mutter+".AddIdleWatch", []any{uint64(idleFor / time.Millisecond)}, &d.idle)
}

func (d *desktop) signal(ctx context.Context, bus *dbus.Conn, s *dbus.Signal) {
	switch {
	case s.Name == idleWatchFired:
		switch id, ok := firstArgument[uint32](s.Body); {
		case !ok || id == 0:
		case id == d.idle:
			_ = call(ctx, bus, mutter, mutterPath, mutter+".AddUserActiveWatch", nil, &d.active)
		case id == d.active: // which fires once
			d.active = 0
			d.sign(rate.Return)
		}
	case s.Name == ownerChanged:
		d.watchIdle(ctx, bus) // the desktop was started again
	case s.Name == portalState:
		d.portalState(ctx, bus, s.Body)
	case strings.HasSuffix(s.Name, ".ActiveChanged"):
		if active, ok := firstArgument[bool](s.Body); ok && !active {
			d.sign(rate.Return)
		}
	}
}

// portalState reads the state of the session as the portal tells it. A session that is about to end waits for an
// answer.
func (d *desktop) portalState(ctx context.Context, bus *dbus.Conn, body []any) {
	const queryEnd = uint32(2)
	if len(body) < 2 {
		return
	}
	state, _ := body[1].(map[string]dbus.Variant)
	if dark, ok := state["screensaver-active"].Value().(bool); ok {
		if d.dark && !dark {
			d.sign(rate.Return)
		}
		d.dark = dark
	}
	if at, ok := state["session-state"].Value().(uint32); ok && at == queryEnd {
		session, _ := firstArgument[dbus.ObjectPath](body)
		_ = call(ctx, bus, portal, portalPath, portalInhibit+".QueryEndResponse", []any{session})
	}
}
