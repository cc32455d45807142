package schedule

import (
	"math"
	"time"
)

// Window is what was learned of how many items a feed shows, from the documents it has shown.
// Its zero value has seen none.
//
// Most feeds show their last so many items. One that keeps them by age shows as many as it
// posts in that time, so that the mean number stands for the age, too. A feed whose documents
// only grow has nothing to lose.
type Window struct {
	Shown    int      // items of the last document that had any
	Size     float64  // mean number of items of the documents with new ones, recent ones counting more
	Turnover Turnover // whether items leave the documents
	Loss     Loss     // the last one
}

// Turnover says whether old items leave a feed's documents as new ones come.
type Turnover int

// What is known of a feed's turnover. It is stored; a feed that once turned over does.
const (
	TurnoverUnknown Turnover = iota // no document with new items has followed another
	Growing                         // they have never left
	Turning                         // they leave
)

// Loss is a time in which items of a feed probably came and went between two fetches.
type Loss struct {
	From, To time.Time // between the earlier fetch and the oldest item of the later document; zero if there was none
	Items    float64   // expected
}

const (
	// leastWindow is the least number of items of a first document that are taken for all that the
	// feed shows. Feed programs ship with 10 and more; a feed with fewer is likely to have no more.
	leastWindow = 10
	// sizeWeight is the weight of the latest document in the mean number of items.
	sizeWeight = 0.25
	// leastLoss is from how many expected items on something was probably lost (86 %). One is not
	// enough: a feed that posts by the clock has room for one between a fetch and the next item.
	leastLoss = 2
)

// Items returns how many items the feed shows; 0 if it is not known to lose any. Numbers are
// rounded to about 5 %, so that feeds share what is computed for one.
func (w *Window) Items() int {
	switch {
	case w.Turnover == Turning:
		return roundItems(w.Size)
	case w.Turnover == TurnoverUnknown && w.Shown >= leastWindow:
		return roundItems(float64(w.Shown))
	}
	return 0
}

// roundItems rounds to a whole number, a large one to 4 % steps.
func roundItems(n float64) int {
	if n > 25 {
		n = math.Pow(1.04, math.Round(math.Log(n)/math.Log(1.04)))
	}
	return max(1, int(math.Round(n)))
}

// SafeGap is the time in which a feed posts half of what it shows, on average: fetched that
// often it loses hardly any item. 0 if it is not known to lose any.
func (p *Posts) SafeGap() time.Duration {
	hours := float64(p.Window.Items()) / 2 / p.PerHour()
	return time.Duration(min(hours*float64(time.Hour), float64(longestCycle*day)))
}

// learn learns from a document that came at now, after one at last (zero: none): the dates of
// its items, of which fresh were new, from a feed that posts perHour.
func (w *Window) learn(last, now time.Time, dates []time.Time, fresh int, perHour float64) {
	n := len(dates)
	if n == 0 {
		return
	}
	before := w.Shown
	w.Shown = n
	if before == 0 {
		w.Size = float64(n)
		return
	}
	allNew := fresh >= n
	if fresh <= 0 || allNew && rekeyed(dates, oldestBefore(dates, now), last) {
		return
	}
	switch {
	case before+fresh > n:
		w.Turnover = Turning
	case w.Turnover == TurnoverUnknown:
		w.Turnover = Growing
	}
	if w.Turnover == Turning {
		w.Size += sizeWeight * (float64(n) - w.Size)
	} else {
		w.Size = float64(n)
	}
	if allNew {
		w.noteLoss(last, now, dates, perHour)
	}
}

// noteLoss notes what was probably lost before a document of nothing but new items: what was
// posted between the last fetch and its oldest item or, where its dates do not tell, what is
// expected beyond the items it has.
func (w *Window) noteLoss(last, now time.Time, dates []time.Time, perHour float64) {
	to := oldestBefore(dates, now)
	items := perHour * to.Sub(last).Hours()
	if to.IsZero() || ofOneMoment(dates) {
		to, items = now, perHour*now.Sub(last).Hours()-float64(len(dates))
	}
	if items >= leastLoss {
		w.Loss = Loss{From: last, To: to, Items: items}
	}
}
