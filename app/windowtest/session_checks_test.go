//go:build window

package windowtest

import (
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/autostart"
	"kairos/app/notify"
)

// TestDesktop uses Kairos on a whole desktop: “make desktop”.
func TestDesktop(t *testing.T) {
	if os.Getenv("KAIROS_DESKTOP") == "" {
		t.Skip("skipped: “make desktop” runs it, with all that a desktop consists of")
	}
	planned := newPlannedSession(t) // in which minutes have to pass
	s := newSession(t)
	s.check("tray", s.tray)
	s.check("panel", s.panel)
	s.check("notification", s.notification)
	s.check("autostart", s.autostart)
	s.check("scheme", s.scheme)
	s.check("files", s.files)
	s.check("clipboard", s.copyPaste)
	s.check("drag", s.drag)
	s.check("input-method", s.inputMethod)
	s.check("scale", s.scale)
	s.check("two-screens", s.twoScreens)
	s.check("keyring", s.keyring)
	s.check("wayland", s.wayland)
	planned.check("planned", planned.told)
}

// tray closes the window to the tray and gets it back, by clicks and by the menu.
func (s *session) tray() {
	s.launch()
	s.inFront()
	s.until("the icon is registered", func() bool { return s.trayItem() != nil })
	s.until("the icon is drawn", func() bool { return foreground(s.shot("desktop"), s.trayIcon()) > 40 })

	s.Log("closing asks the first time")
	s.keepFetching()

	s.Log("a click on the icon brings it back")
	s.click(middle(s.trayIcon()), 1)
	s.inFront()
	s.key("alt+F4")
	s.away()

	s.Log("so does its menu, by the mouse and the keys")
	before := s.shot("desktop")
	s.click(middle(s.trayIcon()), 3)
	menu := image.Rect(s.screen.X-160, 30, s.screen.X, 120)
	s.until("the menu opens", func() bool { return differing(before, s.shot("desktop-tray-menu"), menu) > 5000 })
	s.key("Down", "Return")
	s.inFront()
	s.shot("desktop-tray")

	s.Log("and its menu ends Kairos")
	s.click(middle(s.trayIcon()), 3)
	s.until("the menu opens", func() bool { return differing(before, s.shot("desktop-tray-menu"), menu) > 5000 })
	s.key("Up", "Return")
	s.until("Kairos ends", func() bool { return len(s.running()) == 0 })
}

// keepFetching closes the window for the first time, and answers that Kairos is to go on without it.
func (s *session) keepFetching() {
	s.Helper()
	before := s.shot("desktop")
	s.key("alt+F4")
	s.until("the question is there", func() bool { return differing(before, s.shot("desktop-close"), before.Bounds()) > 20000 })
	s.key("Return")
	s.away()
}

// panel lets the panel come later than Kairos, and come back.
func (s *session) panel() {
	s.run("xfce4-panel", "--quit")
	s.until("there is no tray", func() bool { return !s.owned("org.kde.StatusNotifierWatcher") })
	s.launch()
	s.inFront()
	s.background("", "xfce4-panel")
	s.until("the icon appears with the panel", func() bool { return s.trayItem() != nil })
	s.until("the icon is drawn", func() bool { return foreground(s.shot("desktop"), s.trayIcon()) > 40 })
	s.run("xfce4-panel", "--quit")
	s.until("there is no tray", func() bool { return !s.owned("org.kde.StatusNotifierWatcher") })
	s.background("", "xfce4-panel")
	s.until("the icon is back", func() bool { return s.trayItem() != nil })
	s.until("the icon is drawn", func() bool { return foreground(s.shot("desktop"), s.trayIcon()) > 40 })
	s.quit()
}

// published is when the first article of a feed was: recently, since what is old when a feed is added counts as read.
var published = time.Now().Add(-2 * time.Hour).UTC()

// feed is a feed of so many articles.
func feed(articles int) string {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>The Session Gazette</title>`)
	for i := range articles {
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">g%[1]d</guid><title>Story number %[1]d</title><link>http://gazette.test/story/%[1]d</link><pubDate>%[2]s</pubDate>
			<description>&lt;p&gt;What story number %[1]d tells.&lt;/p&gt;</description></item>`, i, published.Add(time.Duration(i)*time.Minute).Format(time.RFC1123Z))
	}
	b.WriteString(`</channel></rss>`)
	return b.String()
}

// site serves a feed, and returns its address.
func (s *session) site() string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, feed(3))
	}))
	s.Cleanup(server.Close)
	return server.URL + "/feed.xml"
}

// write writes a file into the home folder and returns its path.
func (s *session) write(name, text string) string {
	s.Helper()
	file := filepath.Join(s.home, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return file
}

// read reports whether the newest article is read.
func (s *session) read() bool {
	newest := s.installed().verb("articles", "--limit", "1")
	return len(newest) == 1 && newest[0]["read"] == true
}

// notification closes the window, and follows a notification to its article.
func (s *session) notification() {
	s.set(notify.SettingFeeds, notify.All)
	s.launch()
	s.inFront()
	kairos := s.installed()
	kairos.verb("add", s.write("gazette.xml", feed(3))) // a file may be fetched again at once
	s.keepFetching()
	s.write("gazette.xml", feed(4))
	kairos.verb("fetch")
	s.until("there is a notification", func() bool { return strings.TrimSpace(s.run("dunstctl", "count", "displayed")) == "1" })
	s.shot("desktop-notification")
	if s.read() {
		s.Error("the new article is read before anybody saw it")
	}
	s.run("dunstctl", "action")
	s.inFront()
	s.until("the article is read", s.read)
	s.until("the window shows its feed", func() bool { return strings.Contains(s.title(), "The Session Gazette") })
	s.shot("desktop-notification-clicked")
	s.quit()
}

// autostart starts Kairos at login as sessions do.
func (s *session) autostart() {
	s.staysRunning()
	s.Setenv("XDG_CONFIG_HOME", filepath.Join(s.home, ".config"))
	if err := autostart.Set(true, s.binary(), "--data", s.data()); err != nil {
		s.Fatal(err)
	}
	s.logout()
	s.login()
	s.until("the icon is there", func() bool { return s.trayItem() != nil })
	if id := s.window(); id != "" {
		s.Error("a window is shown at login")
	}
	s.Log("the launcher brings its window, of the same process")
	s.launch()
	s.inFront()
	s.until("there is one process", func() bool { return len(s.running()) == 1 })
	s.quit()
}

// scheme switches the desktop between light and dark.
func (s *session) scheme() {
	s.launch()
	s.inFront()
	is := func(dark bool) func() bool {
		return func() bool {
			r, g, b, _ := s.shot("desktop-scheme").At(700, 660).RGBA()
			return r+g+b < 3*0x8000 == dark
		}
	}
	s.until("the window is as light as the desktop", is(false))
	s.run("xfconf-query", "-c", "xsettings", "-p", "/Net/ThemeName", "-n", "-t", "string", "-s", "Adwaita-dark")
	s.until("it is as dark", is(true))
	s.shot("desktop-dark")
	s.quit()
	s.launch()
	s.inFront()
	s.until("it is dark from the beginning", is(true))
	s.run("xfconf-query", "-c", "xsettings", "-p", "/Net/ThemeName", "-s", "Adwaita")
	s.until("it is light again", is(false))
	s.quit()
}

// list writes a list of one feed.
func (s *session) list(name, feed string) string {
	s.Helper()
	return s.write(name, `<?xml version="1.0"?><opml version="2.0"><body><outline text="`+name+`" xmlUrl="`+feed+`"/></body></opml>`)
}

// files opens lists of feeds and links as a file manager and a browser do.
func (s *session) files() {
	feed := s.site()
	kairos := s.installed()
	// What is in a list is shown before it is imported; what comes from this machine is paused, which is told.
	imported := func(n int) func() bool {
		return func() bool {
			s.key("Return")
			return len(kairos.verb("feeds")) == n
		}
	}
	s.Log("while Kairos does not run, two lists at once")
	s.run("gio", "open", s.list("one list.opml", feed), s.list("two.opml", feed+"?two"))
	s.inFront()
	s.until("both are imported", imported(2))
	s.until("there is one process", func() bool { return len(s.running()) == 1 })
	s.Log("while it runs")
	s.run("gio", "open", "file://"+s.list("three.opml", feed+"?three"))
	s.until("it is imported", imported(3))
	for range 3 { // reports
		s.key("Escape")
	}
	s.Log("a link of a browser")
	before := s.shot("desktop")
	s.run("xdg-open", "feed:"+feed+"?four")
	s.until("the dialog asks", func() bool { return differing(before, s.shot("desktop-link"), before.Bounds()) > 20000 })
	s.key("Return")
	s.until("it is subscribed to", func() bool { return len(kairos.verb("feeds")) == 4 })
	s.quit()
}
