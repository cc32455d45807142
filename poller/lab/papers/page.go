package papers

import (
	"context"
	"fmt"
	"io"
	"maps"

	"kairos/poller/lab/traces"
)

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

// WritePage replays all tables on a set and writes them as one page. It returns the pictures by
// their path from the page. The set is described by a sentence of its source.
func WritePage(ctx context.Context, out io.Writer, set *traces.Set, source string) (pictures map[string][]byte, err error) {
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
	return r.WriteMarkdown(out, "papers/"+name)
}
