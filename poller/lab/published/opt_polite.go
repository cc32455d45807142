package published

import (
	"fmt"
	"slices"

	"kairos/poller/plan"
)

// Polite is an allocation under politeness.
type Polite struct {
	Frequency []float64 // 1/h by source
	// Weighted costs per hour in the method's own unit (hours of delay or age, share stale):
	// without the limit (UNPOLITE), and within it if every source is fetched at equal steps
	// (POLITE). No schedule that keeps the limit costs less than the first; one that delays
	// requests to keep it costs more than the second.
	Unpolite, Within float64
	Spent            float64 // fetches an hour; less than the budget if all hosts are full
	Full             int     // hosts at the limit
}

// OptPolite is OPT_POLITE: it splits a budget of fetches an hour by a law, with at most
// one request per gap hours to any host, Σ f ≤ 1/gap. Hosts that violate this are fixed at
// 1/gap, and the rest of the budget is split again among the others, until none does. A host
// once fixed stays fixed, as the price of the others only falls: the result is the optimum.
func OptPolite(l *plan.Law, sources []Source, budget, gap float64) (Polite, error) {
	if err := check(sources, budget); err != nil {
		return Polite{}, err
	}
	if !(gap >= 0) {
		return Polite{}, fmt.Errorf("the gap between requests must be a number of hours, 0 or more, not %v", gap)
	}
	p := Polite{Frequency: split(l, sources, budget)}
	p.Unpolite = value(l, sources, p.Frequency)
	open, rest := byHost(sources), budget
	for {
		over := slices.DeleteFunc(slices.Clone(open), func(h []int) bool { return sumAt(p.Frequency, h)*gap <= 1+1e-12 })
		if len(over) == 0 {
			break
		}
		for _, h := range over {
			p.split(l, sources, h, 1/gap)
			rest -= 1 / gap
		}
		p.Full += len(over)
		open = slices.DeleteFunc(open, func(h []int) bool { return slices.ContainsFunc(over, func(o []int) bool { return o[0] == h[0] }) })
		p.split(l, sources, slices.Concat(open...), max(0, rest))
	}
	for _, f := range p.Frequency {
		p.Spent += f
	}
	p.Within = value(l, sources, p.Frequency)
	return p, nil
}

// split splits a budget over some of the sources.
func (p *Polite) split(l *plan.Law, sources []Source, some []int, budget float64) {
	part := make([]Source, len(some))
	for k, i := range some {
		part[k] = sources[i]
	}
	for k, f := range split(l, part, budget) {
		p.Frequency[some[k]] = f
	}
}

// byHost groups the indices of the sources by host, in order of first occurrence.
func byHost(sources []Source) (hosts [][]int) {
	at := map[string]int{}
	for i, s := range sources {
		h, ok := at[s.Host]
		if !ok {
			h = len(hosts)
			at[s.Host], hosts = h, append(hosts, nil)
		}
		hosts[h] = append(hosts[h], i)
	}
	return hosts
}

func sumAt(f []float64, at []int) (sum float64) {
	for _, i := range at {
		sum += f[i]
	}
	return sum
}
