package power

import (
	"context"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getSystemPowerStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")

func battery(context.Context) State {
	// SYSTEM_POWER_STATUS of winbase.h.
	var status struct {
		line, flag, percent, saver byte
		life, fullLife             uint32
	}
	if err := getSystemPowerStatus.Find(); err != nil {
		return State{Reason: "GetSystemPowerStatus: " + err.Error()}
	}
	ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&status)))
	if ok == 0 {
		return State{Reason: "GetSystemPowerStatus: " + err.Error()}
	}
	return lineStatus(status.line, status.flag)
}

func announced(context.Context) <-chan struct{} { return nil }
