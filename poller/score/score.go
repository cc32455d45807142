// Package score counts what fetches meant for a user: which posts were ready at the accesses,
// and how long the others waited. The lab scores replays with it, poller/insights the user's own
// history. It compares a history with the same number of requests at equal intervals and at the
// best instants in hindsight. It does no input or output and reads no clock.
//
// Times are Unix seconds. A fetch at r brings every post t ≤ r that is still among the last items
// its feed shows; one that is not is lost. An access at a sees the fetches r < a: what is fetched because
// the window was opened was not there.
package score

import "math"

// History is what happened from Start to End, exclusive.
type History struct {
	Start, End int64
	Accesses   []int64   // ascending
	Posts      [][]int64 // by feed, ascending
	Since      []int64   // by feed, when fetching it began; nil: all at Start
	Window     int       // items a feed shows; 0: all
	Windows    []int     // by feed; nil: Window of each
	Awake      Awake     // when fetching was possible; nil: always
	Read       [][]bool  // by feed and post, whether it was read; nil: unknown

	first int // the place of the first feed in the history that this is a part of
}

// Totals is what fetches meant for the user, summed up.
type Totals struct {
	Delay   int64 // Σ over accesses a and posts t ≤ a not fetched at a of a − t, seconds
	Missed  int   // Σ over accesses of the posts not yet fetched
	Posts   int
	Offered int // posts that have an access after them, and one before
	Ready   int // of these, those already fetched before the first access after them; lost ones are not
	Late    int // of those offered, those that came later: neither ready nor lost
	Full    int // fetches that brought posts
	Lost    int // posts that had left the feed's window at the first fetch after them

	LateBy int64 // Σ of fetch − post of the late ones, seconds

	OfferedRead int // of those offered, the posts that were read
	ReadyRead   int // of those ready, the posts that were read

	Age, SquareAge, MaxAge float64 // Σ of fetch − post, of its square, and its maximum; h
}

// ReadyShare returns the share of ready posts in %; 100 if none were offered.
func (t *Totals) ReadyShare() float64 { return percent(t.Ready, t.Offered) }

// ReadyReadShare returns the share of ready posts among those that were read, in %; 100 if none of
// those offered was.
func (t *Totals) ReadyReadShare() float64 { return percent(t.ReadyRead, t.OfferedRead) }

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// meanLate returns how late the posts were that were not ready, in hours: the mean time from such a post to its fetch.
func (t *Totals) meanLate() float64 {
	if t.Late == 0 {
		return 0
	}
	return float64(t.LateBy) / 3600 / float64(t.Late)
}

// MeanLateOfAll is meanLate with those that were ready counted as on time.
func (t *Totals) MeanLateOfAll() float64 {
	if t.Ready+t.Late == 0 {
		return 0
	}
	return float64(t.LateBy) / 3600 / float64(t.Ready+t.Late)
}

// Score returns what the fetches of each feed, ascending, meant for the user.
func (h *History) Score(fetches [][]int64) Totals { return Sum(h.ScoreFeeds(fetches)) }

// ScoreFeeds is Score for each feed alone.
func (h *History) ScoreFeeds(fetches [][]int64) []Totals {
	feeds := make([]Totals, len(fetches))
	for i, at := range fetches {
		feeds[i] = h.scoreFeed(i, fixed(at), nil)
	}
	return feeds
}

// ScoreObserved is ScoreFeeds for fetches of which it is known which posts they did not bring: lost has them by feed and post,
// and the windows count for nothing.
func (h *History) ScoreObserved(fetches [][]int64, lost [][]bool) []Totals {
	feeds := make([]Totals, len(fetches))
	for i, at := range fetches {
		feeds[i] = h.scoreFeed(i, fixed(at), lost[i])
	}
	return feeds
}

// scoreFeed scores the fetches of a feed; lost says which of its posts were lost, nil if its window does.
func (h *History) scoreFeed(i int, fetches next, lost []bool) Totals {
	s := scorer{accesses: h.Accesses, end: h.End, window: math.MaxInt, lost: lost}
	if shows := h.window(i); shows > 0 {
		s.window = shows
	}
	s.feed(h.Posts[i], h.read(i), fetches)
	return s.Totals
}

// window returns how many items a feed shows; 0: all.
func (h *History) window(feed int) int {
	if h.Windows == nil {
		return h.Window
	}
	return h.Windows[feed]
}

// Sum returns the totals of several feeds together.
func Sum(feeds []Totals) (all Totals) {
	for i := range feeds {
		all.add(&feeds[i])
	}
	return all
}

func (t *Totals) add(u *Totals) {
	t.Delay, t.Missed, t.Posts = t.Delay+u.Delay, t.Missed+u.Missed, t.Posts+u.Posts
	t.Offered, t.Ready, t.Full, t.Lost = t.Offered+u.Offered, t.Ready+u.Ready, t.Full+u.Full, t.Lost+u.Lost
	t.Late, t.LateBy = t.Late+u.Late, t.LateBy+u.LateBy
	t.OfferedRead, t.ReadyRead = t.OfferedRead+u.OfferedRead, t.ReadyRead+u.ReadyRead
	t.Age, t.SquareAge, t.MaxAge = t.Age+u.Age, t.SquareAge+u.SquareAge, max(t.MaxAge, u.MaxAge)
}

// read returns whether each post of a feed was read; nil if that is unknown.
func (h *History) read(feed int) []bool {
	if h.Read == nil {
		return nil
	}
	return h.Read[feed]
}

// scorer goes through posts, fetches and accesses side by side.
type scorer struct {
	Totals
	accesses []int64
	end      int64
	window   int    // items a feed shows
	lost     []bool // by post; nil: as the window tells
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

// feed scores a feed; read says whether each post was read, nil if that is unknown.
func (s *scorer) feed(posts []int64, read []bool, fetches next) {
	from, full := 0, int64(math.MinInt64)
	for i, t := range posts {
		for from < len(s.accesses) && s.accesses[from] < t {
			from++
		}
		fetched, closed := fetches(t)
		p := post{at: t, fetched: fetched, closed: closed, read: read != nil && read[i]}
		if !closed {
			p.fetched = s.end
			s.post(p, from)
			continue
		}
		if fetched != full {
			full = fetched
			s.Full++
		}
		if s.lost == nil {
			p.lost = s.window < len(posts)-i && posts[i+s.window] <= fetched
		} else {
			p.lost = s.lost[i]
		}
		s.post(p, from)
	}
}

// post is a post and the first fetch after it, if there is one.
type post struct {
	at, fetched int64
	closed      bool // it is fetched
	lost, read  bool
}

// post counts one post. The accesses from index from on come after it. A post that is never
// fetched counts as fetched at the end, after the last access; a lost one waits until the fetch
// that came too late for it, and is not ready.
func (s *scorer) post(p post, from int) {
	s.Posts++
	if p.lost {
		s.Lost++
	}
	k := from
	for ; k < len(s.accesses) && (s.accesses[k] <= p.fetched || !p.closed); k++ {
		s.Delay += s.accesses[k] - p.at
		s.Missed++
	}
	if from > 0 && from < len(s.accesses) {
		s.offered(p, k == from && !p.lost)
	}
	age := float64(p.fetched-p.at) / 3600
	s.Age += age
	s.SquareAge += age * age
	s.MaxAge = max(s.MaxAge, age)
}

// offered counts a post that has an access after it, and one before.
func (s *scorer) offered(p post, ready bool) {
	s.Offered++
	switch {
	case ready:
		s.Ready++
	case !p.lost:
		s.Late, s.LateBy = s.Late+1, s.LateBy+p.fetched-p.at
	}
	if !p.read {
		return
	}
	s.OfferedRead++
	if ready {
		s.ReadyRead++
	}
}
