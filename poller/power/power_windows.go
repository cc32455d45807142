package power

import (
	"context"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	getSystemPowerStatus       = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")
	getNetworkConnectivityHint = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetNetworkConnectivityHint")
)

func readState(context.Context) State {
	var s State
	s.Battery, s.Saver = powerStatus()
	s.Metered = connectivity()
	return s
}

func powerStatus() (battery, saver Reading) {
	// SYSTEM_POWER_STATUS of winbase.h.
	var status struct {
		line, flag, percent, saver byte
		life, fullLife             uint32
	}
	if err := getSystemPowerStatus.Find(); err != nil {
		unknown := Reading{Source: "GetSystemPowerStatus: " + err.Error()}
		return unknown, unknown
	}
	ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&status)))
	if ok == 0 {
		unknown := Reading{Source: "GetSystemPowerStatus: " + err.Error()}
		return unknown, unknown
	}
	return lineStatus(status.line, status.flag), batterySaver(status.saver)
}

// connectivity asks what Windows has known since version 2004.
func connectivity() Reading {
	// NL_NETWORK_CONNECTIVITY_HINT of nldef.h.
	var hint struct {
		level, cost                  int32
		nearLimit, overLimit, roamed byte
	}
	if err := getNetworkConnectivityHint.Find(); err != nil {
		return Reading{Source: "GetNetworkConnectivityHint: " + err.Error()}
	}
	if code, _, _ := getNetworkConnectivityHint.Call(uintptr(unsafe.Pointer(&hint))); code != 0 {
		return Reading{Source: "GetNetworkConnectivityHint: " + windows.Errno(code).Error()}
	}
	return connectionCost(hint.cost, hint.overLimit != 0, hint.roamed != 0)
}

func changeSignals(context.Context) <-chan struct{} { return nil }
