package reader

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/reader/parse"
)

// wireTitles are titles that two feeds repeat; the second feed words the last one otherwise.
var wireTitles = [][2]string{
	{"Astronomers find water vapor on planet K2-18b again", "Astronomers find water vapor on planet K2-18b again"},
	{"Mill workers in Bergen strike over pay again", "Mill workers in Bergen strike over pay again"},
	{"Central bank raises rates to 4.5 percent in surprise move", "Central bank raises rates to 4.5 percent in surprise decision"},
}

// wires deals what two feeds send every ten minutes, the second some time later.
func wires(articles int, later time.Duration) (feeds [2][]parse.Article) {
	for n := range articles {
		for f := range feeds {
			titles := wireTitles[n%len(wireTitles)]
			html := fmt.Sprintf("<p>%s. Officials said on day %d that %s</p>", titles[0], n, riverText)
			one := toldAt(0, fmt.Sprintf("k%d-%d", f, n), titles[f], html)
			one.Published = epoch.Add(time.Duration(n)*10*time.Minute - 24*time.Hour + time.Duration(f)*later)
			feeds[f] = append(feeds[f], one)
		}
	}
	return feeds
}

// Of titles that two feeds repeat, those that both published within minutes are one story each, however the articles come, and no
// story has two articles of a feed with one title.
func TestRepeatedTitlesArePairedByTime(t *testing.T) {
	const articles = 60
	for _, later := range []time.Duration{0, 2 * time.Minute} {
		for _, chunk := range []int{articles, 12, 1} { // how many each feed brings at a time
			for _, asTheyCome := range []bool{true, false} {
				s := open(t, t.TempDir())
				setDedupe(t, s, DedupeSettings{Once: asTheyCome, Alike: asTheyCome})
				feeds, sent := subscribeFeeds(t, s, 2), wires(articles, later)
				for from := 0; from < articles; from += chunk {
					for f, feed := range feeds {
						newestFirst := slices.Clone(sent[f][from : from+chunk])
						slices.Reverse(newestFirst)
						save(t, s, feed, newestFirst)
					}
				}
				setDedupe(t, s, DedupeSettings{Once: true, Alike: true})
				if _, err := s.Duplicates.Find(t.Context()); err != nil {
					t.Fatal(err)
				}
				same := `FROM status s JOIN article a USING (id) JOIN status o ON o.feed > s.feed AND abs(o.published - s.published) < 300 JOIN article b ON b.id = o.id AND b.title = a.title`
				pairs, paired := queryInt(t, s, "SELECT count(*) "+same), queryInt(t, s, "SELECT count(*) "+same+" WHERE s.story = o.story AND s.story <> 0")
				twice := queryInt(t, s, `SELECT count(*) FROM (SELECT 1 FROM status s JOIN article a USING (id) WHERE story <> 0 GROUP BY story, feed, title HAVING count(*) > 1)`)
				if pairs != articles*2/3 || paired != pairs || twice > 0 {
					t.Errorf("%v later, %d at a time, as they come %v: of %d pairs %d are stories; %d stories have a title of a feed twice; the biggest has %d articles",
						later, chunk, asTheyCome, pairs, paired, twice, biggestStory(t, s))
				}
			}
		}
	}
}
