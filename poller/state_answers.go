package poller

import "kairos/poller/schedule"

// forCost is what is learned from an answer of what fetches of its feed cost.
func (a *answer) forCost() schedule.Answer {
	return schedule.Answer{NotModified: a.resp.NotModified, Bytes: a.resp.Bytes, Opened: a.resp.Opened}
}

// noteAnswer learns from an answer what the next fetch will cost. A file is none.
func (s *State) noteAnswer(a *answer) {
	if a.wasAsked() {
		s.answers.Note(a.forCost())
	}
}

// Cost returns what a fetch of the feed is expected to cost while battery saver is in force: 1 is a usual fetch; 0 if no
// server has answered yet.
func (s *State) Cost() float64 {
	if s.answers.Full+s.answers.NotModified == 0 {
		return 0
	}
	return rules.SaverTariff.Cost(s.answers, s.posts.PerHour())
}
