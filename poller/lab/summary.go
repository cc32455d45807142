package lab

import (
	"cmp"
	"fmt"
	"math"
)

// What fetches are estimated to transfer: the mean of 511 real feeds, compressed, if a fetch brings
// something, and the headers of a request and its answer. Every server is taken to answer 304 otherwise.
const (
	FullBytes    = 6800
	RequestBytes = 500
)

// Summary is what one policy did at one budget, over all users.
type Summary struct {
	Policy    string
	Budget    float64 // fetches per feed and day; what it used, if the policy keeps its own pace
	OwnPace   bool
	Users     int
	Ratio     float64 // delay divided by uniform's with as many fetches, geometric mean over users; NaN without uniform
	Worst     float64 // the greatest of these ratios
	WorstOf   string  // the user it is of; "" without uniform
	Delay     float64 // h per day, mean over users
	Excess    float64 // delay minus the clairvoyant's, h per day, mean over users; NaN without it
	Times     float64 // delay divided by the clairvoyant's, both summed over users; NaN without it or if that is 0
	Missed    float64 // posts per access, pooled
	Readiness         // %, means over users; ReadySlow over those who had posts of slow feeds offered
	PlanGap   float64 // %, mean over users
	Age       float64 // h, mean over users
	MaxAge    float64 // h, mean over users
	SDAge     float64 // h, mean over users
	Fetches   float64 // per feed and day
	Full      float64 // per feed and day, fetches with new posts
	Bytes     float64 // per day, mean over users; estimated (FullBytes, RequestBytes)
	Lost      float64 // % of the posts, pooled
}

// uniformName is the policy that delays are compared with.
const uniformName = "uniform"

// Summarize sums up rows by policy and budget, in the order in which they first occur.
func Summarize(rows []Row) []Summary {
	var groups [][]Row
	at := map[string]int{}
	for _, r := range rows {
		k := key(r.Policy, r.Budget)
		if r.OwnPace {
			k = r.Policy
		}
		i, ok := at[k]
		if !ok {
			i, groups = len(groups), append(groups, nil)
			at[k] = i
		}
		groups[i] = append(groups[i], r)
	}
	uniform, best := delayByUser(rows, uniformName), delayByUser(rows, "clairvoyant")
	out := make([]Summary, len(groups))
	for i, g := range groups {
		out[i] = summary(g, uniform, best)
	}
	return out
}

func key(name string, budget float64) string { return fmt.Sprint(name, " ", budget) }

// delayByUser returns the delays of one policy by user and budget.
func delayByUser(rows []Row, policy string) map[string]float64 {
	delays := map[string]float64{}
	for _, r := range rows {
		if r.Policy == policy {
			delays[key(r.User, r.Budget)] = r.Delay
		}
	}
	return delays
}

func summary(rows []Row, uniform, best map[string]float64) Summary {
	n := float64(len(rows))
	s := Summary{Policy: rows[0].Policy, OwnPace: rows[0].OwnPace, Users: len(rows)}
	var taken, logs, compared, accesses, posts, bound, slow float64
	known := true
	for _, r := range rows {
		taken += r.Budget / n
		s.Delay += r.Delay / r.Days / n
		s.Missed += float64(r.Missed)
		s.Ready, s.ReadyByFeed, s.ReadyRead = s.Ready+r.Ready/n, s.ReadyByFeed+r.ReadyByFeed/n, s.ReadyRead+r.ReadyRead/n
		if r.Classes[0].Offered > 0 {
			s.ReadySlow, slow = s.ReadySlow+r.ReadySlow, slow+1
		}
		s.PlanGap += r.PlanGap / n
		s.Age, s.MaxAge, s.SDAge = s.Age+r.MeanAge/n, s.MaxAge+r.MaxAge/n, s.SDAge+r.SDAge/n
		s.Fetches += float64(r.Fetches) / float64(max(1, r.Feeds)) / r.Days / n
		s.Full += float64(r.Full) / float64(max(1, r.Feeds)) / r.Days / n
		s.Bytes += float64(r.Fetches*RequestBytes+r.Full*FullBytes) / r.Days / n
		s.Lost += float64(r.Lost)
		accesses, posts = accesses+float64(r.Accesses), posts+float64(r.Posts)
		if u := cmp.Or(r.Uniform, uniform[key(r.User, r.Budget)]); u > 0 {
			logs, compared = logs+math.Log(r.Delay/u), compared+1
			if r.Delay/u > s.Worst {
				s.Worst, s.WorstOf = r.Delay/u, r.User
			}
		}
		b, ok := best[key(r.User, r.Budget)]
		known, bound = known && ok, bound+b/r.Days/n
	}
	if s.Budget = rows[0].Budget; s.OwnPace {
		s.Budget = taken
	}
	s.Missed /= max(1, accesses)
	s.Lost *= 100 / max(1, posts)
	s.ReadySlow /= slow // NaN if nobody had any
	s.Ratio, s.Excess, s.Times = math.NaN(), math.NaN(), math.NaN()
	if compared > 0 {
		s.Ratio = math.Exp(logs / compared)
	}
	if known {
		s.Excess = s.Delay - bound
		if bound > 0 {
			s.Times = s.Delay / bound
		}
	}
	return s
}
