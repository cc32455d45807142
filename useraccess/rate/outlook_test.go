package rate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestOutlookWithoutClustersIsTheProfile(t *testing.T) {
	var y Tally
	y.Add(nil, FeedHalfLife, epoch, epoch.Add(90*time.Hour), epoch.Add(time.Hour), epoch.Add(80*time.Hour))
	from := epoch.Add(90 * time.Hour)
	got := y.Outlook(FeedPrior).Sample(from, 5*time.Minute, 576, nil)
	if want := y.Posterior(FeedPrior).Sample(from, 5*time.Minute, 576, nil); !slices.Equal(got, want) {
		t.Error("the outlook of a feed differs from its profile")
	}
	// Without accesses there are neither clusters nor lulls.
	got = Tally{}.Outlook(AccessPrior).Sample(from, time.Hour, 48, nil)
	want := Tally{}.Posterior(AccessPrior).Sample(from, time.Hour, 48, nil)
	if !slices.Equal(got, want) {
		t.Error("the outlook without accesses differs from the prior")
	}
}

// The excess is Excess/u from ten minutes to half a day after the event, for bins of any length.
func TestOutlookExcess(t *testing.T) {
	o := Outlook{Background: 1, Excess: 0.3, Last: epoch}
	for _, bin := range []time.Duration{time.Minute, 5 * time.Minute, time.Hour, 7 * time.Hour} {
		n := int(14 * time.Hour / bin)
		if got, want := sum(o.Sample(epoch, bin, n, nil))*bin.Hours(), 0.3*math.Log(72); !near(got, want, 1e-9) {
			t.Errorf("bins of %v: %v events follow, want %v", bin, got, want)
		}
	}
	x := o.Sample(epoch, time.Minute, 14*60, nil)
	if x[9] != 0 || !(x[10] > x[11]) || !near(x[120], 0.3/(2+0.5/60), 1e-3) || x[720] != 0 {
		t.Errorf("after 9, 10, 11, 120, 720 minutes: %v %v %v %v %v", x[9], x[10], x[11], x[120], x[720])
	}
	later := o.Sample(epoch.Add(time.Hour), time.Minute, 60, nil)
	if !slices.EqualFunc(later, x[60:120], func(a, b float64) bool { return near(a, b, 1e-9) }) {
		t.Error("sampled from an hour later the same minutes differ")
	}
}

// clusteredEvents returns Poisson events, each followed by another with probability p, u hours later
// with density ∝ 1/u.
func clusteredEvents(r *rand.Rand, days int, perDay, p float64) (events []time.Time) {
	for at := 0.0; ; {
		at += r.ExpFloat64() * Hours / perDay
		if at > float64(days*Hours) {
			break
		}
		events = append(events, epoch.Add(time.Duration(at*float64(time.Hour))))
		if r.Float64() < p {
			u := clusterStart * math.Pow(clusterEnd/clusterStart, r.Float64())
			events = append(events, epoch.Add(time.Duration((at+u)*float64(time.Hour))))
		}
	}
	slices.SortFunc(events, time.Time.Compare)
	return events
}

// From many data the excess is recovered despite the prior.
func TestOutlookLearnsClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const days = 4000
	for _, p := range []float64{0, 0.5, 1} {
		events := clusteredEvents(r, days, 1.5, p)
		var y Tally
		y.Add(nil, 0, epoch, epoch.AddDate(0, 0, days+1), events...)
		want := max(minExcess, p/(1+p)/math.Log(clusterEnd/clusterStart))
		if got := y.Outlook(AccessPrior).Excess; math.Abs(got-want) > 0.02 {
			t.Errorf("events followed with probability %v: excess %v, want %v", p, got, want)
		}
	}
}

// A few accesses change the excess a little, many in clusters more than many apart. Clusters at the
// same hour every day belong to the profile.
func TestOutlookShrinksToThePrior(t *testing.T) {
	if got := (Tally{}).Outlook(AccessPrior).Excess; !near(got, AccessPrior.ClusterExcess, 1e-12) {
		t.Errorf("excess without accesses %v, want %v", got, AccessPrior.ClusterExcess)
	}
	learn := func(days int, drift int, apart time.Duration) (o Outlook, last time.Time) {
		var y Tally
		for d := range days {
			day := epoch.AddDate(0, 0, d)
			first := day.Add(time.Duration(8+drift*d%6) * time.Hour)
			last = first.Add(2 * apart)
			y.Add(nil, 0, day, day.AddDate(0, 0, 1), first, first.Add(apart), last)
		}
		return y.Outlook(AccessPrior), last
	}
	o, last := learn(1, 0, 15*time.Minute)
	if math.Abs(o.Excess-AccessPrior.ClusterExcess) > 0.1 || !o.Last.Equal(last) {
		t.Errorf("after one cluster: excess %v, last %v, prior %v", o.Excess, o.Last, AccessPrior.ClusterExcess)
	}
	burst, _ := learn(40, 5, 12*time.Minute)
	apart, _ := learn(40, 5, 5*time.Hour)
	clock, _ := learn(40, 0, 12*time.Minute)
	if !(burst.Excess > 1.5*apart.Excess) || !(burst.Excess > 1.5*clock.Excess) {
		t.Errorf("excess %v after clusters, %v for accesses five hours apart, %v for clusters by the clock", burst.Excess, apart.Excess, clock.Excess)
	}
}

func TestFollowersAreAdditive(t *testing.T) {
	half := 20 * 24 * time.Hour
	events := clusteredEvents(rand.New(rand.NewPCG(13, 14)), 30, 5, 0.7)
	end := epoch.AddDate(0, 0, 31)
	var whole, pieces Tally
	whole.Add(nil, half, epoch, end, events...)
	for from := epoch; from.Before(end); from = from.Add(5 * time.Hour) {
		to := from.Add(5 * time.Hour)
		if to.After(end) {
			to = end
		}
		pieces.Add(nil, half, from, to, events...)
	}
	a, b := whole.Followers, pieces.Followers
	if !near(a.Count, b.Count, 1e-9) || !near(a.Events, b.Events, 1e-9) || !near(a.Trace, b.Trace, 1e-9) || !a.Last.Equal(b.Last) {
		t.Fatalf("%+v and %+v", a, b)
	}
	before := whole.Followers
	whole.Add(nil, half, epoch, epoch.Add(time.Hour), epoch.Add(time.Minute))
	if whole.Followers != before {
		t.Errorf("an event out of order counts as a follower: %+v, was %+v", whole.Followers, before)
	}
}

// A tally stored before followers were counted can be read and continued.
func TestTallyWithoutFollowersIsRead(t *testing.T) {
	var y Tally
	old := `{"at":"2026-03-02T00:00:00Z","count":[[1,2],[3]],"watch":[[10,10],[10]],"recent":{"count":1,"watch":5}}`
	if err := json.Unmarshal([]byte(old), &y); err != nil {
		t.Fatal(err)
	}
	if o := y.Outlook(AccessPrior); !near(o.Excess, AccessPrior.ClusterExcess, 1e-12) || !o.Last.IsZero() {
		t.Fatalf("%+v", o)
	}
	y.Add(nil, AccessHalfLife, epoch, epoch.Add(2*time.Hour), epoch.Add(time.Hour), epoch.Add(90*time.Minute))
	if o := y.Outlook(AccessPrior); !o.Last.Equal(epoch.Add(90*time.Minute)) || !(y.Followers.Count > 0.5) {
		t.Fatalf("%+v", y.Followers)
	}
}

func BenchmarkOutlook48h(b *testing.B) {
	var y Tally
	y.Add(nil, AccessHalfLife, epoch, epoch.Add(1000*time.Hour), epoch.Add(999*time.Hour))
	for b.Loop() {
		y.Outlook(AccessPrior).Sample(epoch.Add(1000*time.Hour), 5*time.Minute, 576, time.UTC)
	}
}

// Accesses by chance have no clusters and no lulls: long after the last one the outlook is nearly the
// profile. For accesses in clusters it is much lower.
func TestNoLullsWithoutClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lull := func(cluster int) float64 {
		var y Tally
		var events []time.Time
		for at := epoch; at.Before(epoch.Add(60 * 24 * time.Hour)); at = at.Add(time.Duration(r.ExpFloat64() * float64(cluster) * 3 * float64(time.Hour))) {
			for k := range cluster {
				events = append(events, at.Add(time.Duration(k)*15*time.Minute))
			}
		}
		slices.SortFunc(events, time.Time.Compare)
		end := events[len(events)-1].Add(time.Hour)
		y.Add(nil, AccessHalfLife, epoch, end, events...)
		o, late := y.Outlook(AccessPrior), end.Add(13*time.Hour)
		return sum(o.Sample(late, time.Hour, 24, nil)) / sum(o.Usual.Sample(late, time.Hour, 24, nil))
	}
	chance, clusters := lull(1), lull(4)
	if chance < 0.8 || clusters > 0.6 {
		t.Errorf("long after the last access the rate is %.2f of the usual by chance, %.2f in clusters", chance, clusters)
	}
}
