package plan

import (
	"fmt"
	"sort"
)

// hostLimit is how many requests a period a host takes. The feeds of one host are a family within all feeds, so the
// constraints are laminar: granting steps by falling saving and leaving out the feeds of full hosts splits the budget
// exactly (Federgruen & Groenevelt 1986; for crawlers Kolobov, Peres, Lubetzky & Horvitz 2019). It is OPT_POLITE on
// the ladder and with the real costs. Where fetches differ in what they take out of the budget, the steps of a full host
// are ordered by that, too, though the host counts requests: then the split is a good one, not the best.
type hostLimit struct {
	capacity float64
	feeds    []int // of the problem
}

// hostLoad is what an allocation asks of one host.
type hostLoad struct {
	requests float64 // a period
	refused  float64 // the best saving of a step for which the host had no room
}

// hostLoads are those of an allocation, of the hosts that have a limit.
type hostLoads map[*hostLimit]*hostLoad

// add counts requests to a feed's host; a feed without a limited host counts nowhere.
func (h hostLoads) add(b *bounds, requests float64) {
	if b.host == nil {
		return
	}
	if h[b.host] == nil {
		h[b.host] = new(hostLoad)
	}
	h[b.host].requests += requests
}

// admits reports whether a feed's host has room for a step, and notes it if not.
func (h hostLoads) admits(b *bounds, requests, saving float64) bool {
	if b.host == nil || h[b.host].requests+requests <= b.host.capacity+roundingSlack {
		return true
	}
	h[b.host].refused = max(h[b.host].refused, saving)
	return false
}

// refused returns the best saving that a feed's host refused; 0 if it refused none.
func (h hostLoads) refused(b *bounds) float64 {
	if b.host == nil {
		return 0
	}
	return h[b.host].refused
}

// limitHosts gives each feed the limit of its host. Where a host cannot take the bases of all its feeds, they are lowered
// to one fetch every k periods, with the smallest k that fits.
func (s *solver) limitHosts() {
	limits := map[string]*hostLimit{}
	for i := range s.p.Feeds {
		name := s.p.Feeds[i].Host
		capacity, limited := s.p.Hosts[name]
		if !limited || name == "" {
			continue
		}
		if limits[name] == nil {
			limits[name] = &hostLimit{capacity: capacity}
		}
		limits[name].feeds = append(limits[name].feeds, i)
		s.bounds[i].host = limits[name]
	}
	s.beyondHost = nil
	for _, l := range limits {
		s.lowerBases(l)
	}
}

// lowerBases lowers the bases of a host's feeds until the host can take them.
func (s *solver) lowerBases(l *hostLimit) {
	lowered := func(i, k int) rung {
		if k == 0 {
			return s.bounds[i].base
		}
		return min(s.bounds[i].base, everyRung(k))
	}
	k := sort.Search(maxEvery, func(k int) bool {
		sum := 0.0
		for _, i := range l.feeds {
			sum += lowered(i, k).frequency()
		}
		return sum <= l.capacity+roundingSlack
	})
	if k == 0 {
		return
	}
	if s.beyondHost == nil {
		s.beyondHost = map[int]rung{}
	}
	for _, i := range l.feeds {
		s.beyondHost[i] = s.bounds[i].base
		s.bounds[i].base = lowered(i, k)
	}
}

// belowHosts counts the feeds that a grant leaves below what they should have because their hosts take no more.
func (s *solver) belowHosts(g *grant) (feeds int) {
	for i, base := range s.beyondHost {
		if g.rung[i] < base {
			feeds++
		}
	}
	return feeds
}

// fitHosts takes the feeds of hosts that the rungs overload back to where they were before the first step.
func (s *solver) fitHosts(at []rung) {
	loads := hostLoads{}
	for i, r := range at {
		loads.add(&s.bounds[i], r.frequency())
	}
	for host, load := range loads {
		if load.requests > host.capacity+roundingSlack {
			for _, i := range host.feeds {
				at[i] = s.from[i]
			}
		}
	}
}

// checkHosts returns an error if a host cannot take even the longest cycle of all its feeds.
func (p *Problem) checkHosts() error {
	for name, capacity := range p.Hosts {
		if !finiteNonNegative(capacity) {
			return fmt.Errorf("of %q must be a finite number of requests, 0 or more, not %v", name, capacity)
		}
	}
	least := map[string]float64{}
	for i := range p.Feeds {
		f := &p.Feeds[i]
		capacity, limited := p.Hosts[f.Host]
		if least[f.Host] += 1.0 / maxEvery; limited && f.Host != "" && least[f.Host] > capacity {
			return fmt.Errorf("of %q, %v requests, is too small for its feeds", f.Host, capacity)
		}
	}
	return nil
}
