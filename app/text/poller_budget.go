package text

import (
	"strings"

	"kairos/poller"
)

var savingReasons = table[poller.SavingReason]{
	poller.OnBattery:      "on battery",
	poller.PowerSaverOn:   "the system saves power",
	poller.MeteredNetwork: "metered network",
}

// SavingReason describes why battery saver is on, as part of a sentence.
func (p *Printer) SavingReason(r poller.SavingReason) string { return say(p, savingReasons, r) }

// SavingReasons describes why the automatic battery saver is on: "on battery, metered network"; "" if it is not.
func (p *Printer) SavingReasons(b poller.Budget) string {
	var why []string
	for _, r := range b.SavingReasons() {
		why = append(why, p.SavingReason(r))
	}
	return strings.Join(why, p.X("join.parts", ", "))
}

// Saver describes the setting of battery saver, and why it is on: "off", "automatic (on battery)".
func (p *Printer) Saver(b poller.Budget) string {
	switch why := p.SavingReasons(b); {
	case b.Saver == poller.SaverOff:
		return p.L("off")
	case b.Saver == poller.SaverOn:
		return p.L("on")
	case why != "":
		return p.L("automatic ({{.Why}})", V{"Why": why})
	}
	return p.L("automatic")
}
