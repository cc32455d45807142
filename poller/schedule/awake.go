package schedule

import (
	"math"
	"slices"
	"time"

	"kairos/useraccess/rate"
)

const (
	// awakeMemory is how long the plan expects a machine that is awake now to stay so: what makes that
	// likelier than its hours tell falls to 1/e. On the laptops of seven people at 1 and 4 fetches a
	// feed a day the delay is 7 to 10 % larger with half an hour, and the same to 4 % with two.
	awakeMemory = time.Hour
	// seldomAwake bounds how much likelier an access is for the machine being awake: at most
	// 1/seldomAwake times. There it never binds.
	seldomAwake = 0.1
)

// sleeps reports whether the machine is known to sleep at times. For one that never does nothing
// of this file changes anything.
func (p *planning) sleeps() bool {
	return !p.rules.IgnoreSleep && p.Awake != nil && *p.Awake != rate.AlwaysOn && p.Method.TakesCharges()
}

// expectAccess raises λc for the machine being awake now. Nobody comes while it sleeps, so in an hour
// in which it is awake with probability q they come 1/q times as often while it is: who opens their
// laptop will read. How probably it still is awake some time from now falls back to q.
func (p *planning) expectAccess() {
	if !p.sleeps() || p.Signs.Share > 0 { // signs of presence know better when the user comes
		return
	}
	for k := range p.sampled {
		at := p.start.Add(time.Duration(k) * Bin)
		still := math.Exp(-at.Sub(p.start).Hours() / awakeMemory.Hours())
		if still < 0.01 {
			return
		}
		q := p.Awake.At(at.In(p.Now.Location()))
		p.sampled[k] *= 1 + (1-q)/max(q, seldomAwake)*still
	}
}

// asleep adds to the skipped bins of the UTC day those of the hours that the machine mostly sleeps
// through. On the circle they have no value: so the split knows how few chances there are. The coming
// hours are planned as if it stayed awake: what is due in its sleep is decided at its waking.
func (p *planning) asleep(skipped []int) []int {
	if !p.sleeps() {
		return skipped
	}
	day := p.Awake.Day()
	least := rate.AwakeThreshold(day)
	_, zone := p.Now.Zone()
	for b := range bins {
		hour := (b*int(Bin/time.Second) + zone + 24*3600) / 3600 % 24 // zones differ from UTC by less than a day
		if day[hour] < least && !slices.Contains(skipped, b) {
			skipped = append(skipped, b)
		}
	}
	slices.Sort(skipped)
	return skipped
}
