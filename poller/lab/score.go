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
	Delay   float64 `json:"delay_h"`    // Σ over accesses a and posts t ≤ a not fetched at a of a − t, h
	Missed  int     `json:"missed"`     // Σ over accesses of the posts not yet fetched
	Ready   float64 `json:"ready"`      // posts already fetched at the first access after them, of all that have one, lost ones included, %
	Posts   int     `json:"posts"`      // published in the replay
	MeanAge float64 `json:"mean_age_h"` // fetch − post, h
	MaxAge  float64 `json:"max_age_h"`
	SDAge   float64 `json:"sd_age_h"`
	Fetches int     `json:"fetches"`
	Full    int     `json:"full"` // fetches that brought posts, answered with a body; the others with 304
	Lost    int     `json:"lost"` // posts that had left the feed's window at the first fetch after them

	Accesses int     `json:"-"` // in the replay
	Feeds    int     `json:"-"`
	Days     float64 `json:"-"`
	OwnPace  bool    `json:"-"` // the policy takes no budget
}

// Score returns what the fetches of each feed, ascending, meant for the user; User, Policy,
// Budget and OwnPace are left empty.
func (w *World) Score(fetches [][]int64) Row {
	h := w.History()
	t := h.Score(fetches)
	row := Row{Accesses: len(h.Accesses), Feeds: len(w.posts), Days: w.days(), Delay: float64(t.Delay) / 3600, Missed: t.Missed,
		Ready: t.ReadyShare(), Posts: t.Posts, Full: t.Full, Lost: t.Lost}
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

// History returns what happens in the replay, to be scored.
func (w *World) History() *score.History {
	h := &score.History{Start: w.start, End: w.end, Accesses: w.Accesses(), Posts: make([][]int64, len(w.posts)),
		Window: w.protocol.window(), Awake: w.awake}
	for i := range h.Posts {
		h.Posts[i] = w.Posts(i)
	}
	return h
}
