package hometest

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

// Many is a data folder of somebody who reads much: so many articles of so many feeds, which came over three years, the
// feeds by turns. Feeds differ in how much they post; articles are as long as real ones. One in twenty is unread, mostly new
// ones, one in five hundred starred.
type Many struct {
	Feeds, Articles int
	Folders         int                   // 0: one for each fifty feeds
	URL             func(feed int) string // the addresses of the feeds
}

// Write fills an empty data folder.
func (m Many) Write(ctx context.Context, t testing.TB, h *home.Home) {
	t.Helper()
	now, r := h.Now(), rand.New(rand.NewPCG(17, 23))
	const rounds = 20 // in which the feeds bring their articles by turns
	const years = 3
	span := years * 365 * 24 * time.Hour
	texts := newTexts(r)
	if m.Folders == 0 {
		m.Folders = max(1, m.Feeds/50)
	}
	ids, due := make([]int64, m.Feeds), make([]float64, m.Feeds)
	sum := 0.0
	for i := range ids {
		sum += pace(i)
	}
	visits := usualVisits(now, 60)
	if _, err := h.Log.Import(ctx, visits, now); err != nil {
		t.Fatal(err)
	}
	write := func(f func(tx *sql.Tx) error) {
		t.Helper()
		if err := h.Store.Write(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	write(func(tx *sql.Tx) (err error) {
		for i := range ids {
			feed := reader.Feed{URL: m.URL(i), Title: fmt.Sprintf("%s %d", names[i%len(names)], i), Folder: fmt.Sprintf("Folder %d", i%m.Folders)}
			if ids[i], err = reader.Subscribe(ctx, tx, feed, now.Add(-span)); err != nil {
				return err
			}
		}
		return nil
	})
	for round := range rounds {
		from := now.Add(-span / rounds * time.Duration(rounds-round))
		write(func(tx *sql.Tx) error {
			for i, id := range ids {
				due[i] += float64(m.Articles) / rounds * pace(i) / sum
				batch := make([]parse.Article, int(due[i]))
				due[i] -= float64(len(batch))
				for n := range batch {
					batch[n] = texts.article(from.Add(time.Duration(r.Float64() * float64(span/rounds))))
				}
				if _, err := reader.StoreArticles(ctx, tx, id, batch, from.Add(span/rounds), time.Time{}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	write(func(tx *sql.Tx) error {
		var learned [kinds]schedule.Posts
		for i := range learned {
			learned[i] = learnedOf(i, now)
		}
		for i, id := range ids {
			if err := m.writePoll(ctx, tx, id, i, &learned[i%kinds], now); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE status SET read = published < ? AND id % 40 <> 0, starred = id % 500 = 0`, now.Add(-span/40).Unix())
		return err
	})
}

// pace is how much a feed posts beside the others.
func pace(feed int) float64 { return 0.2 + 6/float64(1+feed%9) }

// writePoll notes that a feed was fetched just now, and what was learned of when it posts.
func (m Many) writePoll(ctx context.Context, tx *sql.Tx, id int64, i int, learned *schedule.Posts, now time.Time) error {
	tally, err := learned.Tally.MarshalBinary()
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO poll (subject, address, tried, fetched, upto, posted, tally) VALUES (?, ?, ?, ?, ?, ?, ?)", id, m.URL(i),
			now.Unix(), now.Unix(), learned.UpTo.Unix(), max(0, learned.Newest.Unix()), tally)
	}
	return err
}

// kinds is how many kinds of feeds there are: nine paces, each begun on seven days.
const kinds = 9 * 7

// learnedOf is what was learned of a feed's last month.
func learnedOf(i int, now time.Time) (learned schedule.Posts) {
	var dates []time.Time
	every := time.Duration(float64(24*time.Hour) / pace(i))
	for at := now.Add(-30 * 24 * time.Hour).Add(every * time.Duration(i%7) / 7); at.Before(now); at = at.Add(every) {
		dates = append([]time.Time{at.Truncate(time.Second)}, dates...)
	}
	learned.Document(now.Add(-31*24*time.Hour), nil, 0)
	learned.Document(now, dates, len(dates))
	return learned
}

// usualVisits are visits in the morning and in the evening of the last days.
func usualVisits(now time.Time, days int) (visits []time.Time) {
	for d := days; d >= 0; d-- {
		for _, hour := range []int{7, 12, 20} {
			at := time.Date(now.Year(), now.Month(), now.Day()-d, hour, 13*d%60, 0, 0, now.Location())
			if at.Before(now) {
				visits = append(visits, at)
			}
		}
	}
	return visits
}

// texts makes articles up. Their words are as frequent as real ones (Zipf's law), their lengths spread like those of real
// feeds: half have more than 250 words, the mean is 375.
type texts struct {
	random *rand.Rand
	words  []string
	share  []float64 // of all words up to this one
	bodies []string
	n      int
}

func newTexts(r *rand.Rand) *texts {
	t := &texts{random: r}
	syllables := strings.Fields("ba cor den el fi gor hal im jon ka lor men nor os pel qua ris sol tan um ver wol yan zer chi dra")
	seen := map[string]bool{}
	for sum := 0.0; len(t.words) < 40_000; {
		var b strings.Builder
		for range 1 + int(math.Log2(float64(len(t.words)+2)))/4 {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		if seen[b.String()] && len(t.words) > 20 {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		seen[b.String()] = true
		t.words = append(t.words, b.String())
		sum += 1 / math.Pow(float64(len(t.words))+1.7, 1.05)
		t.share = append(t.share, sum)
	}
	for range 4000 {
		length := min(max(int(math.Exp(math.Log(250)+0.9*r.NormFloat64())), 10), 5000)
		t.bodies = append(t.bodies, "<p>"+t.text(length)+"</p>")
	}
	return t
}

func (t *texts) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(t.words[sort.SearchFloat64s(t.share, t.random.Float64()*t.share[len(t.share)-1])])
		b.WriteByte(' ')
	}
	return b.String()
}

func (t *texts) article(at time.Time) parse.Article {
	t.n++
	body := t.bodies[t.random.IntN(len(t.bodies))]
	return parse.Article{Key: fmt.Sprint("https://example.org/articles/", t.n), Title: t.text(8), Author: t.text(2), HTML: body,
		Link: fmt.Sprint("https://example.org/articles/", t.n), Summary: body[3:min(len(body)-4, 303)], Published: at}
}
