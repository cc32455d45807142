package rate

import (
	"cmp"
	"slices"
	"time"
)

// From the events of few days a rate has broad peaks: one of hours may stand for two usual times, and its middle lies beside both.
// When these events were is known better than the rate shows it.
const (
	// broadPeak is from which length on events tell the middle of a peak, and fewDays of how many days with an event on it at most:
	// from more of them the rate itself tells it as well, or better where they keep to no hour.
	broadPeak = time.Hour
	fewDays   = 7
	// besidePeak is how far beside a peak an event may be, and gatherWithin how far from the middle of a usual time its events are
	// at most, in minutes.
	besidePeak   = 60
	gatherWithin = 75
	// leastGathered is on how many days, and on which share of those with an event on the peak, an event must be at a usual time.
	leastGathered = 2
	gatheredShare = 0.5
	// aroundGathered is how long before its first event a usual time begins, and how long after the last it ends, in minutes.
	aroundGathered = 30
	// usualApart is how far apart two usual times are at least.
	usualApart = 30 * time.Minute
)

// gather returns the peaks in place of a broad one: one for each time around which the latest events of few days gather, at the
// median of these; the peak as it is if they do so nowhere.
func (p Peak) gather(latest []int32, loc *time.Location) (all []Peak) {
	from := p.From.Add(-besidePeak * time.Minute)
	length := p.To.Add(besidePeak * time.Minute).Sub(from)
	if p.To.Sub(p.From) < broadPeak || length >= Hours*time.Hour {
		return []Peak{p}
	}
	on, ofKind := eventsOn(latest, wallMinute(from, loc), int32(length/time.Minute))
	if daysOf(on) > fewDays {
		return []Peak{p}
	}
	if len(ofKind) >= leastGathered {
		on = ofKind
	}
	days := daysOf(on)
	for _, group := range groups(on) {
		if have := daysOf(group); have >= leastGathered && float64(have) >= gatheredShare*float64(days) {
			all = append(all, p.around(from, group))
		}
	}
	if len(all) == 0 {
		return []Peak{p}
	}
	return all
}

// groups returns the events that are around one middle each, in order. Of two groups that share events the larger one counts.
func groups(on []eventOn) (all [][]eventOn) {
	for _, e := range on {
		near := settle(on, e.at)
		if n := len(all) - 1; n >= 0 && near[0].at <= all[n][len(all[n])-1].at {
			if len(near) > len(all[n]) {
				all[n] = near
			}
			continue
		}
		all = append(all, near)
	}
	return all
}

// settle returns the events around the time at which the median of those around it comes to rest, from a time on.
func settle(on []eventOn, middle int32) (near []eventOn) {
	for range on {
		near = on[countBefore(on, middle-gatherWithin):countBefore(on, middle+gatherWithin+1)]
		next := medianOf(near)
		if next == middle {
			break
		}
		middle = next
	}
	return near
}

// countBefore returns how many events are before a minute.
func countBefore(on []eventOn, minute int32) int {
	n, _ := slices.BinarySearchFunc(on, minute, func(e eventOn, at int32) int { return cmp.Compare(e.at, at) })
	return n
}

// medianOf returns the median of the times of events.
func medianOf(events []eventOn) int32 {
	return (events[(len(events)-1)/2].at + events[len(events)/2].at) / 2
}

// around is the part of a peak that some events are on, by their minutes from a time on.
func (p Peak) around(from time.Time, events []eventOn) Peak {
	at := func(minute int32) time.Time { return from.Add(time.Duration(minute) * time.Minute) }
	p.At = at(medianOf(events)).Round(usualBin)
	p.From = at(events[0].at - aroundGathered).Truncate(usualBin)
	p.To = at(events[len(events)-1].at + aroundGathered).Truncate(usualBin)
	return p
}

// inOrder returns peaks in order of time, none twice and none before the end of another.
func inOrder(peaks []Peak) (all []Peak) {
	slices.SortStableFunc(peaks, func(a, b Peak) int { return a.At.Compare(b.At) })
	for _, p := range peaks {
		if n := len(all) - 1; n >= 0 {
			if p.At.Sub(all[n].At) < usualApart {
				continue
			}
			if p.From.Before(all[n].To) {
				half := all[n].At.Add(p.At.Sub(all[n].At) / 2).Truncate(usualBin)
				p.From, all[n].To = half, half
			}
		}
		all = append(all, p)
	}
	return all
}

// eventOn is an event on a peak of some day.
type eventOn struct {
	at  int32 // minutes from where it is looked for
	day int32 // which day that was
}

// eventsOn returns the latest events in as many minutes of a day from a minute of the wall clock on, by their times, and those of
// the same kind of days.
func eventsOn(latest []int32, from, length int32) (on, ofKind []eventOn) {
	for _, e := range latest {
		at := ((e-from)%dayMinutes + dayMinutes) % dayMinutes
		if at >= length {
			continue
		}
		one := eventOn{at, (e - at - from) / dayMinutes}
		on = append(on, one)
		if kindOf(e-at) == kindOf(from) {
			ofKind = append(ofKind, one)
		}
	}
	for _, events := range [][]eventOn{on, ofKind} {
		slices.SortFunc(events, func(a, b eventOn) int { return cmp.Compare(a.at, b.at) })
	}
	return on, ofKind
}

// daysOf returns of how many days events are.
func daysOf(events []eventOn) int {
	days := make(map[int32]bool, len(events))
	for _, e := range events {
		days[e.day] = true
	}
	return len(days)
}

// wallMinute returns the minute of the wall clock of a time.
func wallMinute(at time.Time, loc *time.Location) int32 {
	_, offset := at.In(loc).Zone()
	return int32((at.Unix() + int64(offset)) / 60)
}
