package power

import (
	"io/fs"
	"strings"
)

// batteryFromSysfs reads the kernel's power supplies below /sys/class/power_supply
// (Linux, Documentation/ABI/testing/sysfs-class-power).
func batteryFromSysfs(root fs.FS) Reading {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return Reading{Source: "sysfs: " + err.Error()}
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
		return Reading{Known: true, Source: "sysfs: external power"}
	case !battery:
		return Reading{Known: true, Source: "sysfs: no battery"}
	case discharging, mains: // an adapter is read more recently than a battery
		return Reading{On: true, Known: true, Source: "sysfs: no external power"}
	}
	return Reading{Known: true, Source: "sysfs: not discharging"}
}

// boolean decodes a D-Bus boolean.
func boolean(v any) (on, ok bool) {
	on, ok = v.(bool)
	return on, ok
}

// powerSaver reads a power profile's name: performance, balanced or power-saver.
func powerSaver(v any) (on, ok bool) {
	name, ok := v.(string)
	return name == "power-saver", ok && name != ""
}

// metered decodes an NMMetered of NetworkManager's D-Bus types. Its guesses, from a
// phone's DHCP for instance, are good enough.
func metered(v any) (on, ok bool) {
	const yes, no, guessYes, guessNo = 1, 2, 3, 4
	n, _ := v.(uint32)
	return n == yes || n == guessYes, n >= yes && n <= guessNo
}

// pmsetSource reads what macOS's "pmset -g batt" prints.
func pmsetSource(out string) Reading {
	first, _, _ := strings.Cut(out, "\n")
	_, source, ok := strings.Cut(first, "drawing from '")
	source, _, closed := strings.Cut(source, "'")
	if !ok || !closed {
		return Reading{Source: "pmset: no power source in its output"}
	}
	return Reading{On: source == "Battery Power" || source == "UPS Power", Known: true, Source: "pmset: " + source}
}

// pmsetMode reads of what macOS's "pmset -g" prints the settings in use: low power
// mode is lowpowermode 1 or, on machines that also have a high one, powermode 1.
func pmsetMode(out string) Reading {
	reading := Reading{Source: "pmset: no power mode in its output"}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) == 2 && (words[0] == "lowpowermode" || words[0] == "powermode") {
			reading = Reading{On: reading.On || words[1] == "1", Known: true, Source: "pmset"}
		}
	}
	return reading
}

// routeInterface reads the interface of what macOS's "route -n get default" prints,
// "" if there is none.
func routeInterface(out string) string {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "interface: "); ok {
			return name
		}
	}
	return ""
}

// expensive reads what macOS's "ifconfig -v" prints of an interface: its extended
// flags tell a phone that shares its network (IFEF_EXPENSIVE of xnu's net/if.h).
func expensive(out string) Reading {
	_, flags, ok := strings.Cut(out, "eflags=")
	flags, _, closed := strings.Cut(flags, ">")
	_, names, open := strings.Cut(flags, "<")
	if !ok || !closed || !open {
		return Reading{Source: "ifconfig: no flags in its output"}
	}
	for name := range strings.SplitSeq(names, ",") {
		if name == "EXPENSIVE" {
			return Reading{On: true, Known: true, Source: "ifconfig"}
		}
	}
	return Reading{Known: true, Source: "ifconfig"}
}

// lineStatus reads ACLineStatus and BatteryFlag of Windows's SYSTEM_POWER_STATUS.
func lineStatus(line, flag byte) Reading {
	const noBattery, unknown = 128, 255
	switch {
	case flag != unknown && flag&noBattery != 0:
		return Reading{Known: true, Source: "GetSystemPowerStatus: no battery"}
	case line == 0:
		return Reading{On: true, Known: true, Source: "GetSystemPowerStatus: offline"}
	case line == 1:
		return Reading{Known: true, Source: "GetSystemPowerStatus: online"}
	}
	return Reading{Source: "GetSystemPowerStatus: unknown"}
}

// batterySaver reads SystemStatusFlag of Windows's SYSTEM_POWER_STATUS; before
// Windows 10 it was reserved and 0.
func batterySaver(flag byte) Reading {
	return Reading{On: flag == 1, Known: true, Source: "GetSystemPowerStatus"}
}

// connectionCost reads the cost of Windows's NL_NETWORK_CONNECTIVITY_HINT.
func connectionCost(cost int32, overLimit, roaming bool) Reading {
	const unknown, fixed, variable = 0, 2, 3
	const source = "GetNetworkConnectivityHint"
	if cost == unknown && !overLimit && !roaming {
		return Reading{Source: source + ": unknown"}
	}
	return Reading{On: cost == fixed || cost == variable || overLimit || roaming, Known: true, Source: source}
}
