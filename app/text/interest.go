package text

import (
	"math"

	"kairos/poller"
)

// sure is the standard deviation up to which what is read of a feed is told as known.
const sure = 0.12

// Assumed reports whether too little of a feed was seen to say how much of it is read.
func Assumed(i poller.FeedInterest) bool { return !i.Own && i.Read+i.Passed < 1 }

// Interest describes how much of a feed is read: "You read about 9 of 10 of its articles."
func (p *Printer) Interest(i poller.FeedInterest) string {
	n := int(math.Round(10 * min(1, max(0, i.Chance))))
	switch {
	case i.Own:
		return p.L("You said that you read {{.Percent}} of its articles.", V{"Percent": p.Percent(i.Chance)})
	case Assumed(i):
		return p.L("Kairos assumes that you read about {{.N}} of 10 of its articles, as people do with feeds that post this often.", V{"N": max(1, n)})
	case i.Spread > sure:
		return p.N("From {{.PluralCount}} of its articles that you have seen so far, Kairos expects you to read about {{.N}} of 10.", int(math.Round(i.Read+i.Passed)), V{"N": n})
	case n == 0:
		return p.L("You read hardly any of its articles.")
	case n == 10:
		return p.L("You read nearly all of its articles.")
	}
	return p.L("You read about {{.N}} of 10 of its articles.", V{"N": n})
}

// An article counts as much as any other up to alike times as much, and a little more up to littleMore times.
const (
	alike      = 1.15
	littleMore = 1.5
)

// Counts describes what an article of a feed counts, relative to the mean of the feeds; "" if that is about the same.
func (p *Printer) Counts(times float64) string {
	switch {
	case !(times > 0) || times > 1/alike && times < alike: // also for NaN
		return ""
	case times >= littleMore:
		return p.L("When Kairos plans fetches, each counts {{.N}} times as much as an article of an average feed.", V{"N": p.Amount(times)})
	case times > 1:
		return p.L("When Kairos plans fetches, each counts a little more than an article of an average feed.")
	case times >= 1/littleMore:
		return p.L("When Kairos plans fetches, each counts a little less than an article of an average feed.")
	}
	return p.L("When Kairos plans fetches, each counts only {{.Percent}} of an article of an average feed.", V{"Percent": p.Percent(times)})
}
