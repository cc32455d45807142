//go:build !linux

package imaging

import "time"

// maxTime is how long one image may be decoded, on a machine that is busy, too.
var maxTime = 5 * time.Second

var started = time.Now()

// worked is the time that has passed: the processor time of a thread is not told everywhere.
func worked() time.Duration { return time.Since(started) }
