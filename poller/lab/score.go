package lab

import "math"

// window is how many items a feed shows: what was posted before them is lost to who
// has not fetched it.
const window = 15

// score counts what fetches by feed, ascending, meant to the user.
func (w *world) score(fetches [][]int64) Row {
	accesses := between(w.accesses, w.start, w.end)
	row := Row{accesses: len(accesses), feeds: len(w.posts), days: w.days()}
	s := scorer{accesses: accesses, end: w.end}
	for i, at := range fetches {
		row.Fetches += len(at)
		s.feed(between(w.posts[i], w.start, w.end), at)
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

	delay          int64 // seconds
	missed, posts  int
	offered, ready int
	full, lost     int
	age, square    float64 // hours
	oldest         float64
}

func (s *scorer) feed(posts, fetches []int64) {
	f, from, brought := 0, 0, 0
	for _, t := range posts {
		for f < len(fetches) && fetches[f] < t {
			s.overflow(brought)
			f, brought = f+1, 0
		}
		for from < len(s.accesses) && s.accesses[from] < t {
			from++
		}
		fetched, closed := s.end, false
		if f < len(fetches) {
			fetched, closed = fetches[f], true
			brought++
		}
		s.post(t, fetched, closed, from)
	}
	s.overflow(brought)
}

// overflow counts a fetch that brought something, and what it came too late for.
func (s *scorer) overflow(brought int) {
	s.full += min(1, brought)
	s.lost += max(0, brought-window)
}

// post counts one post. The accesses from `from` on come after it; one never
// fetched counts as fetched at the end, after the last access.
func (s *scorer) post(t, fetched int64, closed bool, from int) {
	s.posts++
	k := from
	for ; k < len(s.accesses) && (s.accesses[k] < fetched || !closed); k++ {
		s.delay += s.accesses[k] - t
		s.missed++
	}
	if from > 0 && from < len(s.accesses) {
		s.offered++
		if k == from {
			s.ready++
		}
	}
	age := float64(fetched-t) / 3600
	s.age += age
	s.square += age * age
	s.oldest = max(s.oldest, age)
}
