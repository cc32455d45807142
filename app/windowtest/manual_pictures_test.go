//go:build window

package windowtest

import (
	"image"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kairos/app/windowtest/screens"
)

// manualSize is the size of the windows in the manual, in pixels, and manualScale how many of them a unit is.
var manualSize = image.Rect(0, 0, 1250, 780)

const manualScale = "1.25"

// manualLocales are the locales of the manual's languages.
var manualLocales = map[string]string{"en": "en_US.UTF-8", "de": "de_DE.UTF-8", "zh_Hans": "zh_CN.UTF-8"}

// TestManualPictures takes the pictures of the manual in all its languages into KAIROS_MANUAL: “make manual-pictures”.
func TestManualPictures(t *testing.T) {
	into := os.Getenv("KAIROS_MANUAL")
	if into == "" {
		t.Skip("skipped: KAIROS_MANUAL names no folder to put pictures into")
	}
	var server *httptest.Server
	server = httptest.NewServer(serveSampleFeeds(func() string { return server.URL }, time.Now()))
	defer server.Close()
	for language, locale := range manualLocales {
		t.Run(language, func(t *testing.T) {
			d := newDesktopOf(t, "1400x900x24")
			d.with = append(d.with, "LANG="+locale, "FYNE_SCALE="+manualScale, "XDG_DATA_HOME="+os.Getenv("XDG_DATA_HOME"))
			takeManualPictures(d, server.URL, filepath.Join(into, language))
		})
	}
}

// takeManualPictures takes those of one language.
func takeManualPictures(d *desktop, site, into string) {
	if err := os.MkdirAll(into, 0o755); err != nil {
		d.Fatal(err)
	}
	pause := func() { <-time.After(1500 * time.Millisecond) }
	var p *program
	of := screens.Data(-1)
	for _, s := range screens.Manual {
		if s.Of != of {
			if p != nil {
				d.key("ctrl+q")
				p.end()
			}
			p, of = startOn(d, s.Of, site), s.Of
			pause()
			d.resize(manualSize)
		} else {
			d.key("Escape", "Escape")
		}
		pause()
		for _, k := range s.Keys {
			d.key(xKey(d.TB, k))
		}
		pause()
		if s.Of == screens.History { // whose figures are computed
			<-time.After(4 * time.Second)
		}
		picture := filepath.Join(into, s.Name+".png")
		if err := crop(d.shot(s.Name), manualSize, picture); err != nil {
			d.Fatal(err)
		}
		if _, err := d.tool("convert", picture, "-colors", "255", "PNG8:"+picture); err != nil { // half the size
			d.Fatal(err)
		}
	}
	d.key("Escape", "ctrl+q")
	p.end()
}
