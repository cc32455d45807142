package lab

import (
	"math"

	"kairos/poller/score"
)

// DefaultWindow is how many items a feed shows if the protocol does not say.
const DefaultWindow = 15

// Row is what one policy did for one user at one budget, in totals of the replay.
type Row struct {
	User    string  `json:"user"`
	Policy  string  `json:"policy"`
	Budget  float64 `json:"budget"`     // fetches per feed and day; what it used, if the policy keeps its own pace
	Delay   float64 `json:"delay_h"`    // Σ over accesses a and posts t ≤ a not fetched before a of a − t, h
	Missed  int     `json:"missed"`     // Σ over accesses of the posts not yet fetched
	Posts   int     `json:"posts"`      // published in the replay
	MeanAge float64 `json:"mean_age_h"` // fetch − post, h
	MaxAge  float64 `json:"max_age_h"`
	SDAge   float64 `json:"sd_age_h"`
	Fetches int     `json:"fetches"`
	Full    int     `json:"full"`               // fetches that brought posts, answered with a body; the others with 304
	Lost    int     `json:"lost"`               // posts that had left the feed's window at the first fetch after them
	PlanGap float64 `json:"plan_gap,omitempty"` // %, by how much its plans may cost more than the best ones by their objective (certified)
	Readiness

	Accesses int     `json:"-"` // in the replay
	Uniform  float64 `json:"-"` // delay of uniform with as many fetches, h; 0: that of its own row
	Feeds    int     `json:"-"`
	Days     float64 `json:"-"`
	OwnPace  bool    `json:"-"` // the policy takes no budget
	Classes  Classes `json:"-"`
}

// Readiness is the share of posts that were fetched before the first access after them, of all that
// have one and another before them, lost ones included; %. A share of no posts is 100.
type Readiness struct {
	Ready       float64 `json:"ready"`
	ReadyByFeed float64 `json:"ready_by_feed"` // mean over the feeds that had such posts
	ReadySlow   float64 `json:"ready_slow"`    // of the feeds that posted less than slowRate in the replay
	ReadyRead   float64 `json:"ready_read"`    // of the posts that were read, by the protocol's Readings
}

// slowRate is how many posts a day a feed has that does not count as slow.
const slowRate = 0.3

// classBounds are the least posts a day of each class of feeds but the slow ones.
var classBounds = [...]float64{slowRate, 2, 20}

// Classes are feeds by how often they post, from slow to busy.
type Classes [len(classBounds) + 1]Class

// Class is the feeds that post From times a day or more, but less than To, in the replay.
type Class struct {
	From, To float64
	Feeds    int
	Fetches  int // of all of them
	score.Totals
}

// Score returns what the fetches of each feed, ascending, meant for the user; User, Policy,
// Budget and OwnPace are left empty.
func (w *World) Score(fetches [][]int64) Row {
	h := w.History()
	feeds := h.ScoreFeeds(fetches)
	t := score.Sum(feeds)
	row := Row{Accesses: len(h.Accesses), Feeds: len(w.posts), Days: w.days(), Delay: float64(t.Delay) / 3600, Missed: t.Missed,
		Posts: t.Posts, Full: t.Full, Lost: t.Lost, Classes: w.classes(feeds, fetches)}
	row.Readiness = Readiness{Ready: t.ReadyShare(), ReadyByFeed: readyByFeed(feeds), ReadySlow: row.Classes[0].ReadyShare(), ReadyRead: t.ReadyReadShare()}
	for _, at := range fetches {
		row.Fetches += len(at)
	}
	if t.Posts > 0 {
		n := float64(t.Posts)
		row.MeanAge, row.MaxAge = t.Age/n, t.MaxAge
		row.SDAge = math.Sqrt(max(0, t.SquareAge/n-row.MeanAge*row.MeanAge))
	}
	return row
}

// readyByFeed returns the mean share of ready posts of the feeds that had some offered, in %; 100 if
// none had.
func readyByFeed(feeds []score.Totals) float64 {
	sum, n := 0.0, 0
	for i := range feeds {
		if feeds[i].Offered > 0 {
			sum, n = sum+feeds[i].ReadyShare(), n+1
		}
	}
	if n == 0 {
		return 100
	}
	return sum / float64(n)
}

// classes sums up the feeds by how often they post, from slow to busy.
func (w *World) classes(feeds []score.Totals, fetches [][]int64) (classes Classes) {
	var members [len(classes)][]score.Totals
	for i := range feeds {
		perDay, c := float64(feeds[i].Posts)/w.days(), 0
		for c < len(classBounds) && perDay >= classBounds[c] {
			c++
		}
		members[c] = append(members[c], feeds[i])
		classes[c].Feeds++
		classes[c].Fetches += len(fetches[i])
	}
	for c := range classes {
		classes[c].Totals = score.Sum(members[c])
		if classes[c].To = math.Inf(1); c < len(classBounds) {
			classes[c].To = classBounds[c]
		}
		if c > 0 {
			classes[c].From = classBounds[c-1]
		}
	}
	return classes
}

// History returns what happens in the replay, to be scored.
func (w *World) History() *score.History {
	h := &score.History{Start: w.start, End: w.end, Accesses: w.Accesses(), Posts: make([][]int64, len(w.posts)),
		Window: w.protocol.window(), Awake: w.awake, Read: make([][]bool, len(w.posts))}
	read := w.read()
	for i := range h.Posts {
		h.Posts[i] = w.Posts(i)
		h.Read[i] = read[i][len(w.posts[i])-len(h.Posts[i]):]
	}
	return h
}
