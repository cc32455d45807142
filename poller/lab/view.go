package lab

import (
	"time"

	"kairos/useraccess/rate"
)

// View is what a reader could have seen by now: the warm-up, what its own fetches
// brought, and the accesses so far.
type View struct {
	w     *world
	now   int64
	last  []int64 // own last fetch of each feed
	seen  []int   // posts known of each feed
	came  int     // accesses known
	spent int     // fetches since the start
}

func (w *world) view() *View {
	v := &View{w: w, now: w.start, last: make([]int64, len(w.user.Feeds)), seen: make([]int, len(w.user.Feeds))}
	for i := range v.last {
		v.fetch(i, w.start)
	}
	v.at(w.start)
	return v
}

// at moves the clock.
func (v *View) at(now int64) {
	v.now = now
	for v.came < len(v.w.accesses) && v.w.accesses[v.came] < now {
		v.came++
	}
}

// fetch shows the posts of a feed up to now.
func (v *View) fetch(feed int, at int64) {
	v.last[feed] = at
	posts := v.w.posts[feed]
	for v.seen[feed] < len(posts) && posts[v.seen[feed]] <= at {
		v.seen[feed]++
	}
}

// Now is the virtual clock.
func (v *View) Now() int64 { return v.now }

// Start is when the replay began, at a midnight UTC.
func (v *View) Start() int64 { return v.w.start }

// begin is when the warm-up began.
func (v *View) begin() int64 { return v.w.start - int64(v.w.options.Warmup/time.Second) }

// Until is when Learn will be called again.
func (v *View) Until() int64 {
	every := int64(v.w.options.Relearn / time.Second)
	return v.w.start + ((v.now-v.w.start)/every+1)*every
}

// Frozen reports whether only the warm-up may be learned from.
func (v *View) Frozen() bool { return v.w.options.Frozen }

// Spent is how many fetches there were.
func (v *View) Spent() int { return v.spent }

// attention is the next moment at which an attentive policy plans anew: an access, or
// if there is none before, the next even hour; no later than until.
func (v *View) attention(every, until int64) int64 {
	at := min(until, v.now-v.now%every+every)
	if v.came < len(v.w.accesses) {
		at = min(at, v.w.accesses[v.came]+1) // it is known only after it
	}
	return at
}

// User and Name tell users and feeds apart.
func (v *View) User() string         { return v.w.user.ID }
func (v *View) Name(feed int) string { return v.w.user.Feeds[feed].ID }

// Zone is that of the user's wall clock.
func (v *View) Zone() *time.Location { return v.w.user.Zone }

// Feeds is how many feeds there are.
func (v *View) Feeds() int { return len(v.last) }

// Last is the last fetch of a feed.
func (v *View) Last(feed int) int64 { return v.last[feed] }

// Posts are the posts known of a feed, oldest first, those of the warm-up too.
func (v *View) Posts(feed int) []int64 {
	n := v.seen[feed]
	return v.w.posts[feed][:n:n]
}

// Accesses are those before now, from the warm-up on.
func (v *View) Accesses() []int64 { return v.w.accesses[:v.came:v.came] }

// known is the instant up to which a feed may be learned from.
func (v *View) known(feed int) int64 {
	if v.Frozen() {
		return v.w.start
	}
	return v.last[feed]
}

// Posting is what is known of a feed's posts as of its last fetch.
func (v *View) Posting(feed int) rate.Tally {
	return v.w.learned.posting(feed, v.known(feed))
}

// Access is what is known of the user's accesses.
func (v *View) Access() rate.Tally {
	if v.Frozen() {
		return v.w.learned.access(v.w.start)
	}
	return v.w.learned.access(v.now)
}
