package accessible

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/messagebus"
)

// Names on the session bus and on the bus of accessibility. The latter is a bus of its own, whose address the former
// tells.
const (
	busName      = "org.a11y.Bus"
	busPath      = "/org/a11y/bus"
	statusFace   = "org.a11y.Status"
	registryName = "org.a11y.atspi.Registry"
	registryPath = "/org/a11y/atspi/registry"
	socketFace   = "org.a11y.atspi.Socket"
	propsFace    = "org.freedesktop.DBus.Properties"
	daemon       = "org.freedesktop.DBus"
)

// watch follows on the session bus whether accessibility is used, and serves as long as it is, until ctx ends.
func (s *Service) watch(ctx context.Context) {
	end, enabled := func() {}, false
	check := func(ctx context.Context, bus *dbus.Conn) {
		if now := isEnabled(ctx, bus); now != enabled {
			enabled = now
			end()
			end = func() {}
			if enabled {
				end = s.begin(ctx, bus)
			}
		}
	}
	messagebus.Session().Watch(ctx, func(ctx context.Context, bus *dbus.Conn) {
		end()
		end, enabled = func() {}, false
		check(ctx, bus)
	}, func(ctx context.Context, bus *dbus.Conn, _ *dbus.Signal) { check(ctx, bus) },
		messagebus.Match{Path: busPath, Interface: propsFace, Member: "PropertiesChanged"}, messagebus.OwnerOf(busName))
	end()
}

// begin serves until the function that it returns is called.
func (s *Service) begin(ctx context.Context, sessionBus *dbus.Conn) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var serving sync.WaitGroup
	serving.Go(func() {
		insist(ctx, s.retry, func(ctx context.Context) bool { return s.session(ctx, sessionBus) })
	})
	return func() {
		stop()
		serving.Wait()
	}
}

// connect introduces a connection to its bus and subscribes to signals.
func connect(ctx context.Context, bus *dbus.Conn, signals ...[]dbus.MatchOption) error {
	if err := bus.Auth(nil); err != nil {
		return err
	}
	if err := bus.Hello(); err != nil {
		return err
	}
	for _, match := range signals {
		if err := bus.AddMatchSignalContext(ctx, match...); err != nil {
			return err
		}
	}
	return nil
}

// isEnabled tells whether assistive technology is in use. It starts nothing that does not run.
func isEnabled(ctx context.Context, bus *dbus.Conn) bool {
	ctx, done := context.WithTimeout(ctx, answerIn)
	defer done()
	for _, property := range []string{"IsEnabled", "ScreenReaderEnabled"} {
		var on dbus.Variant
		call := bus.Object(busName, busPath).CallWithContext(ctx, propsFace+".Get", dbus.FlagNoAutoStart, statusFace, property)
		if call.Store(&on) == nil && on.Value() == true {
			return true
		}
	}
	return false
}

// session is one connection to the bus of accessibility.
type session struct {
	service *Service
	bus     *dbus.Conn
	ctx     context.Context
	told    bool    // what App.Listen was told
	shown   *Tree   // what the window handed in last
	notices []*Node // the last announcements, for clients that do not know these
	noticed ID      // how many there were

	mu        sync.Mutex
	self      string                     // our name on the bus
	id        int32                      // that the registry gave us
	desktop   reference                  // what we hang below
	registry  string                     // the registry's unique name: it calls, but reads nothing
	clients   map[string]map[string]bool // who asked or listens, and for which events
	unchecked []string                   // clients of whom it is not sure that they are still there
}

// session connects to the bus of accessibility and serves until ctx ends or the connection does.
func (s *Service) session(ctx context.Context, sessionBus *dbus.Conn) (worked bool) {
	address := os.Getenv("AT_SPI_BUS_ADDRESS")
	if address == "" {
		call := sessionBus.Object(busName, busPath).CallWithContext(ctx, busName+".GetAddress", 0)
		if call.Store(&address) != nil {
			return false
		}
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	c := &session{service: s, ctx: ctx, clients: map[string]map[string]bool{}, desktop: nowhere}
	bus, err := dbus.Dial(address, dbus.WithContext(ctx), dbus.WithHandler(c))
	if err != nil {
		return false
	}
	defer bus.Close()
	c.bus = bus
	signals := make(chan *dbus.Signal, 256)
	bus.Signal(signals)
	// Hello before anything can call us.
	if err := connect(ctx, bus,
		[]dbus.MatchOption{dbus.WithMatchSender(daemon), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(2, "")},
		[]dbus.MatchOption{dbus.WithMatchSender(daemon), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, registryName)},
		[]dbus.MatchOption{dbus.WithMatchInterface(registryName), dbus.WithMatchObjectPath(registryPath)},
	); err != nil {
		return false
	}
	c.mu.Lock()
	c.self = bus.Names()[0]
	c.mu.Unlock()
	defer c.listen(false)
	defer s.want(false)
	if err := c.register(); err != nil {
		return false
	}
	for {
		c.step()
		select {
		case <-ctx.Done():
			return true
		case <-bus.Context().Done():
			return true
		case signal, open := <-signals:
			if !open {
				return true
			}
			c.receive(signal)
		case <-s.wake:
		}
	}
}

// register makes the window known to the registry and learns who listens already.
func (c *session) register() error {
	ctx, done := context.WithTimeout(c.ctx, 10*time.Second) // it may have to be started
	defer done()
	// While it embeds us the registry calls us, which we must not take for a client: we have to know its name before.
	var owner string
	getOwner := func() error {
		return c.bus.BusObject().CallWithContext(ctx, daemon+".GetNameOwner", 0, registryName).Store(&owner)
	}
	if getOwner() != nil {
		if err := c.bus.BusObject().CallWithContext(ctx, daemon+".StartServiceByName", 0, registryName, uint32(0)).Err; err != nil {
			return err
		}
		if err := getOwner(); err != nil {
			return err
		}
	}
	c.mu.Lock()
	c.registry = owner
	c.mu.Unlock()
	var desktop reference
	err := c.bus.Object(registryName, rootPath).CallWithContext(ctx, socketFace+".Embed", 0, c.refer(rootPath)).Store(&desktop)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.desktop = desktop
	c.mu.Unlock()
	var listeners []struct{ Bus, Event string }
	if c.bus.Object(registryName, registryPath).CallWithContext(ctx, registryName+".GetRegisteredEvents", 0).Store(&listeners) == nil {
		for _, l := range listeners {
			c.met(l.Bus, l.Event)
		}
	}
	return nil
}

// met notes a client, and the event it listens to if it does.
func (c *session) met(name, event string) {
	c.mu.Lock()
	if name == "" || name == c.self || name == c.registry || name == daemon {
		c.mu.Unlock()
		return
	}
	if c.clients[name] == nil {
		c.clients[name] = map[string]bool{}
		c.unchecked = append(c.unchecked, name)
	}
	if event != "" {
		c.clients[name][event] = true
	}
	c.mu.Unlock()
	c.service.want(true)
}

func (c *session) isRegistry(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return name == c.registry
}

func (c *session) lost(name string) {
	c.mu.Lock()
	delete(c.clients, name)
	nobody := len(c.clients) == 0
	c.mu.Unlock()
	if nobody {
		c.service.want(false)
	}
}

// listensTo tells whether a client listens to an event such as "object:announcement", or to all of its class.
func (c *session) listensTo(class, event string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, events := range c.clients {
		for heard := range events {
			// Listeners write "object:announcement", "object:announcement:", "Object:Announcement" …
			if sameEvent(heard, class) || sameEvent(heard, class+":"+event) {
				return true
			}
		}
	}
	return false
}

// receive follows who comes and goes.
func (c *session) receive(signal *dbus.Signal) {
	var name, old, owner string
	switch signal.Name {
	case daemon + ".NameOwnerChanged":
		if dbus.Store(signal.Body, &name, &old, &owner) != nil {
			return
		}
		switch {
		case owner == "" && name != registryName:
			c.lost(name)
		case owner != "" && name == registryName && owner != c.registry:
			_ = c.register() // started again: it has forgotten us
		}
	case registryName + ".EventListenerRegistered":
		if len(signal.Body) >= 2 && dbus.Store(signal.Body[:2], &name, &old) == nil {
			c.met(name, old)
		}
	case registryName + ".EventListenerDeregistered":
		if len(signal.Body) >= 2 && dbus.Store(signal.Body[:2], &name, &old) == nil {
			c.mu.Lock()
			delete(c.clients[name], old)
			c.mu.Unlock()
		}
	}
}

// step does what is due: asks the window for trees or lets it rest, and tells clients what is new.
func (c *session) step() {
	wanted, latest, notices := c.service.due()
	c.listen(wanted)
	c.check()
	if latest != nil {
		c.show(latest)
	}
	for _, n := range notices {
		c.announce(n)
	}
}

func (c *session) listen(on bool) {
	if c.told != on {
		c.told = on
		c.service.app.Listen(on)
		if !on {
			c.shown, c.notices = nil, nil
		}
	}
}

// check drops clients that were gone already when they were noted.
func (c *session) check() {
	c.mu.Lock()
	names := c.unchecked
	c.unchecked = nil
	c.mu.Unlock()
	for _, name := range names {
		var there bool
		err := c.bus.BusObject().CallWithContext(c.ctx, daemon+".NameHasOwner", 0, name).Store(&there)
		if err == nil && !there {
			c.lost(name)
		}
	}
}
