package lab

// uniform fetches every feed at equal intervals, each with its own phase.
type uniform struct {
	every float64 // seconds
	phase []float64
	done  []int
}

func startUniform(v *View, budget float64) Policy {
	u := &uniform{done: make([]int, v.Feeds())}
	u.every = float64(daySeconds) * float64(v.Feeds()) / budget
	for i := range v.Feeds() {
		u.phase = append(u.phase, draw("phase", v.User(), v.Name(i)))
	}
	return u
}

func (*uniform) Learn(*View) {}

func (u *uniform) Next(v *View, feed int) int64 {
	for {
		at := (u.phase[feed] + float64(u.done[feed])) * u.every
		if !(at < 1e12) {
			return Never
		}
		next := onMark(v, feed, v.Start()+int64(at))
		if next > v.Last(feed) {
			return next
		}
		u.done[feed]++
	}
}
