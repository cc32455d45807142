//go:build !linux

package corpus

import (
	"os"
	"time"
)

func peakMemory(*os.ProcessState) int64 { return 0 }

var processStart = time.Now()

func cpuTime() time.Duration { return time.Since(processStart) }
