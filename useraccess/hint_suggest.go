package useraccess

import (
	"slices"
	"time"
)

const (
	// suggestGap divides the times at which articles were read into visits.
	suggestGap = 30 * time.Minute
	// suggestWithin is how far from a hint, in minutes, a visit counts for it.
	suggestWithin = 30
	// A hint needs visits on so many days, and on such a share of the days with any.
	suggestDays  = 5
	suggestShare = 0.4
	// maxSuggested is how many hints are made of workdays, and of weekends.
	maxSuggested = 3
)

// SuggestHints tells by when articles were read in another program at what times of the day, in a zone, somebody usually reads.
// Times that are no habit give no hint.
func SuggestHints(read []time.Time, zone *time.Location) (hints []Hint) {
	visits := visitsOf(read, zone)
	workdays, weekends := suggest(visits, Workdays), suggest(visits, Weekends)
	for _, h := range workdays {
		at := slices.IndexFunc(weekends, func(w Hint) bool { return apart(w.Minute, h.Minute) < sameHint })
		if at >= 0 {
			h.Days = EveryDay
			weekends = slices.Delete(weekends, at, at+1)
		}
		hints = append(hints, h)
	}
	return append(hints, weekends...)
}

// visitsOf returns when visits began.
func visitsOf(read []time.Time, zone *time.Location) (visits []time.Time) {
	read = slices.SortedFunc(slices.Values(read), time.Time.Compare)
	last := time.Time{}
	for _, at := range read {
		if at.Sub(last) > suggestGap {
			visits = append(visits, at.In(zone))
		}
		last = at
	}
	return visits
}

// suggest returns the times of the day at which visits on some days of the week are a habit, the strongest first.
func suggest(visits []time.Time, on Days) (hints []Hint) {
	visits = slices.DeleteFunc(slices.Clone(visits), func(v time.Time) bool { return !on.Contains(v.Weekday()) })
	active := daysOf(visits)
	for len(hints) < maxSuggested {
		best, at := 0, 0
		for minute := 0; minute < 24*60; minute += 5 {
			if n := daysOf(near(visits, minute)); n > best {
				best, at = n, minute
			}
		}
		if best < suggestDays || float64(best) < suggestShare*float64(active) {
			break
		}
		hits := near(visits, at)
		hints = append(hints, Hint{Minute: middle(hits, at), Days: on})
		visits = slices.DeleteFunc(visits, func(v time.Time) bool { return slices.ContainsFunc(hits, v.Equal) })
	}
	return hints
}

func near(visits []time.Time, minute int) (hits []time.Time) {
	for _, v := range visits {
		if apart(v.Hour()*60+v.Minute(), minute) <= suggestWithin {
			hits = append(hits, v)
		}
	}
	return hits
}

// apart is how many minutes lie between two times of the day.
func apart(a, b int) int {
	d := max(a, b) - min(a, b)
	return min(d, 24*60-d)
}

func daysOf(visits []time.Time) int {
	days := map[string]bool{}
	for _, v := range visits {
		days[v.Format(time.DateOnly)] = true
	}
	return len(days)
}

// middle is the median of times around a minute of the day, to five minutes.
func middle(visits []time.Time, around int) int {
	var off []int
	for _, v := range visits {
		off = append(off, (v.Hour()*60+v.Minute()-around+36*60)%(24*60)-12*60)
	}
	slices.Sort(off)
	return ((around+off[len(off)/2]+2)/5*5 + 24*60) % (24 * 60)
}
