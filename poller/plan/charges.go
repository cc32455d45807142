package plan

// charges are the costs of a schedule besides its objective. They keep a gap's cost Monge: a
// price is a function of one end of the gap alone, and the posts lost are a convex function of
// the posts expected in it.
type charges struct {
	price  float64    // h per fetch
	prices []float64  // h per fetch by bin, nil: none
	losses losses     // window 0: no bound
	weight float64    // h per post lost
	table  *lossTable // of the window, nil: losses do not count
}

// fee returns the price of a fetch.
func (c *charges) fee(bin int) float64 {
	if c.prices == nil {
		return c.price
	}
	return c.price + c.prices[bin%len(c.prices)]
}

// fees returns the price of a cycle's fetches, per period.
func (c *charges) fees(every int, at []int) (sum float64) {
	for _, a := range at {
		sum += c.fee(a)
	}
	return sum / float64(every)
}

// lost returns the number of posts that a cycle is expected to lose per period.
func (c *Costs) lost(of losses, every int, at []int) (sum float64) {
	if of.window <= 0 || every < 1 {
		return 0
	}
	for a, b := range gaps(at, every*c.n) {
		sum += overflow(c.posts(a, b), of)
	}
	return sum / float64(every)
}

// posts returns the number of posts expected between bins a and b.
func (c *Costs) posts(a, b int) float64 {
	lap := func(k int) float64 { return float64(k/c.n)*c.p0[c.n] + c.p0[k%c.n] }
	return max(0, lap(b)-lap(a))
}

// largest returns a bound on the difference in charges between two schedules of so many fetches:
// as losses are convex, no cycle loses more posts than one gap of a whole period.
func (c *charges) largest(posts float64, fetches int) (h float64) {
	if c.table != nil {
		h = c.weight * c.table.at(posts)
	}
	most := 0.0
	for _, p := range c.prices {
		most = max(most, p)
	}
	return h + most*float64(fetches)
}
