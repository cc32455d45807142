package papers

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"kairos/poller/lab/picture"
)

// Report is a table of a paper as replayed.
type Report struct {
	rows  []any // for JSON
	parts []part
}

// part is one printed table of it, or the graphs of a figure.
type part struct {
	title  string
	heads  [][]string
	lines  [][]string
	notes  []string // what the paper reports, and what to know in comparing
	graphs []picture.Graph
}

// WriteJSON writes the rows as JSON, one object per line.
func (r *Report) WriteJSON(out io.Writer) error {
	enc := json.NewEncoder(out)
	for _, row := range r.rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// WriteTable writes the tables as text.
func (r *Report) WriteTable(out io.Writer) error {
	var text strings.Builder
	for i, p := range r.parts {
		if i > 0 {
			text.WriteString("\n")
		}
		text.WriteString(p.title + "\n")
		if err := p.write(&text); err != nil {
			return err
		}
		for _, note := range p.notes {
			text.WriteString(note + "\n")
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// write writes the lines in columns.
func (p *part) write(text *strings.Builder) error {
	w := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range append(p.heads, p.lines...) {
		fmt.Fprintf(w, "%s\t\n", strings.Join(line, "\t")) //nolint:errcheck // Flush returns it
	}
	return w.Flush()
}

// figure is a number that is null in JSON if it is NaN or infinite.
type figure float64

// MarshalJSON writes a number or null.
func (k figure) MarshalJSON() ([]byte, error) {
	if x := float64(k); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// geometricMean returns the geometric mean of ratios, NaN of none.
func geometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
