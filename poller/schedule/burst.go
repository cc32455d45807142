package schedule

import (
	"slices"
)

// Burst plans feeds again, alone, that have turned out to be in a burst; the inputs hold
// these feeds and their instants. Others keep theirs: what is spent beyond the plan moves
// the price of the next one, for which their least valuable instants are struck. It
// returns nil before the first plan and under the papers' methods. Feeds that the split in
// force does not have are left out. Errors as Replan's.
func (s *Scheduler) Burst(in Inputs) (*Plan, error) {
	in.Occasion = ""
	split := s.kept()
	if split == nil || !split.method.TakesCharges() {
		return nil, nil
	}
	in.Method = split.method
	known := in.Feeds[:0:0]
	for _, f := range in.Feeds {
		if at := slices.Index(split.feeds, f.ID); at >= 0 {
			f.Interest = split.interest[at]
			known = append(known, f)
		}
	}
	in.Feeds = known
	p := s.begin(&in)
	p.sample()
	out := &Plan{Made: p.Now, Method: p.Method, Feeds: p.feeds, start: p.start, partial: true, PriceNow: p.price(split)}
	for i := range out.Feeds {
		f := &out.Feeds[i]
		f.Cycle = split.result.Feeds[slices.Index(split.feeds, f.Feed.ID)]
		if err := p.planFeed(f, out.PriceNow); err != nil {
			return nil, err
		}
	}
	p.explain(out)
	return out, nil
}
