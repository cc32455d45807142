package score

import (
	"math"
	"slices"
	"sort"
)

// Hindsight returns the fetches of each feed, ascending, that have the least delay of all choices of
// no more than most fetches.
//
// A fetch is best in the second before an access, or when the machine was last awake before it, and only
// before one that finds new posts: these are the vertices. The cost of a gap is a sum over pairs of a
// post and a later access, hence Monge, hence V_i(m) is convex in the number m of fetches, and one
// price per fetch splits them over the feeds. The price is found by bisection; every feed answers a
// price with its cheapest path in O(n log n).
func (h *History) Hindsight(most int) [][]int64 {
	instants := make([]int64, len(h.Accesses))
	for i, at := range h.Accesses {
		instants[i] = h.Awake.Last(at-1, h.Start)
	}
	feeds := make([]*hindsight, len(h.Posts))
	all := 0
	for i, posts := range h.Posts {
		feeds[i] = newHindsight(h.Accesses, instants, posts, h.Start)
		all += feeds[i].n
	}
	if all > most {
		price := leastPrice(feeds, most)
		for i := range feeds {
			most -= len(feeds[i].path(price))
		}
		return spend(feeds, price, most)
	}
	fetches := make([][]int64, len(feeds))
	for i, f := range feeds {
		fetches[i] = f.at
	}
	return fetches
}

// leastPrice returns a price at which the feeds use most fetches or, where there is none, the least,
// to rounding, at which they use no more.
func leastPrice(feeds []*hindsight, most int) float64 {
	lo, hi := 0.0, 1.0
	for count(feeds, hi) > most {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := (lo + hi) / 2
		if mid <= lo || mid >= hi || hi-lo < 1e-13*hi {
			break
		}
		switch n := count(feeds, mid); {
		case n == most:
			return mid
		case n > most:
			lo = mid
		default:
			hi = mid
		}
	}
	return hi
}

func count(feeds []*hindsight, price float64) (n int) {
	for _, f := range feeds {
		n += len(f.path(price))
	}
	return n
}

// spend returns the fetches at a price, and gives the fetches that are left to feeds that would
// have more just below it, where one more fetch saves the same for each of them.
func spend(feeds []*hindsight, price float64, left int) [][]int64 {
	fetches := make([][]int64, len(feeds))
	below := price * (1 - 1e-9)
	for i, f := range feeds {
		path := f.path(price)
		if left > 0 {
			if more := f.path(below); len(more) > len(path) {
				n := min(len(more), len(path)+left)
				left -= n - len(path)
				path = more
				if n < len(more) {
					path = f.exactly(n)
				}
			}
		}
		for _, k := range path {
			fetches[i] = append(fetches[i], f.at[k-1])
		}
	}
	return fetches
}

// hindsight is one feed as seen from the end. The vertices 1 … n are the fetches for accesses that
// find new posts, 0 is the start and n+1 the end.
type hindsight struct {
	n  int
	at []int64 // the fetches
	// Prefix sums by vertex, times in seconds since the start. Up to and including the vertex:
	// the number of posts and the sum of their times. Over the accesses before the vertex: the
	// delay of all posts before each, the sum of the accesses' times, and their number.
	posts, postTimes             []float64
	delay, accessTimes, accesses []float64
}

// newHindsight takes the accesses, ascending, and for each the last instant at which a fetch could
// come before it.
func newHindsight(accesses, instants, posts []int64, start int64) *hindsight {
	h := &hindsight{posts: []float64{0}, postTimes: []float64{0}}
	posted, fetchable := counter{posts: posts, start: start}, counter{posts: posts, start: start}
	var a, b, c float64
	h.delay, h.accessTimes, h.accesses = []float64{0}, []float64{0}, []float64{0}
	for i, at := range accesses {
		if fetchable.upTo(instants[i]) {
			h.n++
			h.at = append(h.at, instants[i])
			h.posts, h.postTimes = append(h.posts, fetchable.n), append(h.postTimes, fetchable.times)
			// The accesses before this vertex are in the sums already.
			h.delay, h.accessTimes, h.accesses = append(h.delay, a), append(h.accessTimes, b), append(h.accesses, c)
		}
		posted.upTo(at)
		t := float64(at - start)
		a, b, c = a+t*posted.n-posted.times, b+t, c+1
	}
	h.delay, h.accessTimes, h.accesses = append(h.delay, a), append(h.accessTimes, b), append(h.accesses, c)
	return h
}

// counter counts posts and sums up their times since the start.
type counter struct {
	posts    []int64
	start    int64
	n, times float64
}

// upTo counts the posts up to a time and reports whether there were more.
func (c *counter) upTo(at int64) (more bool) {
	for ; int(c.n) < len(c.posts) && c.posts[int(c.n)] <= at; more = true {
		c.times += float64(c.posts[int(c.n)] - c.start)
		c.n++
	}
	return more
}

// gap returns the delay between fetches at vertices j < k, in seconds: that of the posts after
// j at the accesses from j on and before k.
func (h *hindsight) gap(j, k int) float64 {
	return h.delay[k] - h.delay[j] - h.posts[j]*(h.accessTimes[k]-h.accessTimes[j]) + h.postTimes[j]*(h.accesses[k]-h.accesses[j])
}

// path returns the inner vertices of the cheapest path from the start to the end at a price per
// fetch, with the fewest fetches among equals. Predecessors move forward, so the vertices still
// worth starting from form a queue, each best from some vertex on.
func (h *hindsight) path(price float64) []int {
	end := h.n + 1
	cost, from, links := make([]float64, end+1), make([]int, end+1), make([]int, end+1)
	better := func(i, j, k int) bool { // a path to k over i is better than over j
		a, b := cost[i]+h.gap(i, k), cost[j]+h.gap(j, k)
		return a < b || a == b && links[i] < links[j]
	}
	type start struct{ vertex, since int }
	queue := []start{{0, 1}}
	head := 0
	for k := 1; k <= end; k++ {
		for head+1 < len(queue) && queue[head+1].since <= k {
			head++
		}
		i := queue[head].vertex
		cost[k], from[k], links[k] = cost[i]+h.gap(i, k), i, links[i]+1
		if k == end {
			break
		}
		cost[k] += price
		// Drop those that are worse than k from their first vertex on.
		last := queue[len(queue)-1]
		for len(queue)-1 > head && better(k, last.vertex, last.since) {
			queue = queue[:len(queue)-1]
			last = queue[len(queue)-1]
		}
		first := max(last.since, k+1)
		since := first + sort.Search(end+1-first, func(x int) bool { return better(k, last.vertex, first+x) })
		if since <= end {
			queue = append(queue, start{k, since})
		}
	}
	return innerVertices(from, end)
}

func innerVertices(from []int, end int) []int {
	var path []int
	for k := from[end]; k > 0; k = from[k] {
		path = append(path, k)
	}
	slices.Reverse(path)
	return path
}

// exactly returns the cheapest path of m fetches, layer by layer.
func (h *hindsight) exactly(m int) []int {
	end := h.n + 1
	row, next := make([]float64, end+1), make([]float64, end+1)
	for k := range row {
		row[k] = math.Inf(1)
	}
	row[0] = 0
	back := make([][]int32, m+2)
	for l := 1; l <= m+1; l++ {
		back[l] = make([]int32, end+1)
		for k := range next {
			next[k] = math.Inf(1)
		}
		h.layer(row, next, back[l], l-1, h.n, l, end)
		row, next = next, row
	}
	path := make([]int, m)
	k := end
	for l := m + 1; l > 1; l-- {
		k = int(back[l][k])
		path[l-2] = k
	}
	return path
}

// layer adds one link to the vertices lo … hi from the vertices i … j.
func (h *hindsight) layer(row, next []float64, back []int32, i, j, lo, hi int) {
	if lo > hi {
		return
	}
	mid := (lo + hi) / 2
	best, at := math.Inf(1), i
	for k := i; k <= min(j, mid-1); k++ {
		if c := row[k] + h.gap(k, mid); c < best {
			best, at = c, k
		}
	}
	next[mid], back[mid] = best, int32(at)
	h.layer(row, next, back, i, at, lo, mid-1)
	h.layer(row, next, back, at, j, mid+1, hi)
}
