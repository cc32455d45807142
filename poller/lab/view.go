package lab

import (
	"slices"
	"time"

	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// View is what a reader could know by now: the warm-up, the posts that its own fetches
// brought, and the accesses so far.
type View struct {
	w        *World
	now      int64
	last     []int64 // time of each feed's last fetch
	posts    []int   // number of posts of each feed up to its last fetch
	seen     []*seen // by feed, nil where no post was lost: all up to the last fetch are known
	accesses int     // number of accesses known
	spent    int     // fetches since the start
	delays   *hostDelays
	signs    int // number of signs of presence known
	read     readingLog
}

// seen is what is known of a feed that has lost posts.
type seen struct {
	posts []int64 // those of the warm-up and those that fetches brought, ascending
	tally rate.Tally
	later [][2]int64 // fetches, each with the one before it, whose posts the tally has not learned: few policies ask
}

// learned returns the tally of all posts.
func (s *seen) learned() rate.Tally {
	for _, f := range s.later {
		addEvents(&s.tally, time.UTC, &rate.FeedPrior, f[0], f[1], s.posts)
	}
	s.later = s.later[:0]
	return s.tally
}

// View returns the view at the start of the replay.
func (w *World) View() *View {
	n := len(w.user.Feeds)
	v := &View{w: w, now: w.start, last: make([]int64, n), posts: make([]int, n), seen: make([]*seen, n)}
	for i := range v.last {
		v.last[i], v.posts[i] = w.start, w.postsUntil(i, w.start)
	}
	v.moveTo(w.start)
	return v
}

// moveTo sets the clock.
func (v *View) moveTo(now int64) {
	v.now = now
	for v.accesses < len(v.w.accesses) && v.w.accesses[v.accesses] < now {
		v.accesses++
	}
	for v.signs < len(v.w.presence) && v.w.presence[v.signs].At < now {
		v.signs++
	}
}

// recordFetch makes known what a fetch brings: the posts since the last one that are still
// among those the feed shows.
func (v *View) recordFetch(feed int, at int64) {
	last, known, now := v.last[feed], v.posts[feed], v.w.postsUntil(feed, at)
	v.last[feed], v.posts[feed] = at, now
	if now > known {
		v.read.brought = append(v.read.brought, delivery{at, feed, max(known, now-v.Window()), now})
	}
	s := v.seen[feed]
	if s == nil && now-known <= v.Window() {
		return
	}
	all := v.w.posts[feed]
	if s == nil {
		s = &seen{posts: slices.Clone(all[:known]), tally: v.w.tallies.posting(feed, last)}
		v.seen[feed] = s
	}
	s.posts = append(s.posts, all[max(known, now-v.Window()):now]...)
	s.later = append(s.later, [2]int64{last, at})
}

// Now returns the virtual time.
func (v *View) Now() int64 { return v.now }

// Start returns when the replay began, at a midnight UTC.
func (v *View) Start() int64 { return v.w.start }

// WarmupStart returns when the warm-up began.
func (v *View) WarmupStart() int64 { return v.w.start - int64(v.w.protocol.Warmup/time.Second) }

// Until returns when Planner.Learn will be called again.
func (v *View) Until() int64 {
	every := int64(v.w.protocol.Relearn / time.Second)
	return v.w.start + ((v.now-v.w.start)/every+1)*every
}

// Frozen reports whether only the warm-up may be learned from.
func (v *View) Frozen() bool { return v.w.protocol.Frozen }

// Spent returns the number of fetches since the start.
func (v *View) Spent() int { return v.spent }

// nextAccess returns when the next access is known, which is only after it.
func (v *View) nextAccess() int64 {
	if v.accesses == len(v.w.accesses) {
		return Never
	}
	return v.w.accesses[v.accesses] + 1
}

// nextSign returns when the next sign of presence is known, which is only after it.
func (v *View) nextSign() int64 {
	if v.signs == len(v.w.presence) {
		return Never
	}
	return v.w.presence[v.signs].At + 1
}

// Slept returns when the machine last fell asleep and when it woke: the same time if it has not
// slept since the replay began.
func (v *View) Slept() (from, to int64) {
	if n := v.w.awake.SpanAfter(v.now); n < len(v.w.awake) && v.w.awake[n].From <= v.now && v.w.awake[n].From > v.w.start {
		to = v.w.awake[n].From
		return max(v.w.LastAwake(to-1), v.w.start), to
	}
	return v.w.start, v.w.start
}

// Wakings returns when the machine was awake up to now, from the warm-up on, to the second in which
// the loop could last notice it; nil if it always was.
func (v *View) Wakings() (wakings []rate.Waking) {
	now, last := v.now, time.Time{}
	if v.Frozen() {
		now = v.w.start
	}
	for _, s := range v.w.awake {
		if s.From > now {
			break
		}
		from, to := max(s.From, v.WarmupStart()), min(s.To-1, now)
		if to < from {
			continue
		}
		w := rate.Waking{From: time.Unix(from, 0), To: time.Unix(to, 0)}
		if w.Since = last; last.IsZero() {
			w.Since = w.From
		}
		wakings, last = append(wakings, w), w.To
	}
	return wakings
}

// Spacing returns the least time between two fetches from a host; 0 if there is none.
func (v *View) Spacing() time.Duration { return v.w.protocol.Spacing }

// User returns the user's ID.
func (v *View) User() string { return v.w.user.ID }

// FeedID returns the ID of a feed.
func (v *View) FeedID(feed int) string { return v.w.user.Feeds[feed].ID }

// Zone returns the zone of the user's wall clock.
func (v *View) Zone() *time.Location { return v.w.user.Zone }

// UTCOffset returns how far the user's wall clock is ahead of UTC now.
func (v *View) UTCOffset() time.Duration {
	_, seconds := time.Unix(v.now, 0).In(v.Zone()).Zone()
	return time.Duration(seconds) * time.Second
}

// Feeds returns the number of feeds.
func (v *View) Feeds() int { return len(v.last) }

// Last returns the time of the last fetch of a feed.
func (v *View) Last(feed int) int64 { return v.last[feed] }

// Posts returns the known posts of a feed, ascending, those of the warm-up too.
func (v *View) Posts(feed int) []int64 {
	if s := v.seen[feed]; s != nil {
		return slices.Clip(s.posts)
	}
	n := v.posts[feed]
	return v.w.posts[feed][:n:n]
}

// Accesses returns those before now, ascending, those of the warm-up too.
func (v *View) Accesses() []int64 { return v.w.accesses[:v.accesses:v.accesses] }

// Presence returns the signs before now that the user may be about to come, ascending, those of the
// warm-up too.
func (v *View) Presence() []traces.Sign { return v.w.presence[:v.signs:v.signs] }

// knownUntil returns the time up to which a feed may be learned from.
func (v *View) knownUntil(feed int) int64 {
	if v.Frozen() {
		return v.w.start
	}
	return v.last[feed]
}

// Window returns how many items a feed shows.
func (v *View) Window() int { return v.w.protocol.window() }

// Posting returns the tally of a feed's posts up to knownUntil.
func (v *View) Posting(feed int) rate.Tally {
	if s := v.seen[feed]; s != nil && !v.Frozen() {
		return s.learned()
	}
	return v.w.tallies.posting(feed, v.knownUntil(feed))
}

// Access returns the tally of the user's accesses.
func (v *View) Access() rate.Tally {
	if v.Frozen() {
		return v.w.tallies.access(v.w.start)
	}
	return v.w.tallies.access(v.now)
}

// Offset returns how long after the start of a bin a fetch planned for it happens, which is
// fixed for the feed.
func (v *View) Offset(feed int) time.Duration { return time.Duration(v.w.offset[feed]) * time.Second }

// FetchTime returns when a fetch planned for the bin of a time happens: after the start of
// the bin by an offset fixed for the feed.
func (v *View) FetchTime(feed int, at int64) int64 {
	return at - at%binSeconds + v.w.offset[feed]
}
