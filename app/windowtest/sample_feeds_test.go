//go:build window

package windowtest

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"net/http"
	"strings"
	"time"
)

// sampleSite is one of the invented sites that the screenshots show.
type sampleSite struct {
	name, folder string
	every        time.Duration
	stories      []string
}

var sampleSites = []sampleSite{
	{"The Harbour Gazette", "News", 5 * time.Hour, []string{
		"Night ferry to the islands sails again from Monday", "Council votes for quieter lamps along the quay",
		"Why the old lighthouse still needs a keeper", "Three herring boats and a question of nets",
		"Fog for the third morning: what the harbour master does", "A bakery opens at four, for those who come home then",
		"The tide tables are out, and they are beautiful"}},
	{"Notes from the Tram Depot", "News", 19 * time.Hour, []string{
		"Line 7 gets its wooden seats back", "What a tram weighs, and how we know", "The timetable that nobody dared to change",
		"Sand, rails and a wet October"}},
	{"Compiler Weather", "Computing", 9 * time.Hour, []string{
		"A loop that the optimizer could not see", "Reading disassembly with a cup of tea", "Small strings, small allocations",
		"The garbage collector on a rainy day", "Ten years of one build system", "When the cache line was the bug"}},
	{"Plain Text Quarterly", "Computing", 31 * time.Hour, []string{
		"A table is a promise about columns", "Notes on a mail archive of thirty years", "Why I print my to-do list"}},
	{"Slow Astronomy", "Science", 14 * time.Hour, []string{
		"A comet seen with the naked eye, almost", "How long a long exposure is", "The star that was two stars",
		"Counting craters by hand", "What we heard when the dish pointed nowhere"}},
	{"The Moss Report", "Science", 44 * time.Hour, []string{
		"Seventeen mosses on one wall", "A year in a square metre", "Rain, and what drinks it first"}},
	{"Kitchen Arithmetic", "", 11 * time.Hour, []string{
		"Bread for people who forget bread", "How much soup is one soup", "The bean that takes two days", "Salt by weight"}},
	{"Letters from the Ridge Path", "", 26 * time.Hour, []string{
		"Day nine: wind, cheese, a borrowed map", "Boots, again", "The hut with the piano"}},
}

// openings are how articles begin.
var openings = []string{
	"At a quarter to six the kettle was already on.", "You would not have noticed it from the street.", "The letter came on a Tuesday, without a sender.",
	"For eleven years nobody had opened that cupboard.", "There are two ways to do this, and one of them is wet.", "The number was right, which was the surprising part.",
	"Ask three people and you get four answers.", "It rained, as it does when one has brought no coat.", "The first attempt failed, and so did the next nine.",
	"What looks like a mistake is usually a habit.", "Somebody had written the date in pencil.",
}

// articleHTML is the text of an article with every kind of block.
func articleHTML(site string, p, n int) string {
	title := html.EscapeString(sampleSites[p].stories[n])
	lead := openings[(p*5+n*3)%len(openings)]
	return fmt.Sprintf(`<p>%[5]s It began with somebody asking <em>why it had to be like that</em>, so we went to look, and wrote down what we found
on the way. Some of it is in the <a href="%[1]s/notes">notes of last spring</a>.</p>
<figure><img src="%[1]s/pictures/%[2]d-%[3]d.jpg" width="960" height="520" alt="%[4]s"><figcaption>The view at half past six, before the first boat.</figcaption></figure>
<h2>What was there</h2>
<p>Four people had kept a record without knowing of each other. Put side by side their figures agree <strong>better than anybody
had hoped</strong>, and where they do not, there is a story behind it:</p>
<ul><li>the winter of the long ice, when nothing moved for nineteen days;</li><li>a clock that was seven minutes late, and trusted;</li>
<li>one page that the tea has had.</li></ul>
<blockquote><p>“You learn to see it at dusk. By day it is only there.”</p></blockquote>
<h2>The figures</h2>
<table><tr><th>Season</th><th>Counted</th><th>Believed</th></tr><tr><td>Spring</td><td>412</td><td>405</td></tr><tr><td>Summer</td><td>388</td><td>390</td></tr>
<tr><td>Autumn</td><td>441</td><td>437</td></tr></table>
<p>Whoever wants to reckon with them finds them in the usual place:</p>
<pre><code>season,counted,believed
spring,412,405
summer,388,390</code></pre>
<p>We shall go on counting. If you have a notebook of your own, write to us; the tea does not matter.</p>`, site, p, n, title, lead)
}

// serveSampleFeeds serves the feeds and their images.
func serveSampleFeeds(site func() string, now time.Time) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p, n int
		switch {
		case strings.HasPrefix(r.URL.Path, "/pictures/"):
			fmt.Sscanf(r.URL.Path, "/pictures/%d-%d.jpg", &p, &n) //nolint:errcheck // any picture will do
			w.Header().Set("Content-Type", "image/jpeg")
			w.Write(landscape(p*7 + n))
		case strings.HasSuffix(r.URL.Path, ".xml"):
			fmt.Sscanf(r.URL.Path, "/%d.xml", &p) //nolint:errcheck // the first will do
			w.Header().Set("Content-Type", "application/rss+xml")
			w.Header().Set("Cache-Control", "max-age=1800")
			fmt.Fprint(w, sampleFeed(site(), p, now))
		default:
			http.NotFound(w, r)
		}
	}
}

func sampleFeed(site string, p int, now time.Time) string {
	var b strings.Builder
	one := sampleSites[p]
	fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>%s</title><link>%s/%d</link><description>Made up.</description>`, one.name, site, p)
	for n, title := range one.stories {
		at := now.Add(-time.Duration(n)*one.every - time.Duration(p*23+9)*time.Minute)
		fmt.Fprintf(&b, `<item><title>%s</title><link>%s/%d/%d</link><guid>%d-%d</guid><author>desk@example.org (M. Hallam)</author><pubDate>%s</pubDate><description>%s</description></item>`,
			html.EscapeString(title), site, p, n, p, n, at.Format(time.RFC1123Z), html.EscapeString(articleHTML(site, p, n)))
	}
	b.WriteString(`</channel></rss>`)
	return b.String()
}

// landscape draws hills under an evening sky.
func landscape(seed int) []byte {
	const w, h = 960, 520
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	hue := float64(seed%11) / 11
	for x := range w {
		var ridge [4]float64
		for k := range ridge {
			f := float64(k + 1)
			ridge[k] = h*(0.45+0.13*f) - 38*math.Sin(float64(x)/(190-28*f)+f*1.7+float64(seed)) - 16*math.Sin(float64(x)/(61+9*f)+float64(seed)*f)
		}
		for y := range h {
			t := float64(y) / h
			c := color.RGBA{uint8(235 - 70*t*hue - 20), uint8(200 - 60*t + 30*hue), uint8(150 + 80*t*(1-hue)), 255}
			for k, top := range ridge {
				if float64(y) > top {
					d := float64(k+1) / 4
					c = color.RGBA{uint8(120 - 95*d + 30*hue), uint8(135 - 85*d), uint8(140 - 70*d - 30*hue), 255}
				}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	if jpeg.Encode(&out, img, &jpeg.Options{Quality: 85}) != nil {
		return nil
	}
	return out.Bytes()
}
