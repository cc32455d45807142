package report

import (
	"math"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

// Loss says that articles of a feed were probably lost: they came and went between two fetches,
// as the feed shows only its last few. It is a fact, which app/text words.
type Loss struct {
	From, To time.Time     // when
	Articles int           // about how many
	Shows    int           // how many the feed shows
	Help     LossHelp      // what would help
	Every    time.Duration // FetchOften: the longest gap that loses hardly any, of those that can be chosen
}

// LossHelp names what would help against losses.
type LossHelp string

// What would help.
const (
	FetchOften  LossHelp = "often"    // at least every Every
	OftenEnough LossHelp = "enough"   // nothing more: the user asks for that already
	TooFast     LossHelp = "too-fast" // nothing: it posts faster than it may be fetched
)

// offeredGaps are those that the feed's properties offer, the longest first.
var offeredGaps = []time.Duration{schedule.MaxEvery, 3 * day, day, 12 * time.Hour, 6 * time.Hour, 3 * time.Hour, time.Hour, schedule.MinEvery}

// lossOf returns the last loss of a feed if it is one of the last month, otherwise nil.
func lossOf(s *poller.State, f *Report) *Loss {
	posts := s.Posts()
	last, shows := posts.Window.Loss, posts.Window.Items()
	if shows == 0 || last.To.IsZero() || last.To.Before(monthStart(f.At)) {
		return nil
	}
	l := &Loss{From: last.From, To: last.To, Articles: int(math.Round(last.Items)), Shows: shows, Help: TooFast}
	for _, gap := range offeredGaps {
		if gap <= posts.SafeGap() && gap >= f.Gap.Length {
			l.Help, l.Every = FetchOften, gap
			break
		}
	}
	if l.Help == FetchOften && f.Feed.Every > 0 && f.Feed.Every <= l.Every {
		l.Help, l.Every = OftenEnough, 0
	}
	return l
}
