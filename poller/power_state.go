package poller

import "strings"

// PowerState is what the machine has to spend, as far as its system says.
type PowerState struct {
	Battery    bool // it runs on battery
	PowerSaver bool // it is set to save power
	Metered    bool // what goes through its network is counted or paid for
	NoNetwork  bool // nothing but itself can be reached
}

// reasons are why the automatic saver saves, in words for people.
func (s PowerState) reasons() (why []string) {
	for _, r := range []struct {
		on   bool
		says string
	}{{s.Battery, "on battery"}, {s.PowerSaver, "the desktop saves power"}, {s.Metered, "metered network"}} {
		if r.on {
			why = append(why, r.says)
		}
	}
	return why
}

// Reasons are why the automatic saver saves now, in words for people. There are none
// if it does not, or if the saver is switched by hand.
func (b Budget) Reasons() []string {
	if b.Saver != SaverAuto {
		return nil
	}
	return b.Power.reasons()
}

// Said is the saver's setting and why it saves, in words for people: "off", "on",
// "automatic", "automatic (on battery, metered network)".
func (b Budget) Said() string {
	if b.Saver != SaverAuto {
		return string(b.Saver)
	}
	if why := b.Reasons(); len(why) > 0 {
		return "automatic (" + strings.Join(why, ", ") + ")"
	}
	return "automatic"
}
