package power

import (
	"context"
	"os"

	"github.com/godbus/dbus/v5"
)

const (
	upower     = "org.freedesktop.UPower"
	upowerPath = dbus.ObjectPath("/org/freedesktop/UPower")
)

// battery asks UPower, which sees through the hardware's peculiarities, else the kernel.
func battery(ctx context.Context) State {
	on, err := onBattery(ctx)
	if err == nil {
		return State{Battery: on, Known: true, Reason: "UPower"}
	}
	s := sysfs(os.DirFS("/sys/class/power_supply"))
	s.Reason += " (UPower: " + err.Error() + ")"
	return s
}

func onBattery(ctx context.Context) (on bool, err error) {
	bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return false, err
	}
	defer func() { _ = bus.Close() }()
	err = bus.Object(upower, upowerPath).
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, upower, "OnBattery").Store(&on)
	return on, err
}

// announced says when a property of UPower has changed. It is closed when
// there is no bus, or no longer.
func announced(ctx context.Context) <-chan struct{} {
	out := make(chan struct{}, 1)
	go func() {
		defer close(out)
		bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
		if err != nil {
			return
		}
		defer func() { _ = bus.Close() }()
		signals := make(chan *dbus.Signal, 16)
		bus.Signal(signals)
		err = bus.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(upowerPath),
			dbus.WithMatchInterface("org.freedesktop.DBus.Properties"), dbus.WithMatchMember("PropertiesChanged"))
		if err != nil {
			return
		}
		out <- struct{}{} // what changed before we listened
		forward(ctx, signals, out)
	}()
	return out
}

// forward passes the fact of a signal on; several unread ones are one.
func forward(ctx context.Context, signals <-chan *dbus.Signal, out chan<- struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-signals:
			if !ok {
				return
			}
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}
}
