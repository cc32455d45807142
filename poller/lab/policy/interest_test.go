package policy

import (
	"os"
	"testing"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/labtest"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

// kairos learns who reads what and exact does not: of feeds that post alike, those that are read are
// fetched more often.
func TestInterestIsLearned(t *testing.T) {
	const feeds, weeks = 8, 6
	end := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC).Unix()
	u := &traces.User{ID: "u", Zone: time.UTC}
	start := end - weeks*7*daySeconds
	for at := start; at < end; at += daySeconds {
		for _, hour := range []int64{7, 12, 18, 22} {
			u.Accesses = append(u.Accesses, at+hour*3600)
		}
	}
	for i := range feeds {
		f := traces.Feed{ID: string(rune('a' + i))}
		for at := start + int64(i)*701; at < end; at += daySeconds / 5 {
			f.Posts = append(f.Posts, at)
		}
		u.Feeds = append(u.Feeds, f)
	}
	w := lab.NewWorldBetween(end-3*7*daySeconds, end, u, lab.Protocol{Warmup: 3 * 7 * day, Relearn: day, Readings: &lab.Readings{Taste: 2}})
	// Feeds of which more than four posts of five are read, and those of which fewer than two are.
	var liked, ignored []int
	for i, read := range w.History().Read {
		n := 0
		for _, is := range read {
			if is {
				n++
			}
		}
		switch share := float64(n) / float64(len(read)); {
		case share > 0.8:
			liked = append(liked, i)
		case share < 0.4:
			ignored = append(ignored, i)
		}
	}
	if len(liked) < 2 || len(ignored) < 2 {
		t.Fatalf("feeds %v are read, %v are not", liked, ignored)
	}
	for p, learns := range map[*lab.Policy]bool{&Kairos: true, &Exact: false} {
		fetches, err := w.Fetches(t.Context(), *p, 2)
		if err != nil {
			t.Fatal(err)
		}
		mean := func(of []int) (n float64) {
			for _, i := range of {
				n += float64(len(fetches[i])) / float64(len(of))
			}
			return n
		}
		if ratio := mean(liked) / mean(ignored); learns != (ratio > 1.15) || !learns && ratio < 1/1.15 {
			t.Errorf("%s fetches what is read %.2f times as often as what is not", p.Name, ratio)
		}
	}
}

// Whoever reads what, with interest no less of what is read is ready than without, within the luck of
// few people. The prior is not the law by which readings are dealt.
func TestInterestPaysForEveryReader(t *testing.T) {
	skipIfShort(t)
	people, luck, o := 2, 2.0, defaultOptions()
	o.Weeks = 2
	models := []lab.Readings{{Exponent: 0, Taste: 1.2}, {Exponent: 1, Taste: 0}}
	if os.Getenv("KAIROS_SOAK") != "" {
		people, luck, o.Weeks = 12, 0.5, 4
		models = nil
		for _, exponent := range []float64{0, 0.5, 1} {
			models = append(models, lab.Readings{Exponent: exponent}, lab.Readings{Exponent: exponent, Taste: 1.2})
		}
	}
	set := labtest.Panel(t, 0).Half(1).Sample(people)
	without := variant{rules: schedule.Default(), method: plan.Kairos, interest: func(int) float64 { return 1 }}.policy("")
	const budget = 2
	gains := make([][]float64, len(models))
	for i := range set.Users {
		u := &set.Users[i]
		plain, err := lab.NewWorld(set, u, o.Protocol).Fetches(t.Context(), without, budget)
		if err != nil {
			t.Fatal(err)
		}
		for k := range models {
			p := o.Protocol
			p.Readings = &models[k]
			w := lab.NewWorld(set, u, p)
			with, err := w.Fetches(t.Context(), Kairos, budget)
			if err != nil {
				t.Fatal(err)
			}
			gains[k] = append(gains[k], w.Score(with).ReadyRead-w.Score(plain).ReadyRead)
		}
	}
	for k, g := range gains {
		mean := 0.0
		for _, x := range g {
			mean += x / float64(len(g))
		}
		t.Logf("%+v: %+.1f points of what is read (%.1f)", models[k], mean, g)
		if mean < -luck {
			t.Errorf("%+v: %.1f points less of what is read are ready with interest", models[k], -mean)
		}
	}
}
