package power

import (
	"context"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

// supplies writes /sys/class/power_supply from lines "supply/file" and content.
func supplies(lines ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(lines); i += 2 {
		m[lines[i]] = &fstest.MapFile{Data: []byte(lines[i+1] + "\n")}
	}
	return m
}

func TestSysfs(t *testing.T) {
	tests := map[string]struct {
		root           fstest.MapFS
		battery, known bool
	}{
		"desktop":        {supplies(), false, true},
		"plugged in":     {supplies("AC/type", "Mains", "AC/online", "1", "BAT0/type", "Battery", "BAT0/status", "Charging"), false, true},
		"full":           {supplies("AC/type", "Mains", "AC/online", "1", "BAT0/type", "Battery", "BAT0/status", "Full"), false, true},
		"on battery":     {supplies("AC/type", "Mains", "AC/online", "0", "BAT0/type", "Battery", "BAT0/status", "Discharging", "BAT0/present", "1"), true, true},
		"just unplugged": {supplies("AC/type", "Mains", "AC/online", "0", "BAT0/type", "Battery", "BAT0/status", "Unknown"), true, true},
		"two batteries":  {supplies("BAT0/type", "Battery", "BAT0/status", "Unknown", "BAT1/type", "Battery", "BAT1/status", "Discharging"), true, true},
		"usb-c power": {supplies("AC/type", "Mains", "AC/online", "0", "ucsi0/type", "USB", "ucsi0/online", "1",
			"BAT0/type", "Battery", "BAT0/status", "Not charging"), false, true},
		"battery alone": {supplies("BAT0/type", "Battery", "BAT0/status", "Charging"), false, true},
		"empty bay":     {supplies("AC/type", "Mains", "AC/online", "0", "BAT0/type", "Battery", "BAT0/present", "0", "BAT0/status", "Discharging"), false, true},
		"mouse":         {supplies("hid/type", "Battery", "hid/scope", "Device", "hid/status", "Discharging"), false, true},
	}
	for name, tt := range tests {
		if got := batteryFromSysfs(tt.root); got.On != tt.battery || got.Known != tt.known || got.Source == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := batteryFromSysfs(missing{}); got.Known || got.On || got.Source == "" {
		t.Errorf("no sysfs: %+v", got)
	}
}

func TestPmsetSource(t *testing.T) {
	tests := []struct {
		out            string
		battery, known bool
	}{
		{"Now drawing from 'AC Power'\n -InternalBattery-0 (id=4653155)\t100%; charged; 0:00 remaining present: true\n", false, true},
		{"Now drawing from 'Battery Power'\n -InternalBattery-0 (id=4653155)\t87%; discharging; 5:12 remaining present: true\n", true, true},
		{"Now drawing from 'UPS Power'\n", true, true},
		{"Now drawing from 'AC Power'\n", false, true},
		{"Now drawing from 'AC", false, false},
		{"", false, false},
		{"pmset: unknown option\n'Battery Power'", false, false},
	}
	for _, tt := range tests {
		if got := pmsetSource(tt.out); got.On != tt.battery || got.Known != tt.known || got.Source == "" {
			t.Errorf("%q: %+v", tt.out, got)
		}
	}
}

func TestPmsetMode(t *testing.T) {
	const before = "System-wide power settings:\n SleepDisabled\t\t0\nCurrently in use:\n standby              1\n Sleep On Power Button 1\n" +
		" hibernatefile        /var/vm/sleepimage\n powernap             1\n"
	const after = " sleep                1 (sleep prevented by powerd, sharingd)\n displaysleep         10\n womp                 1\n"
	tests := map[string]struct{ on, known bool }{
		before + " lowpowermode         1\n" + after:                          {true, true},
		before + " lowpowermode         0\n" + after:                          {false, true},
		before + " powermode            1\n" + after:                          {true, true},
		before + " powermode            2\n" + after:                          {false, true},
		before + " powermode            0\n" + after:                          {false, true},
		before + " lowpowermode         1\n powermode            1\n" + after: {true, true},
		before + after:                  {false, false},
		"":                              {false, false},
		"pmset: lowpowermode unknown":   {false, false},
		" lowpowermode         1 odd\n": {false, false},
	}
	for out, tt := range tests {
		if got := pmsetMode(out); got.On != tt.on || got.Known != tt.known || got.Source == "" {
			t.Errorf("%q: %+v", out, got)
		}
	}
}

func TestExpensive(t *testing.T) {
	const route = "   route to: default\ndestination: default\n       mask: default\n    gateway: 172.20.10.1\n  interface: en0\n" +
		"      flags: <UP,GATEWAY,DONE,STATIC,PRCLONING,GLOBAL>\n"
	if got := routeInterface(route); got != "en0" {
		t.Errorf("interface %q", got)
	}
	if got := routeInterface("route: writing to routing socket: not in table\n"); got != "" {
		t.Errorf("interface %q", got)
	}
	const first = "en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500 index 6\n\teflags="
	tests := map[string]struct{ on, known bool }{
		first + "412008cc0<ACCEPT_RTADV,TXSTART,LOCALNET_PRIVATE,ND6ALT,EXPENSIVE>\n\tether aa:bb:cc:00:11:22\n": {true, true},
		first + "12008cc0<ACCEPT_RTADV,TXSTART,LOCALNET_PRIVATE,ND6ALT>\n\tether aa:bb:cc:00:11:22\n":            {false, true},
		first + "12008cc0<UNEXPENSIVE>\n": {false, true},
		first + "12008cc0<EXPENSIVE":      {false, false},
		first + "0\n":                     {false, false},
		"en0: flags=8863<UP,EXPENSIVE>\n": {false, false},
		"":                                {false, false},
	}
	for out, tt := range tests {
		if got := expensive(out); got.On != tt.on || got.Known != tt.known || got.Source == "" {
			t.Errorf("%q: %+v", out, got)
		}
	}
}

func TestDecodeBusAnswers(t *testing.T) {
	tests := []struct {
		means     func(any) (bool, bool)
		answer    any
		on, known bool
	}{
		{boolean, true, true, true}, {boolean, false, false, true}, {boolean, "true", false, false}, {boolean, nil, false, false},
		{powerSaver, "power-saver", true, true}, {powerSaver, "balanced", false, true}, {powerSaver, "performance", false, true},
		{powerSaver, "", false, false}, {powerSaver, true, false, false},
		{metered, uint32(0), false, false}, {metered, uint32(1), true, true}, {metered, uint32(2), false, true},
		{metered, uint32(3), true, true}, {metered, uint32(4), false, true}, {metered, uint32(9), false, false}, {metered, "1", false, false},
	}
	for _, tt := range tests {
		if on, known := tt.means(tt.answer); on != tt.on || known != tt.known {
			t.Errorf("%#v: %v, %v", tt.answer, on, known)
		}
	}
}

func TestWindowsSaverAndCost(t *testing.T) {
	for flag, on := range map[byte]bool{0: false, 1: true} {
		if got := batterySaver(flag); got.On != on || !got.Known {
			t.Errorf("flag %d: %v", flag, got)
		}
	}
	tests := []struct {
		cost       int32
		over, roam bool
		on, known  bool
	}{
		{0, false, false, false, false}, {1, false, false, false, true}, {2, false, false, true, true}, {3, false, false, true, true},
		{1, true, false, true, true}, {1, false, true, true, true}, {0, false, true, true, true},
	}
	for _, tt := range tests {
		if got := connectionCost(tt.cost, tt.over, tt.roam); got.On != tt.on || got.Known != tt.known || got.Source == "" {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestLineStatus(t *testing.T) {
	tests := []struct {
		line, flag     byte
		battery, known bool
	}{
		{0, 1, true, true}, {0, 4, true, true}, {1, 8, false, true}, {1, 128, false, true},
		{0, 128, false, true}, {255, 255, false, false}, {0, 255, true, true}, {255, 0, false, false},
	}
	for _, tt := range tests {
		if got := lineStatus(tt.line, tt.flag); got.On != tt.battery || got.Known != tt.known || got.Source == "" {
			t.Errorf("%d, %d: %+v", tt.line, tt.flag, got)
		}
	}
}

func TestRoutable(t *testing.T) {
	for cidr, want := range map[string]bool{
		"192.168.1.4/24": true, "10.0.0.1/8": true, "2001:db8::1/64": true, "fd00::1/8": true,
		"127.0.0.1/8": false, "169.254.3.4/16": false, "fe80::1/64": false, "::1/128": false,
	} {
		ip, network, err := net.ParseCIDR(cidr)
		if err != nil {
			t.Fatal(err)
		}
		if got := routable([]net.Addr{&net.IPNet{IP: ip, Mask: network.Mask}}); got != want {
			t.Errorf("%s: %v", cidr, got)
		}
	}
	if routable(nil) {
		t.Error("no address is none")
	}
}

func TestConnected(t *testing.T) {
	const up, running = net.FlagUp, net.FlagRunning
	for flags, want := range map[net.Flags]bool{
		up | running: true, up | running | net.FlagPointToPoint: true, up: false, running: false, 0: false,
		up | running | net.FlagLoopback: false,
	} {
		if got := connected(flags); got != want {
			t.Errorf("%s: %v", flags, got)
		}
	}
}

func TestRead(t *testing.T) {
	s := Read(t.Context())
	for name, f := range map[string]Reading{"battery": s.Battery, "saver": s.Saver, "metered": s.Metered} {
		if f.Source == "" || f.On && !f.Known {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// machine is watched while the test changes its state.
type machine struct {
	mu    sync.Mutex
	state State
	reads int
	told  []State
}

func (m *machine) run(ctx context.Context, signals <-chan struct{}) {
	watch(ctx, time.Minute, m.tell, m.read, signals)
}

func (m *machine) tell(s State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = append(m.told, s)
}

func (m *machine) read(context.Context) State {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	return m.state
}

func (m *machine) set(s State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = s
}

// seen returns how often it was looked at and what was told.
func (m *machine) seen() (int, []State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads, slices.Clone(m.told)
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := State{Battery: Reading{Known: true, Source: "cable"}, Network: true}
		battery := State{Battery: Reading{On: true, Known: true, Source: "cable"}, Network: true}
		away := battery
		away.Network = false
		m := &machine{state: line}
		ctx, cancel := context.WithCancel(t.Context())
		signals := make(chan struct{})
		done := make(chan struct{})
		go func() { m.run(ctx, signals); close(done) }()
		synctest.Wait()

		m.set(battery)
		for range 5 { // a swarm is one reading, soon
			signals <- struct{}{}
		}
		<-time.After(time.Second)
		if reads, told := m.seen(); !slices.Equal(told, []State{line, battery}) || reads != 2 {
			t.Errorf("told %v after %d looks", told, reads)
		}
		close(signals) // the bus goes away; the clock remains
		same := battery
		same.Battery.Source = "another"
		m.set(same)
		<-time.After(10 * time.Minute)
		synctest.Wait()
		if reads, told := m.seen(); len(told) != 2 || reads < 10 || reads > 14 {
			t.Errorf("told %v after %d looks", told, reads)
		}
		for _, s := range []State{away, line, {Saver: Reading{On: true, Known: true}}, {Metered: Reading{On: true, Known: true}}, {Metered: Reading{Known: true}}} {
			m.set(s)
			<-time.After(time.Minute)
			synctest.Wait()
			if _, told := m.seen(); told[len(told)-1] != s {
				t.Errorf("%v is not told: %v", s, told)
			}
		}
		cancel()
		<-done
	})
}
