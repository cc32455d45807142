package insights

import (
	"slices"
	"time"

	"kairos/poller/score"
)

// Realized is what was realized in a period, beside a timer and hindsight with as many requests.
type Realized struct {
	Asked    int       // days
	From, To time.Time // what is known of them; To is when Kairos last ran
	Known    bool      // whether there are figures; otherwise a note says why not
	Notes    []Note    // what limits them

	Visits int
	Posts  int // articles that came
	// Actual is what was realized. Its requests are those that were answered, by the plan and by
	// hand, but for the first ones of subscriptions. Articles that were probably lost were not there,
	// in these and the following figures.
	Actual Figures
	// Opened is of the articles that the user opened here, one by one, as far as Kairos noted it: not of those that were marked
	// read, nor of those read on other devices. ByFeed is the mean over the feeds, Slow of the feeds that post
	// fewer than slowRate a day.
	Opened, ByFeed, Slow Share
	EqualIntervals       Figures // with as many requests at equal intervals, all feeds at the same one
	Hindsight            Figures // with as many requests at the instants of least delay in hindsight
	// Multiple is how many times the requests equal intervals would have needed to have as many
	// articles ready; 0 if they never do within reason (score.History.TimerMultiple).
	Multiple float64
	Failed   int // requests that were not answered; they are in no figure
	// Unwatched is how much of the period counts in no figure, its requests included: visits are not known then.
	Unwatched time.Duration
	// Lost is how many more articles probably left their feeds unseen, of LostFeeds feeds.
	Lost, LostFeeds int
}

// Days returns of how many days the figures tell.
func (r *Realized) Days() float64 { return (r.To.Sub(r.From) - r.Unwatched).Hours() / 24 }

// LastDays returns of how many last days the figures are: as many as were asked for, or fewer if the record is shorter.
func (r *Realized) LastDays() int {
	for _, n := range r.Notes {
		if n.Code == ShortRecord {
			return max(1, min(r.Asked, int(r.To.Sub(r.From).Hours()/24+0.5)))
		}
	}
	return r.Asked
}

// RequestsPerDay returns how many requests were made a day of the time that is known.
func (r *Realized) RequestsPerDay() float64 { return float64(r.Actual.Requests) / max(1, r.Days()) }

// Figures is what a number of requests achieved.
type Figures struct {
	Ready float64 // % of the articles that came between two visits, already there at the latter
	// Late is how late the articles were that were not ready, on average: from being posted to being fetched. MeanLate is the same
	// over all articles that came between two visits, those that were ready counted as on time. Lost ones are in neither.
	Late, MeanLate time.Duration
	Requests       int
}

func figures(f score.Figures) Figures {
	return Figures{Ready: f.Ready, Late: hours(f.Late), MeanLate: hours(f.MeanLate), Requests: int(f.Requests + 0.5)}
}

func hours(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }

// fewestVisits is how many visits make figures: articles come between two of them.
const fewestVisits = 2

// fewestCompared is how many visits tell how many requests a timer would have needed: before two, everything is ready by chance.
const fewestCompared = 10

// TellsMultiple reports whether there were enough visits for Multiple to mean anything.
func (r *Realized) TellsMultiple() bool { return r.Known && r.Visits >= fewestCompared }

// realize computes the figures of a history.
func (h *history) realize() Realized {
	r := Realized{Asked: h.days, From: h.from, To: h.to, Visits: len(h.visits)}
	s := h.score()
	unseen := h.unseen()
	for _, u := range unseen {
		r.Unwatched += max(0, time.Duration(min(u.To, s.End)-max(u.From, s.Start))*time.Second)
	}
	n, counted := 0, 0 // counted are those while visits were known
	for i, f := range s.feeds {
		for _, at := range s.fetches[i] {
			if n++; !within(at, unseen) {
				counted++
			}
		}
		r.Failed += f.failed
	}
	feeds := s.ScoreObserved(s.fetches, s.lost)
	total := score.Sum(feeds)
	for i := range feeds {
		if feeds[i].Lost > 0 {
			r.LostFeeds++
		}
	}
	r.Lost, r.LostFeeds = h.ofAll(total.Lost), h.ofAll(r.LostFeeds)
	r.Posts, r.Failed = h.ofAll(total.Posts-total.Lost), h.ofAll(r.Failed)
	switch {
	case h.has(NoFetches):
	case len(h.visits) == 0 && h.before > 1 && n == 0:
		h.note(Note{Code: OnlyFirst})
	case len(h.visits) == 0 && h.before > 0:
		h.note(Note{Code: FewVisits, Count: h.before})
	case len(h.visits) == 0:
		h.note(Note{Code: NoVisits})
	case !h.visited():
		h.note(Note{Code: FewVisits, Count: len(h.visits)})
	case n == 0:
		h.note(Note{Code: OnlyFirst})
	case total.Offered == 0:
		h.note(Note{Code: NoArticles})
	case h.to.Sub(h.from) < day:
		h.note(Note{Code: FirstDay})
	default:
		r.Known = true
		h.compare(&r, s, feeds, counted)
	}
	h.noteInterruption(h.awake())
	r.Notes = h.notes
	return r
}

// openedWithin is how long before a visit a fetch may have been made because the window was opened for it: Kairos starts, or the
// window has the focus for a moment, loses it and gets it again. And version 0.1.0 logged a visit when it was known to be one,
// three seconds after the window had got the focus.
const openedWithin = 10 * time.Second

// scored are the fetches that count: after the feed's first. What was fetched because the window was opened was not there at that
// visit (openedWithin); it counts as fetched at the visit, and is there from the next one on.
func (h *history) scored(f *feed) []int64 {
	fetches := f.fetches
	for len(fetches) > 0 && fetches[0] <= f.since {
		fetches = fetches[1:]
	}
	if len(f.opening) == 0 {
		return fetches
	}
	fetches = slices.Clone(fetches)
	for i, at := range fetches {
		if _, opening := slices.BinarySearch(f.opening, at); !opening {
			continue
		}
		n, _ := slices.BinarySearchFunc(h.visits, at+1, compareVisit)
		if n < len(h.visits) && h.visits[n].At.Unix()-at <= int64(openedWithin/time.Second) {
			fetches[i] = h.visits[n].At.Unix()
		}
	}
	slices.Sort(fetches)
	return fetches
}

func (h *history) compare(r *Realized, s *scored, feeds []score.Totals, requests int) {
	total := score.Sum(feeds)
	r.Actual = figures(total.Figures(requests))
	timers := s.TimerFeeds(s.Interval(float64(requests)))
	timer := score.Sum(timers)
	r.EqualIntervals = figures(timer.Figures(requests))
	r.Opened, r.ByFeed, r.Slow = h.openedShare(&total, &timer), h.shareByFeed(feeds, timers), h.slowShare(s, feeds, timers)
	best := s.Hindsight(requests)
	used := 0
	for _, at := range best {
		used += len(at)
	}
	hindsight := s.Score(best)
	r.Hindsight = figures(hindsight.Figures(used))
	r.Multiple, _ = s.TimerMultiple(float64(requests), r.Actual.Ready)
	for _, f := range []*Figures{&r.Actual, &r.EqualIntervals, &r.Hindsight} {
		f.Requests = h.ofAll(f.Requests)
	}
}

func (h *history) has(c Code) bool {
	for _, n := range h.notes {
		if n.Code == c {
			return true
		}
	}
	return false
}

// longInterruption is how long nothing is fetched until that is told.
const longInterruption = 2 * day

// noteInterruption notes the longest time in which nothing could be fetched, if it is long.
func (h *history) noteInterruption(awake score.Awake) {
	var longest Note
	for i := 1; i < len(awake); i++ {
		from, to := max(awake[i-1].To, h.from.Unix()), min(awake[i].From, h.to.Unix())
		if time.Duration(to-from)*time.Second > max(longInterruption, longest.Until.Sub(longest.At)) {
			longest = Note{Code: Interrupted, At: time.Unix(from, 0).In(h.now.Location()), Until: time.Unix(to, 0).In(h.now.Location())}
		}
	}
	if longest.Code != "" {
		h.note(longest)
	}
}
