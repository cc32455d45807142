package papers

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kairos/poller/lab/labtest"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/traces"
	"kairos/reader/readertest"
)

var update = flag.Bool("update", false, "write PAPERS.md and its pictures again (make papers)")

const page = "../PAPERS.md"

// The page has a section for every table, shows no picture that is missing, and its sections are
// what the code writes: with the traces, the quick ones that do not depend on what Kairos learns are
// written again and compared.
func TestPage(t *testing.T) {
	if *update {
		writePage(t)
	}
	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	for name := range tables {
		if !strings.Contains(text, "<!-- "+name+" -->") {
			t.Errorf("PAPERS.md has no section of the table %s: make papers", name)
		}
	}
	shown := map[string]bool{}
	for _, m := range regexp.MustCompile(`\]\((papers/[^)]*\.png)\)`).FindAllStringSubmatch(text, -1) {
		shown[filepath.Base(m[1])] = true
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("*.png")
	if err != nil || len(files) != len(shown) {
		t.Errorf("%d pictures, %d of them on the page: %v", len(files), len(shown), err)
	}
	if strings.Contains(text, synthetic) {
		t.Error("the page is of the synthetic set")
	}
	readertest.SkipWithRace(t)
	set := labtest.Panel(t, 0)
	for _, name := range []string{"feeds", "cgm"} {
		var out bytes.Buffer
		if _, err := writeSection(t.Context(), &out, set, name); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(text, line) {
				t.Errorf("PAPERS.md lacks this line of the table %s: make papers\n%s", name, line)
			}
		}
	}
}

// What the page says of its traces.
const (
	synthetic = "This is a small synthetic set, since no traces were given: it shows the form of the tables and proves nothing."
	recorded  = "From traces of real feeds and people (864 feeds, 38 people; not shipped)."
)

func writePage(t *testing.T) {
	set, source := traces.SyntheticWeeks(26), synthetic
	if os.Getenv("KAIROS_TRACES") != "" {
		set, source = labtest.Panel(t, 0), recorded
	}
	var out bytes.Buffer
	pictures, err := writeTables(t.Context(), &out, set, source)
	if err != nil {
		t.Fatal(err)
	}
	old, err := filepath.Glob("*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, picture := range pictures {
		if err := os.WriteFile(filepath.Join("..", name), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(page, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pageOrder is the order of the tables on the page, by paper.
var pageOrder = []struct {
	paper, note string
	tables      []string
}{
	{"He & Parker, Optimized Retrieval Algorithms for Personalized Content Aggregation",
		"Rates are learned once from two weeks and applied to one week, 3 fetches per feed and day, equal weights. Histogram rows are the paper's recipe; posterior rows put our rates in their place.",
		[]string{"curves", "he-parker"}},
	{"Sia, Cho & Cho, Efficient Monitoring Algorithm for Fast News Alerts",
		"Rates are learned once from two weeks, the eleven that follow are replayed. The delay runs from a post to the fetch that brings it; nobody reads.",
		[]string{"feeds", "sia", "cgm", "window", "push"}},
	{"PUC-Rio thesis, chapter 4: equally spaced re-visits under politeness", "", []string{"polite"}},
}

// writeTables replays all tables on a set and writes them as one page. It returns the pictures by
// their path from the page. The set is described by a sentence of its source.
func writeTables(ctx context.Context, out io.Writer, set *traces.Set, source string) (pictures map[string][]byte, err error) {
	pictures = map[string][]byte{}
	if _, err := fmt.Fprintf(out, `# The papers, by their own protocols

%s
Written by `+"`make papers`"+`; `+"`kairos lab --table NAME`"+` prints one section, by the name above it. The papers' own
numbers stand beside ours where they print any; where the shapes differ a sentence says why. What our traces lack is dealt by
a fixed seed, and said. [RESULTS.md](../RESULTS.md) has the results of Kairos itself.

`, source); err != nil {
		return nil, err
	}
	for _, paper := range pageOrder {
		fmt.Fprintf(out, "## %s\n\n", paper.paper) //nolint:errcheck // the next write fails, too
		if paper.note != "" {
			fmt.Fprintf(out, "%s\n\n", paper.note) //nolint:errcheck // the next write fails, too
		}
		for _, name := range paper.tables {
			drawn, err := writeSection(ctx, out, set, name)
			if err != nil {
				return nil, fmt.Errorf("table %s: %w", name, err)
			}
			maps.Copy(pictures, drawn)
		}
	}
	return pictures, nil
}

// writeSection replays one table and writes its section of the page.
func writeSection(ctx context.Context, out io.Writer, set *traces.Set, name string) (pictures map[string][]byte, err error) {
	p, err := Protocol(name)
	if err != nil {
		return nil, err
	}
	r, err := Run(ctx, name, set, p, nil)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(out, "<!-- %s -->\n\n`--table %s`\n\n", name, name); err != nil {
		return nil, err
	}
	return r.writeMarkdown(out, "papers/"+name)
}

// writeMarkdown writes the tables as a section of a page, and returns its pictures as PNG files
// by the names under which the section shows them, which begin with the prefix.
func (r *Report) writeMarkdown(out io.Writer, prefix string) (pictures map[string][]byte, err error) {
	var text strings.Builder
	pictures = map[string][]byte{}
	for _, p := range r.parts {
		text.WriteString("### " + strings.ReplaceAll(p.title, "\n", " ") + "\n\n")
		if len(p.graphs) > 0 {
			name := fmt.Sprintf("%s-%d.png", prefix, len(pictures)+1)
			if pictures[name], err = picture.Graphs(p.graphs...); err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "![%s](%s)\n\n", p.graphs[0].Title, name)
		}
		p.markdown(&text)
		if len(p.notes) > 0 {
			text.WriteString(strings.Join(p.notes, " ") + "\n\n")
		}
	}
	_, err = io.WriteString(out, text.String())
	return pictures, err
}

// markdown writes the lines as a table of a page. A head that is empty belongs to the one left
// of it.
func (p *part) markdown(text *strings.Builder) {
	if len(p.heads) == 0 {
		return
	}
	n := len(p.heads[0])
	head := make([]string, n)
	for _, row := range p.heads {
		group := ""
		for j, h := range row {
			if h != "" {
				group = h
			}
			head[j] = strings.TrimSpace(head[j] + " " + group)
		}
	}
	row := func(cells []string) { text.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(head)
	text.WriteString(strings.Repeat("|---", n) + "|\n")
	for _, line := range p.lines {
		row(line)
	}
	text.WriteString("\n")
}
