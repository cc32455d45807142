package poller

import (
	"cmp"
	"math/rand/v2"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
)

// Back-off after failures in a row: half an hour, doubling, at most a day.
const (
	firstBackOff = 30 * time.Minute
	maxBackOff   = day
	// longestWait is the longest a feed may have to wait for its next try, the
	// spread of back-off included.
	longestWait = maxBackOff + maxBackOff/4
)

// backOff is how long nothing is asked after so many failures in a row.
func backOff(failures int) time.Duration { return min(firstBackOff<<min(failures-1, 6), maxBackOff) }

// fail counts a failure and lets the feed wait for a while.
func (s *State) fail(now time.Time, m Message, fe *fetch.Error) {
	s.Tried = now
	s.Failures++
	if s.Since.IsZero() {
		s.Since = now
	}
	s.Message = m
	wait := backOff(s.Failures)
	// Spread, so that feeds that failed together do not come back together.
	wait += time.Duration(rand.Int64N(int64(wait / 4)))
	if fe != nil {
		wait = max(wait, fe.RetryAfter)
		s.Gone = fe.Code == fetch.Gone
	}
	s.NotBefore = now.Add(wait)
}

// succeed notes that the server answered as it should, and forgets the failures.
func (s *State) succeed(now time.Time) {
	s.Tried, s.Fetched = now, now
	s.Failures, s.Since, s.Message, s.Kind, s.NotBefore, s.Gone = 0, time.Time{}, Message{}, "", time.Time{}, false
}

// unchanged renews what a response without news renews: the freshness lifetime and the
// validators (RFC 9111 §3.2, §4.3.4).
func (s *State) unchanged(now time.Time, resp *fetch.Response) {
	s.succeed(now)
	s.validators = resp.Validators
	if resp.URL != "" { // a file has none
		s.validatorsURL = resp.URL
	}
	if resp.HasMaxAge || !resp.NotModified {
		s.Limits.MaxAge = resp.MaxAge
	}
	s.Hub = cmp.Or(resp.Hub, s.Hub)
	s.posts.Unchanged(now)
}

// moveTo forgets what belongs to another address: validators (RFC 9110 §8.8), limits and
// failures.
func (s *State) moveTo(address string) {
	if s.address == address {
		return
	}
	s.address = address
	s.validators, s.validatorsURL, s.digest, s.Hub = fetch.Validators{}, "", 0, ""
	s.Limits, s.Redirect, s.answers = schedule.Limits{}, Redirect{}, schedule.Answers{}
	s.Failures, s.Since, s.Message, s.Kind, s.NotBefore, s.Gone = 0, time.Time{}, Message{}, "", time.Time{}, false
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
