// Package papers replays the tables and figures of the papers by their own protocols, with ours
// beside them. `make papers` writes them all on one page, poller/lab/PAPERS.md.
//
//	table      paper                                              file
//	he-parker  He & Parker, Tables 1 to 3                         he_parker.go
//	curves     He & Parker, Figure 3                              curves.go
//	sia        Sia, Cho & Cho, Table II                           sia.go
//	cgm        Sia, Cho & Cho, Figure 8                           sia.go
//	feeds      Sia, Cho & Cho, Table I, Figures 3, 7, 10 and 11   sia_feeds.go
//	window     Sia, Cho & Cho, Figures 9 and 12                   sia_window.go
//	push       Sia, Cho & Cho, section IV-D                       sia_push.go
//	polite     thesis of PUC-Rio, Figure 4.5                      polite.go
//
// searches.go runs the papers' searches for schedules beside the exact one.
package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
)

// table is a table of a paper.
type table struct {
	protocol lab.Protocol
	accesses bool // it asks when people read, not only when feeds post
	replay   func(*study) error
}

var tables = map[string]table{
	"he-parker": {protocol: heParkerProtocol, accesses: true, replay: heParkerTables},
	"curves":    {protocol: heParkerProtocol, accesses: true, replay: curvesTables},
	"sia":       {protocol: siaProtocol, replay: siaTables},
	"cgm":       {protocol: siaProtocol, replay: cgmTables},
	"feeds":     {protocol: feedsProtocol, replay: feedsTables},
	"window":    {protocol: windowProtocol, replay: windowTables},
	"push":      {protocol: pushProtocol, replay: pushTables},
	"polite":    {protocol: politeProtocol, replay: politeTables},
}

// Names lists the tables.
func Names() string {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Protocol returns a table's own protocol.
func Protocol(name string) (lab.Protocol, error) {
	t, ok := tables[name]
	if !ok {
		return lab.Protocol{}, fmt.Errorf("there is no table %q; the tables are %s", name, Names())
	}
	return t.protocol, nil
}

// Run replays a table of a paper on a set. The protocol may differ from the table's own in its
// weeks, warm-up and time between learnings. Errors are English sentences about the protocol or
// the set, or the context's error. Progress, if not nil, is called with the number of replays
// done, of all.
func Run(ctx context.Context, name string, set *traces.Set, p lab.Protocol, progress func(done, all int)) (*Report, error) {
	own, err := Protocol(name)
	if err != nil {
		return nil, err
	}
	p.Frozen = own.Frozen
	if err := p.Check(); err != nil {
		return nil, err
	}
	if p.Warmup < day {
		return nil, fmt.Errorf("table %s learns from the warm-up, which must be a day or more, not %v", name, p.Warmup)
	}
	s := &study{ctx: ctx, set: set, protocol: p, progress: progress, table: name, report: &Report{}}
	if err := s.checkLength(tables[name].accesses); err != nil {
		return nil, err
	}
	if err := tables[name].replay(s); err != nil {
		return nil, err
	}
	return s.report, ctx.Err()
}
