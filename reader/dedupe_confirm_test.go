package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kairos/reader/parse"
)

// riverText is what feeds put around all of their articles.
const riverText = "The river had risen in the night, and by morning the meadow below the mill was a lake on which the herons, unbothered, stood and " +
	"waited. Nobody in the village remembered such a spring. The miller counted the sacks he had carried upstairs and found that two were " +
	"missing; his daughter said that the water had taken them, and that it would bring them back in autumn, as it always brought back what it " +
	"could not use. Subscribers read the whole story, with drawings, in the edition of Saturday."

// biggestStory returns how many articles the biggest story has.
func biggestStory(t *testing.T, s *Store) int {
	t.Helper()
	return queryInt(t, s, "SELECT coalesce(max(n), 0) FROM (SELECT count(*) n FROM status WHERE story <> 0 GROUP BY story)")
}

// Articles of different titles in the same boilerplate are no story, though a title may have a word of it.
func TestBoilerplateIsNoStory(t *testing.T) {
	titles := []string{"What the herons knew", "The miller counts again", "Price of flour falls", "Bridge closed for inspection", "An interview with the miller",
		"Rain until Tuesday", "Two sacks found", "Why rivers meander", "Council votes on the meadow", "Central bank raises rates", "Astronomers find water on a planet",
		"Tom & Jerry", "Plan of the telephone company", "Repairs of the penstock begin", "The daughter takes over the mill", "Choir sings for a new organ"}
	for _, asTheyCome := range []bool{true, false} {
		s := open(t, t.TempDir())
		setDedupe(t, s, DedupeSettings{Once: asTheyCome, Alike: asTheyCome})
		for f, feed := range subscribeFeeds(t, s, 8) {
			var all []parse.Article
			for i := range 16 {
				title := titles[(i*(2*f+1)+f)%len(titles)]
				if f%2 == 1 {
					title = fmt.Sprintf("Episode %d: %s, no. %d", 16*f+i, title, 16*f+i)
				}
				own := []string{"", "<p>" + title + ", officials said. </p>", fmt.Sprintf("<p>Number %d. </p>", i), "<h1>The Daily Fern</h1>"}[f%4]
				all = append(all, toldAt(2*i, fmt.Sprint("k", f, "-", i), title, own+"<p>"+riverText+"</p>"))
			}
			save(t, s, feed, all)
		}
		setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
		if _, err := s.Duplicates.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		n, in := biggestStory(t, s), queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0")
		t.Logf("as they come: %v; of 128 articles %d are in stories, of at most %d", asTheyCome, in, n)
		if n > 8 { // the feeds, since they have the same titles
			t.Errorf("a story has %d articles", n)
		}
	}
}

// In a chain, in which each article is like the one before and the last is not like the first, a story ends.
func TestStoryIsNoChain(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	var words []string
	for _, a := range slices.Concat(dealtReports(20)...) {
		words = append(words, strings.Fields(strings.NewReplacer("<p>", " ", "</p>", " ").Replace(a.HTML))...)
	}
	for i, feed := range subscribeFeeds(t, s, 40) {
		text := "<p>" + strings.Join(words[30*i:30*i+150], " ") + "</p>"
		save(t, s, feed, []parse.Article{toldAt(40-i, fmt.Sprint("k", i), fmt.Sprintf("Corvana: %s %s", words[30*i], words[30*i+149]), text)})
	}
	if n := biggestStory(t, s); n < 2 || n > 12 {
		t.Errorf("a story has %d of 40 articles", n)
	}
}

// A feed that tells of the same thing again and again has a few of its articles in the story.
func TestStoryHasFewOfAFeed(t *testing.T) {
	s := open(t, t.TempDir())
	setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
	feeds := subscribeFeeds(t, s, 2)
	save(t, s, feeds[0], []parse.Article{toldAt(40, "a", "Magnitude 6.2 earthquake strikes off Corvana coast", quakeText)})
	for i := range 20 {
		title := fmt.Sprintf("Earthquake off Corvana, report %c", 'a'+i)
		save(t, s, feeds[1], []parse.Article{toldAt(30-i, fmt.Sprint("b", i), title, quakeText)})
	}
	if n := biggestStory(t, s); n != 1+maxOfFeed {
		t.Errorf("a story has %d articles", n)
	}
}
