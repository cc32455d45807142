package parse

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestReadPlayingTime(t *testing.T) {
	for text, want := range map[string]int64{
		"2530": 2530, " 42:10 ": 2530, "00:42:10": 2530, "1:12:00": 4320, "90:15": 5415, "2530.9": 2530, "0:42:10.125": 2530, "100:00:00": 360_000,
		"": 0, "soon": 0, "0": 0, "0:00": 0, "0.4": 0, "-5": 0, "+5": 0, "1:-5": 0, "1e3": 0, "0x10": 0, "inf": 0, "NaN": 0, ":": 0, "1:": 0, ":30": 0, ".": 0, "1.2.3": 0,
		"1:99:99": 0, "1:60": 0, "1:2:3:4": 0, "1000000000000000000": 0, "604800": 604_800, "604801": 0, "999:00:00": 0, "42 min": 0, "PT42M": 0, "42,5": 0,
		strings.Repeat("9", 5000): 0, strings.Repeat("1:", 5000): 0, strings.Repeat("0", 5000) + "7": 7, "４２:１０": 0,
	} {
		if got := readPlayingTime(text); got != want {
			t.Errorf("%.40q: %d, want %d", text, got, want)
		}
	}
	for _, seconds := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e18, 0} {
		if got := PlayingTime(seconds); got != 0 {
			t.Errorf("%v: %d", seconds, got)
		}
	}
}

func FuzzReadPlayingTime(f *testing.F) {
	for _, text := range []string{"2530", "42:10", "00:42:10.5", "1:99:99", "-1", "1e9"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := readPlayingTime(text); got < 0 || got > maxPlayingTime {
			t.Errorf("%q: %d", text, got)
		}
	})
}

// The length of an episode stands at the file that plays, wherever a feed tells it, and at each of its own where it tells those.
func TestPlayingTimeOfFiles(t *testing.T) {
	item := func(in string) string {
		return `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"><channel><item><title>t</title>` + in + `</item></channel></rss>`
	}
	entry := func(in string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><entry><title>t</title>` + in + `</entry></feed>`
	}
	const duration = `<itunes:duration>42:10</itunes:duration>`
	for name, c := range map[string]struct {
		in   string
		want []int64
	}{
		"RSS":            {item(duration + `<enclosure url="http://e.org/a.mp3" type="audio/mpeg" length="9"/>`), []int64{2530}},
		"Atom":           {entry(duration + `<link rel="enclosure" href="http://e.org/a.mp3" type="audio/mpeg" length="2530"/>`), []int64{2530}},
		"bytes":          {entry(`<link rel="enclosure" href="http://e.org/a.mp3" type="audio/mpeg" length="2530"/>`), []int64{0}},
		"without a type": {item(duration + `<enclosure url="http://e.org/a"/>`), []int64{2530}},
		"of two files": {item(duration + `<media:content url="http://e.org/a.pdf" type="application/pdf" medium="video"/><media:content url="http://e.org/a.MP4" type="Video/mp4"/>`),
			[]int64{0, 2530}},
		"Media RSS": {item(`<media:group><media:content url="http://e.org/a.mp4" medium="video" duration="61"/></media:group>`), []int64{61}},
		"told twice": {item(duration + `<enclosure url="http://e.org/a.mp3" type="audio/mpeg"/><media:content url="http://e.org/a.mp3" type="audio/mpeg" duration="61"/>`),
			[]int64{61}},
		"hostile": {item(`<itunes:duration>1:99:99</itunes:duration><enclosure url="http://e.org/a.mp3" type="audio/mpeg"/><media:content url="http://e.org/b.mp3" type="audio/mpeg" duration="-9"/>`),
			[]int64{0, 0}},
		"JSON Feed": {`{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"t","content_text":"x","attachments":[
			{"url":"http://e.org/1.mp3","mime_type":"audio/mpeg","duration_in_seconds":2530.5},{"url":"http://e.org/2.mp3","duration_in_seconds":"61"},
			{"url":"http://e.org/3.mp3","duration_in_seconds":1e18},{"url":"http://e.org/4.mp3","duration_in_seconds":"no one cares"},{"url":"http://e.org/5.mp3","duration_in_seconds":[-1]}]}]}`,
			[]int64{2530, 61, 0, 0, 0}},
	} {
		var got []int64
		for _, e := range mustParse(t, c.in).Articles[0].Enclosures {
			got = append(got, e.Seconds)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
