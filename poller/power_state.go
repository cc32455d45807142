package poller

// PowerState is the power and network state of the machine, as its system reports it.
type PowerState struct {
	Battery    bool // it runs on battery
	PowerSaver bool // it is set to save power
	Metered    bool // its network is metered
	NoNetwork  bool // nothing but the machine itself can be reached
}

// SavingReason is why battery saver is on in its automatic setting. It is a fact, which
// app/text words.
type SavingReason string

// Why battery saver is on.
const (
	OnBattery      SavingReason = "battery"
	PowerSaverOn   SavingReason = "power-saver" // of the system
	MeteredNetwork SavingReason = "metered"
)

// SavingReasons returns why the automatic saver saves now. There are none if it does not,
// or if the saver is switched by hand.
func (b Budget) SavingReasons() (why []SavingReason) {
	if b.Saver != SaverAuto {
		return nil
	}
	for _, r := range []struct {
		on  bool
		why SavingReason
	}{{b.Power.Battery, OnBattery}, {b.Power.PowerSaver, PowerSaverOn}, {b.Power.Metered, MeteredNetwork}} {
		if r.on {
			why = append(why, r.why)
		}
	}
	return why
}
