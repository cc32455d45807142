package lab

// hostDelays delay the fetches of feeds that share a host, as the dispatcher does (DELAYED): one that is less than the protocol's spacing
// after the last to its host waits, in the order in which they were begun.
type hostDelays struct {
	spacing int64 // seconds; 0: hosts take any number
	host    []string
	free    map[string]int64 // by host: no fetch before
	waiting []int            // feeds, in order
	waits   []bool           // by feed
}

func newHostDelays(w *World) *hostDelays {
	h := &hostDelays{spacing: int64(w.protocol.Spacing.Seconds()), free: map[string]int64{}, waits: make([]bool, len(w.user.Feeds))}
	for _, f := range w.user.Feeds {
		h.host = append(h.host, f.Host)
	}
	return h
}

// freeAt returns when a feed's host may be asked next; 0 if at any time.
func (h *hostDelays) freeAt(feed int) int64 {
	if h.spacing == 0 || h.host[feed] == "" {
		return 0
	}
	return h.free[h.host[feed]]
}

// fetched notes a fetch.
func (h *hostDelays) fetched(feed int, at int64) {
	if h.spacing > 0 && h.host[feed] != "" {
		h.free[h.host[feed]] = at + h.spacing
	}
}

// wait lets a feed wait for its host, and reports whether it has to.
func (h *hostDelays) wait(feed int, now int64) bool {
	if h.freeAt(feed) <= now {
		return false
	}
	if !h.waits[feed] {
		h.waits[feed], h.waiting = true, append(h.waiting, feed)
	}
	return true
}

// take returns a feed whose wait is over; not ok if there is none.
func (h *hostDelays) take(now int64) (feed int, ok bool) {
	for k, feed := range h.waiting {
		if h.freeAt(feed) <= now {
			h.waiting = append(h.waiting[:k:k], h.waiting[k+1:]...)
			h.waits[feed] = false
			return feed, true
		}
	}
	return 0, false
}

// next returns when the first wait is over.
func (h *hostDelays) next() (at int64) {
	at = Never
	for _, feed := range h.waiting {
		at = min(at, h.freeAt(feed))
	}
	return at
}

// Host returns the host that a feed shares with others; "" if none.
func (v *View) Host(feed int) string {
	if v.w.protocol.Spacing == 0 {
		return ""
	}
	return v.w.user.Feeds[feed].Host
}

// Waits reports whether a fetch of a feed has begun and waits for its host.
func (v *View) Waits(feed int) bool { return v.delays != nil && v.delays.waits[feed] }
