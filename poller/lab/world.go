package lab

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"kairos/poller/lab/traces"
	"kairos/poller/score"
)

// World is one user's traces, cut to the warm-up and the weeks replayed. It knows the
// future; policies see it through a View.
type World struct {
	user     *traces.User
	protocol Protocol
	start    int64 // of the replay
	end      int64
	accesses []int64   // from the warm-up on
	posts    [][]int64 // by feed, from the warm-up on
	offset   []int64   // by feed, seconds from the start of a bin to the planned fetch
	tallies  *tallies
	awake    score.Awake   // when the machine is, the warm-up included; nil: always
	presence []traces.Sign // from the warm-up on, ascending
	// read returns by feed and post, from the warm-up on, whether the person reads it.
	read func() [][]bool
}

// NewWorld cuts a user's traces to a protocol.
func NewWorld(set *traces.Set, u *traces.User, p Protocol) *World {
	return NewWorldBetween(set.End-int64(p.Weeks)*int64(week/time.Second), set.End, u, p)
}

// NewWorldBetween is the world of a replay that starts and ends at any time; the protocol's
// weeks don't count.
func NewWorldBetween(start, end int64, u *traces.User, p Protocol) *World {
	w := &World{user: u, protocol: p, start: start, end: end}
	from := w.start - int64(p.Warmup/time.Second)
	w.awake = u.Awake
	w.accesses, w.presence = traces.Between(u.Accesses, from, w.end), signsBetween(u.Presence, from, w.end)
	for _, f := range u.Feeds {
		w.posts = append(w.posts, traces.Between(f.Posts, from, w.end))
		w.offset = append(w.offset, 20+int64(121*Draw("offset", f.ID)))
	}
	w.tallies = countDays(w, from)
	w.read = sync.OnceValue(func() [][]bool { return p.readings().deal(w) })
	return w
}

// ReadAs deals the posts up to an instant as in another world of the same feeds, which has the same
// posts up to then. Chances depend on a feed's rate in the whole replay, so they would differ.
func (w *World) ReadAs(other *World, until int64) {
	read := w.read()
	for i := range read {
		copy(read[i][:w.postsUntil(i, until)], other.read()[i])
	}
}

// signsBetween returns the part of signs in (from, to], sharing their array.
func signsBetween(signs []traces.Sign, from, to int64) []traces.Sign {
	after := func(s traces.Sign, at int64) int { return cmp.Compare(s.At, at) }
	i, _ := slices.BinarySearchFunc(signs, from+1, after)
	j, _ := slices.BinarySearchFunc(signs, to+1, after)
	return signs[i:j:j]
}

// Start returns when the replay begins.
func (w *World) Start() int64 { return w.start }

// End returns when the replay ends.
func (w *World) End() int64 { return w.end }

// Accesses returns those in the replay, ascending.
func (w *World) Accesses() []int64 { return traces.Between(w.accesses, w.start, w.end) }

// Feeds returns the number of feeds.
func (w *World) Feeds() int { return len(w.posts) }

// LastAwake returns at if the machine is awake then, otherwise the last second before in which it
// was; the time before the replay if it was not since the start.
func (w *World) LastAwake(at int64) int64 { return w.awake.Last(at, w.start) }

// Posts returns the posts of a feed in the replay, ascending.
func (w *World) Posts(feed int) []int64 { return traces.Between(w.posts[feed], w.start, w.end) }

// postsUntil returns the number of a feed's posts up to an instant, from the warm-up on.
func (w *World) postsUntil(feed int, at int64) int {
	n, _ := slices.BinarySearch(w.posts[feed], at+1)
	return n
}

func (w *World) days() float64 { return float64(w.end-w.start) / float64(daySeconds) }

// Allowance returns how many fetches a budget, in fetches per feed and day, allows in the
// whole replay.
func (w *World) Allowance(budget float64) int {
	return int(math.Floor(budget*float64(len(w.user.Feeds))*w.days() + 1e-6))
}
