package corpus

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"kairos/reader/content"
	"kairos/reader/story"
)

// captured is an article of a capture.
type captured struct {
	feed      string
	title     string
	link      int64
	published time.Time
	profile   *story.Profile
}

// captures returns the articles of all captures, those of the same address once: several collections have the same captures.
func captures(files []file) (all []captured) {
	seen := map[string]bool{}
	for _, f := range files {
		feed, err := read(f.body)
		if err != nil {
			continue
		}
		for _, a := range feed.Articles {
			once := a.Title + "\n" + a.Summary
			if a.Published.IsZero() || seen[once] {
				continue
			}
			seen[once] = true
			all = append(all, captured{feed.Title, a.Title, story.Link(a.Link), a.Published, story.NewProfile(a.Title, content.Text(a.HTML, 4000))})
		}
	}
	return all
}

// digest names an article without telling what it says.
func (c captured) digest() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(c.feed+"\n"+c.title)))[:12]
}

// candidates calls f with the pairs of articles of two feeds that have enough keys in common to be compared.
func candidates(all []captured, f func(a, b captured)) {
	byKey := map[uint32][]int{}
	for i, a := range all {
		shared := map[int]int{}
		for _, key := range a.profile.Keys() {
			for _, other := range byKey[key] {
				shared[other]++
			}
			byKey[key] = append(byKey[key], i)
		}
		for other, keys := range shared {
			b := all[other]
			if keys >= story.LeastKeys && a.feed != b.feed && (a.link == 0 || a.link != b.link) {
				f(a, b)
			}
		}
	}
}

// TestStoriesOfCaptures counts the pairs of articles that are taken for one story. The captures are of many years, so that hardly
// any two feeds tell the same within days, and what is alike but further apart is wrong, but for what is told twice.
func TestStoriesOfCaptures(t *testing.T) {
	all := captures(load(t, "realworld"))
	compared, within, apart := 0, 0, 0
	candidates(all, func(a, b captured) {
		compared++
		switch gap := a.published.Sub(b.published).Abs(); {
		case !story.Alike(a.profile, b.profile):
		case gap <= story.Window:
			within++
			t.Logf("%s and %s are one story, %v apart", a.digest(), b.digest(), gap)
		default:
			apart++
			t.Logf("%s and %s are alike, but %v apart", a.digest(), b.digest(), gap)
		}
	})
	t.Logf("%d articles, %d pairs compared, %d one story, %d alike but too far apart", len(all), compared, within, apart)
	if most := compared / 1000; apart > most {
		t.Errorf("%d pairs are alike that are far apart, of %d compared", apart, compared)
	}
}
