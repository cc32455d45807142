package poller

import (
	"cmp"
	"slices"
	"time"
)

// admit keeps of the planned instants the most valuable ones that the budget
// allows: no 24 hours may hold more than M, those spent already included. What
// the user has asked for comes first. One that finds no room waits for some, up to
// half the time to the feed's next.
func (in *inputs) admit(pl *Plan) {
	type candidate struct {
		*Instant
		until int // the bin before which it must find room
	}
	var all []candidate
	for i := range pl.Feeds {
		at := pl.Feeds[i].Instants
		for k := range at {
			b, next := in.bin(at[k].At), pl.Feeds[i].end
			if k+1 < len(at) {
				next = in.bin(at[k+1].At)
			}
			all = append(all, candidate{&at[k], b + 1 + min((next-b)/2, patience)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if a.asked != b.asked {
			return map[bool]int{true: -1, false: 1}[a.asked]
		}
		return cmp.Or(cmp.Compare(b.Value, a.Value), a.At.Compare(b.At), cmp.Compare(a.Feed, b.Feed))
	})
	w := newWindow(pl.Budget)
	for _, at := range in.spent {
		w.add(in.bin(at))
	}
	for _, c := range all {
		b := in.bin(c.At)
		room := w.room(b, c.until)
		if room < 0 {
			c.Feed = 0 // struck
			continue
		}
		w.add(room)
		c.At = c.At.Add(time.Duration(room-b) * Bin)
	}
	for i := range pl.Feeds {
		f := &pl.Feeds[i]
		f.Instants = slices.DeleteFunc(f.Instants, func(at Instant) bool { return at.Feed == 0 })
	}
}

// patience is for how many bins an instant may wait for room at most.
const patience = bins

// window counts the fetches of every 24 hours that end within the horizon, to a
// bin: the loop counts to the second before it fetches.
type window struct {
	budget int
	count  []int // fetches of the 24 hours that end with bin b
}

func newWindow(budget int) *window {
	return &window{budget: budget, count: make([]int, horizon+patience)}
}

func (w *window) span(b int) []int {
	from, to := max(0, b), min(len(w.count), b+bins)
	if from >= to {
		return nil
	}
	return w.count[from:to]
}

func (w *window) add(b int) {
	for i := range w.span(b) {
		w.count[max(0, b)+i]++
	}
}

// room is the first bin in [b, until) for which no window is full; −1 if there is none.
func (w *window) room(b, until int) int {
	for ; b < until; b++ {
		if s := w.span(b); s == nil {
			return -1
		} else if slices.Max(s) < w.budget {
			return b
		}
	}
	return -1
}
