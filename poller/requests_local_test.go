package poller

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

func isLocalAddress(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.Code == fetch.LocalAddress
}

// No request for a feed of the web reaches the local network, by any of the ways to make one: each of them is redirected
// there.
func TestWebStaysOutOfTheLocalNetwork(t *testing.T) {
	for _, target := range []string{"http://127.1/secret", "http://x.lan/secret", "http://100.64.0.1/secret", "http://nas/secret", "http://[64:ff9b::a00:1]/secret"} {
		t.Run(target, func(t *testing.T) {
			w := newIconWorld(t)
			w.wire()
			w.web.posting("/feed", time.Hour)
			f := w.subscribe(reader.Feed{URL: "http://a.example/feed"})
			w.settled()
			to := func(out http.ResponseWriter, r *http.Request) {
				http.Redirect(out, r, target, http.StatusMovedPermanently)
			}
			for _, path := range []string{"/feed", "/", "/favicon.ico", "/picture.png", "/page", "/file.mp3", "/typed"} {
				w.web.on(path, to)
			}
			w.web.posting("/secret", time.Hour)
			w.web.requests()
			w.clock.add(time.Hour)

			if o := w.byHand(f.ID)[0]; o.Result != Failed || o.Message.Reason() != string(fetch.LocalAddress) {
				t.Errorf("the feed: %+v", o)
			}
			if _, err := w.discover("http://a.example/typed"); !isLocalAddress(err) {
				t.Errorf("discovery: %v", err)
			}
			if _, err := w.Pictures(f.ID)(t.Context(), "http://a.example/picture.png"); !isLocalAddress(err) {
				t.Errorf("a picture: %v", err)
			}
			if _, _, _, err := w.Page(t.Context(), f.ID, "http://a.example/page"); !isLocalAddress(err) {
				t.Errorf("full text: %v", err)
			}
			var file bytes.Buffer
			if err := w.Download(t.Context(), f.ID, "http://a.example/file.mp3", &file, new(Progress)); !isLocalAddress(err) {
				t.Errorf("a file: %v", err)
			}
			w.exec("DELETE FROM icon")
			w.exec("DELETE FROM feed_icon")
			w.clock.add(32 * day)
			w.web.posting("/other", time.Hour)
			w.subscribe(reader.Feed{URL: "http://b.example/other"}) // whose answer lets icons be asked for
			w.settled()
			icons := 0
			for _, ask := range w.web.requests() {
				if strings.Contains(ask.path, "secret") {
					t.Errorf("asked for %s", ask.path)
				}
				if ask.path == "/" || ask.path == "/favicon.ico" {
					icons++
				}
			}
			if icons == 0 {
				t.Error("no icon was asked for")
			}
		})
	}
}

// Feeds in the local network that a page of the web names are ignored.
func TestDiscoveryNamesNoLocalFeed(t *testing.T) {
	w := newWorld(t)
	w.wire()
	w.web.says("/", `<html><link rel=alternate type="application/rss+xml" href="http://100.64.0.1/feed"><link rel=alternate type="application/rss+xml" href="http://x.lan/feed">`+
		`<link rel=alternate type="application/rss+xml" href="http://127.1/feed"><a href="http://nas/feed.xml">feed</a>`)
	w.web.posting("/feed.xml", time.Hour)
	w.web.posting("/feed", time.Hour)
	found, err := w.discover("http://a.example/")
	for _, c := range found {
		if fetch.IsLocal(c.URL) {
			t.Errorf("found %s", c.URL)
		}
	}
	if err != nil || len(found) == 0 {
		t.Error(fmt.Sprint(found), err)
	}
}

// What the user added from the local network keeps working: the feed, its discovery, its pictures and files, and moves
// within that network.
func TestLocalFeedsKeepWorking(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/feed", time.Hour)
	w.web.on("/page", func(out http.ResponseWriter, r *http.Request) { http.Redirect(out, r, "/feed", http.StatusFound) })
	w.web.says("/file", "a file")
	found, err := w.discover(w.web.address("/page"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	f := w.subscribe(reader.Feed{URL: found[0].URL})
	w.settled()
	if o := w.byHand(f.ID)[0]; o.Result != Stored && o.Result != Unchanged {
		t.Errorf("%+v", o)
	}
	var file bytes.Buffer
	if err := w.Download(t.Context(), f.ID, w.web.address("/file"), &file, new(Progress)); err != nil || file.String() != "a file" {
		t.Errorf("%q %v", file.String(), err)
	}
}
