package insights

import "kairos/poller/score"

// Share is how many of some articles were there when the user came, in per cent, and how many a timer with as many requests would
// have had there. Articles that were probably lost were not there.
type Share struct {
	Articles     int // that came between two visits
	Feeds        int // of which they are
	Ready, Timer float64
}

// slowRate is how many articles a day a feed posts at least that is not slow.
const slowRate = 0.3

// fewestShared is of how many articles a share tells anything: of ten, one is ten points.
const fewestShared = 10

// Known reports whether there are enough articles for a figure.
func (s *Share) Known() bool { return s.Articles >= fewestShared }

// openedShare is of the articles that were opened, given all that was realized and what a timer would have.
func (h *history) openedShare(actual, timer *score.Totals) Share {
	return Share{Articles: h.ofAll(actual.OfferedRead), Ready: actual.ReadyReadShare(), Timer: timer.ReadyReadShare()}
}

// shareByFeed is the mean over the feeds of which articles came.
func (h *history) shareByFeed(actual, timer []score.Totals) (mean Share) {
	for i := range actual {
		if actual[i].Offered == 0 {
			continue
		}
		mean.Feeds++
		mean.Articles += actual[i].Offered
		mean.Ready += actual[i].ReadyShare()
		mean.Timer += timer[i].ReadyShare()
	}
	n := float64(max(1, mean.Feeds))
	return Share{Articles: h.ofAll(mean.Articles), Feeds: h.ofAll(mean.Feeds), Ready: mean.Ready / n, Timer: mean.Timer / n}
}

// slowShare is of the articles of all feeds together that post fewer than slowRate a day.
func (h *history) slowShare(s *scored, actual, timer []score.Totals) Share {
	var ours, theirs []score.Totals
	for i := range actual {
		days := float64(s.End-s.Since[i]) / day.Seconds()
		if actual[i].Offered > 0 && float64(actual[i].Posts) < slowRate*days {
			ours, theirs = append(ours, actual[i]), append(theirs, timer[i])
		}
	}
	all, timers := score.Sum(ours), score.Sum(theirs)
	return Share{Articles: h.ofAll(all.Offered), Feeds: h.ofAll(len(ours)), Ready: all.ReadyShare(), Timer: timers.ReadyShare()}
}
