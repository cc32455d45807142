//go:build window

package windowtest

import (
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
		screens(t, server.URL, look, filepath.Join(into, look))
	}
}

func screens(t *testing.T, site, look, into string) {
	if err := os.MkdirAll(into, 0o755); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	d := newDesktop(t)
	d.look = look
	p := d.start(binary(t, buildChecked), data)
	d.until("the window opens", func() bool { return d.title() != "" })
	pause := func() { <-time.After(1200 * time.Millisecond) }
	take := func(name string) {
		d.until(name+" is painted", func() bool { return foreground(d.shot(name), image.Rect(0, 0, 1200, 780)) > 3000 })
		pause()
		if err := crop(d.shot(name), filepath.Join(into, name+".png")); err != nil {
			t.Fatal(err)
		}
	}
	pause()
	take("welcome")
	for i, one := range sampleSites {
		args := []string{"add", fmt.Sprintf("%s/%d.xml", site, i)}
		if one.folder != "" {
			args = append(args, "--folder", one.folder)
		}
		p.verb(args...)
	}
	d.until("the articles are counted", func() bool { return strings.HasPrefix(d.title(), "(") })
	pause()
	d.key("j", "s", "j", "j")
	pause()
	take("reading")
	for _, s := range []struct{ name, key string }{{"settings", "ctrl+comma"}, {"keys", "question"}, {"add", "ctrl+n"}} {
		d.key(s.key)
		pause()
		take(s.name)
		d.key("Escape")
		pause()
	}
	for page, name := range []string{"settings-reading", "settings-fetching", "settings-notifications", "settings-rules",
		"settings-storage", "settings-privacy", "settings-shortcuts", "settings-about"} {
		d.key("ctrl+comma")
		pause()
		for range page + 1 {
			d.key("Down")
		}
		pause()
		take(name)
		d.key("Escape")
		pause()
	}
	d.key("bracketright", "bracketright", "bracketright", "bracketright", "bracketright") // the first feed of the first folder
	pause()
	d.key("ctrl+i")
	pause()
	take("feed")
	d.key("ctrl+1", "slash")
	d.typeText("tea")
	pause()
	take("search")
	d.key("Escape", "ctrl+q")
	p.end()

	data = filepath.Join(t.TempDir(), "month")
	live(t, data, hometest.History{Feeds: len(sampleSites), Days: 45, URL: func(feed int) string { return fmt.Sprintf("%s/%d.xml", site, feed) }}, "balanced")
	p = d.start(binary(t, buildChecked), data)
	d.until("the window opens", func() bool { return d.title() != "" })
	pause()
	d.until("insights open", func() bool {
		d.key("ctrl+5")
		return strings.Contains(d.title(), "Insights")
	})
	pause()
	for _, name := range []string{"insights", "insights-habits", "insights-day", "insights-costs", "insights-predictions"} {
		pause()
		take(name)
		d.key("space")
	}
	d.key("ctrl+q")
	p.end()
}

// crop cuts a screenshot to the window.
func crop(screen image.Image, name string) error {
	window := image.Rect(0, 0, 1200, 780)
	out := image.NewRGBA(window)
	draw.Draw(out, window, screen, image.Point{}, draw.Src)
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return png.Encode(f, out)
}
