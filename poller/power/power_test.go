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
		if got := sysfs(tt.root); got.Battery != tt.battery || got.Known != tt.known || got.Reason == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := sysfs(missing{}); got.Known || got.Battery || got.Reason == "" {
		t.Errorf("no sysfs: %+v", got)
	}
}

func TestPmset(t *testing.T) {
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
		if got := pmset(tt.out); got.Battery != tt.battery || got.Known != tt.known || got.Reason == "" {
			t.Errorf("%q: %+v", tt.out, got)
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
		if got := lineStatus(tt.line, tt.flag); got.Battery != tt.battery || got.Known != tt.known || got.Reason == "" {
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

func TestRead(t *testing.T) {
	if s := Read(t.Context()); s.Reason == "" || s.Battery && !s.Known {
		t.Errorf("%+v", s)
	}
}

// machine is watched while the test changes its state.
type machine struct {
	mu    sync.Mutex
	state State
	reads int
	told  []State
}

func (m *machine) run(ctx context.Context, announced <-chan struct{}) {
	watch(ctx, time.Minute, m.tell, m.read, announced)
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
		line, battery := State{Known: true, Network: true}, State{Known: true, Battery: true, Network: true}
		away := State{Known: true, Battery: true}
		m := &machine{state: line}
		ctx, cancel := context.WithCancel(t.Context())
		announced := make(chan struct{})
		done := make(chan struct{})
		go func() { m.run(ctx, announced); close(done) }()
		synctest.Wait()

		m.set(battery)
		announced <- struct{}{} // at once
		synctest.Wait()
		if _, told := m.seen(); !slices.Equal(told, []State{line, battery}) {
			t.Errorf("told %v", told)
		}
		close(announced) // the bus goes away; the clock remains
		same := battery
		same.Reason = "another reason"
		m.set(same)
		<-time.After(10 * time.Minute)
		synctest.Wait()
		if reads, told := m.seen(); len(told) != 2 || reads < 10 || reads > 14 {
			t.Errorf("told %v after %d looks", told, reads)
		}
		m.set(away)
		<-time.After(time.Minute)
		synctest.Wait()
		if _, told := m.seen(); !slices.Equal(told, []State{line, battery, away}) {
			t.Errorf("told %v", told)
		}
		cancel()
		<-done
	})
}
