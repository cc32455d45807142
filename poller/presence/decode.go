package presence

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ioregValue reads a property of what macOS's ioreg prints: a line with "name" = value.
func ioregValue(out, name string) (value string, found bool) {
	for line := range strings.Lines(out) {
		if _, value, found = strings.Cut(line, `"`+name+`" = `); found {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// ioregIdle reads the time since the last input of what "ioreg -c IOHIDSystem" prints, in nanoseconds.
func ioregIdle(out string) (idle time.Duration, known bool) {
	value, found := ioregValue(out, "HIDIdleTime")
	n, err := strconv.ParseUint(value, 10, 64)
	if !found || err != nil || n > math.MaxInt64 {
		return 0, false
	}
	return time.Duration(n), true
}

// ioregLocked reads whether the screen is locked of what "ioreg -n Root" prints.
func ioregLocked(out string) (locked, known bool) {
	value, _ := ioregValue(out, "IOConsoleLocked")
	return value == "Yes", value == "Yes" || value == "No"
}

// wtsLocked reads SessionFlags of Windows's WTSINFOEX_LEVEL1, as Windows 8 and later set them.
func wtsLocked(flags uint32) (locked, known bool) {
	const lock, unlock = 0, 1
	return flags == lock, flags == lock || flags == unlock
}
