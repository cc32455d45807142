package presence

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
	"kairos/useraccess/rate"
)

// noBuses is a machine without any.
func noBuses(t *testing.T) {
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
}

// fakes are services on the two buses.
type fakes struct {
	t               *testing.T
	system, session *dbus.Conn
	signs           chan rate.Sign
	wait            sync.WaitGroup

	idle, active chan uint64 // calls of Mutter's methods
	answered     chan dbus.ObjectPath
	monitors     chan struct{}
}

const (
	ownSession   = logindOwn + "/_32"
	otherSession = logindOwn + "/_33"
)

// serveAll starts both buses with all services, and listens.
func serveAll(t *testing.T) *fakes {
	f := &fakes{t: t, system: bustest.Start(t, "DBUS_SYSTEM_BUS_ADDRESS"), session: bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS"),
		signs: make(chan rate.Sign, 100), idle: make(chan uint64, 9), active: make(chan uint64, 9),
		answered: make(chan dbus.ObjectPath, 9), monitors: make(chan struct{}, 9)}
	sandbox = filepath.Join(t.TempDir(), ".flatpak-info")
	f.must(os.WriteFile(sandbox, nil, 0o600))
	t.Cleanup(func() { sandbox = "/.flatpak-info" })
	f.must(f.system.Export(user{uint32(os.Getuid())}, ownSession, properties))
	f.must(f.system.Export(user{uint32(os.Getuid()) + 1}, otherSession, properties))
	f.own(f.system, logind)
	for _, saver := range screenSavers {
		f.own(f.session, saver)
	}
	f.must(f.session.Export(f, mutterPath, mutter))
	f.own(f.session, mutter)
	f.must(f.session.Export(f, portalPath, portalInhibit))
	f.own(f.session, portal)

	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan struct{}, 2)
	f.wait.Go(func() { listen(ctx, func() { ready <- struct{}{} }, func(kind rate.Sign) { f.signs <- kind }) })
	t.Cleanup(func() { cancel(); f.wait.Wait() })
	if ms := <-f.idle; ms != uint64(idleFor.Milliseconds()) {
		t.Errorf("watched for %d ms without input", ms)
	}
	<-f.monitors
	<-ready
	<-ready
	return f
}

// user is the properties of a session of a user.
type user struct{ id uint32 }

// Get is org.freedesktop.DBus.Properties.Get.
func (u user) Get(face, name string) (dbus.Variant, *dbus.Error) {
	if face != logindSession || name != "User" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
	}
	return dbus.MakeVariant(struct {
		ID   uint32
		Path dbus.ObjectPath
	}{u.id, "/org/freedesktop/login1/user/_1"}), nil
}

// AddIdleWatch is org.gnome.Mutter.IdleMonitor.AddIdleWatch.
func (f *fakes) AddIdleWatch(ms uint64) (uint32, *dbus.Error) { f.idle <- ms; return 7, nil }

// AddUserActiveWatch is org.gnome.Mutter.IdleMonitor.AddUserActiveWatch.
func (f *fakes) AddUserActiveWatch() (uint32, *dbus.Error) { f.active <- 0; return 8, nil }

// CreateMonitor is org.freedesktop.portal.Inhibit.CreateMonitor.
func (f *fakes) CreateMonitor(string, map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	f.monitors <- struct{}{}
	return portalPath + "/request/1", nil
}

// QueryEndResponse is org.freedesktop.portal.Inhibit.QueryEndResponse.
func (f *fakes) QueryEndResponse(session dbus.ObjectPath) *dbus.Error {
	f.answered <- session
	return nil
}

func (f *fakes) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fakes) own(bus *dbus.Conn, name string) {
	f.t.Helper()
	_, err := bus.RequestName(name, 0)
	f.must(err)
}

// changed signals that properties of a session have changed.
func (f *fakes) changed(session dbus.ObjectPath, name string, value any) {
	f.t.Helper()
	f.must(f.system.Emit(session, propertiesChanged, logindSession, map[string]dbus.Variant{name: dbus.MakeVariant(value)}, []string{}))
}

func (f *fakes) heard(what string, want rate.Sign) {
	f.t.Helper()
	if got := <-f.signs; got != want {
		f.t.Errorf("%s: %s, not %s", what, got, want)
	}
}

func TestSignsOfLogind(t *testing.T) {
	f := serveAll(t)
	f.must(f.system.Emit(ownSession, logindSession+".Unlock"))
	f.heard("asked to unlock", rate.Unlock)
	// What is no sign is followed by one, which is heard first.
	f.changed(ownSession, "LockedHint", true)
	f.changed(ownSession, "LockedHint", "no")
	f.changed(ownSession, "Active", false)
	f.changed(otherSession, "LockedHint", false)
	f.must(f.system.Emit(otherSession, logindSession+".Unlock"))
	f.changed(logindOwn+"/nobody", "LockedHint", false)
	f.must(f.system.Emit(logindPath, aboutToSleep, true))
	f.must(f.system.Emit(logindPath, aboutToSleep))
	f.changed(ownSession, "LockedHint", false)
	f.heard("unlocked", rate.Unlock)
	f.changed(ownSession, "IdleHint", false)
	f.heard("no longer idle", rate.Return)
	f.must(f.system.Emit(logindPath, aboutToSleep, false))
	f.heard("woken", rate.Resume)
}

// Who is not logind cannot speak for it.
func TestSignalsOfOthersAreNoSigns(t *testing.T) {
	f := serveAll(t)
	liar, err := dbus.Connect(os.Getenv("DBUS_SYSTEM_BUS_ADDRESS"))
	f.must(err)
	defer liar.Close()
	f.must(liar.Emit(logindPath, aboutToSleep, false))
	// An answer means that the bus has passed on all that was sent before.
	f.must(liar.BusObject().Call(busItself+".GetId", 0).Err)
	f.changed(ownSession, "LockedHint", false)
	f.heard("unlocked", rate.Unlock)
}

func TestSignsOfTheDesktop(t *testing.T) {
	f := serveAll(t)
	f.must(f.session.Emit("/org/freedesktop/ScreenSaver", screenSavers[0]+".ActiveChanged", false))
	f.heard("screen saver", rate.Return)
	for _, saver := range screenSavers {
		f.must(f.session.Emit("/ScreenSaver", saver+".ActiveChanged", true))
		f.must(f.session.Emit("/ScreenSaver", saver+".ActiveChanged", "off"))
		f.must(f.session.Emit("/ScreenSaver", saver+".ActiveChanged", false))
		f.heard(saver, rate.Return)
	}

	fired := func(id uint32) { f.t.Helper(); f.must(f.session.Emit(mutterPath, idleWatchFired, id)) }
	fired(8) // not asked for yet
	fired(7)
	<-f.active
	fired(8)
	f.heard("back", rate.Return)
	fired(8)
	fired(7)
	<-f.active
	fired(8)
	f.heard("back again", rate.Return)
	_, err := f.session.ReleaseName(mutter)
	f.must(err)
	f.own(f.session, mutter)
	<-f.idle // it is asked again

	state := func(dark bool, at uint32) {
		f.t.Helper()
		f.must(f.session.Emit(portalPath, portalState, portalPath+"/session/1",
			map[string]dbus.Variant{"screensaver-active": dbus.MakeVariant(dark), "session-state": dbus.MakeVariant(at)}))
	}
	state(false, 1) // as it is at first
	state(true, 1)
	state(false, 1)
	f.heard("portal", rate.Return)
	state(false, 2)
	if session := <-f.answered; session != portalPath+"/session/1" {
		t.Errorf("answered for %s", session)
	}
	if len(f.signs) > 0 {
		t.Errorf("also heard %s", <-f.signs)
	}
}

// Where there are no buses it is tried again, and what comes then is heard.
func TestListeningAgain(t *testing.T) {
	noBuses(t)
	ctx, cancel := context.WithCancel(t.Context())
	signs, done, ready := make(chan rate.Sign, 100), make(chan struct{}), make(chan struct{}, 100)
	go func() {
		defer close(done)
		listen(ctx, func() { ready <- struct{}{} }, func(kind rate.Sign) { signs <- kind })
	}()
	f := &fakes{t: t, system: bustest.Start(t, "DBUS_SYSTEM_BUS_ADDRESS"), signs: signs}
	f.must(f.system.Export(user{uint32(os.Getuid())}, ownSession, properties))
	f.own(f.system, logind)
	<-ready
	f.changed(ownSession, "LockedHint", false)
	f.heard("unlocked", rate.Unlock)
	cancel()
	<-done
}
