//go:build window && accessible

package windowtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// transcriptFile holds what somebody does with Kairos, and below each key, indented, what Orca says then.
const transcriptFile = "testdata/speech/orca.txt"

// Orca itself reads the window. What it says while somebody adds a feed, reads two articles, searches and opens the settings
// is kept in a file, which makes sense when it is read aloud.
func TestOrcaReadsTheWindow(t *testing.T) {
	if version, err := exec.Command("orca", "--version").Output(); err != nil {
		t.Skip("skipped: Orca is not installed; “make accessible” does that")
	} else if !strings.HasPrefix(string(version), "43.") {
		t.Skipf("skipped: this is Orca %s; written down is what Orca 43 says", version)
	}
	if exec.Command("pgrep", "-x", "orca").Run() == nil {
		t.Skip("skipped: Orca runs here, and does not start twice")
	}
	server := httptest.NewServer(http.HandlerFunc(serveHarbour))
	defer server.Close()
	kairos := binary(t, buildChecked)
	o := startOrca(t)
	defer o.compare()

	p := o.start(kairos, filepath.Join(t.TempDir(), "data"))
	o.stepFrom("Kairos is started", "Kairos frame", "Add a site or a feed entry")

	o.chapter("A feed is added")
	o.keys("ctrl+n", "Address entry")
	o.keys("x", "x")
	o.keys("BackSpace", "x")
	o.typeText(server.URL + "/gazette.xml")
	o.key("Return")
	// The field of the page has the focus again until the page goes: Orca reads it, or what is left of it, or comes too late.
	o.leftOut = regexp.MustCompile(`^(Add a site or a feed entry.*|entry\.)$`)
	o.stepFrom("The address of the feed, and Return", "notification Added", "The lamplighter counted") // without each letter

	o.leftOut = nil
	o.chapter("The list")
	o.keys("Down", "From Monday")
	o.keys("Down", "Nobody saw")
	o.keys("Up", "From Monday")
	o.keys("Up", "The lamplighter counted")
	o.keys("s", "notification starred")

	o.chapter("The first article, by the caret")
	o.keys("Right", "Seven lamps on the quay heading")
	o.keys("Down", "The Harbour Gazette")
	o.keys("Down", "The lamplighter")
	o.keys("ctrl+Right", "The")
	o.keys("ctrl+Right", "lamplighter")
	o.keys("Right", "o")
	o.keys("ctrl+Down", "What he saw")
	o.keys("Down", "• a boat", "bullet a boat")
	o.keys("Down", "bullet a rope")
	o.keys("Down", "It was late")
	o.keys("Down", "A lamp image")
	o.keys("Down", "There is nothing")
	o.keys("ctrl+Down", "Lamp table column header")
	o.keys("Down", "Hours")
	o.keys("Down", "9.")
	o.keys("Down", "Hours")
	o.keys("Down", "lamp(7)")
	o.keys("ctrl+Home", "Seven lamps on the quay heading")
	o.keys("ctrl+Down", "The Harbour Gazette")
	o.keys("Tab", "the notes")
	o.keys("Tab", "Unstar")
	o.keys("Tab", "Label")
	o.keys("Escape", "The lamplighter counted")

	o.chapter("The second article, all of it")
	o.keys("Down", "From Monday")
	o.keys("Right", "The night ferry sails again heading")
	o.keys("KP_Add", "They are sold")
	o.keys("Escape", "From Monday")

	o.chapter("The places")
	o.keys("Left", "The Harbour Gazette")
	o.keys("ctrl+4", "Starred")
	o.keys("ctrl+1", "All articles")
	o.keys("Right", "multi-select List with")

	o.chapter("A search")
	o.keys("ctrl+f", "Search entry")
	o.typeText("lamp")
	o.stepFrom("“lamp” is typed", "notification Results", "notification Results")
	o.keys("Return", "multi-select List with")
	o.keys("Down", "The lamplighter counted")
	o.keys("ctrl+f", "Search entry")
	o.typeText("zeppelin")
	o.stepFrom("“zeppelin” is typed", "notification Results", "notification Results")
	o.keys("Escape", "The lamplighter counted")

	o.chapter("The settings")
	o.keys("ctrl+comma", "General")
	o.keys("Tab", "Follow system")
	o.keys("Tab", "Follow system")
	o.keys("Tab", "Start Kairos again")
	o.keys("Tab", "Start Kairos when I log in")
	o.keys("space", "checked")
	o.keys("space", "not checked")
	o.keys("shift+Tab", "Start Kairos again")
	o.keys("shift+Tab", "Follow system")
	o.keys("shift+Tab", "Follow system")
	o.keys("shift+Tab", "General")
	o.keys("Down", "Reading")
	o.keys("Escape", "The lamplighter counted")

	o.key("ctrl+q")
	p.end()
}

// orca is a running Orca. What it says is in a file.
type orca struct {
	*desktop
	file  string
	read  int // bytes of it
	story strings.Builder

	leftOut *regexp.Regexp // lines that may be said or not, and are not kept; nil: none
}

// startOrca starts a desktop with Orca, which says the letters that are typed as the field describes them, not as keys.
func startOrca(t *testing.T) *orca {
	t.Helper()
	speech, err := filepath.Abs("testdata/speech")
	if err != nil {
		t.Fatal(err)
	}
	d := newAccessibleDesktop(t)
	o := &orca{desktop: d, file: filepath.Join(d.home, "spoken")}
	d.with = append(d.with, "SPOKEN="+o.file)
	d.background("", "env", "-u", "WAYLAND_DISPLAY", "PYTHONPATH="+speech, "PYTHONDONTWRITEBYTECODE=1", "LANG=C.UTF-8", "orca", "--disable", "key-echo", "--disable", "braille", "--enable", "echo-by-character")
	o.step("Orca is started", "Screen reader on")
	return o
}

// changing is what differs each time, and hasty what depends on whether Orca asks before the article that it is about was
// opened.
var (
	changing = regexp.MustCompile(`\w+day, \d+ \w+, \d+:\d\d|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+:\d\d`)
	hasty    = regexp.MustCompile(`(, \d+ h|\(date\)), unread\.`)
)

// spoken is what Orca has said since the last call, a line each.
func (o *orca) spoken() (lines []string) {
	text, _ := os.ReadFile(o.file)
	text = text[o.read:]
	whole := text[:strings.LastIndexByte(string(text), '\n')+1]
	o.read += len(whole)
	for line := range strings.Lines(string(whole)) {
		line = changing.ReplaceAllString(strings.TrimSpace(line), "(date)")
		lines = append(lines, hasty.ReplaceAllString(line, "$1."))
	}
	return lines
}

func (o *orca) chapter(name string) { fmt.Fprintf(&o.story, "\n# %s\n\n", name) }

// keys presses a key and waits until Orca says something that begins with one of these.
func (o *orca) keys(key string, begins ...string) {
	o.Helper()
	if rest, with := strings.CutPrefix(key, "ctrl+"); with { // Orca asks what is held when it gets to a key
		o.xdotool("keydown", "ctrl", "key", rest)
		defer o.xdotool("keyup", "ctrl")
	} else {
		o.key(key)
	}
	o.stepFrom(key, "", begins...)
}

// step waits until Orca says something that begins so, after something was done.
func (o *orca) step(done, begins string) {
	o.Helper()
	o.stepFrom(done, "", begins)
}

// stepFrom is step without what is said before a line that begins with from.
func (o *orca) stepFrom(done, from string, begins ...string) {
	o.Helper()
	var said []string
	defer func() {
		fmt.Fprintln(&o.story, done)
		for _, line := range said {
			fmt.Fprintf(&o.story, "    %s\n", line)
		}
	}()
	o.until(fmt.Sprintf("after %s Orca says %q", done, begins), func() bool {
		for _, line := range o.spoken() {
			if o.leftOut != nil && o.leftOut.MatchString(line) {
				continue
			}
			if len(said) > 0 || strings.HasPrefix(line, from) {
				said = append(said, line)
			}
		}
		for _, line := range said {
			for _, begin := range begins {
				if strings.HasPrefix(line, begin) {
					return true
				}
			}
		}
		return false
	})
}

// compare compares what was said with the file.
func (o *orca) compare() {
	o.Helper()
	if *update && !o.Failed() {
		if err := os.WriteFile(transcriptFile, []byte(o.story.String()), 0o644); err != nil {
			o.Fatal(err)
		}
	}
	want, _ := os.ReadFile(transcriptFile)
	if o.story.String() != string(want) {
		o.Errorf("Orca says something else than %s:\n%s", transcriptFile, o.story.String())
	}
}

// harbour are the articles of a feed: title, hours since, text.
var harbour = []struct {
	title string
	hours int
	html  string
}{
	{"Seven lamps on the quay", 1, `<p>The lamplighter counted seven lamps and wrote them down with <a href="/notes">the notes of last spring</a>. Nobody had asked
		him.</p><h2>What he saw</h2><ul><li>a <b>boat</b></li><li>a rope</li></ul><blockquote>It was late.</blockquote><p><img src="/none.png" alt="A lamp"></p>
		<table><tr><th>Lamp</th><th>Hours</th></tr><tr><td>North</td><td>9</td></tr></table><pre>lamp(7)</pre>`},
	{"The night ferry sails again", 5, `<p>From Monday the night ferry sails to the islands again. The council voted for it.</p><h2>Tickets</h2>
		<p>They are sold <a href="/tickets">at the pier</a>.</p>`},
	{"Fog for the third morning", 26, `<p>Nobody saw the harbour master.</p>`},
}

// serveHarbour serves the feed.
func serveHarbour(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/gazette.xml" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(w, `<?xml version="1.0"?><rss version="2.0"><channel><title>The Harbour Gazette</title><link>http://%s/</link><description/>`, r.Host)
	for i, a := range harbour {
		fmt.Fprintf(w, `<item><guid isPermaLink="false">%d</guid><title>%s</title><pubDate>%s</pubDate><description><![CDATA[%s]]></description></item>`,
			i, a.title, time.Now().Add(-time.Duration(a.hours)*time.Hour-10*time.Minute).UTC().Format(time.RFC1123Z), a.html)
	}
	fmt.Fprint(w, `</channel></rss>`)
}
