package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// paper is a table of a paper, replayed on a set by the paper's protocol.
type paper struct {
	protocol Options
	reader   bool // it asks when people come, not only when feeds post
	replay   func(*study) error
}

var papers = map[string]paper{
	"sia":       {protocol: siaProtocol, replay: siaTables},
	"he-parker": {protocol: heParkerProtocol, reader: true, replay: heParkerTables},
	"window":    {protocol: windowProtocol, reader: true, replay: windowTables},
	"polite":    {protocol: politeProtocol, replay: politeTables},
}

// Papers lists the tables of the papers that can be replayed.
func Papers() string {
	var names []string
	for name := range papers {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Protocol is how a paper's table is replayed if nothing else is said. Of these
// options the table takes the weeks, the warm-up and the time between learnings;
// policies and budgets are its own.
func Protocol(table string) (Options, error) {
	p, ok := papers[table]
	if !ok {
		return Options{}, fmt.Errorf("there is no table %q; there are %s", table, Papers())
	}
	return p.protocol, nil
}

// RunPaper replays a table of a paper, with ours beside it. Errors are sentences
// about the options or the set, or the context's. Progress is told of replays instead
// of users.
func RunPaper(ctx context.Context, table string, set *Set, o Options) (*Report, error) {
	protocol, err := Protocol(table)
	if err != nil {
		return nil, err
	}
	o.Budgets, o.Policies, o.Frozen = protocol.Budgets, protocol.Policies, protocol.Frozen
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Warmup < day {
		return nil, fmt.Errorf("table %s learns from the warm-up: it must be a day or more, not %v", table, o.Warmup)
	}
	s := &study{ctx: ctx, set: set, o: o, table: table, report: &Report{}}
	if err := s.longEnough(papers[table].reader); err != nil {
		return nil, err
	}
	if err := papers[table].replay(s); err != nil {
		return nil, err
	}
	return s.report, ctx.Err()
}

// study is one table in the making.
type study struct {
	ctx    context.Context
	set    *Set
	o      Options
	table  string
	report *Report
}

// longEnough says if the traces begin too late for what is learned and tested.
func (s *study) longEnough(reader bool) error {
	posts, accesses := Never, Never
	for _, u := range s.set.Users {
		accesses = min(accesses, first(u.Accesses))
		for _, f := range u.Feeds {
			posts = min(posts, first(f.Posts))
		}
	}
	begin := posts
	if reader {
		begin = max(posts, accesses)
	}
	// What is rare comes the first time a while after the watching began.
	if need := s.start() - int64(s.o.Warmup/time.Second); begin > need+daySeconds {
		return fmt.Errorf("these traces are too short for table %s: it learns and tests from %s on, before %s they hold nothing",
			s.table, stamp(need), stamp(min(begin, s.set.End)))
	}
	return nil
}

// first of ascending instants, or Never.
func first(at []int64) int64 {
	if len(at) == 0 {
		return Never
	}
	return at[0]
}

// start is when what is tested begins.
func (s *study) start() int64 { return s.set.End - int64(s.o.Weeks)*int64(week/time.Second) }

// variant is a policy under the name it has in a table.
type variant struct {
	name string
	kind kind
}

// replays runs every user under every variant and budget: rows by user, variant and
// budget, in this order.
func (s *study) replays(set *Set, o *Options, variants []variant) ([]Row, error) {
	worlds := make([]*world, len(set.Users))
	inParallel(s.ctx, hardestFirst(set), func(i int) { worlds[i] = newWorld(set, &set.Users[i], o) })
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	each := len(variants) * len(o.Budgets)
	rows, errs := make([]Row, len(worlds)*each), make([]error, len(worlds)*each)
	var told progress
	told.start(o, len(rows))
	inParallel(s.ctx, counted(len(rows)), func(i int) {
		v, budget := variants[i%each/len(o.Budgets)], o.Budgets[i%len(o.Budgets)]
		rows[i], errs[i] = worlds[i/each].run(s.ctx, v.name, v.kind, budget)
		told.step()
	})
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("replay user %s: %w", set.Users[i/each].ID, err)
		}
	}
	return rows, nil
}

// counted are the numbers below n.
func counted(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// progress tells how much is done.
type progress struct {
	sync.Mutex
	tell      func(done, all int)
	done, all int
}

func (p *progress) start(o *Options, all int) { p.tell, p.done, p.all = o.Progress, 0, all }

func (p *progress) step() {
	p.Lock()
	defer p.Unlock()
	if p.done++; p.tell != nil {
		p.tell(p.done, p.all)
	}
}

// everything is all the feeds of a set in the hands of one aggregator. Nobody comes
// to read there: what counts is when posts arrive.
func everything(set *Set) *Set {
	all := User{ID: "all", Zone: time.UTC}
	known := map[string]bool{}
	for _, u := range set.Users {
		for _, f := range u.Feeds {
			if !known[f.ID] {
				known[f.ID] = true
				all.Feeds = append(all.Feeds, f)
			}
		}
	}
	slices.SortFunc(all.Feeds, func(a, b Series) int { return strings.Compare(a.ID, b.ID) })
	return &Set{Users: []User{all}, End: set.End}
}
