package power

import (
	"io/fs"
	"strings"
)

// sysfs reads the kernel's power supplies below /sys/class/power_supply
// (Linux, Documentation/ABI/testing/sysfs-class-power).
func sysfs(root fs.FS) State {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return State{Reason: "sysfs: " + err.Error()}
	}
	var line, mains, battery, discharging bool
	for _, e := range entries {
		read := func(name string) string {
			b, _ := fs.ReadFile(root, e.Name()+"/"+name)
			return strings.TrimSpace(string(b))
		}
		switch kind := read("type"); {
		case read("scope") == "Device": // of a mouse or a headset
		case kind == "Battery" && read("present") != "0":
			battery = true
			discharging = discharging || read("status") == "Discharging"
		case kind == "Mains", strings.HasPrefix(kind, "USB"), kind == "Wireless":
			online := read("online")
			line = line || online != "" && online != "0"
			mains = mains || kind == "Mains"
		}
	}
	switch {
	case line:
		return State{Known: true, Reason: "sysfs: external power"}
	case !battery:
		return State{Known: true, Reason: "sysfs: no battery"}
	case discharging, mains: // an adapter's word is newer than a battery's
		return State{Battery: true, Known: true, Reason: "sysfs: no external power"}
	}
	return State{Known: true, Reason: "sysfs: not discharging"}
}

// pmset reads what macOS's "pmset -g batt" prints.
func pmset(out string) State {
	first, _, _ := strings.Cut(out, "\n")
	_, source, ok := strings.Cut(first, "drawing from '")
	source, _, closed := strings.Cut(source, "'")
	if !ok || !closed {
		return State{Reason: "pmset: no power source in its output"}
	}
	return State{Battery: source == "Battery Power" || source == "UPS Power", Known: true, Reason: "pmset: " + source}
}

// lineStatus reads the first two bytes of Windows's SYSTEM_POWER_STATUS,
// ACLineStatus and BatteryFlag.
func lineStatus(line, flag byte) State {
	const noBattery, unknown = 128, 255
	switch {
	case flag != unknown && flag&noBattery != 0:
		return State{Known: true, Reason: "GetSystemPowerStatus: no battery"}
	case line == 0:
		return State{Battery: true, Known: true, Reason: "GetSystemPowerStatus: offline"}
	case line == 1:
		return State{Known: true, Reason: "GetSystemPowerStatus: online"}
	}
	return State{Reason: "GetSystemPowerStatus: unknown"}
}
