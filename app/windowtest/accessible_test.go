//go:build window && accessible

package windowtest

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ago is how feeds of testdata/reader say when something was published.
var ago = regexp.MustCompile(`(\d+) hours ago`)

// readerFeeds serves the feeds of testdata/reader.
func readerFeeds() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := os.ReadFile(filepath.Join("testdata/reader/feeds", filepath.Base(r.URL.Path)))
		if err != nil {
			serveFeeds(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/rss+xml")
		text := strings.ReplaceAll(string(raw), "SITE", "http://"+r.Host)
		fmt.Fprint(w, ago.ReplaceAllStringFunc(text, func(said string) string {
			hours, _ := strconv.Atoi(ago.FindStringSubmatch(said)[1])
			return time.Now().Add(-time.Duration(hours)*time.Hour - 30*time.Minute).UTC().Format(time.RFC1123Z)
		}))
	}
}

// startLiferea starts Liferea with the same feeds.
func startLiferea(d *desktop, site string) {
	d.Helper()
	dir := filepath.Join(d.home, ".config/liferea")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		d.Fatal(err)
	}
	var list strings.Builder
	list.WriteString(`<?xml version="1.0"?><opml version="1.0"><head><title>Liferea Feed List Export</title></head><body>`)
	for i, feed := range [][2]string{{"The Harbour Gazette", "harbour"}, {"Notes from the Tram Depot", "depot"}} {
		fmt.Fprintf(&list, `<outline title="%[1]s" text="%[1]s" description="%[1]s" type="rss" xmlUrl="%[2]s/%[3]s.xml" id="feed%[4]d" updateInterval="-1"/>`, feed[0], site, feed[1], i)
	}
	list.WriteString(`</body></opml>`)
	if err := os.WriteFile(filepath.Join(dir, "feedlist.opml"), []byte(list.String()), 0o600); err != nil {
		d.Fatal(err)
	}
	d.background("", "liferea")
}

// A screen reader finds the panes of the real window.
func TestAccessibleTree(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveFeeds))
	defer server.Close()
	kairos, data := binary(t, buildChecked), filepath.Join(t.TempDir(), "data")
	d := newAccessibleDesktop(t)
	p := &program{desktop: d, binary: kairos, data: data}
	p.verb("add", server.URL+"/gazette.xml")
	p = d.start(kairos, data)
	var tree string
	d.until("the articles are told", func() bool {
		tree = d.client("testdata/reader/tree.py", "Kairos")
		return strings.Contains(tree, "list item 'Lamps of the harbour, part 0")
	})
	for _, part := range []string{"frame 'Kairos'", "menu 'Feed'", "push button 'Add feed'", "tree item 'The Window Gazette, 12 unread'", "document frame"} {
		if !strings.Contains(tree, part) {
			t.Errorf("%s is missing in\n%s", part, tree)
		}
	}
	d.key("ctrl+q")
	p.end()
}

var update = flag.Bool("update", false, "rewrite the golden files")

// notMissed is what Liferea tells and Kairos does not, and why nobody misses it; "*" stands for any step.
var notMissed = map[string]string{
	// Its lists are tables that GTK makes cells of when they are asked for. A row of Kairos is one thing, with its place and
	// all that its cells say in its name.
	"articles: column":                            "a row says by its words what is a date",
	"articles: interface Image":                   "a cell with an icon",
	"articles: interface TableCell":               "a row is no cell",
	"feeds: interface TableCell":                  "a row is no cell",
	"*: state transient":                          "made when it is asked for",
	"list of articles: interface Table":           "rows, not cells",
	"list of feeds: interface Table":              "rows, not cells",
	"list of articles: state manages descendants": "rows are there all the time",
	"list of feeds: state manages descendants":    "rows are there all the time",
	"list of articles: state has tooltip":         "what it would say is the description of the row",

	// WebKit and GTK have these for everything of a class, whether or not anything comes of it.
	"buttons: interface Image":        "the icon says what the name says",
	"*: interface Action":             "of a text: nothing happens",
	"cell: state selectable":          "nobody can select it",
	"dialog: state resizable":         "it is no window of its own",
	"field: labelled":                 "the name is the label",
	"link: interface Hypertext":       "a link has no links in it",
	"link: interface Text":            "its name is its words, the text is that of its paragraph",
	"menu entry: interface Selection": "it opens nothing",
	"picture: interface Hyperlink":    "it is no link, but can be pressed",
	"picture: interface Hypertext":    "it has no text",
}

func whyNotMissed(thing string) string {
	_, what, _ := strings.Cut(thing, ": ")
	return notMissed[thing] + notMissed["*: "+what]
}

// Two programs are used by the same script, each with the same feeds. What both tell is in testdata/reader; whatever Liferea
// tells, Kairos tells, but for what is a matter of how GTK and WebKit are made.
func TestAccessibleAsLiferea(t *testing.T) {
	if _, err := exec.LookPath("liferea"); err != nil {
		t.Fatal("liferea is missing; “make accessible” installs it")
	}
	server := httptest.NewServer(readerFeeds())
	defer server.Close()

	d := newAccessibleDesktop(t)
	startLiferea(d, server.URL)
	theirs := toldBy(d, "liferea")

	d = newAccessibleDesktop(t)
	p := &program{desktop: d, binary: binary(t, buildChecked), data: filepath.Join(t.TempDir(), "data")}
	p.verb("add", server.URL+"/harbour.xml")
	p.verb("add", server.URL+"/depot.xml")
	p = d.start(p.binary, p.data)
	ours := toldBy(d, "Kairos")
	d.key("ctrl+q")
	p.end()

	told := things(ours)
	for thing := range things(theirs) {
		if !told[thing] && whyNotMissed(thing) == "" {
			t.Errorf("Liferea tells this, Kairos does not: %s", thing)
		}
	}
}

// toldBy is what a program tells the script, once it is there. It has to be what it was before.
func toldBy(d *desktop, name string) string {
	d.Helper()
	d.until(name+" has a window", func() bool { return d.hasWindow(name) })
	said := d.client("testdata/reader/reader.py", name)
	file := filepath.Join("testdata/reader", strings.ToLower(name)+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(said), 0o644); err != nil {
			d.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(file); said != string(want) {
		d.Errorf("%s tells something else than %s has:\n%s", name, file, said)
	}
	return said
}

// hasWindow reports whether a program shows a window.
func (d *desktop) hasWindow(name string) bool {
	ids, err := d.tool("xdotool", "search", "--onlyvisible", "--class", name)
	return err == nil && strings.TrimSpace(ids) != ""
}

// things are what the lines tell something of: "step: what", without how.
func things(said string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(said) {
		if step, what, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			what, _, _ = strings.Cut(what, ": ")
			all[step+": "+what] = true
		}
	}
	return all
}
