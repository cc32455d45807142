package imaging

import (
	"time"

	"golang.org/x/sys/unix"
)

// maxTime is how long the processor may work on one image: one that waits for other programs is not refused. The largest photos
// that are shown, of 24 megapixels, take half of it on a slow machine.
var maxTime = 2 * time.Second

// worked is the processor time of the thread so far.
func worked() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
