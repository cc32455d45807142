package lab

import "math"

// DefaultWindow is how many items a feed shows if the protocol does not say.
const DefaultWindow = 15

// Row is what one policy did for one user at one budget, in totals of the replay.
type Row struct {
	User    string  `json:"user"`
	Policy  string  `json:"policy"`
	Budget  float64 `json:"budget"`     // fetches per feed and day; what it used, if the policy keeps its own pace
	Delay   float64 `json:"delay_h"`    // Σ over accesses a and posts t ≤ a not fetched at a of a − t, h
	Missed  int     `json:"missed"`     // Σ over accesses of the posts not yet fetched
	Ready   float64 `json:"ready"`      // posts already fetched at the first access after them, of all that have one, lost ones included, %
	Posts   int     `json:"posts"`      // published in the replay
	MeanAge float64 `json:"mean_age_h"` // fetch − post, h
	MaxAge  float64 `json:"max_age_h"`
	SDAge   float64 `json:"sd_age_h"`
	Fetches int     `json:"fetches"`
	Full    int     `json:"full"` // fetches that brought posts, answered with a body; the others with 304
	Lost    int     `json:"lost"` // posts that had left the feed's window at the first fetch after them

	Accesses int     `json:"-"` // in the replay
	Feeds    int     `json:"-"`
	Days     float64 `json:"-"`
	OwnPace  bool    `json:"-"` // the policy takes no budget
}

// Score returns what the fetches of each feed, ascending, meant for the user; User, Policy,
// Budget and OwnPace are left empty.
func (w *World) Score(fetches [][]int64) Row {
	accesses := w.Accesses()
	row := Row{Accesses: len(accesses), Feeds: len(w.posts), Days: w.days()}
	s := scorer{accesses: accesses, end: w.end, window: w.protocol.window()}
	for i, at := range fetches {
		row.Fetches += len(at)
		s.feed(w.Posts(i), at)
	}
	row.Delay, row.Missed, row.Posts, row.Full, row.Lost = float64(s.delay)/3600, s.missed, s.posts, s.full, s.lost
	row.Ready = 100
	if s.offered > 0 {
		row.Ready = 100 * float64(s.ready) / float64(s.offered)
	}
	if s.posts > 0 {
		n := float64(s.posts)
		row.MeanAge, row.MaxAge = s.age/n, s.oldest
		row.SDAge = math.Sqrt(max(0, s.square/n-row.MeanAge*row.MeanAge))
	}
	return row
}

// scorer goes through posts, fetches and accesses side by side.
type scorer struct {
	accesses []int64
	end      int64
	window   int // items a feed shows

	delay          int64 // seconds
	missed, posts  int
	offered, ready int
	full, lost     int
	age, square    float64 // hours
	oldest         float64
}

func (s *scorer) feed(posts, fetches []int64) {
	f, from, full := 0, 0, -1
	for i, t := range posts {
		for f < len(fetches) && fetches[f] < t {
			f++
		}
		for from < len(s.accesses) && s.accesses[from] < t {
			from++
		}
		if f == len(fetches) {
			s.post(t, s.end, false, false, from)
			continue
		}
		if f != full {
			full = f
			s.full++
		}
		lost := i+s.window < len(posts) && posts[i+s.window] <= fetches[f]
		s.post(t, fetches[f], true, lost, from)
	}
}

// post counts one post. The accesses from index from on come after it. A post that is never
// fetched counts as fetched at the end, after the last access; a lost one waits until the fetch
// that came too late for it, and is not ready.
func (s *scorer) post(t, fetched int64, closed, lost bool, from int) {
	s.posts++
	if lost {
		s.lost++
	}
	k := from
	for ; k < len(s.accesses) && (s.accesses[k] < fetched || !closed); k++ {
		s.delay += s.accesses[k] - t
		s.missed++
	}
	if from > 0 && from < len(s.accesses) {
		s.offered++
		if k == from && !lost {
			s.ready++
		}
	}
	age := float64(fetched-t) / 3600
	s.age += age
	s.square += age * age
	s.oldest = max(s.oldest, age)
}
