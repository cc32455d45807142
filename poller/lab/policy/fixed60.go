package policy

import "time"

// Fixed60 fetches every feed every hour, as simple readers do.
var Fixed60 = waitAfter("fixed-60", func(int64, []int64) time.Duration { return time.Hour })
