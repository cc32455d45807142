// Package score counts what fetches meant for a user: which posts were ready at the accesses,
// and how long the others waited. The lab scores replays with it, poller/insights the user's own
// history. It compares a history with the same number of requests at equal intervals and at the
// best instants in hindsight. It does no input or output and reads no clock.
//
// Times are Unix seconds. A fetch at r brings every post t ≤ r that is still among the last items
// its feed shows; one that is not is lost. An access at a sees the fetches r ≤ a.
package score

import "math"

// History is what happened from Start to End, exclusive.
type History struct {
	Start, End int64
	Accesses   []int64   // ascending
	Posts      [][]int64 // by feed, ascending
	Since      []int64   // by feed, when fetching it began; nil: all at Start
	Window     int       // items a feed shows; 0: all
	Awake      Awake     // when fetching was possible; nil: always

	first int // the place of the first feed in the history that this is a part of
}

// Totals is what fetches meant for the user, summed up.
type Totals struct {
	Delay   int64 // Σ over accesses a and posts t ≤ a not fetched at a of a − t, seconds
	Missed  int   // Σ over accesses of the posts not yet fetched
	Posts   int
	Offered int // posts that have an access after them, and one before
	Ready   int // of these, those already fetched at the first access after them; lost ones are not
	Full    int // fetches that brought posts
	Lost    int // posts that had left the feed's window at the first fetch after them

	Age, SquareAge, MaxAge float64 // Σ of fetch − post, of its square, and its maximum; h
}

// ReadyShare returns the share of ready posts in %; 100 if none were offered.
func (t *Totals) ReadyShare() float64 {
	if t.Offered == 0 {
		return 100
	}
	return 100 * float64(t.Ready) / float64(t.Offered)
}

// MeanWait returns the delay of a post in hours, on average over all posts: for each access at
// which it was posted and not yet fetched, its age then.
func (t *Totals) MeanWait() float64 {
	if t.Posts == 0 {
		return 0
	}
	return float64(t.Delay) / 3600 / float64(t.Posts)
}

// Score returns what the fetches of each feed, ascending, meant for the user.
func (h *History) Score(fetches [][]int64) Totals {
	s := h.scorer()
	for i, at := range fetches {
		s.feed(h.Posts[i], fixed(at))
	}
	return s.Totals
}

func (h *History) scorer() scorer {
	s := scorer{accesses: h.Accesses, end: h.End, window: math.MaxInt}
	if h.Window > 0 {
		s.window = h.Window
	}
	return s
}

// scorer goes through posts, fetches and accesses side by side.
type scorer struct {
	Totals
	accesses []int64
	end      int64
	window   int // items a feed shows
}

// next returns the first fetch at an instant or later; false if there is none. It is asked about
// ascending instants.
type next func(at int64) (int64, bool)

// fixed returns these fetches, ascending, one by one.
func fixed(fetches []int64) next {
	f := 0
	return func(at int64) (int64, bool) {
		for f < len(fetches) && fetches[f] < at {
			f++
		}
		if f == len(fetches) {
			return 0, false
		}
		return fetches[f], true
	}
}

func (s *scorer) feed(posts []int64, fetches next) {
	from, full := 0, int64(math.MinInt64)
	for i, t := range posts {
		for from < len(s.accesses) && s.accesses[from] < t {
			from++
		}
		fetched, closed := fetches(t)
		if !closed {
			s.post(t, s.end, false, false, from)
			continue
		}
		if fetched != full {
			full = fetched
			s.Full++
		}
		lost := s.window < len(posts)-i && posts[i+s.window] <= fetched
		s.post(t, fetched, true, lost, from)
	}
}

// post counts one post. The accesses from index from on come after it. A post that is never
// fetched counts as fetched at the end, after the last access; a lost one waits until the fetch
// that came too late for it, and is not ready.
func (s *scorer) post(t, fetched int64, closed, lost bool, from int) {
	s.Posts++
	if lost {
		s.Lost++
	}
	k := from
	for ; k < len(s.accesses) && (s.accesses[k] < fetched || !closed); k++ {
		s.Delay += s.accesses[k] - t
		s.Missed++
	}
	if from > 0 && from < len(s.accesses) {
		s.Offered++
		if k == from && !lost {
			s.Ready++
		}
	}
	age := float64(fetched-t) / 3600
	s.Age += age
	s.SquareAge += age * age
	s.MaxAge = max(s.MaxAge, age)
}
