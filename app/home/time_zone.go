package home

import (
	"os"
	"strings"
	"sync"
	"time"
)

// wallClock returns a clock in the machine's current time zone, without the monotonic reading,
// which stands still while the machine sleeps.
func wallClock() func() time.Time {
	z := &timeZone{file: "/etc/localtime"}
	if _, set := os.LookupEnv("TZ"); set {
		z.file = ""
	}
	return func() time.Time {
		now := time.Now().Round(0)
		return now.In(z.at(now))
	}
}

// zoneAge is how long a reading of the machine's time zone is used.
const zoneAge = 10 * time.Second

// timeZone follows the machine's time zone. Go reads it only when a program starts, and laptops
// travel.
type timeZone struct {
	file string // "" where the zone cannot change

	mu      sync.Mutex
	read    time.Time
	version string // of the file; "" not read yet
	loc     *time.Location
}

func (z *timeZone) at(now time.Time) *time.Location {
	z.mu.Lock()
	defer z.mu.Unlock()
	if age := now.Sub(z.read); z.file != "" && (age >= zoneAge || age < 0) {
		z.read = now
		z.refresh()
	}
	if z.loc == nil {
		return time.Local
	}
	return z.loc
}

// refresh reads the zone again if the file has changed. If it cannot be read, the zone stays as it
// was.
func (z *timeZone) refresh() {
	info, err := os.Stat(z.file)
	if err != nil {
		return
	}
	target, _ := os.Readlink(z.file) // mostly a link into the zone database
	before := z.version
	z.version = target + info.ModTime().String()
	if before == "" || before == z.version {
		return
	}
	data, err := os.ReadFile(z.file)
	if err != nil {
		return
	}
	_, name, _ := strings.Cut(target, "zoneinfo/")
	if loc, err := time.LoadLocationFromTZData(name, data); err == nil {
		z.loc = loc
	}
}
