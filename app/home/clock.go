package home

import (
	"os"
	"strings"
	"sync"
	"time"
)

// wallClock is the time as the wall shows it: in the zone the machine is in by
// now, and without the monotonic reading, which stands still while the machine
// sleeps, so that a night would count as a second.
func wallClock() func() time.Time {
	z := &zone{file: "/etc/localtime"}
	if _, set := os.LookupEnv("TZ"); set {
		z.file = ""
	}
	return func() time.Time {
		now := time.Now().Round(0)
		return now.In(z.at(now))
	}
}

// zoneAge is how long the machine's zone is believed.
const zoneAge = 10 * time.Second

// zone follows the machine's time zone. Go reads it once, when a program starts,
// and laptops travel.
type zone struct {
	file string // "" where the zone cannot change

	mu     sync.Mutex
	looked time.Time
	mark   string // tells whether file is still the same
	loc    *time.Location
}

func (z *zone) at(now time.Time) *time.Location {
	z.mu.Lock()
	defer z.mu.Unlock()
	if age := now.Sub(z.looked); z.file != "" && (age >= zoneAge || age < 0) {
		z.looked = now
		z.look()
	}
	if z.loc == nil {
		return time.Local
	}
	return z.loc
}

// look reads the zone anew if it was changed since it was last seen; what cannot
// be read leaves it as it was.
func (z *zone) look() {
	info, err := os.Stat(z.file)
	if err != nil {
		return
	}
	target, _ := os.Readlink(z.file) // mostly a link into the zone database; a file will do
	before := z.mark
	z.mark = target + info.ModTime().String()
	if before == "" || before == z.mark {
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
