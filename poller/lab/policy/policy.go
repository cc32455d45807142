// Package policy holds the fetching policies that the lab compares, a file each: what Kairos
// ships, and the same machinery for the papers' objective (loop_twin.go), those of the papers, those of other feed readers, and two yardsticks
// (uniform.go, clairvoyant.go).
//
// Planned policies share the ladder of counts 1/7, 1/6 … 1/2, 1, 2, 3 … fetches a day (package
// plan), so that they spend the same. Recipe puts a policy together from rates, a split of the
// budget and a schedule, and cycles.go runs it; Printed does the same without the ladder, as the
// papers print it; own_pace.go holds what other readers do.
package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/poller/lab"
)

const (
	day        = 24 * time.Hour
	daySeconds = int64(day / time.Second)
	binSeconds = int64(lab.Bin / time.Second)
	dayBins    = int(day / lab.Bin)
)

// all are the policies by name. Those that take a budget and spend all of it get as many fetches as
// Kairos makes of it, or as Exact where Kairos is not replayed.
var all = byName(Uniform, Kairos, Exact, HeParker, HeParkerDaily, HeParkerShrunk, Sia, Missing, CGMAge, CGMFreshness,
	Fixed5, Fixed60, Miniflux, MinifluxRoundRobin, MinifluxEntryFrequency, CommaFeed, AutoTTL, IndHist, Clairvoyant)

func byName(policies ...lab.Policy) map[string]lab.Policy {
	m := map[string]lab.Policy{}
	for _, p := range policies {
		if !p.OwnPace && p.Name != Kairos.Name && p.Name != Exact.Name {
			p.AsManyAs = []string{Kairos.Name, Exact.Name}
		}
		m[p.Name] = p
	}
	return m
}

// Defaults are the policies compared if none is named.
func Defaults() []lab.Policy {
	return byNames(Uniform.Name, HeParker.Name, Sia.Name, HeParkerShrunk.Name, Exact.Name, Kairos.Name, Clairvoyant.Name)
}

// DefaultsAsleep are the policies compared if none is named and machines sleep: also what no policy can
// beat there.
func DefaultsAsleep() []lab.Policy { return append(Defaults(), Fixed5) }

// byNames returns policies that are known to be there.
func byNames(names ...string) (policies []lab.Policy) {
	for _, name := range names {
		policies = append(policies, all[name])
	}
	return policies
}

// Names returns the names of all policies, sorted.
func Names() []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ByName returns the policies with these names.
func ByName(names ...string) ([]lab.Policy, error) {
	var found []lab.Policy
	for _, name := range names {
		p, ok := all[name]
		if !ok {
			return nil, fmt.Errorf("there is no policy %q; the policies are %s", name, strings.Join(Names(), ", "))
		}
		found = append(found, p)
	}
	return found, nil
}
