package policy

import (
	"time"

	"kairos/poller/lab"
)

var (
	// Fixed60 fetches every feed every hour, as simple readers do.
	Fixed60 = fixed("fixed-60", time.Hour)
	// Fixed5 fetches every feed every five minutes while the machine is awake, and when it wakes. No
	// machine that sleeps can have much more ready.
	Fixed5 = fixed("fixed-5", 5*time.Minute)
)

func fixed(name string, every time.Duration) lab.Policy {
	return waitAfter(name, func(int64, []int64) time.Duration { return every })
}
