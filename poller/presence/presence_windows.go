package presence

import (
	"context"
	"math"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"kairos/useraccess/rate"
)

var (
	getLastInputInfo = windows.NewLazySystemDLL("user32.dll").NewProc("GetLastInputInfo")
	getTickCount     = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetTickCount")
	wtsQuery         = windows.NewLazySystemDLL("wtsapi32.dll").NewProc("WTSQuerySessionInformationW")
)

// observe asks for the last input and the lock: notifications of both need a window of one's own.
func observe(context.Context) (o observation) {
	o.idle, o.idleKnown = sinceInput()
	o.locked, o.lockKnown = sessionLocked()
	return o
}

func sinceInput() (idle time.Duration, known bool) {
	// LASTINPUTINFO of winuser.h.
	info := struct{ size, tick uint32 }{size: 8}
	if getLastInputInfo.Find() != nil || getTickCount.Find() != nil {
		return 0, false
	}
	if ok, _, _ := getLastInputInfo.Call(uintptr(unsafe.Pointer(&info))); ok == 0 {
		return 0, false
	}
	now, _, _ := getTickCount.Call()
	return time.Duration(uint32(now)-info.tick) * time.Millisecond, true // both wrap after 49 days
}

func sessionLocked() (locked, known bool) {
	// WTSINFOEX of wtsapi32.h, as far as its flags.
	type info struct {
		level                 uint32
		_                     uint32 // what follows has 64-bit members
		session, state, flags uint32
	}
	const currentSession, sessionInfoEx = math.MaxUint32, 25
	if wtsQuery.Find() != nil {
		return false, false
	}
	var buffer *info
	var size uint32
	ok, _, _ := wtsQuery.Call(0, currentSession, sessionInfoEx, uintptr(unsafe.Pointer(&buffer)), uintptr(unsafe.Pointer(&size)))
	if ok == 0 || buffer == nil {
		return false, false
	}
	defer windows.WTSFreeMemory(uintptr(unsafe.Pointer(buffer)))
	if uintptr(size) < unsafe.Sizeof(info{}) || buffer.level != 1 {
		return false, false
	}
	return wtsLocked(buffer.flags)
}

func listen(context.Context, func(), func(rate.Sign)) {}
