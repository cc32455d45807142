package papers

import (
	"fmt"
	"math"

	"kairos/poller/lab"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/traces"
)

// pushProtocol is that of Table II.
var pushProtocol = siaProtocol

const (
	shownItems = 12  // by a feed, the paper's average
	pushBudget = 4.0 // fetches per feed and day
	targetAge  = 1.0 // h
)

var (
	// hubShares are the shares of feeds that have a hub; 2 % is what Urbansky et al. found (2011).
	hubShares = []float64{0, 0.02, 0.25, 0.5, 0.75, 1}
	// pullBudgets are those between which the requests for a delay are read off.
	pullBudgets = []float64{1, 2, 4, 8, 16, 32}
)

// pushRow is a share of feeds with a hub.
type pushRow struct {
	Table    string  `json:"table"`
	Share    float64 `json:"hub_share"`
	Age      float64 `json:"mean_age_h"`          // at pushBudget for the feeds without a hub
	Requests float64 `json:"requests_a_feed_day"` // for that, notifications among them
	Needed   figure  `json:"requests_for_an_hour"`
}

// pushTables replays Sia, Cho & Cho's IV-D: what is saved if feeds tell a hub when they post. A
// post of a feed with a hub is one request and has no delay.
func pushTables(s *study) error {
	all, note, err := s.postingFeeds()
	if err != nil {
		return err
	}
	feeds := all.Users[0].Feeds
	p := part{title: "Sia, Cho & Cho, IV-D: what hubs save, by the share of feeds that have one",
		heads: [][]string{{"feeds with a hub", "requests a feed and day", "average delay, h", "requests a feed and day for a delay of an hour"}}}
	age := picture.Curve{Name: "average delay, h"}
	needed := picture.Curve{Name: "requests for a delay of an hour"}
	for _, share := range hubShares {
		row, err := s.pushed(feeds, share)
		if err != nil {
			return err
		}
		s.report.rows = append(s.report.rows, row)
		p.lines = append(p.lines, []string{fmt.Sprintf("%g %%", 100*share), lab.FormatNumber(row.Requests, 2), lab.FormatNumber(row.Age, 2), lab.FormatNumber(float64(row.Needed), 2)})
		age.X, age.Y = append(age.X, 100*share), append(age.Y, row.Age)
		needed.X, needed.Y = append(needed.X, 100*share), append(needed.Y, float64(row.Needed))
	}
	known, perDay := s.alreadyHad(feeds)
	p.graphs = []picture.Graph{{Title: fmt.Sprintf("delay at %g fetches per feed and day", pushBudget), X: "feeds with a hub, %", Y: "hours", Curves: []picture.Curve{age}},
		{Title: "requests for a delay of an hour", X: "feeds with a hub, %", Y: "per feed and day", Curves: []picture.Curve{needed}}}
	p.notes = []string{
		fmt.Sprintf("Feeds without a hub are fetched %g times a day under the combined policy, a post of the others is one notification; feeds are dealt hubs by a draw from their IDs.", pushBudget),
		"In the paper a delay under an hour needs 8 retrievals a day by pull and 4.3 notifications by push, some 50 % fewer.",
		fmt.Sprintf("With a retrieval a day and %d posts shown, %.0f %% of what is transferred was already had; in the paper 64 %% (7.7 of 12).", shownItems, 100*known),
		fmt.Sprintf("Our feeds post %.1f times a day on average and a few hundreds of times, which turns the count of requests around: a notification for every post of those costs more than fetching them every hour or two, which finds several posts at once. The delay saved is what hubs are for.", perDay),
		note}
	s.report.parts = append(s.report.parts, p)
	return nil
}

// pushed replays a share of feeds with a hub.
func (s *study) pushed(feeds []traces.Feed, share float64) (pushRow, error) {
	pulled := traces.User{ID: "all"}
	posts, told := 0, 0
	for _, f := range feeds {
		n := len(traces.Between(f.Posts, s.start(), s.set.End))
		if posts += n; lab.Draw("hub", f.ID) < share {
			told += n
		} else {
			pulled.Feeds = append(pulled.Feeds, f)
		}
	}
	feedDays := float64(len(feeds)) * float64(s.protocol.Weeks) * 7
	row := pushRow{Table: s.table, Share: share, Requests: float64(told) / feedDays, Needed: figure(float64(told) / feedDays)}
	if len(pulled.Feeds) == 0 {
		return row, nil
	}
	pulled.Zone = s.set.Users[0].Zone
	rows, err := s.replay(&traces.Set{Users: []traces.User{pulled}, End: s.set.End}, s.protocol, pullBudgets, []lab.Policy{siaPolicies(s)["combined"].policy})
	if err != nil {
		return row, err
	}
	ages := make([]float64, len(rows))
	for i, r := range rows {
		ages[i] = r.MeanAge * float64(r.Posts) / float64(max(1, posts))
		if pullBudgets[i] == pushBudget {
			row.Age = ages[i]
			row.Requests += float64(r.Fetches) / feedDays
		}
	}
	row.Needed += figure(budgetFor(targetAge, pullBudgets, ages) * float64(len(pulled.Feeds)) / float64(len(feeds)))
	return row, nil
}

// budgetFor returns at which budget the age falls to a target, read off between the budgets on
// logarithmic axes; NaN if it does not, the least budget if it is below it there.
func budgetFor(target float64, budgets, ages []float64) float64 {
	if ages[0] <= target {
		return budgets[0]
	}
	for i := 1; i < len(ages); i++ {
		if ages[i] <= target {
			part := math.Log(ages[i-1]/target) / math.Log(ages[i-1]/ages[i])
			return budgets[i-1] * math.Pow(budgets[i]/budgets[i-1], part)
		}
	}
	return math.NaN()
}

// alreadyHad returns the share of the items that a retrieval a day transfers which were already
// had, if feeds show so many, and the posts a feed and day.
func (s *study) alreadyHad(feeds []traces.Feed) (known, perDay float64) {
	fresh, posts, retrievals := 0, 0, 0
	for _, f := range feeds {
		for at := s.start(); at < s.set.End; at += daySeconds {
			n := len(traces.Between(f.Posts, at, at+daySeconds))
			posts, fresh, retrievals = posts+n, fresh+min(n, shownItems), retrievals+1
		}
	}
	return 1 - float64(fresh)/float64(shownItems*retrievals), float64(posts) / float64(retrievals)
}
