//go:build window

package windowtest

import (
	"context"
	endian "encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
	"github.com/go-gl/glfw/v3.4/glfw"
)

// What the environment makes the test binary do in place of the tests: call Fyne off its goroutine, or start GLFW on Wayland.
const (
	offThread   = "KAIROS_TEST_OFF_THREAD"
	withoutSeat = "KAIROS_TEST_WITHOUT_SEAT"
)

func TestMain(m *testing.M) {
	if os.Getenv(offThread) != "" {
		callOffThread()
		return
	}
	if os.Getenv(withoutSeat) != "" {
		runtime.LockOSThread()
		glfw.InitHint(glfw.PlatformHint, int(glfw.PlatformWayland))
		fmt.Println(glfw.Init())
		return
	}
	code := m.Run()
	if dir, err := buildDir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func callOffThread() {
	a := fyneapp.NewWithID("org.kairos.Reader.test")
	w := a.NewWindow("Kairos off thread")
	w.SetContent(widget.NewLabel("off thread"))
	a.Lifecycle().SetOnStarted(func() {
		go func() {
			w.SetTitle("Kairos, set from another goroutine")
			fyne.Do(a.Quit)
		}()
	})
	w.ShowAndRun()
}

// TestOffThreadCallsAreReported checks that this build reports what checkLog looks for.
func TestOffThreadCallsAreReported(t *testing.T) {
	d := newDesktop(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(d.env(), offThread+"=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), threadError) {
		t.Fatalf("a call off Fyne's goroutine was not reported:\n%s", out)
	}
}

// articlePane is the place of the article in a window of the default size.
var articlePane = image.Rect(600, 130, 1180, 700)

// Without a screen the program reports that and releases the data folder.
func TestWithoutScreen(t *testing.T) {
	cmd := exec.Command(binary(t, buildChecked), "--data", t.TempDir())
	cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(out), "no screen to show the window on") ||
		strings.Contains(string(out), "goroutine") {
		t.Fatalf("%v: %s", err, out)
	}
}

// So it does where the only screen is that of a compositor without a seat, as weston's without a monitor.
func TestWithoutSeat(t *testing.T) {
	cmd := exec.Command(binary(t, buildChecked), "--data", t.TempDir())
	cmd.Env = seatless(t)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(out), "has no seat") || strings.Contains(string(out), "goroutine") {
		t.Fatalf("%v: %s", err, out)
	}
}

// GLFW 3.4 ends in a segmentation fault there. Once it does not, package display need not look for a seat any more.
func TestGLFWNeedsSeat(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(seatless(t), withoutSeat+"=1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "SIGSEGV") {
		t.Errorf("GLFW starts without a seat (%v): see “Upgrade Fyne”\n%s", err, out)
	}
}

// seatless is an environment with a compositor that lists nothing, least of all a seat.
func seatless(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(folder, "wayland-0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerSyncs(c)
		}
	}()
	return append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR="+folder)
}

// answerSyncs answers each sync of a client of Wayland, to which nothing is listed: the callback is done.
func answerSyncs(c net.Conn) {
	defer c.Close()
	var request [3]uint32 // to the display: its ID, 1; the length, 12, and which; the ID of what it makes
	for endian.Read(c, endian.NativeEndian, &request) == nil {
		const sync = 12 << 16
		if request[1] == sync {
			endian.Write(c, endian.NativeEndian, [3]uint32{request[2], 12 << 16, 0})
		}
	}
}

// On a screen without OpenGL it reports that, and releases the data folder.
func TestWithoutOpenGL(t *testing.T) {
	d := newDesktop(t, "-extension", "GLX")
	cmd := exec.Command(binary(t, buildChecked), "--data", t.TempDir())
	cmd.Env = d.env()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(out), "no OpenGL to draw the window with") ||
		strings.Contains(string(out), "goroutine") {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestReading(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveFeeds))
	defer server.Close()
	kairos, data := binary(t, buildChecked), filepath.Join(t.TempDir(), "data folder")
	d := newDesktop(t)
	d.breakFonts()
	p := d.start(kairos, data)
	d.until("the window opens", func() bool { return d.title() != "" })

	t.Log("subscribe by typing an address")
	// Keys typed before the window is ready are lost, so the dialog is opened until it has got the address.
	d.until("the list says that it is empty", func() bool { return foreground(d.shot("empty"), image.Rect(240, 90, 580, 300)) > 200 })
	d.key("ctrl+n")
	d.until("the dialog opens", func() bool { return foreground(d.shot("dialog"), image.Rect(330, 250, 860, 520)) > 400 })
	d.typeText(server.URL + "/gazette.xml")
	d.key("Return")
	d.until("the articles arrive", func() bool { return p.number("articles", "feeds") == 12 })
	d.until("the title counts them", func() bool { return strings.HasPrefix(d.title(), "(12) Kairos – The Window Gazette") })
	d.until("the list shows them", func() bool { return foreground(d.shot("list"), image.Rect(240, 500, 580, 700)) > 1000 })

	t.Log("read the newest article, which the feed shows when it is chosen")
	d.until("it is marked read", func() bool { return p.verb("articles", "--limit", "1")[0]["read"] == true })
	d.until("the title counts one less", func() bool { return strings.HasPrefix(d.title(), "(11)") })
	d.until("the article is drawn", func() bool { return foreground(d.shot("article"), articlePane) > 3000 })
	d.until("its picture is shown", func() bool { return litPixels(d.shot("picture"), articlePane) > 320*200*9/10 })
	t.Log("look at the picture")
	d.xdotool("mousemove", "800", "320", "click", "1")
	d.until("it is shown large", func() bool {
		return litPixels(d.shot("large"), image.Rect(0, 0, 1200, 780)) > 320*200*9/10 && litPixels(d.shot("large"), articlePane) < 320*200*9/10
	})
	d.key("Escape")
	d.until("it is in its place again", func() bool { return litPixels(d.shot("picture"), articlePane) > 320*200*9/10 })
	d.key("Left") // a click has the focus in the article
	d.key("Right", "ctrl+a", "ctrl+c")
	d.until("its words are on the clipboard", func() bool {
		return strings.Contains(d.clipboard(), "The lamplighter of article 0 counted seven lamps") &&
			strings.Contains(d.clipboard(), "a link to the harbour")
	})

	t.Log("an opening is an access")
	d.until("the access is in the log", func() bool { return p.accesses() == 1 })

	t.Log("battery saver shrinks the plan")
	d.until("there is a plan", func() bool { return p.number("planned", "budget") > 2 })
	before := p.number("planned", "budget")
	d.key("ctrl+b")
	d.until("the plan shrinks", func() bool {
		return p.number("budget", "budget") == 2 && p.number("planned", "budget") < before
	})

	t.Log("a verb beside the window")
	p.verb("add", server.URL+"/second.xml")
	d.until("the title counts the second feed too", func() bool { return strings.HasPrefix(d.title(), "(16)") })
	d.shot("two-feeds")

	t.Log("kill and start again")
	was := d.title()
	p.kill()
	if said := p.log.String(); said != "" { // although there is no message bus, and fonts are broken
		t.Errorf("Kairos printed\n%s", said)
	}
	p = d.start(kairos, data)
	d.until("everything is there, where it was", func() bool { return d.title() == was })
	if read := p.verb("articles", "--limit", "12"); len(read) != 12 {
		t.Errorf("%d articles of 12 after the kill", len(read))
	}
	if n := p.number("budget", "budget"); n != 4 {
		t.Errorf("the budget is %d after the kill: battery saver was forgotten", n)
	}
	if n := p.accesses(); n != 1 {
		t.Errorf("%d accesses after the kill, within ten minutes of the first", n)
	}
	d.shot("again")

	t.Log("a second start shows the window and ends")
	if out, err := d.tool(kairos, "--data", data); err != nil {
		t.Errorf("second start: %v %s", err, out)
	}
	d.key("ctrl+q")
	p.end()

	t.Log("a hidden start shows nothing until it is asked to")
	d.with = []string{"FYNE_FONT=" + filepath.Join(d.home, ".fonts/text.ttf")}
	p = d.start(kairos, data, "--hidden")
	d.until("it owns the folder", func() bool { return answers(p) })
	if title := d.title(); title != "" {
		t.Errorf("started hidden, the window %q is there", title)
	}
	if out, err := d.tool(kairos, "--data", data); err != nil {
		t.Errorf("second start: %v %s", err, out)
	}
	d.until("the window is shown", func() bool { return d.title() != "" })
	d.key("ctrl+q")
	p.end()
	if said := p.log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "text.ttf is no font") {
		t.Errorf("with a font that is not one, Kairos printed\n%s", said)
	}
}

// answers reports whether the owner answers a verb through its socket, which is all that a hidden one shows.
func answers(p *program) bool {
	socket, _ := filepath.Glob(filepath.Join(p.home, "*"))
	for _, s := range socket {
		if info, err := os.Stat(s); err == nil && info.Mode()&os.ModeSocket != 0 {
			return true
		}
	}
	return false
}

// serveFeeds serves two feeds.
func serveFeeds(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/gazette.xml":
		writeFeed(w, "The Window Gazette", 12, "http://"+r.Host+"/lamp.png")
	case "/second.xml":
		writeFeed(w, "The Second Sheet", 5, "http://"+r.Host+"/lamp.png")
	case "/lamp.png":
		img := image.NewNRGBA(image.Rect(0, 0, 320, 200))
		draw.Draw(img, img.Bounds(), image.NewUniform(lampLight), image.Point{}, draw.Src)
		png.Encode(w, img) //nolint:errcheck // who asked may have gone
	default:
		http.NotFound(w, r)
	}
}

// lampLight is the color of the image in the articles, and of nothing else.
var lampLight = color.NRGBA{0xff, 0x00, 0xcc, 0xff}

// litPixels counts the pixels of a part of the screen in this color.
func litPixels(img image.Image, part image.Rectangle) (n int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 == 0xff && g>>8 == 0 && b>>8 == 0xcc {
				n++
			}
		}
	}
	return n
}

func writeFeed(w http.ResponseWriter, title string, n int, picture string) {
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(w, `<?xml version="1.0"?><rss version="2.0"><channel><title>%s</title><link>http://127.0.0.1/</link><description/>`, title)
	for i := range n {
		fmt.Fprintf(w, `<item><guid isPermaLink="false">%[1]s-%[2]d</guid><title>Lamps of the harbour, part %[2]d</title>
			<pubDate>%[3]s</pubDate><description><![CDATA[<img src="%[4]s" alt="A lamp"><p>The lamplighter of article %[2]d counted seven lamps and
			wrote them down with <a href="/harbour">a link to the harbour</a>.</p><h2>What he saw</h2>
			<ul><li>a <b>boat</b></li><li>a <code>rope</code></li></ul><blockquote>It was late.</blockquote>
			<pre>lamp(7)</pre>]]></description></item>`, title, i, time.Now().Add(-time.Duration(i)*3*time.Hour).UTC().Format(time.RFC1123Z), picture)
	}
	fmt.Fprint(w, `</channel></rss>`)
}
