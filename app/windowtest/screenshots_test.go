//go:build window

package windowtest

import (
	"cmp"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home/hometest"
	"kairos/app/keys"
	"kairos/app/windowtest/screens"
)

// What the windows of screenshots are as large as.
var (
	usual = image.Rect(0, 0, 1200, 780)
	shop  = image.Rect(0, 0, 1000, 700) // of those that AppStream is told about
)

// TestScreens takes screenshots of all screens, in light and dark, into the folder KAIROS_SCREENS: “make screenshots”.
func TestScreens(t *testing.T) {
	into := os.Getenv("KAIROS_SCREENS")
	if into == "" {
		t.Skip("skipped: KAIROS_SCREENS names no folder to put screenshots into")
	}
	var server *httptest.Server
	server = httptest.NewServer(serveSampleFeeds(func() string { return server.URL }, time.Now()))
	defer server.Close()
	for _, look := range []string{"light", "dark"} {
		shoot(t, server.URL, look, filepath.Join(into, look))
	}
}

// shoot takes the screenshots of one look into a folder.
func shoot(t *testing.T, site, look, into string) {
	if err := os.MkdirAll(into, 0o755); err != nil {
		t.Fatal(err)
	}
	d := newDesktop(t)
	d.look = look
	pause := func() { <-time.After(1200 * time.Millisecond) }
	var p *program
	of := screens.Data(-1)
	for _, s := range screens.All {
		switch {
		case s.Of != of:
			if p != nil {
				d.key("ctrl+q")
				p.end()
			}
			p, of = startOn(d, s.Of, site), s.Of
		case !s.More:
			d.key("Escape", "Escape")
		}
		pause()
		for _, k := range s.Keys {
			d.key(xKey(t, k))
		}
		d.until(s.Name+" is painted", func() bool { return foreground(d.shot(s.Name), usual) > 3000 })
		pause()
		take := func(name string, window image.Rectangle) {
			if err := crop(d.shot(s.Name), window, filepath.Join(into, name+".png")); err != nil {
				t.Fatal(err)
			}
		}
		take(s.Name, usual)
		if s.Shop {
			d.resize(shop)
			pause()
			take("shop-"+s.Name, shop)
			d.resize(usual)
			pause()
		}
	}
	d.key("Escape", "ctrl+q")
	p.end()
}

// startOn starts Kairos with this data.
func startOn(d *desktop, of screens.Data, site string) *program {
	data := filepath.Join(d.TempDir(), "data")
	if of == screens.History {
		live(d.TB, data, hometest.History{Feeds: len(sampleSites), Days: 45, URL: func(feed int) string { return fmt.Sprintf("%s/%d.xml", site, feed) },
			Titles: func(feed, n int) (title, text string) {
				stories := sampleSites[feed%len(sampleSites)].stories
				return stories[n%len(stories)], openings[n%len(openings)]
			}}, "balanced")
	}
	p := d.start(binary(d.TB, buildChecked), data)
	d.until("the window opens", func() bool { return d.title() != "" })
	if of == screens.Articles {
		for i, one := range sampleSites {
			args := []string{"add", fmt.Sprintf("%s/%d.xml", site, i)}
			if one.folder != "" {
				args = append(args, "--folder", one.folder)
			}
			p.verb(args...)
		}
		d.until("the articles are counted", func() bool { return strings.HasPrefix(d.title(), "(") })
	}
	return p
}

// xKey is a chord as xdotool writes it.
func xKey(t testing.TB, chord string) string {
	c, err := keys.ParseChord(chord)
	if err != nil {
		t.Fatal(err)
	}
	name, known := xNames[cmp.Or(string(c.Key), string(c.Letter))]
	if !known {
		name = cmp.Or(strings.ToLower(string(c.Key)), string(c.Letter))
	}
	if c.Modifiers&keys.Ctrl != 0 {
		name = "ctrl+" + name
	}
	return name
}

// xNames are the names of keys that xdotool calls something else.
var xNames = map[string]string{",": "comma", "]": "bracketright", "?": "question", "/": "slash", "Down": "Down"}

// crop cuts a screenshot to the window.
func crop(screen image.Image, window image.Rectangle, name string) error {
	out := image.NewRGBA(window)
	draw.Draw(out, window, screen, image.Point{}, draw.Src)
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return png.Encode(f, out)
}
